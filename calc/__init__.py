"""The mathematics of training, serving and pricing language models: pure functions, sourced facts, checked claims.

Each lecture is a package, named like its folder among the lectures: one module an idea, and its figures in a folder
beside them. `from calc import batching` gives what the first of its modules define.

- 1 `batching`: the decode step, its balance and its cost, experts woken, fast modes, waiting.
- 2 `moe`: experts over chips, who is routed where, what experts buy.
- 3 `pipelining`: layers over racks when decoding, bubbles in training, both as timetables.
- 4 `memory_wall`: domains, bytes and operations of attention, sparse attention, long contexts.
- 5 `overtraining`: the three budgets, scaling laws, the best size for a life, reinforcement, a run.
- 6 `pricing`: what prices imply, steps with context, prompt caches, a reader's own bill.
- 7 `reversible`: networks that run backwards, their gradients and memory, ciphers.
- 8 `serving`: models and machines, layouts, passes, the frontier, what was measured.

Around them stand `quantities` (ranges, units, refusals, random numbers), `catalog` (facts with their sources),
`setting` (a model on a machine, as every formula is asked about it), `step` (what it does in a step, operation by
operation), `figure` (what a figure is and how it looks), `ledger` (claims and their verdicts), `cli` (answers in a
terminal), `world` (what is computed, held against what is measured), `measured` (runs as a page shows them), `chapters`
(the list of lectures) and `face` (how a chapter hands on its names).

A name without a leading underscore that a module defines is public. `__all__` is for the catalogue alone.
"""

__version__ = "0.1.0"
