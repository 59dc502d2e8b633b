"""The one noun of the course: a model on a machine, at given precisions, laid out in a given way.

>>> from calc.setting import Setting
>>> Setting.published("llama-3-70b", "hgx-h100", "fp8").layout.chips
8.0
"""

from calc.setting.architecture import Architecture, Layers
from calc.setting.attention_layer import Attention, compressed, grouped, latent, linear
from calc.setting.cache import attended
from calc.setting.feed_forward import FeedForward, dense, routed
from calc.setting.layout import Layout
from calc.setting.machine import Machine
from calc.setting.numbers import rounded_up
from calc.setting.precisions import PRESETS, Precisions
from calc.setting.published import architecture
from calc.setting.setting import Setting, usual_layout
from calc.setting.transformer import cache_bytes_per_token, transformer

__all__ = [
    "PRESETS",
    "Architecture",
    "Attention",
    "FeedForward",
    "Layers",
    "Layout",
    "Machine",
    "Precisions",
    "Setting",
    "architecture",
    "attended",
    "cache_bytes_per_token",
    "compressed",
    "dense",
    "grouped",
    "latent",
    "linear",
    "rounded_up",
    "routed",
    "transformer",
    "usual_layout",
]
