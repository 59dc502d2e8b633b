"""The forecast's constants are those that the measurements give, and their errors are those of the report."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from calc import catalog
from calc.catalog.measurement import clean_measurements
from calc.memory_wall.figures.kept import SAFE
from calc.step import decode
from calc.step.forecasting import forecast
from calc.world import fit as fitting
from calc.world.fit import constants, coverage, forward, judged, report, row
from calc.world.fitting import covered, fitted, left_out, redrawn
from calc.world.sample import sample
from calc.world.settings import precisions_of, setting_of

STORED = catalog.forecast_fit("decode")


@pytest.fixture(scope="module")
def held():
    return sample()


@pytest.fixture(scope="module")
def found(held):
    return row(held)


def test_the_catalogue_holds_what_the_fit_gives(found):
    for name, value in found.items():
        expected = value if isinstance(value, str) else pytest.approx(value, rel=2e-3)
        assert getattr(STORED, name) == expected, f"{name}: run python -m calc.world.fit"


def test_every_constant_is_known_to_a_sixth_of_itself_but_one_to_a_third_and_means_what_it_should(found):
    for name in ("memory_share", "arithmetic_share", "link_share", "kernel_seconds"):
        assert found[f"{name}_error"] < found[name] / 6, name
    assert found["sequence_seconds_error"] < found["sequence_seconds"] / 3
    assert all(0 < found[f"{name}_share"] < 1 for name in ("memory", "arithmetic", "link"))


def test_the_forecast_is_as_good_as_was_aimed_at_where_it_was_not_fitted(held, found):
    assert found["median_error"] <= 0.14
    assert found["mean_error"] <= 0.18
    for grouping in ("model", "system", "engine"):
        score = judged(held, grouping)
        assert score.median <= 0.14, grouping
        assert score.mean <= 0.18, grouping
    later = forward(held, 2025)
    assert later.median <= 0.17
    assert later.mean <= 0.20


def test_runs_of_unknown_drafts_that_are_kept_are_no_faster_than_those_that_had_none(held):
    """Drafts would make a step look a third shorter, or more."""
    out = held.times / left_out(held.parts, held.times, held.grouped("configuration"), 10)
    alike = [(row.model, row.engine, row.system) for row in held.rows]
    unknown = {of for row, of in zip(held.rows, alike, strict=True) if row.speculation == "unknown"}
    assert {model for model, *_ in unknown} == {"kimi-k2.5", "gpt-oss-120b"}
    for group in unknown:
        kinds = {
            kind: [
                x for x, row, of in zip(out, held.rows, alike, strict=True) if of == group and row.speculation == kind
            ]
            for kind in ("unknown", "none")
        }
        assert np.median(kinds["unknown"]) > 0.95 * np.median(kinds["none"]), group


def test_a_band_of_four_in_five_holds_four_in_five_that_had_no_part_in_it(held):
    assert coverage(held) == pytest.approx(0.80, abs=0.02)


def test_the_stored_band_holds_what_it_says(held):
    out = left_out(held.parts, held.times, held.grouped("configuration"), fitting.FOLDS)
    assert covered(out, held.times, STORED.low_80, STORED.high_80) == pytest.approx(0.8, abs=0.01)
    assert covered(out, held.times, STORED.low_90, STORED.high_90) == pytest.approx(0.9, abs=0.01)


def test_the_stored_ends_of_redraws_hold_the_upper_end_and_are_wider_than_rows_alone_would_make_them(held):
    out = held.times / left_out(held.parts, held.times, held.grouped("configuration"), fitting.FOLDS)
    low, high = fitting.range_of_quantile(out, held.grouped("model and system"), 0.9)
    assert (STORED.high_80_least, STORED.high_80_most) == pytest.approx((low, high), rel=0.02)
    alone = fitting.range_of_quantile(out, range(len(out)), 0.9, draws=200)
    assert low < alone[0] < STORED.high_80 < alone[1] < high
    alike = held.grouped("model and system")
    members = [out[[each == name for each in alike]] for name in dict.fromkeys(alike)]
    ends = redrawn(members, lambda drawn: np.quantile(drawn, 0.9))
    assert np.mean(ends <= SAFE) == pytest.approx(0.95, abs=0.01), "lecture 4 plans for it"
    assert np.mean(ends > 1.312) == pytest.approx(0.5, abs=0.05), "where four of its users no longer fit"


def test_no_part_is_idle(held):
    whole = judged(held, folds=fitting.FOLDS)
    for name, fewer in fitting.without(held):
        assert fewer.median > whole.median + 0.005, name
        assert fewer.mean > whole.mean + 0.005, name


def test_the_sample_is_what_the_forecast_of_its_settings_adds_up(held):
    values = fitted(held.parts, held.times, held.grouped("configuration")).constants
    for place in (0, 700, 1400, len(held.rows) - 1):
        of = held.rows[place]
        asked = {"prompt": of.mean_input, "output": of.mean_output} if of.mode == "agg" else {}
        context = of.mean_input + of.mean_output / 2
        there = forecast(setting_of(of), of.in_flight, context, **asked).seconds
        assert there == pytest.approx(float(held.parts[place] @ values), rel=2e-3)


def test_what_is_constant_in_the_fit_has_the_names_of_the_catalogue(held):
    of = constants(fitted(held.parts, held.times, held.grouped("configuration")))
    assert set(of) <= {f.name for f in dataclasses.fields(STORED)}


def test_most_steps_take_longer_than_twice_the_bound_and_none_less(held):
    some = clean_measurements()[::200]
    bound = [decode(setting_of(of), of.in_flight, of.mean_input + of.mean_output / 2).bound_seconds for of in some]
    assert np.all(np.array([of.token_seconds for of in some]) > bound)


@pytest.mark.parametrize(
    ("model", "precision", "attention", "experts", "cache"),
    [
        ("deepseek-v3", "fp8", "fp8", "fp8", "fp8"),
        ("deepseek-v3", "fp4", "bf16", "nvfp4", "fp8"),
        ("gpt-oss-120b", "fp4", "bf16", "mxfp4", "fp8"),
        ("llama-3-70b", "fp4", "nvfp4", "nvfp4", "fp8"),
        ("kimi-k2.5", "int4", "bf16", "int4", "bf16"),
        ("qwen3-32b", "", "bf16", "bf16", "bf16"),
    ],
)
def test_formats_of_parts_are_those_of_the_published_checkpoints(model, precision, attention, experts, cache):
    formats = precisions_of(model, precision)
    assert (formats.attention_weights, formats.expert_weights, formats.cache) == (attention, experts, cache)


def test_the_report_says_constants_errors_bands_and_what_does_not_help(held, monkeypatch):
    few = held.only(np.arange(len(held.rows)) % 8 == 0)
    monkeypatch.setattr(fitting, "FOLDS", 3)
    lines = list(report(few))
    assert lines[0].startswith(f"Fitted to {len(few.rows)} points of ")
    text = "\n".join(lines)
    for said in (
        "memory_share",
        "±",
        "fitted up to 2025, judged on 2026",
        "Without a part",
        "kernels on Hopper",
        "[[row]]",
    ):
        assert said in text
