"""The layout in which a model is usually served."""

from __future__ import annotations

from calc.setting import Layout, Setting


def usual(setting: Setting) -> Setting:
    """The setting as it is usually served: a dense model over as many chips as it has key-value heads, or it needs.

    Beyond its key-value heads a cache is copied. A model with experts stays spread over the whole domain.

    >>> usual(Setting.published("llama-3-70b", "gb200-nvl72", "fp8")).layout.tensor
    8.0
    """
    if setting.model.experts:
        return setting
    most = float(setting.machine.domain_chips)
    chips = min(most, min(float(group.attention.splits) for group in setting.model.layers if group.attention.entry))
    while 2 * chips <= most and setting.weight_bytes > chips * setting.machine.hbm_bytes:
        chips *= 2
    return setting.with_layout(Layout(tensor=chips))


def narrower(setting: Setting) -> list[Setting]:
    """The setting as it is usually served, and for a dense model each half of those chips, and of these, down to one.

    >>> [each.layout.tensor for each in narrower(Setting.published("llama-3-70b", "gb200-nvl72", "fp8"))]
    [8.0, 4.0, 2.0, 1.0]
    """
    found = [usual(setting)]
    while not setting.model.experts and float(found[-1].layout.tensor) % 2 == 0:
        found.append(setting.with_layout(Layout(tensor=found[-1].layout.tensor / 2)))
    return found
