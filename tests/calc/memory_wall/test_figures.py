from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from calc import batching, catalog
from calc.figure.scenario import MODELS, key
from calc.memory_wall import attention, long_context, sparse_attention
from calc.memory_wall.figures import domain, setting
from calc.memory_wall.figures.shared import awake
from calc.setting import Layout, Scenario, Setting
from calc.step import decode
from tests.calc.figure import asking

answer, number = asking.of("memory_wall")


def test_the_floor_falls_by_chips_and_by_bandwidth():
    found = answer("floor").values
    assert found["floor"].number == pytest.approx(671e9 / (72 * 8e12))
    assert found["before"].number / found["floor"].number == pytest.approx(found["gain"].number)
    assert found["gain"].number == pytest.approx(72 / 8 * 8 / 3.35)
    assert number("floor", "gain", system="hgx-h100", before="hgx-h100", chips=8) == 1


def test_the_slider_moves_its_dot_along_the_line_of_the_chosen_chip():
    for chips in (8, 72, 1000):
        found = answer("floor", system="hgx-h200", chips=chips)
        assert found.values["floor"].number == pytest.approx(671e9 / (chips * 4.8e12))
        line = found.tables["lines"]
        assert found.tables["here"]["seconds"][0] * chips == pytest.approx(line["seconds"][0] * line["chips"][0])
        assert any("HGX H200 (8 GPUs) joins 8" in note for note in found.notes) == (chips > 8)


def test_both_chosen_systems_lie_on_their_lines_and_carry_their_names():
    tables = answer("floor", system="hgx-h200").tables
    floors = dict(zip(tables["systems"]["system"], tables["systems"]["seconds"], strict=True))
    for place, name in ((0, "H200 ×8"), (2, "H100 ×8")):
        assert tables["lines"]["seconds"][place] * tables["lines"]["chips"][place] == pytest.approx(8 * floors[name])
    assert {"H200 ×8", "H100 ×8"} <= set(tables["labels"]["label"])
    assert len(set(tables["labels"]["label"])) == len(tables["labels"]["label"])


def test_messages_are_those_of_the_chips_on_the_slider():
    slice_of = answer("floor", system="tpu-v4-pod", chips=64)  # a cube of four: 6 rounds there and back, 1 µs each
    wait = 2 * 61 * (2 * 6e-6 + 2 * 7168 * 2 * 63 / 64 / 270e9)
    assert slice_of.values["sums"].number == pytest.approx(wait, rel=1e-2)
    assert "messages" not in slice_of.finding
    half = answer("floor", system="tpu-v4-pod", chips=2048)
    assert (
        half.values["floor"].number
        < half.values["sums"].number
        < number("floor", "sums", system="tpu-v4-pod", chips=4096)
    )
    assert "its messages for one sequence take" in half.finding
    assert "Upright" in half.description
    assert "Upright" not in answer("floor").description


@pytest.mark.parametrize(("system", "stages"), [("hgx-h100", 2), ("hgx-a100", 2)])
def test_what_does_not_fit_is_told_how_many_domains_hold_it(system, stages):
    note = answer("floor", system=system, model="kimi-k2", chips=8).notes[0]
    assert f"a pipeline of {stages} such domains" in note
    assert not answer("floor").notes


@pytest.mark.parametrize(("pace", "words"), [(10, "room to hold them"), (200, "time to read them")])
def test_a_slow_service_lacks_room_and_a_fast_one_time(pace, words):
    found = answer("largest", pace=pace)
    assert found.finding.endswith(f"{words} runs out first")
    limits = {"time to read them": "reads", "room to hold them": "holds"}
    assert found.values["largest"].number == found.values[limits[words]].number
    assert (found.values["step"].number > found.values["drain"].number) == (words == "room to hold them")


def test_on_a_torus_it_is_told_what_sums_take_of_a_step():
    pod = answer("largest", system="tpu-v7-pod", model="deepseek-v3", pace=50)
    wait = 2 * 61 * (2 * 32e-6 + 2 * 7168 * 2 * 9215 / 9216 / 600e9)  # 32 rounds there and back, 1 µs each
    assert pod.values["sums"].number == pytest.approx(wait)
    assert any("take 7.81 ms of 20 ms." in note for note in pod.notes)
    assert not any("Messages" in note for note in answer("largest").notes)
    assert pod.values["reads"].number == pytest.approx(0.5 * (0.02 - wait) * 9216 * 7.38e12, rel=1e-3)


def test_a_pod_whose_sums_outlast_a_step_serves_a_model_in_slices():
    fast = answer("largest", system="tpu-v7-pod", model="deepseek-v3", pace=200)
    table = fast.tables["spans"]
    used = dict(zip(table["system"], table["chips"], strict=True))
    assert any(f"slices of {used['TPU7x ×9,216']:,.0f}," in note for note in fast.notes)
    assert fast.values["sums"].number < 1 / 200 < 7.8e-3
    assert used["GB200 ×72"] == 72


def test_the_largest_model_by_hand():
    """72 chips of 189,471 MiB and 8 TB/s at 50 tokens a second, a byte a weight, half for caches."""
    wait = 2 * 61 * (2e-6 + 2 * 7168 * 2 * 71 / 72 / 900e9)
    assert number("largest", "sums") == pytest.approx(wait)
    assert number("largest", "reads") == pytest.approx(0.5 * 72 * 8e12 / 50) == number("sizes", "rack_fp8")
    assert number("largest", "reads", pace=250) == pytest.approx(0.5 * 72 * 8e12 * (1 / 250 - wait))  # a twentieth
    assert number("largest", "holds") == pytest.approx(0.5 * 72 * 189_471 * 2**20)


@pytest.mark.parametrize(
    ("figure", "inputs", "words"),
    [
        ("fit", {"context": 1}, "sequences of 1 token;"),
        ("sparse", {"context": 1}, "Of 1 token,"),
        ("reuse", {"model": "qwen3-0.6b", "attention": "bf16"}, "multiplies once for each byte"),
        ("latent", {"new": 171}, "takes about as much work"),
        ("road", {"model": "kimi-k2", "system": "hgx-h100"}, "the weights take 1 TB, its cache 3.51 TB"),
    ],
)
def test_a_finding_at_the_end_of_an_input_is_a_sentence(figure, inputs, words):
    assert words in answer(figure, **inputs).finding


def test_a_domain_whose_messages_outlast_every_step_serves_by_single_chips():
    assert any("single chips, which send none" in note for note in answer("largest", pace=10_000).notes)
    assert any("take 248 µs, longer than a step of 100 µs." in note for note in answer("largest", pace=10_000).notes)
    assert [answer("largest", pace=pace).values["model"].text for pace in (50, 10_000)] == ["11.6%", "1,680×"]
    assert "with 1 token at once" in answer("reuse").description


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "fill 80.5%"),  # 671 GB and 3,087 x 100,000 x 35,136 B of 14,305 GB
        ({"context": 4096, "batch": 2048}, "fill 6.75%"),  # 671 GB and 2,048 x 4,096 x 35,136 B
        ({"context": 99_900, "batch": 3884}, "fill more than 99.9%"),
        ({"context": "100M", "batch": 4}, "room for 3 sequences of 100,000,000 tokens, not for your 4"),
        ({"context": "100M", "batch": 1, "model": "kimi-k2", "system": "hgx-b300"}, "no room for even one sequence of"),
        ({"context": 99_900, "batch": 3882}, "room for 3,884 sequences of 99,900 tokens; both, with your 3,882, fill"),
        (
            {"system": "hgx-h100", "context": 4096},
            "room for 91 sequences of 4,096 tokens, not for your 3,087",
        ),  # in 684.2 - 671 GB
        ({"system": "hgx-h100", "model": "kimi-k2"}, "cannot hold the weights"),
    ],
)
def test_the_finding_of_what_fits_takes_sides(inputs, words):
    found = answer("fit", **inputs)
    assert words in found.finding
    parts = dict(zip(found.tables["parts"]["part"], found.tables["parts"]["bytes"], strict=True))
    assert (parts["Missing"] > 0) == ("fill" not in words)
    assert parts["Free"] * parts["Missing"] == 0


@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"context": "4096"},
        {"context": "100M", "batch": 3},
        {"system": "tpu-v5p-pod", "context": 4096, "batch": "1M"},
        {"model": "llama-3-8b", "system": "mi300x-8", "batch": 1},
    ],
)
def test_the_drawing_is_to_scale(inputs):
    found = answer("fit", **inputs)
    boxes, poured = found.tables["boxes"], found.tables["poured"]
    whole = boxes["x2"][0] - boxes["x"][0]
    drawn = dict.fromkeys(domain.PARTS, 0.0)
    for part, left, right in zip(poured["part"], poured["x"], poured["x2"], strict=True):
        drawn[part] += (right - left) / whole
    per_box = found.values["capacity"].number / len(boxes["x"])
    for part, size in zip(found.tables["parts"]["part"], found.tables["parts"]["bytes"], strict=True):
        assert drawn[part] * per_box == pytest.approx(size, rel=1e-6, abs=1), part


def test_what_is_missing_is_drawn_below_and_up_to_one_more_domain():
    found = answer("fit", batch="1M", context="1M")
    boxes, poured = found.tables["boxes"], found.tables["poured"]
    below = [y for part, y in zip(poured["part"], poured["y"], strict=True) if part == "Missing"]
    assert min(below) > max(boxes["y"])
    assert sum(part == "Missing" for part in poured["part"]) == len(boxes["x"])
    assert any("one more domain" in note for note in found.notes)


def test_few_users_are_told_apart_and_many_are_not():
    few, many = (answer("fit", context="1M", batch=batch).tables["poured"] for batch in (20, 300))
    assert len({shade for part, shade in zip(few["part"], few["shade"], strict=True) if part == "Caches"}) == 2
    assert set(many["shade"]) == {1.0}


@pytest.mark.parametrize("chips", [8, 72, 256, 4096, 8960, 9216])
def test_boxes_stand_in_full_rows_and_cover_all_chips(chips):
    cells, each = domain.grid(chips)
    assert cells * each == chips
    assert cells % domain.columns(cells) == 0


def test_sequences_that_fit_are_those_of_the_formula():
    where = Scenario.named("llama-3-70b", "hgx-h200", "fp8")
    expected = batching.largest_batch(context=32_768, **setting.domain(where))
    assert (
        number("fit", "users", model="llama-3-70b", system="hgx-h200", context=32_768) == expected == 211
    )  # of 5.37 GB each, in 8 x 143,771 MiB - 70.6 GB


@pytest.mark.parametrize(
    ("inputs", "size"),
    [
        ({"heads": 8}, 80 * 2 * 8 * 128),
        ({"heads": 8, "precision": "bf16"}, 2 * 80 * 2 * 8 * 128),
        ({"heads": 8, "every": 6}, 14 * 2 * 8 * 128),
        ({"heads": 1, "every": 6, "sharing": 2}, 7 * 2 * 128),
        ({"heads": 1, "every": 1000, "sharing": 1000}, 2 * 128),
    ],
)
def test_a_design_keeps_what_its_levers_leave(inputs, size):
    assert number("kv", "yours", **inputs) == size


def test_a_state_does_not_grow_and_is_told_apart():
    """45 of 60 layers keep 64 heads of 128 x 128 and three inputs of a convolution, in four bytes a number."""
    values = {name: each.number for name, each in answer("caches").values.items()}
    assert values["linear_state"] == 45 * 4 * (64 * 128 * 128 + 3 * (2 * 16 * 128 + 64 * 128))
    assert values["linear_token"] == 15 * 2 * 2 * 256
    assert values["linear_equal"] * values["linear_token"] == values["linear_state"]
    model = catalog.model("qwen3.5-397b-a17b")
    assert setting.design(model) == "Partly linear"
    flops = 2 * 15 * 32 * 512 * 1000 + 45 * 6 * 64 * 128 * 128
    assert setting.decode_flops(model, 1000) == pytest.approx(flops)


def test_the_stored_cache_of_an_index_is_said_beside_its_numbers():
    assert 61 * (656 + 132) == 48_068
    for figure in ("kv", "fit"):
        assert any("48.1 kB" in note for note in answer(figure, model="deepseek-v3.2").notes)
    assert not answer("kv").notes


def test_the_words_of_a_design_say_what_was_pulled():
    assert "80 layers with 8 key-value heads:" in answer("kv").finding
    assert "14 of them global" in answer("kv", every=6).finding
    assert "one cache for 3" in answer("kv", sharing=3).finding
    # fourteen layers, a cache for three of them: five caches of 2,048 numbers, read fourteen times
    shared = answer("kv", every=6, sharing=3)
    assert (shared.values["yours"].number, shared.values["read"].number) == pytest.approx((5 * 2048, 14 * 2048))
    assert shared.finding.endswith("10.2 kB; each step reads 28.7 kB")
    assert "1 layer with 1 key-value head:" in answer("kv", layers=1, heads=1).finding
    assert any("There is only 1 global layer to" in note for note in answer("kv", layers=1, sharing=5).notes)
    assert any("only 14 global layers" in note for note in answer("kv", every=6, sharing=50).notes)
    assert any("At least one layer" in note for note in answer("kv", every=100).notes)


def test_a_shared_cache_is_marked_where_it_is_read_too():
    shared = answer("kv", every=6, sharing=2)
    marked = shared.tables["mine"]
    assert marked["label"] == ["chosen model", "read in a step"]
    assert marked["bytes"][1] == shared.values["read"].number == 2 * shared.tables["here"]["bytes"][0]
    assert answer("kv").tables["mine"]["label"] == ["chosen model"]


def test_a_design_like_a_public_model_keeps_as_much():
    llama = {"model": "llama-3-70b", "layers": 80, "heads": 8, "width": 128}
    assert number("kv", "ratio", **llama) == 1


@pytest.mark.parametrize("model", [name for name in MODELS if not catalog.model(name).index_top_k])
def test_attention_and_weights_are_equal_where_the_line_says_so(model):
    at = number("attended", "crossing", model=model)
    assert setting.decode_flops(catalog.model(model), at) == pytest.approx(2 * catalog.model(model).active_params)


def test_the_index_crosses_later_than_full_attention():
    full, indexed = (catalog.model(name) for name in ("deepseek-v3", "deepseek-v3.2"))
    at = setting.overtaking(indexed)
    assert at > setting.overtaking(full)
    assert setting.decode_flops(indexed, at) == pytest.approx(2 * indexed.active_params)
    found = answer("attended", model="deepseek-v3.2")
    assert np.isnan(found.tables["curve"]["prompt"]).all()
    assert any("only decode is drawn" in note for note in found.notes)


@pytest.mark.parametrize(("context", "words"), [(1000, "it overtakes them at"), ("1M", "it overtook them at")])
def test_the_finding_knows_on_which_side_it_stands(context, words):
    found = answer("attended", context=context)
    assert words in found.finding
    assert (found.values["here"].number > 1) == (words == "it overtook them at")


def test_a_whole_prompt_spends_the_same_on_both_at_its_crossing():
    llama = catalog.model("llama-3-70b")
    at = setting.overtaking(llama, prompt=True)
    both = attention.prefill_flops(at, llama.active_params, setting.slope(llama, prompt=True))
    assert both == pytest.approx(2 * at * 2 * llama.active_params, rel=1e-4)


def test_best_blocks_read_least_of_all_blocks():
    for context, blocks in product((10_000, 1e6), (4, 64)):
        found = answer("sparse", context=context, blocks=blocks)
        best = found.tables["curve"]["best"]
        for block in (4, 64, 1000):
            fixed = answer("sparse", context=context, blocks=blocks, block=block).tables["curve"]["fixed"]
            choosing = np.asarray(found.tables["curve"]["context"]) > blocks * max(block, blocks)
            assert (np.asarray(best)[choosing] <= np.asarray(fixed)[choosing] * (1 + 1e-9)).all()


def test_a_doubling_shows_the_square_root_and_the_line():
    found = answer("sparse", context="50M").values
    assert found["twice_best"].number == pytest.approx(np.sqrt(2))
    assert found["twice_indexed"].number == pytest.approx(2, rel=0.01)
    assert found["twice_fixed"].number == pytest.approx(2, rel=0.01)
    assert found["saving"].number < found["limit"].number


def test_the_index_is_said_to_be_idle_where_it_keeps_everything():
    assert any("lets every token through" in note for note in answer("sparse", context=1000).notes)
    assert any("full attention would read less" in note for note in answer("sparse", context=2100, index=600).notes)
    assert len(answer("sparse", context="1M").notes) == 1


def test_the_road_is_that_of_the_formula():
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    found = answer("road", goal="100M").values
    assert found["token"].number == pytest.approx((37e9 + 1e8 * where.kv_bytes_per_token) / 576e12)
    prompt = 1e8 * (2 * 37e9 + 2 * 128 * (192 + 128) * 61 * (1e8 + 1) / 2) / where.flops
    assert found["prompt"].number == pytest.approx(prompt)
    assert found["longest"].number * where.kv_bytes_per_token == pytest.approx(where.system.hbm_bytes - 671e9)
    assert found["month"].number == long_context.pace(1e8, 30)


def test_few_sequences_read_the_experts_that_they_wake_and_many_read_all():
    """Three sequences of a hundred million tokens wake 9% of 256 experts; 388 of a million wake all of them."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    expert = (671e9 - 37e9) / 248
    assert awake(where.model)(1.0) == pytest.approx(37 / 671)
    read = 37e9 + (256 * (1 - (31 / 32) ** 3) - 8) * expert
    full = (read + 3 * 1e8 * where.kv_bytes_per_token) / 576e12
    assert number("road", "full", goal="100M") == pytest.approx(full)
    assert awake(where.model)(388.0) > 0.9999
    assert awake(Scenario.named("llama-3-70b", "hgx-h100", "fp8").model)(1.0) == 1


def test_no_prompt_is_read_sooner_than_the_weights():
    """4,850 tokens of DeepSeek-V3 multiply for as long as the weights are read once: 4850 x (74e9 + 2.5e6 x 4851)."""
    floor = 671e9 / 576e12
    assert number("road", "prompt", goal=1000) == pytest.approx(floor)
    assert number("road", "prompt", goal=4800) == pytest.approx(floor)
    assert number("road", "prompt", goal=5000) > 1.02 * floor
    assert min(answer("road").tables["curve"]["prompt"]) == pytest.approx(floor)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [({}, "holds 3 contexts"), ({"goal": "300M"}, "holds 1 context of"), ({"goal": "1e9"}, "Not one")],
)
def test_the_finding_of_the_road_counts_its_users(inputs, words):
    assert words in answer("road", **inputs).finding


def test_nobody_is_priced_where_nobody_fits():
    found = answer("length", goal="1e9")
    assert found.finding.endswith("so writing in one has no price")
    assert found.values["prompt"].number > 0, "the prompt has a price"
    assert found.tables["here"]["label"] == ["written: not even one fits"]
    assert np.isnan(found.tables["here"]["dollars"]).all()
    assert "(one alone)" in answer("length", goal="300M").finding


def test_cost_is_rent_shared_by_those_who_fit():
    found = answer("length").values
    seconds = number("road", "full")
    assert found["decode"].number == pytest.approx(1e6 * found["rent"].number / 3600 * seconds / found["users"].number)
    assert found["prompt"].number == pytest.approx(found["rent"].number / 3600 * number("road", "prompt"))
    assert number("length", "decode", price=9.08) == pytest.approx(2 * found["decode"].number)


def test_the_worked_examples_are_those_of_the_ledger():
    """Figures recomputed by hand for the ledger: each to the digits that it gives."""
    expected = {
        ("domains", "box"): 25.04e-3,
        ("domains", "rack"): 1.165e-3,
        ("domains", "gain"): 21.49,
        ("domains", "gain_copied"): 25.04 / 3.301,
        ("domains", "gain_later"): (25.04 + 1504 * 4.884e-3) / (3.301 + 1504 * 4.884e-3),
        ("domains", "box_bandwidth"): 26.8e12,
        ("domains", "rack_bandwidth"): 576e12,
        ("domains", "stages"): 8,
        ("domains", "five_box"): 187e-3,
        ("domains", "five_rack"): 8.68e-3,
        ("caches", "said"): 1667,
        ("caches", "chip_gb200"): 1600,
        ("caches", "chip_v6e"): 892,
        ("caches", "chip_v4"): 4364,
        ("caches", "one_layer"): 2048,
        ("caches", "least_times"): 3440 / 2048,  # DeepSeek-V4-Flash, at a byte a number
        ("caches", "most_times"): 126,
        ("caches", "character_short_low"): 27.4,
        ("caches", "character_long_high"): 140,
        ("crossings", "deepseek_v3"): 4355,
        ("crossings", "deepseek_v3_prompt"): 2 * 14_809,
        ("crossings", "llama_3_70b"): 53_864,
        ("crossings", "llama_3_405b"): 98_092,
        ("crossings", "qwen3_235b_a22b"): 14_285,
        ("crossings", "designed"): 610_352,
        ("crossings", "deepseek_v3_per"): 241.8,
        ("indexed", "saved"): 4.92,
        ("indexed", "exponent"): 0.99,
        ("far", "month"): 38.6,
        ("far", "said_read"): 0.29e-3,
        ("far", "read"): 6.1e-3,
        ("far", "users"): 3,
        ("crossings", "added"): (35_136 / 8e12 + 16.99e6 / 5e15) / (163_840 / 8e12 + 2.621e6 / 5e15),
        ("exercise", "share_one"): 0.811,
        ("exercise", "share_four"): 0.945,
    }
    for (slug, value), known in expected.items():
        assert number(slug, value) == pytest.approx(known, rel=0.005), (slug, value)


def test_the_first_and_the_last_crossing_are_those_of_the_table():
    values = {name: value.number for name, value in answer("crossings").values.items()}
    listed = [values[key(name)] for name in MODELS if key(name) in values]
    assert values["first"] == min(listed)
    assert values["last"] == max(listed)


def test_the_exercises_close():
    values = {name: value.number for name, value in answer("exercise").values.items()}
    assert values["recall_chips"] * values["recall_bandwidth"] == pytest.approx(values["recall_gain"])
    assert values["recall_before"] / values["recall_after"] == pytest.approx(values["recall_gain"])
    assert values["size_reads"] < values["size_holds"] == values["size_slow_largest"] < values["size_slow_reads"]
    assert values["share_needed_each"] < values["share_needed"]
    assert values["block_best"] == sparse_attention.best_block(1e6, 8)
    assert values["block_far_times"] == pytest.approx(10)
    assert values["block_stale_times"] > values["block_far_times"]
    assert values["far_read"] < values["far_room"] < values["far_own"]
    assert values["far_decode"] > values["far_step"]
    assert values["far_prompts"] == values["far_users"] * values["far_prompt"]


def test_symbols_stand_for_the_scenario():
    where = Scenario.named("llama-3-70b", "hgx-b200", "bf16")
    values = answer("setting", model="llama-3-70b", system="hgx-b200", precision="bf16").values
    assert values["weights"].number == where.weight_bytes
    assert values["token"].number == where.kv_bytes_per_token
    assert values["slope"].number == 2 * 64 * 256 * 80


def test_reuse_is_compared_with_the_ratio_of_the_format_that_attention_multiplies_in():
    """576 numbers of latent, read as a key and 512 of them as a value, by 128 heads: 128 x 1088 / 576 a byte in FP8."""
    assert number("reuse", "reuse") == pytest.approx(128 * 1088 / 576)
    assert number("reuse", "reuse", attention="bf16") == pytest.approx(64 * 1088 / 576)
    assert number("reuse", "ratio", attention="mixed") == pytest.approx(number("reuse", "ratio") / 2)
    assert number("reuse", "reuse", model="llama-3-70b", drafts=3) == 4 * 8
    assert answer("reuse").finding.endswith("reading limits it at rated speeds")
    assert answer("reuse", attention="mixed").finding.endswith("multiplying limits it at rated speeds")


def test_the_reuse_of_grouped_heads_in_words_spans_all_their_dots():
    """A few examples had 8 to 16, while the picture beside them had large models at 6."""
    rows = answer("reuse").tables["models"]
    dots = [reuse for reuse, kind in zip(rows["reuse"], rows["design"], strict=True) if kind == "Grouped heads"]
    assert number("crossings", "groups_least") == min(dots) == 2
    assert number("crossings", "groups_most") == max(dots) == 16


@pytest.mark.parametrize("drafts", [0, 1])
@pytest.mark.parametrize("model", ["deepseek-v3", "kimi-k2", "llama-3-70b"])
def test_the_critical_context_of_the_figure_balances_a_sequence(model, drafts):
    """There a pass multiplies for a sequence as long as it reads its cache; at none it never does."""
    where = Scenario.named(model, "gb200-nvl72", "fp8")
    at = number("reuse", "critical", model=model, drafts=drafts, attention="mixed")
    a = setting.slope(where.model)

    def excess(context):
        weights = 2 * where.model.active_params / where.system.flops("fp8")
        attending = a * context / where.system.flops("bf16")
        reading = where.kv_bytes_per_token * context / where.system.hbm_bandwidth
        return (1 + drafts) * (weights + attending) - reading

    if np.isinf(at):
        assert excess(1e9) > 0
    else:
        assert excess(0.99 * at) > 0 > excess(1.01 * at)


def test_a_shared_cache_is_kept_once_and_read_by_every_layer():
    alone, shared = (answer("kv", heads=1, every=6, sharing=many).values for many in (1, 2))
    assert alone["yours"].number == 2 * shared["yours"].number
    assert alone["read"].number == alone["yours"].number == shared["read"].number
    published = answer("caches").values
    assert published["character_short_low"].number == pytest.approx(2 * published["character_short_read"].number)
    assert published["character_long_high"].number == pytest.approx(3 * published["character_long_read"].number)


def test_attention_that_multiplies_moves_the_critical_context_of_latent_attention_alone():
    found = {name: each.number for name, each in answer("crossings").values.items()}
    moved = {
        short: found[f"{short}_critical_full"] / found[f"{short}_critical_plain"] for short in ("v3", "k2", "llama")
    }
    assert moved["llama"] < 1.05 < 1.5 < moved["k2"] < moved["v3"]
    assert found["v3_critical_full"] == pytest.approx(number("reuse", "critical"))
    assert all(found[f"{short}_ceiling_full"] > found[f"{short}_ceiling_plain"] for short in moved)


def test_sums_over_a_torus_outlast_the_floor_and_those_over_a_switch_do_not():
    """Two sums of 61 layers, each there and back: 244 rounds over a switch, and half of each side of 16 x 24 x 24."""
    once = 2 * 61 * 2 * 7168 * 2
    assert number("domains", "sums_starts") == pytest.approx(244e-6)
    assert number("floor", "sums") == pytest.approx(244e-6 + once * 71 / 72 / 900e9)
    pod = 244e-6 * (8 + 12 + 12) + once * 9215 / 9216 / 600e9
    assert number("floor", "sums", system="tpu-v7-pod", chips=9216) == pytest.approx(pod)
    starts, sent = 244e-6, 122 * 2048 * 7168 * 2 * 2 * 71 / 72 / 900e9
    assert number("sizes", "batch_sums") == pytest.approx(starts + sent)
    assert number("sizes", "batch_largest") == pytest.approx((1 / 50 - starts - sent) * 72 * 8e12 / 2)
    assert answer("floor").tables["sums"]["chips"] == []  # of the chosen systems, those whose sums outlast the reading
    drawn = answer("floor", system="tpu-v7-pod").tables["sums"]
    assert drawn["chips"] == [9216]
    assert drawn["until"][0] == pytest.approx(pod)
    assert pod > drawn["seconds"][0]
    assert "its messages for one sequence take 7.81 ms" in answer("floor", system="tpu-v7-pod", chips=9216).finding
    assert "one sequence take at least 7.81 ms" in answer("floor", system="tpu-v7-pod", chips=10_000).finding


@pytest.mark.parametrize("system", ["hgx-h100", "gb200-nvl72", "tpu-v7-pod"])
def test_the_sums_of_the_floor_are_those_of_the_model_of_a_step(system):
    where = Setting.published("llama-3-405b", system, "fp8")
    step = decode(where.with_layout(Layout(tensor=int(where.machine.domain_chips))), 1, 0)
    sums = [each for each in step.operations if each.name.startswith("all-reduce")]
    expected = sum(each.scale_up_seconds + each.rounds * 1e-6 for each in sums)
    chips = where.machine.domain_chips
    assert number("floor", "sums", model="llama-3-405b", system=system, chips=chips) == pytest.approx(expected)


def test_half_the_heads_of_one_latent_take_half_the_operations():
    found = {name: each.number for name, each in answer("crossings").values.items()}
    assert found["k2_slope"] == found["v3_slope"] / 2 == 61 * 2 * 64 * (576 + 512)
    assert found["k2_slope_prompt"] == found["v3_slope_prompt"] / 2 == 61 * 2 * 64 * (192 + 128)


def test_a_latent_is_expanded_for_as_many_new_tokens_as_make_that_less_work():
    turn = number("latent", "turn")
    fewer, more = (answer("latent", new=np.floor(turn) + each).values for each in (0, 1))
    assert fewer["absorbed"].number < fewer["expanded"].number
    assert more["absorbed"].number > more["expanded"].number
    assert more["absorbed"].number == fewer["absorbed"].number


def test_a_block_that_is_cut_off_says_how_wide_it_is_and_no_other_does():
    for new in (1, 100_000):
        tables = answer("latent", new=new).tables
        whole = tables["ways"]["width"][1] + tables["ways"]["expanding"][1]
        assert bool(tables["edge"]["label"][0]) == (whole > max(tables["heads"]["x2"]))


def test_the_floor_with_copies_by_hand():
    """The busiest chip: four of 256 experts in each of 58 layers, and all else but the table of embeddings."""
    experts = 58 * 3 * 7168 * 2048
    else_ = 671.03e9 - 256 * experts - 129_280 * 7168
    assert number("domains", "copied") == pytest.approx(4 * experts + else_, rel=0.01)
    assert number("domains", "each") == pytest.approx(671e9 / 72)


def test_room_ends_first_at_a_slow_promise_and_time_at_a_fast_one():
    found = {name: value.number for name, value in answer("ends").values.items()}
    rack, cache = 72 * 8e12, 100_000 * 35_136
    assert found["slow_step"] > found["drain"] > found["fast_step"]
    assert found["room"] == (72 * 189_471 * 2**20 - 671e9) // cache
    assert found["time"] == pytest.approx((0.01 * rack - 671e9) / cache, rel=1e-3)
    each = 2 * 37e9 + setting.slope(catalog.model("deepseek-v3")) * 100_000
    assert found["time"] * each < 0.01 * 72 * 5e15  # attention's products end later
    assert found["room"] * each < 0.05 * 72 * 5e15


@pytest.mark.parametrize("inputs", [{}, {"before": "hgx-b200"}, {"system": "tpu-v4-pod", "chips": 4096}])
def test_no_label_of_a_domain_lies_on_the_line_of_the_chosen_chip(inputs):
    """On a drawing of 63 pixels a decade up and 186 across; labels are 12 pixels high and about 70 wide."""
    found = answer("floor", **inputs)
    line, labels = found.tables["lines"], found.tables["labels"]
    product = line["seconds"][0] * line["chips"][0]
    for chips, seconds, side, dx, dy in zip(
        *(labels[k] for k in ("chips", "seconds", "side", "dx", "dy")), strict=True
    ):
        if chips > 8:
            over = 63 * np.log10(seconds * chips / product)  # the point over the line, in pixels
            ends = (dx, dx + 70) if side == "left" else (dx - 70, dx)
            gaps = [over - dy + end * 63 / 186 for end in ends]  # the label's middle over the line at its ends
            assert min(gaps) > 5 or max(gaps) < -5, (chips, gaps)


def test_an_index_is_a_fifth_of_the_cache_beside_it():
    assert number("indexed", "more") == pytest.approx(132 / 656)


def test_an_index_multiplies_with_64_heads_of_128_where_attention_has_128_of_1088():
    assert number("indexed", "limit_products") == 128 * (576 + 512) / (64 * 128)
