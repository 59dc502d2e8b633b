"""The mathematics of training, serving and pricing language models: pure functions, sourced facts, checked claims.

Formulas are one module an idea, gathered by lecture; the first of each has the lecture's name.

- Lecture 1: `batching` (steps, balance, cost), `touched` (experts woken), `fast_mode`, `departures` (waiting).
- Lecture 2: `moe` (experts over chips), `routing` (who goes where), `routed_scaling` (what experts buy).
- Lecture 3: `pipelining` (decoding), `bubbles` (training), `schedules` (both as timetables).
- Lecture 4: `memory_wall` (domains), `attention` (bytes and operations), `sparse_attention`, `long_context`.
- Lecture 5: `overtraining`, `scaling_law`, `lifetime` (best size for its use), `reinforcement`, `training_run`.
- Lecture 6: `pricing`, `context_price` (price steps), `prompt_cache`, `bill` (a reader's own).
- Lecture 7: `reversible`, `reversible_gradients`, `reversible_training`, `activation_memory`, `feistel` (ciphers).
- Lecture 8: `serving`, `shapes` (models and machines), `layout` (who holds what), `frontier`, `measured`.

Around them: `catalog` has the facts, `claims` the ledger and `calls` what it computes, `units` reads and shows
quantities, `check` and `fields` hold arguments to their ranges, `errors` says what was refused, `draws` makes the same
random numbers everywhere, `live` and `figures` put it all on a page, and `cli` answers in a terminal.

What a module defines under a name without a leading underscore is public. `__all__` is for packages alone, which hand
on what their modules define.
"""

__version__ = "0.1.0"
