"""Every fact is dated and sourced, and says what it is."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from calc import catalog
from calc.catalog import KINDS
from calc.catalog.awake import AWAKE_SOURCE
from calc.catalog.chip_times import CHIP_SOURCE
from calc.catalog.decoding_rows import DECODING_ROWS_SOURCE, PROMPT_ROWS_SOURCE
from calc.catalog.desk import DESK_SOURCES, LATENT_SOURCE, SHAPES_SOURCE
from calc.catalog.exchanges import EXCHANGES_SOURCE
from calc.catalog.guesses import guessed_runs
from calc.catalog.long_contexts import LONG_CONTEXTS_SOURCE, RECIPES_SOURCE
from calc.catalog.losses import LOSSES_SOURCES
from calc.catalog.measurement import FIRST_DAYS_SOURCE, MLPERF_SOURCE, SERVING_SOURCE
from calc.catalog.node_exchanges import NODE_EXCHANGE_SOURCES
from calc.catalog.other_chips import other_chip_runs
from calc.catalog.own_times import OWN_SOURCE
from calc.catalog.pipelines import PIPELINES_SOURCE
from calc.catalog.position_costs import POSITION_COSTS_SOURCE
from calc.catalog.racks import RACKS_SOURCE
from calc.catalog.records import STANDINGS
from calc.catalog.reversed_runs import offloaded_runs, reversed_runs
from calc.catalog.starts import engine_starts
from calc.catalog.training import STEPS_SOURCE, training_memories, training_runs
from calc.catalog.young_racks import YOUNG_LAYOUTS_SOURCE, YOUNG_RACKS_SOURCE
from calc.ledger import claims
from calc.quantities.errors import MissingFact, UnknownName

ROWS = [(table, row) for table, kind in KINDS.items() for row in catalog.history(kind, table)]


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
    measured = {
        SERVING_SOURCE,
        FIRST_DAYS_SOURCE,
        MLPERF_SOURCE,
        STEPS_SOURCE,
        EXCHANGES_SOURCE,
        *NODE_EXCHANGE_SOURCES,
        CHIP_SOURCE,
        AWAKE_SOURCE,
        PIPELINES_SOURCE,
        LONG_CONTEXTS_SOURCE,
        RECIPES_SOURCE,
        RACKS_SOURCE,
        POSITION_COSTS_SOURCE,
        DECODING_ROWS_SOURCE,
        PROMPT_ROWS_SOURCE,
        *LOSSES_SOURCES.values(),
        OWN_SOURCE,
        *DESK_SOURCES.values(),
        SHAPES_SOURCE,
        LATENT_SOURCE,
        *(run.source for run in training_runs()),
        *(run.source for run in training_memories()),
        *(run.source for run in reversed_runs()),
        *(run.source for run in offloaded_runs()),
        *(run.source for run in other_chip_runs()),
        *(run.source for run in guessed_runs()),
        *(row.source for row in engine_starts()),
        YOUNG_RACKS_SOURCE,
        YOUNG_LAYOUTS_SOURCE,
    }
    assert used | quoted | measured == set(catalog.sources())
    assert all(source.title and source.publisher for source in catalog.sources().values())
    assert catalog.source("lecture").as_of == dt.date(2026, 4, 29)


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

    def test_a_missing_fact_names_the_row_and_the_fact(self):
        with pytest.raises(MissingFact, match=r"llama-3-8b must be a row whose “index_heads” is known") as refusal:
            catalog.model("llama-3-8b").known("index_heads")
        assert (refusal.value.argument, refusal.value.fact) == ("llama-3-8b", "index_heads")
