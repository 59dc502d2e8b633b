"""The one noun of the course: a model on a machine, at given precisions, laid out in a given way.

>>> from calc.setting import Setting
>>> Setting.published("llama-3-70b", "hgx-h100", "fp8").layout.chips
8.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.setting import cache as cache
    from calc.setting.attention_layer import *
    from calc.setting.cache import *
    from calc.setting.dense_transformer import *
    from calc.setting.feed_forward import *
    from calc.setting.layers import *
    from calc.setting.layout import *
    from calc.setting.machine import *
    from calc.setting.precisions import *
    from calc.setting.published import *
    from calc.setting.scenario import *
    from calc.setting.setting import *
else:
    __getattr__ = handed_on(
        __name__,
        "setting",
        "scenario",
        "published",
        "layers",
        "attention_layer",
        "feed_forward",
        "machine",
        "precisions",
        "layout",
        "cache",
        "dense_transformer",
    )
