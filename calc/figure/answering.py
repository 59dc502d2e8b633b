"""Answers for a page in the reader's browser: JSON in and out, and a refused input as a sentence for its author."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from calc.figure import registry, sensitivity
from calc.figure.declared import Figure
from calc.figure.inputs import InputError
from calc.quantities.errors import CalcError


def respond(request: str) -> str:
    """Answer one request of the page: `{"figure": name, "inputs": {...}}` as JSON, in and out.

    With `"ways": true` the answer is not that of the figure, but every way in which one input could be moved.
    `known`, if it is given, names the keys of steady tables that the page has, by table. With `"part": n` that part of
    a long answer is computed and kept, and the reply counts it; where there is none any more, it is the answer.
    """
    asked = json.loads(request)
    name = asked["figure"]
    reply: dict[str, Any]
    try:
        found, inputs = registry.find(name), asked.get("inputs", {})
        if asked.get("ways"):
            reply = {"ways": [asdict(way) for way in sensitivity.ways(found, **inputs)]}
        elif "part" in asked and (count := found.part(asked["part"], **inputs)):
            reply = {"done": count[0], "of": count[1], "counted": found.counted}
        else:
            reply = found.answer(**inputs).as_json(asked.get("known", {}))
    except InputError as error:
        reply = {"errors": {error.name: str(error)}, "message": str(error)}
    except CalcError as error:
        reply = _refused(registry.find(name), error)
    return json.dumps({"figure": name} | reply, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _refused(figure: Figure, error: CalcError) -> dict[str, Any]:
    """Put a sentence of `calc` beside the field that it speaks of, if the figure has that field."""
    sentence = str(error)[:1].upper() + str(error)[1:]
    mine = error.argument in figure.defaults()
    return {"errors": {error.argument: sentence} if mine else {}, "message": sentence}
