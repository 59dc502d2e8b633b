"""A title states no result as real of what has no room, and words follow their numbers."""

from __future__ import annotations

import pytest

from calc.figure import registry

FULL = ("does not fit", "exceed", "the cache needs")
ASKED = {
    "batching/lanes": ({"model": "deepseek-v3"}, {"batch": 1_000_000}),
    "batching/step-time": ({"system": "hgx-h100"}, {"context": "100M"}),
    "batching/context": ({"system": "hgx-a100"}, {"batch": 1_000_000}),
    "batching/cost": ({"model": "deepseek-v4-pro"}, {"batch": 1000}),
    "pipelining/memory": ({"stages": 1}, {"model": "llama-3-70b"}, {"context": "1M", "flight": "split"}),
    "serving/tornado": ({"system": "hgx-h100"}, {"batch": "1M", "context": "100M"}),
    "measured/batch": ({"model": "deepseek-v4-pro"}, {"model": "llama-3-405b"}),
}


@pytest.mark.parametrize(
    ("name", "inputs"), [(name, inputs) for name, asked in ASKED.items() for inputs in asked], ids=str
)
def test_a_result_of_what_does_not_fit_is_not_stated_as_real(name, inputs):
    figure = registry.find(name)
    real, full = figure.answer(), figure.answer(**inputs)
    assert any(word in note for note in full.notes for word in FULL)
    assert "would" in full.finding or "his does not fit; if it did" in full.finding
    assert "would" not in real.finding
    assert not any(word in note for note in real.notes for word in FULL)


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("memory_wall/fit", {"batch": 1}, " 1 cache of 100,000 tokens"),
        ("pricing/holding", {"life": 1}, "written off in 1 year."),
        ("serving/racks", {"traffic": 1, "promise": 1000}, ": 1 request in flight"),
    ],
)
def test_a_description_counts_one_as_one(name, inputs, words):
    assert words in registry.find(name).answer(**inputs).description


def test_figures_of_one_model_say_how_to_ask_of_another_and_fixed_words_are_of_the_case():
    for name in ("serving/racks", "memory_wall/bar"):
        assert any("For another model" in said and "price list" in said for said in registry.find(name).assumptions)
    assert "your batch if that is larger" in " ".join(registry.find("serving/speed").assumptions)
    curve = registry.find("serving/speed").answer(
        model="qwen3-235b-a22b", system="hgx-h200", context=16_000, batch=2048, promise=40
    )
    full = curve.values["full"].number
    assert max(curve.tables["curve"]["batch"]) > full, "the curve goes on to the batch"
    assert any("model of your own" in note for note in registry.find("overtraining/served").answer().notes)
