"""Where a quantity can be computed in two ways, both give the same for every row of the catalogue that can answer."""

from __future__ import annotations

import pytest

from calc import batching, catalog
from calc.figure.scenario import MODELS
from calc.memory_wall.figures.setting import decode_flops, slope
from calc.quantities.errors import MissingFact
from calc.setting import Layout, Scenario, Setting, architecture
from calc.setting.published import attention_layers
from calc.step import decode, prefill


def known():
    for name in MODELS:
        try:
            architecture(name)
        except MissingFact:
            continue
        yield name


NAMES = list(known())


def rack(name):
    return Setting.published(name, "gb200-nvl72", "bf16", layout=Layout())


def test_every_model_that_is_offered_can_answer():
    assert set(MODELS) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_cache_of_a_token(name):
    """By the catalogue's row and by the setting, index keys included."""
    row, each = catalog.model(name), rack(name)
    assert each.kept_bytes_per_token == pytest.approx(row.kv_bytes_per_token("bf16"))


@pytest.mark.parametrize("name", NAMES)
def test_the_growth_of_attention(name):
    """By the chapter's figures and by the operations of a step, between two long contexts."""
    row = catalog.model(name)
    far, near = 2_000_000, 1_000_000
    by_step = [
        sum(op.flops for op in decode(rack(name), 1, at).operations if op.name in ("attention", "index"))
        for at in (far, near)
    ]
    assert by_step[0] - by_step[1] == pytest.approx(decode_flops(row, far) - decode_flops(row, near))


@pytest.mark.parametrize("name", [name for name in NAMES if not catalog.model(name).index_top_k])
def test_the_attention_of_a_prompt(name):
    """By the chapter's figures and by a step: what one more token of a long prompt adds."""
    row, each = catalog.model(name), rack(name)
    flops = [sum(op.flops for op in prefill(each, 1, n).operations if op.name == "attention") for n in (5e5, 5e5 + 1)]
    last = slope(row, prompt=True) * (5e5 + 1)
    windows = sum(count * at.window * at.flops_per_position for count, at in attention_layers(row))
    states = sum(count * at.state_flops for count, at in attention_layers(row))
    assert flops[1] - flops[0] == pytest.approx(last + windows + states, rel=1e-6)
    growing = each.model.expanded_attention_flops_per_position
    assert growing == pytest.approx(slope(row, prompt=True))


def test_the_setting_of_a_figure_is_that_of_a_step():
    where = Scenario.named("llama-3-70b", "hgx-h100", "fp8")
    assert where.setting.kept_bytes_per_token == where.kv_bytes_per_token
    assert where.setting.system_bandwidth == where.system.hbm_bandwidth
    assert where.setting.weight_bytes == pytest.approx(where.weight_bytes, rel=0.01)


@pytest.mark.parametrize(
    ("name", "context", "share"), [("deepseek-v3", 14_900, 0.81), ("kimi-k2", 4_750, 0.42), ("llama-3-70b", None, None)]
)
def test_the_critical_context_is_where_a_step_turns(name, context, share):
    each, row = Setting.published(name, "gb200-nvl72", "fp8"), catalog.model(name)
    arguments = {
        "active_params": row.active_params,
        "kv_bytes_per_token": each.read_bytes_per_token,
        "flops": each.machine.flops("fp8"),
        "bandwidth": each.machine.bandwidth,
        "attention_flops": each.attention_flops_per_token,
    }
    critical = batching.critical_context(**arguments)
    if context:
        assert critical == pytest.approx(context, rel=2e-3)
        assert batching.attainable_utilisation(1e5, **arguments) == pytest.approx(share, abs=5e-3)
    assert batching.attainable_utilisation(critical, **arguments) == pytest.approx(1)
    huge = [decode(each.with_layout(Layout()), 1e9, critical * times) for times in (0.95, 1.05)]
    assert [step.limit for step in huge] == ["compute", "memory"]
