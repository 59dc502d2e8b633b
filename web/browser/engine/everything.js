// Methods of dataclasses come compiled (web/bundle/ahead.py).
export const ahead = "import made_ahead";

// Python that answers every figure with an input twice, once as it stands and once with every input refused: what this
// does not import, no page imports. The build leaves out the rest, and the memory that is kept between visits has done it.
export const everything = `
import gc
import json

from calc.figure import registry
from calc.figure.answering import respond

for figure in registry.asked():
    respond(json.dumps({"figure": figure.name, "inputs": {}}))
    for given in figure.inputs:
        respond(json.dumps({"figure": figure.name, "inputs": {given.name: "?"}}))
gc.collect()
`;
