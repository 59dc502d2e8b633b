"""Every fact is dated and sourced, every bad row is refused, and the figures are those that their sources print."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import catalog
from calc.catalog import KINDS, Chip, Datum, Model, Price, Rent, System, tables
from calc.catalog.measurement import MLPERF_SOURCE, SERVING_SOURCE
from calc.catalog.records import STANDINGS
from calc.ledger import claims
from calc.quantities.errors import CalcError, MissingFact, OutOfRange, UnknownName, WrongType

ROWS = [(table, row) for table, kind in KINDS.items() for row in catalog.history(kind, table)]
DAY = dt.date(2026, 1, 31)
DATED = {"effective": DAY, "read": DAY, "sources": (catalog.source("lecture"),)}


@pytest.mark.parametrize(("table", "row"), ROWS, ids=lambda value: value if isinstance(value, str) else repr(value))
class TestEveryRow:
    def test_is_dated_sourced_and_named_in_a_readable_way(self, table, row):
        assert re.fullmatch(r"[a-z0-9]+([.-][a-z0-9]+)*", row.id)
        assert dt.date(2020, 1, 1) < row.since <= row.read <= dt.date.today()
        assert row.sources
        assert row.standing in STANDINGS

    def test_was_read_no_earlier_than_its_sources_were_there(self, table, row):
        assert row.read >= max(source.as_of for source in row.sources)

    def test_gives_every_quantity_with_label_unit_and_sources(self, table, row):
        facts = row.facts()
        assert facts, "a row without a number is no fact"
        for name, fact in facts.items():
            assert fact == row.fact(name)
            assert fact.label
            assert fact.sources == row.sources
            assert (fact.effective, fact.read) == (row.effective, row.read)
            assert fact.standing == row.standing


def test_no_source_is_idle_or_undated():
    used = {source.id for _, row in ROWS for source in row.sources}
    quoted = {name for claim in claims.claims().values() for name in (*claim.by, *claim.record)}
    measured = {SERVING_SOURCE, MLPERF_SOURCE}
    assert used | quoted | measured == set(catalog.sources())
    assert all(source.title and source.publisher for source in catalog.sources().values())
    assert catalog.source("lecture").as_of == dt.date(2026, 4, 29)


@pytest.mark.skipif(not Path(tables.FOLDER, "chips.toml").exists(), reason="a browser has the tables as JSON alone")
@pytest.mark.parametrize("table", [*KINDS, "sources"])
def test_a_table_compiled_to_json_is_read_as_the_same_rows(table, tmp_path):
    (tmp_path / f"{table}.json").write_text(tables.as_json(table), encoding="utf-8")
    assert tables.rows(table, str(tmp_path)) == tables.rows(table)


def test_json_is_preferred_where_it_is_there(tmp_path):
    (tmp_path / "chips.toml").write_text("not toml at all", encoding="utf-8")
    row = {"id": "x", "effective": "unknown", "read": "2026-01-31"}
    (tmp_path / "chips.json").write_text(json.dumps([row]), encoding="utf-8")
    assert tables.rows("chips", str(tmp_path)) == ({"id": "x", "effective": None, "read": DAY},)


@pytest.mark.parametrize("text", ["", 'title = "no rows"', '[row]\nid = "x"', '[[row]]\nid = "x"\n[[rows]]\nid = "y"'])
def test_a_file_that_is_not_rows_alone_is_refused(text, tmp_path):
    (tmp_path / "chips.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CalcError, match=r"chips\.toml must be made of \[\[row\]\] tables alone"):
        tables.rows("chips", str(tmp_path))


class TestBadRows:
    GOOD = {  # noqa: RUF012  (never changed: each test copies it)
        "id": "a-chip",
        "name": "A chip",
        "vendor": "Somebody",
        "effective": None,
        "read": DAY,
        "sources": ["lecture"],
        "bf16_flops": 1e15,
        "hbm_bytes": 80e9,
        "hbm_bandwidth": 2e12,
    }

    def check(self, *rows, kind=Chip):
        tables.check_rows(kind, "chips", rows, catalog.sources())

    def test_a_good_row_is_accepted(self):
        self.check(self.GOOD, {**self.GOOD, "effective": dt.date(2026, 1, 1)})

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"read": None}, r"a-chip must be dated: read = YYYY-MM-DD; it was None"),
            ({"read": "2026-01-31"}, "must be dated: read"),
            ({"read": dt.datetime(2026, 1, 31)}, "must be dated: read"),
            ({"effective": "last year"}, "must be dated: effective = YYYY-MM-DD; it was “last year”"),
            (
                {"effective": dt.date(2026, 2, 1)},
                "effective must be no later than read, 2026-01-31",
            ),
            ({"sources": []}, "must be given at least one source"),
            ({"sources": None}, "must be given at least one source"),
            ({"sources": "lecture"}, "sources must be a list of ids of sources"),
            ({"sources": ["lectrue"]}, "did you mean “lecture”"),
            ({"bandwith": 1.0}, "made of the fields of Chip; it was “bandwith”"),
            ({"hbm_bytes": 0}, "hbm_bytes must be a finite number above 0; it was 0"),
            ({"hbm_bytes": -80e9}, "hbm_bytes must be a finite number above 0"),
            ({"hbm_bytes": float("nan")}, "hbm_bytes must be a finite number above 0; it was nan"),
            ({"hbm_bytes": float("inf")}, "it was inf"),
            ({"hbm_bytes": "80 GB"}, "it was “80 GB”"),
            ({"hbm_bytes": True}, "it was True"),
            ({"name": ""}, "name must be a text that is not empty"),
            ({"vendor": 3}, "vendor must be a text that is not empty"),
            ({"note": ""}, "note must be a text that is not empty"),
        ],
    )
    def test_a_bad_field_is_refused_with_a_sentence(self, change, sentence):
        with pytest.raises(CalcError, match=sentence):
            self.check({**self.GOOD, **change})

    @pytest.mark.parametrize("name", ["effective", "read", "sources", "name", "vendor", "hbm_bytes", "hbm_bandwidth"])
    def test_a_missing_field_is_refused_by_name(self, name):
        with pytest.raises(CalcError, match=name if name != "sources" else "source"):
            self.check({key: value for key, value in self.GOOD.items() if key != name})

    def test_a_second_row_of_the_same_id_and_date_is_refused(self):
        with pytest.raises(CalcError, match="must be the only row of its id and date; it was “2026-01-31”"):
            self.check(self.GOOD, dict(self.GOOD))

    def test_whole_numbers_are_written_without_a_point(self):
        system = {**self.GOOD, "chip": "h100-sxm", "chips": 8.0}
        for field in ("vendor", "bf16_flops", "hbm_bytes", "hbm_bandwidth"):
            del system[field]
        with pytest.raises(CalcError, match="chips must be a whole number, written without a point"):
            self.check(system, kind=System)

    def test_no_experts_are_shared_but_no_layers_are_not_a_model(self):
        row = {"id": "m", "name": "M", "maker": "X", "effective": DAY, "read": DAY, "sources": ["lecture"]}
        row |= {"total_params": 1e9, "active_params": 1e9}
        self.check({**row, "shared_experts": 0}, kind=Model)
        with pytest.raises(OutOfRange, match="layers must be a finite number above 0"):
            self.check({**row, "layers": 0}, kind=Model)

    def test_a_discount_above_one_and_a_surcharge_below_it_are_refused(self):
        row = {"id": "p", "name": "P", "maker": "X", "effective": DAY, "read": DAY, "sources": ["lecture"]}
        row |= {"input": 1.0, "output": 2.0}
        for change in ({"batch_multiplier": 1.5}, {"fast_speed": 0.5}):
            with pytest.raises(OutOfRange, match=next(iter(change))):
                self.check({**row, **change}, kind=Price)


class TestBadSources:
    GOOD = {"id": "s", "title": "T", "publisher": "P", "kind": "primary", "as_of": DAY}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"as_of": None}, "must be dated"),
            ({"kind": "hearsay"}, "kind must be one of"),
            ({"title": ""}, "title must be a text that is not empty"),
            ({"author": "X"}, "made of the fields of Source"),
        ],
    )
    def test_are_refused_with_a_sentence(self, change, sentence):
        with pytest.raises(CalcError, match=sentence):
            tables.read_sources([{**self.GOOD, **change}])

    def test_a_source_is_there_once(self):
        with pytest.raises(CalcError, match="the only source of its id"):
            tables.read_sources([self.GOOD, self.GOOD])


class TestLookUp:
    @pytest.mark.parametrize(
        ("look_up", "name"),
        [
            (catalog.chip, "rubin"),
            (catalog.system, "gb200-nvl72"),
            (catalog.model, "deepseek-v3"),
            (catalog.price, "gpt-5.4"),
            (catalog.tier, "hdd-24tb"),
            (catalog.loss_fit, "chinchilla"),
            (catalog.routing_fit, "s-base"),
            (catalog.deployment, "deepseek-day-6"),
            (catalog.announced, "rubin-ultra-nvl576"),
            (catalog.datum, "google-tokens-per-month"),
            (catalog.source, "lecture"),
        ],
    )
    def test_finds_a_name_and_suggests_one_for_a_misspelling(self, look_up, name):
        assert look_up(name).id == name
        with pytest.raises(UnknownName, match=f"did you mean “{re.escape(name)}”"):
            look_up(name + "x")

    @pytest.mark.parametrize("name", ["", None, 3, ["h100-sxm"]])
    def test_refuses_what_is_no_name(self, name):
        with pytest.raises(CalcError):
            catalog.chip(name)

    @given(st.dates(dt.date(2025, 3, 18), dt.date(2026, 11, 20)))
    def test_a_date_gives_the_newest_row_that_is_not_later(self, on):
        chip = catalog.chip("rubin", on=on)
        assert chip.since <= on
        assert not any(chip.since < row.since <= on for row in catalog.history(Chip, "chips", "rubin"))

    def test_a_row_is_in_force_from_its_own_day_on(self):
        change = dt.date(2026, 1, 5)
        assert catalog.chip("rubin", on=change).hbm_bandwidth == 22e12
        assert catalog.chip("rubin", on=change - dt.timedelta(days=1)).hbm_bandwidth == 13e12

    def test_the_day_before_the_first_row_is_refused(self):
        with pytest.raises(CalcError, match=r"on must be no earlier than 2025-03-18, when chip rubin was first"):
            catalog.chip("rubin", on=dt.date(2025, 3, 17))
        with pytest.raises(UnknownName, match="did you mean “rubin”"):
            catalog.chip("rubim", on=dt.date(2025, 3, 17))

    @pytest.mark.parametrize("on", ["2026-06-01", 2026, dt.datetime(2026, 6, 1)])
    def test_only_a_date_is_a_date(self, on):
        with pytest.raises(WrongType, match="on must be a date"):
            catalog.model("deepseek-v3", on=on)

    def test_the_rows_in_force_are_the_newest_of_each_id(self):
        assert [row.since.year for row in catalog.history(Chip, "chips", "rubin")] == [2025, 2026]
        assert catalog.chips()["rubin"].since.year == 2026
        assert len(catalog.chips()) == len({row.id for row in catalog.history(Chip, "chips")})
        with pytest.raises(UnknownName, match="chip must be"):
            catalog.history(Chip, "chips", "h100")

    def test_order_in_the_file_does_not_decide_what_is_newest(self):
        days = (dt.date(2026, 2, 1), dt.date(2026, 1, 1))
        rows = [{"id": "x", "effective": day, "read": dt.date(2026, 3, 1)} for day in days]
        assert tables.newest(rows) == tables.newest(rows[::-1]) == {"x": rows[0]}

    def test_a_system_of_a_day_has_the_chip_of_that_day(self):
        day = dt.date(2026, 6, 1)
        assert catalog.system("rubin-nvl72", on=day).chip is catalog.chip("rubin", on=day)

    @pytest.mark.parametrize(
        "listing",
        [catalog.prices, catalog.rents, catalog.tiers, catalog.loss_fits, catalog.routing_fits, catalog.data],
    )
    def test_listings_are_by_id_and_cannot_be_changed(self, listing):
        rows = listing()
        assert all(name == row.id for name, row in rows.items())
        with pytest.raises(TypeError):
            rows["mine"] = None

    def test_a_row_cannot_be_changed_and_says_what_it_is(self):
        chip = catalog.chip("h100-sxm")
        with pytest.raises(AttributeError):
            chip.hbm_bytes = 1.0
        assert repr(chip) == "Chip('h100-sxm', 2022-09-20)"


class TestFacts:
    def test_an_unknown_fact_is_refused_and_an_unheld_one_is_not_guessed(self):
        with pytest.raises(UnknownName, match="hbm_bytes"):
            catalog.chip("h100-sxm").fact("hbm_byte")
        with pytest.raises(UnknownName):
            catalog.chip("h100-sxm").fact("fp4_flops")

    def test_a_single_number_is_a_fact_in_its_own_unit(self):
        fact = catalog.datum("google-tokens-per-month").fact("value")
        assert (fact.value, fact.unit) == (3.2e15, "tokens")

    def test_rumours_and_secondary_sources_say_so(self):
        assert catalog.model("gpt-4-rumour").standing == "rumour"
        assert catalog.datum("memory-share-of-capex-2027").standing == "rumour"
        assert catalog.chip("rubin").standing == "secondary"
        assert catalog.chip("h100-sxm").standing == "primary"
        assert catalog.tier("ddr5-3tb").standing == "arithmetic"


class TestChips:
    # The lecture's ratio, as NVIDIA's, Google's and AMD's published rates give it: (FLOP/s / 2) x bytes / bandwidth.
    RATIOS = {  # noqa: RUF012
        "a100-sxm": {"bf16": 153.0, "int8": 153.0},
        "h100-sxm": {"bf16": 295.2, "fp8": 295.4},
        "h200-sxm": {"bf16": 206.0, "fp8": 206.1},
        "b200-sxm": {"bf16": 281.2, "fp8": 281.2, "fp4": 281.2},
        "b300-sxm": {"bf16": 281.2, "fp4": 437.5},
        "gb200": {"bf16": 312.5, "fp8": 312.5, "fp4": 312.5},
        "gb300": {"fp8": 312.5, "fp4": 468.8},
        "rubin": {"fp4": 568.2},
        "tpu-v4": {"bf16": 229.2, "int8": 114.6},
        "tpu-v5e": {"bf16": 240.5, "int8": 239.9},
        "tpu-v5p": {"bf16": 166.0, "fp8": 83.0, "int8": 166.0},
        "tpu-v6e": {"bf16": 560.4, "fp8": 280.2, "int8": 560.4},
        "tpu-v7": {"bf16": 312.6, "fp8": 312.6},
        "mi300x": {"bf16": 246.6, "fp8": 246.7},
        "mi325x": {"bf16": 217.8, "fp8": 217.9},
        "mi355x": {"bf16": 314.5, "fp8": 314.6, "fp4": 314.6},
        "tpu-8t": {"fp4": 484.6},
        "tpu-8i": {"fp4": 293.6},
        "trainium2": {"bf16": 230.0, "fp8": 224.0},
        "trainium3": {"bf16": 136.9, "fp8": 256.8, "fp4": 128.4},
    }

    @pytest.mark.parametrize("name", RATIOS)
    def test_have_the_published_ratio_of_multiplications_to_weights_read(self, name):
        chip, width = catalog.chip(name), {"bf16": 2, "fp8": 1, "int8": 1, "fp4": 0.5}
        found = {p: chip.flops(p) / 2 * width[p] / chip.hbm_bandwidth for p in self.RATIOS[name]}
        assert found == pytest.approx(self.RATIOS[name], abs=0.06)

    def test_multiply_the_narrowest_format_that_is_wide_enough(self):
        formats = ("bf16", "fp8", "int8", "fp4", "mxfp4")
        assert [catalog.chip("h100-sxm").arithmetic(p) for p in formats] == ["bf16", "fp8", "int8", "fp8", "fp8"]
        assert [catalog.chip("a100-sxm").arithmetic(p) for p in formats] == ["bf16", "int8", "int8", "int8", "int8"]
        assert [catalog.chip("gb200").arithmetic(p) for p in formats] == ["bf16", "fp8", "fp8", "fp4", "fp4"]
        assert [catalog.chip("rubin").arithmetic(p) for p in ("FP4", "nvfp4")] == ["fp4", "fp4"]

    @pytest.mark.parametrize("precision", ["bf16", "fp8", "int8"])
    def test_a_rate_that_was_never_confirmed_is_refused_not_guessed(self, precision):
        with pytest.raises(CalcError, match=r"precision must be a format whose rate on NVIDIA Rubin .* is known: fp4"):
            catalog.chip("rubin").flops(precision)
        with pytest.raises(CalcError, match="it was “fp32”"):
            catalog.chip("h100-sxm").flops("fp32")
        with pytest.raises(UnknownName, match="precision"):
            catalog.chip("h100-sxm").flops("fp5")

    def test_are_no_slower_at_fewer_bits(self):
        for chip in catalog.chips().values():
            if chip.bf16_flops:
                assert chip.flops("bf16") <= chip.flops("fp8") <= chip.flops("fp4")


class TestSystems:
    def test_are_the_sum_of_their_chips(self):
        # NVIDIA's description of the rack: 13.4 TB, 576 TB/s, 720 PFLOP/s FP4 and 360 FP8, dense.
        rack = catalog.system("gb200-nvl72")
        assert rack.hbm_bytes == pytest.approx(13.4e12, rel=1e-3)
        assert rack.hbm_bandwidth == 576e12
        assert (rack.flops("fp4"), rack.flops("fp8")) == (720e15, 360e15)
        # Scaling book, GPUs chapter: HGX H100 has 640 GB, 26.8 TB/s, 15.8 PFLOP/s FP8; 400 GB/s leave the node.
        node = catalog.system("hgx-h100")
        assert (node.hbm_bytes, node.hbm_bandwidth) == (640e9, pytest.approx(26.8e12))
        assert node.flops("fp8") == pytest.approx(15.832e15)
        assert node.chips * node.scale_out_bandwidth == 400e9

    @pytest.mark.parametrize(
        ("name", "ratio"),
        [
            ("hgx-a100", 12),
            ("hgx-h100", 9),
            ("hgx-h800", 4),
            ("gb200-nvl72", 18),
            ("gb300-nvl72", 9),
            ("tpu-v5p-pod", 96),
        ],
    )
    def test_have_links_that_are_faster_inside_than_outside(self, name, ratio):
        system = catalog.system(name)
        assert system.scale_up_bandwidth / system.scale_out_bandwidth == ratio


class TestModels:
    # Elements of cache a token: DeepSeek-V3 report (about 70 KB in BF16), Llama 3 paper's geometry, gpt-oss's model.py.
    ELEMENTS = {  # noqa: RUF012
        "deepseek-v3": 35136,
        "llama-3-8b": 65536,
        "llama-3-70b": 163840,
        "llama-3-405b": 258048,
        "mixtral-8x7b": 65536,
        "qwen3-235b-a22b": 96256,
        "gpt-oss-120b": 18432,
        "kimi-k2": 35136,
        "glm-4.5": 188416,
        "glm-5": 44928,
        "minimax-m2.5": 126976,
        "qwen3-32b": 131072,
        "qwen3.5-397b-a17b": 15360,
        "deepseek-v4-pro": 4924,
        "deepseek-v4-flash": 3440,
    }

    @pytest.mark.parametrize("name", ELEMENTS)
    def test_keep_the_cache_that_their_geometry_says(self, name):
        model = catalog.model(name)
        assert model.kv_elements_per_token == self.ELEMENTS[name]
        assert model.kv_bytes_per_token("bf16") == 2 * self.ELEMENTS[name]
        assert model.kv_bytes_per_token("fp8") == self.ELEMENTS[name]

    @pytest.mark.parametrize(("name", "gib"), [("deepseek-v4-pro", 9.62), ("deepseek-v4-flash", 6.72)])
    def test_of_compressed_layers_keep_what_engines_report_of_a_million_tokens(self, name, gib):
        # vLLM's notes on DeepSeek-V4: 9.62 and 6.72 GiB of BF16 for 1,048,576 tokens, index keys included.
        assert catalog.model(name).kv_bytes_per_token("bf16") * 2**20 / 2**30 == pytest.approx(gib, abs=0.005)

    def test_of_one_shape_share_their_geometry(self):
        # Kimi K2 has DeepSeek-V3's latent attention with half of the heads: 2.50 MFLOP in prefill, and not 8.50.
        old, new = catalog.model("deepseek-v3"), catalog.model("kimi-k2")
        assert old.heads == 2 * new.heads
        for name in ("kv_lora_rank", "q_lora_rank", "rope_dim", "qk_nope_dim", "v_dim"):
            assert new.known(name) == old.known(name)
        assert 2 * new.layers * new.heads * (new.qk_nope_dim + new.rope_dim + new.v_dim) == 2_498_560

    def test_without_published_geometry_have_no_cache_size(self):
        model = catalog.model("mistral-large-3")
        assert model.kv_elements_per_token is None
        with pytest.raises(CalcError, match="model must be one whose attention geometry is published"):
            model.kv_bytes_per_token("fp8")

    def test_of_which_only_the_layers_are_known_have_no_cache_size(self):
        assert catalog.model("gpt-4-rumour").layers == 120
        assert catalog.model("gpt-4-rumour").kv_elements_per_token is None

    @pytest.mark.parametrize("known", [{"kv_heads": 8}, {"head_dim": 128}, {"kv_lora_rank": 512}, {"rope_dim": 64}])
    def test_of_which_half_the_attention_is_known_have_no_cache_size(self, known):
        counts = {"total_params": 1e9, "active_params": 1e9, "layers": 4}
        model = Model(id="m", name="M", maker="X", **DATED, **counts, **known)
        assert model.kv_elements_per_token is None

    def test_are_as_sparse_as_their_counts(self):
        assert catalog.model("deepseek-v3").sparsity == pytest.approx(18.135, abs=1e-3)
        assert catalog.model("llama-3-70b").sparsity == 1
        assert all(model.sparsity >= 1 for model in catalog.models().values())

    def test_weigh_their_parameters(self):
        assert catalog.model("deepseek-v3").weight_bytes("fp8") == 671e9
        assert catalog.model("deepseek-v3").weight_bytes("fp4") == 335.5e9
        assert catalog.model("deepseek-v3").weight_bytes("bf16") == 1342e9

    def test_activate_no_more_experts_than_they_have(self):
        for model in catalog.models().values():
            if model.routed_experts:
                assert model.active_routed_experts < model.routed_experts
                assert model.active_params < model.total_params
            if model.dense_layers:
                assert model.dense_layers < model.layers

    def test_their_training_time_is_that_of_their_operations(self):
        # DeepSeek-V3 report: 2.664 M of 2.788 M hours are pre-training. Llama 3 paper: 38 to 43 % of the peak.
        model = catalog.model("deepseek-v3")
        assert model.pretrain_chip_hours / model.train_chip_hours == pytest.approx(0.9555, abs=1e-3)
        for name in ("llama-3-405b", "deepseek-v3"):
            model = catalog.model(name)
            seconds = 6 * model.active_params * model.train_tokens / catalog.chip("h100-sxm").flops("bf16")
            assert 0.3 < seconds / 3600 / model.train_chip_hours < 0.43


class TestPrices:
    def test_fast_mode_is_a_dated_pair_of_price_and_speed(self):
        assert catalog.price("claude-opus-4.6").fast_multiplier == 6
        assert catalog.price("claude-opus-4.6").fast_speed == 2.5
        assert catalog.price("claude-opus-5").fast_multiplier == 2
        assert catalog.price("gpt-5.4").fast_multiplier == 2
        assert catalog.price("gpt-5.5").fast_multiplier == 2.5
        assert catalog.price("gpt-4o").fast_multiplier is None

    def test_the_step_of_long_requests_was_there_and_is_gone(self):
        before = catalog.price("claude-opus-4.6", on=dt.date(2026, 3, 12))
        after = catalog.price("claude-opus-4.6", on=dt.date(2026, 3, 13))
        assert (before.above_tokens, after.above_tokens) == (200_000, None)
        assert before.fast_output_above / before.fast_output == 1.5

    def test_steps_double_the_input_and_add_half_to_the_output(self):
        steps = [row for row in catalog.prices().values() if row.input_above and row.maker in ("Google", "OpenAI")]
        steps.remove(catalog.price("gemini-1.5-pro"))
        assert len(steps) >= 5
        for row in steps:
            assert (row.input_above / row.input, row.output_above / row.output) == pytest.approx((2, 1.5))

    def test_a_step_may_take_the_price_fivefold(self):
        # Claude Haiku 5.5's page: $0.10 and $0.50 a million up to 100,000 tokens, $0.50 and $2.50 above.
        sheet = catalog.price("claude-haiku-5.5")
        assert (sheet.above_tokens, sheet.input_above / sheet.input, sheet.output_above / sheet.output) == (
            100_000,
            5,
            5,
        )

    def test_cached_input_is_cheaper_and_output_dearer_than_input(self):
        for row in catalog.history(Price, "prices"):
            assert row.output > row.input
            assert row.cached_input is None or row.cached_input < row.input

    def test_cache_writes_cost_a_quarter_more_for_minutes_and_twice_for_an_hour(self):
        # Anthropic's pricing page: write 1.25x (5 minutes), 2x (1 hour); read 0.1x, less since Fable 5.1.
        for row in catalog.prices().values():
            if row.cache_write_1h:
                assert row.cache_write_5m / row.input == pytest.approx(1.25)
                assert row.cache_write_1h / row.input == pytest.approx(2)
                assert any(row.cached_input / row.input == pytest.approx(share) for share in (0.025, 0.05, 0.1))

    def test_deepseek_changed_its_prices_and_every_change_is_kept(self):
        rows = catalog.history(Price, "prices", "deepseek-chat")
        assert [row.output for row in rows] == [0.28, 1.1, 0.42]
        assert catalog.price("deepseek-chat", on=dt.date(2025, 9, 28)).output == 1.1
        assert catalog.price("deepseek-v4-pro").peak_multiplier == 2

    def test_a_price_holds_from_the_day_on_which_it_took_effect_and_not_from_its_reading(self):
        # DeepSeek's page, read in August 2026: hits cost a tenth of the launch price since 26 April.
        cut = catalog.price("deepseek-v4-flash", on=dt.date(2026, 4, 26))
        assert catalog.price("deepseek-v4-flash", on=dt.date(2026, 4, 25)).cached_input == 10 * cut.cached_input
        assert cut.since == cut.effective < cut.read
        unknown = catalog.price("claude-fable-5.2")
        assert (unknown.effective, unknown.since) == (None, unknown.read)


class TestHosts:
    def test_serve_models_that_the_catalogue_knows(self):
        rows = catalog.hosts().values()
        assert {row.model for row in rows} <= set(catalog.models())
        assert set(catalog.hosts("kimi-k3")) == {row.id for row in rows if row.model == "kimi-k3"}
        assert all(row.id == f"{row.host.lower()}-{row.model}" for row in rows)

    def test_ask_of_one_model_what_differs_by_less_than_tenfold(self):
        for model in {row.model for row in catalog.hosts().values()}:
            asked = [row.output for row in catalog.hosts(model).values()]
            assert max(asked) / min(asked) < 10


class TestRents:
    def test_a_market_median_is_the_default_before_one_provider_before_a_contract(self):
        assert catalog.rent("hgx-h100").id == "h100-october"
        assert catalog.rent("hgx-h100", on=dt.date(2026, 10, 23)).id == "h100-median"
        assert catalog.rent("h100-sxm") is catalog.rent("hgx-h100")
        assert catalog.rent("hgx-h100", on=dt.date(2026, 5, 19)).id == "h100-market"
        assert catalog.rent("hgx-h100", on=dt.date(2026, 4, 30)).id == "h100-reserved"
        assert catalog.rent("gb200-nvl72").dollars_per_chip_hour == 9.08 / 2

    def test_a_chip_may_be_rented_out_before_its_first_row(self):
        market = catalog.rents()["a100-market"]
        assert market.since < catalog.chip("a100-sxm").since
        assert catalog.rent("a100-sxm", on=market.since).chip is catalog.chip(
            "a100-sxm", catalog.chip("a100-sxm").since
        )

    def test_is_the_middle_of_what_was_offered(self):
        assert catalog.rent("mi300x-8").dollars_per_chip_hour == pytest.approx(2.59)
        for row in catalog.history(Rent, "rents"):
            assert row.dollars_per_chip_hour_low <= row.dollars_per_chip_hour <= row.dollars_per_chip_hour_high

    def test_a_chip_that_nobody_rents_out_has_none(self):
        with pytest.raises(CalcError, match="one whose chips have a published rent; it was “rubin-nvl72”"):
            catalog.rent("rubin-nvl72")
        with pytest.raises(CalcError, match="published rent"):
            catalog.rent("hgx-h100", on=dt.date(2025, 2, 3))
        with pytest.raises(UnknownName, match="did you mean “hgx-h100”"):
            catalog.rent("hgx-h10")

    def test_every_kind_of_offer_has_a_rank(self):
        assert {row.preference for row in catalog.rents().values()} == {0, 1, 2, 3, 4}


class TestTiers:
    # Capacity over bandwidth of each device's own sheet, in seconds.
    @pytest.mark.parametrize(
        ("name", "seconds"),
        [("hbm3e-gb200", 0.02325), ("hbm4-rubin", 0.01309), ("ddr5-1.5tb", 2.441), ("nvme-gen5-30tb", 2194.3),
         ("qlc-123tb", 16605.4), ("hdd-24tb", 84210.5)],
    )  # fmt: skip
    def test_drain_in_the_time_that_their_sheets_give(self, name, seconds):
        assert catalog.tier(name).drain_seconds == pytest.approx(seconds, rel=1e-3)

    def test_slower_media_are_cheaper(self):
        priced = {row.medium: row for row in catalog.tiers().values() if row.dollars_per_gb_low}
        assert priced["DRAM"].dollars_per_gb_low > priced["flash"].dollars_per_gb_high
        assert priced["flash"].dollars_per_gb_low > priced["disk"].dollars_per_gb_high


class TestEvidence:
    def test_deepseeks_day_adds_up(self):
        day = catalog.deployment("deepseek-day-6")
        rent = day.nodes_mean * day.chips_per_node * 24 * day.dollars_per_chip_hour
        assert rent == pytest.approx(day.cost_dollars)
        assert day.cached_input_tokens / day.input_tokens == pytest.approx(0.563, abs=5e-4)
        sheet = catalog.price("deepseek-reasoner", on=day.since)
        fresh = day.input_tokens - day.cached_input_tokens
        revenue = day.cached_input_tokens * sheet.cached_input + fresh * sheet.input + day.output_tokens * sheet.output
        assert revenue / 1e6 == pytest.approx(day.revenue_dollars, rel=2e-3)
        assert (day.revenue_dollars / day.cost_dollars - 1) == pytest.approx(5.45, abs=0.01)
        assert catalog.model(day.model).id == "deepseek-v3"
        assert catalog.system(day.system).chips == day.chips_per_node
        assert day.decode_nodes * day.chips_per_node == day.decode_expert_parallel
        assert day.prefill_nodes * day.chips_per_node == day.prefill_expert_parallel

    def test_googles_traffic_is_a_series(self):
        rows = catalog.history(Datum, "data", "google-tokens-per-month")
        assert [row.value for row in rows] == sorted(row.value for row in rows)
        assert rows[-1].value / rows[1].value == pytest.approx(6.67, abs=0.01)  # announced as “7x” in a year
        assert rows[-1].value / rows[0].value == pytest.approx(330, abs=1)
        assert catalog.datum("google-tokens-per-month", on=dt.date(2025, 6, 1)).value == 480e12

    def test_the_two_fits_differ_where_the_papers_say(self):
        # Besiroglu et al. 2024: the refit's exponents agree with the rule of thumb, the original's do not.
        old, new = catalog.loss_fit("chinchilla"), catalog.loss_fit("chinchilla-refit")
        assert old.tokens_exponent < old.params_exponent
        assert new.params_exponent / new.tokens_exponent == pytest.approx(1, abs=0.05)
        assert new.irreducible > old.irreducible

    def test_routing_stops_paying_where_its_effect_vanishes(self):
        # Clark et al. 2022: the gain b + c log10 N is zero at the cut-off, as far as three digits of b and c allow.
        for fit in catalog.routing_fits().values():
            vanishing = 10 ** (-fit.b / fit.c)
            assert 0.1 < vanishing / fit.params_cutoff < 10

    def test_deepseeks_bound_on_communication_follows_from_its_inputs(self):
        # Insights into DeepSeek-V3, section 2.3.2: 120.96 us an exchange on 50 GB/s, 14.76 ms a token, 67 tokens/s.
        value = {name.removeprefix("comm-bound-"): row.value for name, row in catalog.data().items()}
        sent = value["tokens-per-device"] * value["copies"] * value["width"]
        exchange = (value["dispatch-bytes"] + value["combine-bytes"]) * sent / value["link"]
        assert exchange == pytest.approx(value["exchange"])
        step = 2 * exchange * catalog.model("deepseek-v3").layers
        assert step == pytest.approx(value["step"], rel=1e-3)
        assert 1 / step == pytest.approx(value["speed"], rel=0.02)
        assert value["exchange"] / value["nvl72-exchange"] == pytest.approx(18)
        assert 1 / value["nvl72-step"] == pytest.approx(value["nvl72-speed"], rel=0.02)

    def test_rubin_ultras_rack_is_its_packages(self):
        rack = catalog.announced("rubin-ultra-nvl576")
        assert rack.dies == 4 * rack.packages
        assert rack.packages * rack.package_fp4_flops == pytest.approx(rack.fp4_flops, rel=0.05)


class TestGeometry:
    def test_a_missing_fact_names_the_row_and_the_fact(self):
        with pytest.raises(MissingFact, match=r"llama-3-8b must be a row whose “index_heads” is known") as refusal:
            catalog.model("llama-3-8b").known("index_heads")
        assert (refusal.value.argument, refusal.value.fact) == ("llama-3-8b", "index_heads")

    def test_a_flag_is_true_or_false(self):
        row = {**tables.rows("models")[0], "output_gate": "yes"}
        with pytest.raises(CalcError, match="output_gate must be true or false"):
            tables.check_rows(catalog.Model, "models", [row], catalog.sources())

    def test_every_torus_has_as_many_places_as_its_pod_has_chips(self):
        pods = [row for row in catalog.systems().values() if row.torus]
        assert len(pods) == 5
        for pod in pods:
            assert math.prod(pod.torus) == pod.chips

    def test_compressed_caches_add_their_share_of_an_entry(self):
        row = {**tables.rows("models")[0], "id": "flash", "kv_lora_rank": None, "layers": 43, "head_dim": 512}
        row |= {"kv_heads": 1, "shared_kv": True, "full_attention_layers": 0, "selected_layers": 21}
        row |= {"selected_compression": 4, "compressed_layers": 20, "compression": 128, "index_head_dim": 128}
        model = tables.build(catalog.Model, row, catalog.sources(), {})
        assert model.kv_elements_per_token == 21 * (512 + 128) / 4 + 20 * 512 / 128
        assert round(model.kv_bytes_per_token("bf16") * 2**20 / 2**30, 2) == 6.72  # as published, at 1M tokens
