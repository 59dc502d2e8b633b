"""Benchmarks of training: read as they were printed, counted as their maker counts, slower than any bound."""

from __future__ import annotations

import pytest

from calc import catalog, overtraining
from calc.catalog.measurement import read, write
from calc.catalog.training import TrainingRun, TrainingStep, training_runs, training_steps
from calc.figure import registry
from calc.overtraining import training_run
from calc.pipelining import bubbles
from calc.world import training_table
from calc.world.figures import training_busy, training_count
from calc.world.figures.training_runs import busy
from calc.world.training import (
    PASSES,
    changed,
    counted,
    gain,
    in_part,
    learned,
    middle,
    newest,
    on_both,
    one_layout,
    trained,
)

NUMBERS = "Tokens / sec / GPU | Model TFLOP / sec / GPU |"
NEW = f"| System | #-GPUs | Precision | GBS | MBS | Sequence Length | TP | PP | CP | VP | EP | {NUMBERS}"
SPLIT = "GBS | MBS | Sequence Length | FSDP | TP | PP | CP | VP | EP | GA"
PAGE = f"""
## 26.06 NeMo Container
### Pre-Training Performance
#### Model: DeepSeekV3

{NEW}
|--------|--------|-----------|
| DGX-GB300 | 256 | MXFP8 | 4096 | 1 | 4096 | 1 | 2 | 1 | 8 | 32 | 6338 | 1648[^note] |

### LoRA Performance
#### Model: LLAMA3_70B

{NEW}
|--------|--------|-----------|
| DGX-GB300 | 8 | FP8 | 32 | 1 | 4096 | 1 | 2 | 1 | 20 | n/a | 7481 | 2086 |

## 25.11 NeMo Container
### Pre-Training Performance
#### System: DGX-B200

| Model | #-GPUs | Precision | {SPLIT} | {NUMBERS}
|-------|--------|-----------|
| LLAMA3.1_405B | 128 | FP8-CS (FP8-MX) | 64 | 1 | 8192 | 0 | 4 | 8 | 2 | 8 | 1 | 32 | 661 (624) | 1667 (1576) |

## 25.09 NeMo Container
### Pre-Training Performance
#### System: DGX-H100

| Model | #-GPUs | {SPLIT} | {NUMBERS}
|-------|--------|-----------|
| LLAMA3_8B | 8 | 128 | 1 | 8192 | 8 | 1 | 1 | 1 | n/a | 1 | 16 | 14079 | 725 |
"""


def test_a_page_gives_what_is_pre_training_and_says_its_format(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(PAGE, "utf-8")
    assert training_table.main([str(page)]) == 0
    v3, first, second = sorted(
        read(TrainingStep, capsys.readouterr().out), key=lambda row: (row.release < "26", row.recipe)
    )
    assert (v3.model, v3.system, v3.format, v3.predicted) == ("deepseek-v3", "gb300-nvl72", "fp8", 1)
    assert (v3.chip_tokens_per_second, v3.chip_flops) == (6338, 1648e12)
    assert (v3.copies, v3.micro_batches) == (128, 32)
    assert [(row.recipe, row.chip_tokens_per_second, row.chip_flops) for row in (first, second)] == [
        ("FP8-CS", 661, 1667e12),
        ("FP8-MX", 624, 1576e12),
    ]


def test_the_catalogue_has_them_in_the_order_and_digits_in_which_they_are_written():
    rows = training_steps()
    assert tuple(read(TrainingStep, write(rows, TrainingStep))) == rows
    assert {row.model for row in rows if row.model} <= set(catalog.models())


def test_every_layout_takes_whole_sequences_and_micro_batches():
    for row in training_steps():
        assert row.copies == int(row.copies), row
        assert row.micro_batches == int(row.micro_batches), row


def test_a_dense_token_is_three_passes_of_six_thirds_and_attention():
    """By hand for Llama 3 70B: six for each weight but the looked up ones, and attention to half the sequence."""
    model, sequence = catalog.model("llama-3-70b"), 8192
    width, layers = model.known("d_model"), model.known("layers")
    weights = (
        model.total_params - model.known("vocabulary") * width - (2 * layers + 1) * width
    )  # no embedding, no norms
    attention = 3 * layers * 2 * 2 * (sequence + 1) / 2 * model.known("heads") * model.known("head_dim")
    assert learned("llama-3-70b", "hgx-h100", "fp8", sequence, 0).flops == pytest.approx(
        6 * weights + attention, rel=1e-3
    )


@pytest.mark.parametrize("model", training_count.models(), ids=lambda model: model.name)
def test_the_count_is_the_makers_and_the_rule_is_short(model):
    assert model.count == pytest.approx(1, abs=0.006)
    assert model.rule < 0.97
    assert all(each.count == pytest.approx(1, abs=0.025) for each in model.rows), "tokens a second are rounded"


def test_layers_that_guess_are_trained_where_the_page_is_silent():
    rows = [each.row for each in counted() if each.row.predicted]
    assert {row.model for row in rows} == {"deepseek-v3", "deepseek-v4-flash"}
    for row in rows:
        without, one = (
            learned(row.model, row.system, row.format, row.sequence, guesses).flops / row.token_flops
            for guesses in (0, 1)
        )
        assert without < 0.97 < 0.99 < one < 1.01, row


def test_no_benchmark_is_faster_than_its_bound():
    assert min(each.over_bound for each in counted()) > 1
    assert all(0 < each.busy < 1 for each in trained())


def test_a_share_is_the_makers_rate_over_that_of_the_chip():
    row = next(each for each in counted() if each.row.format == "bf16" and each.row.named.startswith("DeepSeek"))
    rate = catalog.system(row.row.system).chip.known("bf16_flops")
    assert row.busy == pytest.approx(row.row.chip_flops / rate, rel=0.01)


def test_the_last_release_stands_for_its_kind():
    rows = newest(trained())
    assert len({(*each.row.deployed, each.row.format) for each in rows}) == len(rows)
    for each in rows:
        alike = [
            e.row.release for e in trained() if (e.row.deployed, e.row.format) == (each.row.deployed, each.row.format)
        ]
        assert each.row.release == max(alike)
    (figure,) = training_busy.FIGURES[:1]
    assert any("each model, system, format, number of chips and length" in line for line in figure.assumptions)
    assert len(rows) > len({(row.named, row.system, row.format) for row in (each.row for each in rows)})


def test_benchmarks_in_no_row_of_the_table_are_early_ones_as_the_note_says():
    figure = registry.find("world/training-count")
    found = figure.answer()
    early = [e for e in counted() if e.row.named == "gpt-oss-120b" and e.row.release < "26.06"]
    assert sum(found.tables["models"]["rows"]) + len(early) == found.values["rows"].number
    assert early
    assert any("those before, counted otherwise, are in no row" in line for line in figure.assumptions)


def test_pairs_differ_in_their_format_alone():
    pairs = list(changed("format", "fp8", "fp4"))
    assert pairs
    for before, after in pairs:
        assert (before.row.format, after.row.format) == ("fp8", "fp4")
        assert before.row.deployed == after.row.deployed
        assert before.row.release == after.row.release
        assert gain((before, after)) == after.row.chip_tokens_per_second / before.row.chip_tokens_per_second


def test_a_narrower_format_never_gains_what_its_rate_does():
    for before, after in changed("format", "fp8", "fp4"):
        chip = catalog.system(before.row.system).chip
        assert gain((before, after)) < 0.8 * chip.known("fp4_flops") / chip.known("fp8_flops")


def test_bubbles_leave_most_of_the_idle_time_unexplained():
    staged = [each for each in trained() if each.row.pipeline > 1]
    assert middle(each.bubble for each in staged) < 0.02
    assert middle(1 - each.busy for each in staged) > 0.5
    assert all(each.bubble < 0.5 * (1 - each.busy) for each in staged)


def test_reported_runs_are_written_as_the_catalogue_writes_them():
    rows = training_runs()
    assert tuple(read(TrainingRun, write(rows, TrainingRun))) == rows
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        assert catalog.source(row.source), row
        assert 0.05 < busy(row) < 0.6, row


def test_a_reported_run_is_what_its_makers_say_of_it():
    """380 tokens a second and A100 (LLaMA 65B), and shares of 30.5 to 34.3 % that count attention (Nemotron-4 15B)."""
    found = {row.name: row for row in training_runs()}
    assert busy(found["LLaMA 65B"]) == pytest.approx(380 * 6 * 65.2e9 / 312e12, rel=0.02)
    assert 0.29 < busy(found["Nemotron-4 15B"]) < 0.343
    olmo = found["Olmo 3 32B"]  # 9.5 days on 512 and 35 days on 1,024; while it ran, 1,960 tokens a second and chip
    assert olmo.chip_hours == 24 * (9.5 * 512 + 35 * 1024)
    assert 0.75 < olmo.tokens / (1960 * 3600 * olmo.chip_hours) < 0.85


def test_the_rule_the_share_and_the_bubble_are_those_of_the_lectures():
    each = counted()[0]
    rule = overtraining.training_operations(catalog.model(each.row.model).active_params, 1.0)
    assert each.rule == pytest.approx(float(rule) / each.row.token_flops)
    run = training_runs()[0]
    operations = overtraining.training_operations(run.active_params, run.tokens)
    rate = catalog.chip(run.chip).known("bf16_flops")
    assert busy(run) == pytest.approx(float(training_run.achieved_utilisation(operations, rate, run.chip_hours)))
    for staged in (e for e in trained() if e.row.pipeline > 1):
        row = staged.row
        share = bubbles.bubble_share("interleaved", row.pipeline, row.micro_batches, row.interleaved)
        assert staged.bubble == pytest.approx(float(share))


def test_every_model_on_both_keeps_the_faster_chip_busier():
    """So a rate does not tell how busy multipliers are kept: GB300 multiply 2.5 times as fast as H100."""
    pairs = list(on_both("hgx-h100", "gb300-nvl72"))
    assert len(pairs) == 7
    for before, after in pairs:
        assert (before.row.named, before.row.format) == (after.row.named, after.row.format)
        assert after.busy > before.busy
        rates = [catalog.system(each.row.system).chip.known(f"{each.row.format}_flops") for each in (before, after)]
        assert 2.4 < rates[1] / rates[0] < 2.6


def test_most_models_on_b200_keep_less_of_it_busy_than_of_h100():
    pairs = list(on_both("hgx-h100", "hgx-b200"))
    assert [len(pairs), sum(after.busy < before.busy for before, after in pairs)] == [6, 4]


def test_the_rule_falls_short_by_more_in_longer_sequences():
    assert {each.row.sequence for each in counted()} == {4096, 8192}
    rule = 6 * catalog.model("llama-3-8b").active_params
    assert rule < 0.5 * learned("llama-3-8b", "hgx-h100", "fp8", 131_072, 0).flops


def test_low_gains_of_fp4_are_of_pairs_whose_layout_changed():
    pairs = list(changed("format", "fp8", "fp4"))
    alike = [pair for pair in pairs if one_layout(pair)]
    assert len(alike) == 18
    assert {pair[0].row.named for pair in alike} == {"Llama 3.1 405B", "Nemotron 3 Super"}
    assert min(map(gain, alike)) >= 1 > min(map(gain, pairs))
    assert min(gain(pair) for pair in alike if pair[0].dense) > 1.3 > min(gain(pair) for pair in pairs if pair[0].dense)
    low, high = sorted(changed("format", "bf16", "fp8"), key=gain)
    assert one_layout(low)
    assert not one_layout(high)
    assert [pair[0].row.system for pair in (low, high)] == ["gb300-nvl72", "gb200-nvl72"]


def test_the_only_mixture_in_four_bits_is_counted_by_its_maker():
    """The figure of busy multipliers says so."""
    rows = [each for each in trained() if not each.dense and each.row.format == "fp4"]
    assert {each.row.named for each in rows} == {"Nemotron 3 Super"}
    assert all(each.counted is None for each in rows)


def test_one_layout_keeps_fewer_multipliers_busy_in_a_narrower_format():
    """So the rate of a format tells more than that of a chip, of which one model alone had one layout."""
    alike = [pair for pair in on_both("hgx-h100", "gb300-nvl72") if one_layout(pair)]
    assert [before.row.named for before, _ in alike] == ["Nemotron 3 Nano"]
    for formats in (("bf16", "fp8"), ("fp8", "fp4")):
        for before, after in changed("format", *formats):
            assert after.busy < before.busy


def test_attention_in_sixteen_bits_lengthens_the_least_time_by_what_it_multiplies():
    """A dense token attends, in each layer, to half of the sequence with two products of its width."""
    model, sequence = catalog.model("llama-3-70b"), 8192
    attention = 2 * 2 * sequence / 2 * model.known("layers") * model.known("d_model")
    head = 2 * model.known("vocabulary") * model.known("d_model")
    share = PASSES * (attention + head) / learned("llama-3-70b", "hgx-h100", "fp8", sequence, 0).flops
    assert in_part("llama-3-70b", "hgx-h100", "fp8", sequence) == pytest.approx(1 + share, rel=1e-3)
    assert in_part("llama-3-70b", "hgx-h100", "bf16", sequence) == pytest.approx(1)
