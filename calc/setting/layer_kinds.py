"""The kind of attention of each layer of a `config.json`, in their order: as it says, or as its library fills it in.

A text need not name its layers. Which of them then have a window is known of each kind of model by the configurations
of the transformers library; it is said to be assumed.
"""

from __future__ import annotations

from collections.abc import Sequence

from calc.quantities.errors import CalcError, UnknownName
from calc.setting.config_file import MOST, ConfigFile

COMPRESSED = ("deepseek_v4",)
RATIOS = "compress_ratios"  # tokens of an entry, layer by layer
FULL, WINDOW, LINEAR = "full_attention", "sliding_attention", "linear_attention"
WINDOWED = ("mistral", "mixtral", "ministral3", "qwen3_moe")  # in all layers, where there is a window
BEHIND = ("qwen2", "qwen3")  # in the layers behind the first max_window_layers
IN_TURN = ("gpt_oss", "qwen2_moe")  # in every other layer, from the first on
SWITCHED = ("qwen2", "qwen3", "qwen2_moe", "qwen3_moe")  # whose window use_sliding_window turns on
MIXED = ("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text")  # linear attention, every few layers a full one
FIRST, EVERY = 28.0, 4.0  # the library's own max_window_layers and full_attention_interval


def layer_kinds(file: ConfigFile, layers: int) -> Sequence[str]:
    """The kind of each layer; of compressed ones, the tokens that an entry stands for.

    >>> file = ConfigFile({"model_type": "gpt_oss", "sliding_window": 128})
    >>> layer_kinds(file, 3)
    ['sliding_attention', 'full_attention', 'sliding_attention']
    >>> file.assumed
    ['layer_types is not given: 2 of 3 layers are taken to have the window.']
    """
    if file.fields["model_type"] in COMPRESSED:
        return _compressions(file, layers)
    named = file.listed("layer_types", str, f"the {layers} layers")
    if named is None:
        return _unnamed(file, layers)
    file.has("sliding_window")
    if len(named) != layers:
        raise CalcError("layer_types", named, f"a list of the {layers} layers")
    unknown = sorted(set(named) - {FULL, WINDOW, LINEAR})
    if unknown:
        raise UnknownName("layer_types", unknown[0], (FULL, WINDOW, LINEAR))
    return list(named)


def _unnamed(file: ConfigFile, layers: int) -> Sequence[str]:
    kind, places = file.fields["model_type"], range(layers)
    if kind in MIXED or file.has("full_attention_interval"):
        every = file.otherwise("full_attention_interval", EVERY, f"every {EVERY:g}th layer has full attention")
        return [LINEAR if (place + 1) % every else FULL for place in places]
    near = [WINDOW if each else FULL for each in _windows(file, kind, layers)]
    if WINDOW in near:
        told = f"{near.count(WINDOW)} of {layers} layers are taken to have the window"
        file.assumed.append(f"layer_types is not given: {told}.")
    return near


def _windows(file: ConfigFile, kind: str, layers: int) -> Sequence[bool]:
    """Whether each layer has the window."""
    none, places = [False] * layers, range(layers)
    if not file.has("sliding_window") and kind != "gpt_oss":
        if kind == "mistral" and "sliding_window" not in file.fields:
            file.assumed.append("sliding_window is not given: no layer is taken to have one.")
        return none
    if kind not in (*WINDOWED, *BEHIND, *IN_TURN):
        file.assumed.append(f"sliding_window: no layer of a model of type {kind} is taken to have one.")
        return none
    if kind in SWITCHED and not file.has("use_sliding_window"):
        file.assumed.append("use_sliding_window is not given: no layer is taken to have the window.")
        return none
    if file.fields.get("use_sliding_window") is False or not file.flag("use_sliding_window", True):
        return none  # a switch that is off decides as much as one that is not there
    if kind in WINDOWED:
        return [True] * layers
    if kind == "gpt_oss":
        return [place % 2 == 0 for place in places]
    first = _first(file)
    if kind in IN_TURN:
        return [place % 2 == 0 and place < first for place in places]
    return [place >= first for place in places]


def _first(file: ConfigFile) -> float:
    """Layers up to which, or from which on, there are windows."""
    if file.has("max_window_layers"):
        return file.number("max_window_layers", least=0.0)
    return file.otherwise("max_window_layers", FIRST, f"the first {FIRST:g} layers")


def _compressions(file: ConfigFile, layers: int) -> Sequence[str]:
    """Tokens that an entry of each layer stands for, 0 for a window alone; a text may add those of guesses ahead."""
    ratios = file.listed(RATIOS, int, f"the {layers} layers")
    if ratios is None:
        file.missing.append(RATIOS)
        return [WINDOW] * layers
    if len(ratios) < layers or min(ratios) < 0 or max(ratios) > MOST:
        raise CalcError(RATIOS, ratios, f"a list of whole numbers from 0 on, one for each of the {layers} layers")
    return [str(ratio) if ratio else WINDOW for ratio in ratios[:layers]]
