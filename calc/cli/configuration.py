"""`config`: a model from the file that its maker published it with."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from calc.cli.report import Report, Value
from calc.quantities.errors import CalcError
from calc.setting import Architecture, Precisions
from calc.setting.cache import kept_bytes
from calc.setting.configured import Configured, configured

LARGEST = 4_000_000  # bytes of a configuration


def config(options: Namespace) -> Report:
    """The geometry of a model, and what of its file was assumed or not read."""
    found = of_file(options.file)
    model, precisions = found.model, Precisions.named(options.precision)
    number = precisions.cache_bytes
    kept = sum(group.count * kept_bytes(group.attention, options.context, number) for group in model.layers)
    states = sum(group.count * group.attention.state for group in model.layers)
    values = {
        "params": Value("Parameters", model.params),
        "active": Value("Active parameters", model.active_params),
        "layers": Value("Layers", model.layer_count),
        "weights": Value("Weights", _weight_bytes(model, precisions), "B"),
        "sequence": Value("Cache of a sequence", kept + states * precisions.state_bytes, "B"),
        "attention_flops": Value("Attention, for each token of context", model.attention_flops_per_position, "FLOP"),
    }
    rows = [
        {
            "layers": Value("Layers", group.count),
            "attention": Value("Attention", group.attention.kind),
            "window": Value("Window", group.attention.window, "tokens"),
            "experts": Value("Experts", group.feed_forward.experts),
            "per_token": Value("for each token", group.feed_forward.experts_per_token),
            "params": Value("Parameters", group.params),
        }
        for group in model.layers
    ]
    return Report(f"{model.name}, as its configuration has it", values, rows, doubts(found))


def of_file(name: str) -> Configured:
    """The model of a file, called as its folder is, or of what stands on standard input."""
    return configured(_read(name), name=None if name == "-" else Path(name).resolve().parent.name)


def doubts(found: Configured) -> list[str]:
    """All that was assumed, and fields that were not read."""
    unread = [f"Not read, and perhaps of meaning: {', '.join(found.unread)}."] if found.unread else []
    return [*found.assumed, *unread]


def _weight_bytes(model: Architecture, precisions: Precisions) -> float:
    """All parameters in the one format that was asked for."""
    return float(model.params) * precisions.weight_bytes("experts")


def _read(name: str) -> dict[str, Any]:
    """The file, or what stands on standard input."""
    try:
        text = sys.stdin.read(LARGEST + 1) if name == "-" else _text(Path(name))
        if len(text) > LARGEST:
            raise CalcError("file", name, f"of at most {LARGEST:,} bytes")
        read: dict[str, Any] = json.loads(text)
    except OSError as error:
        raise CalcError("file", name, f"one that can be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise CalcError("file", name, f"JSON; {str(error)[:80]}") from None
    return read


def _text(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.read(LARGEST + 1)
