"""Training past the optimum: how long a model should be trained that will be reinforced and served.

The three budgets are here; losses are in `calc.overtraining.scaling_law`, the best size for a model's whole life in
`calc.overtraining.lifetime`, reinforcement in `calc.overtraining.reinforcement`, a run's hours and memory in
`calc.overtraining.training_run`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.overtraining import lifetime as lifetime
    from calc.overtraining import reinforcement as reinforcement
    from calc.overtraining import scaling_law as scaling_law
    from calc.overtraining import training_run as training_run
    from calc.overtraining.budget import *
else:
    __getattr__ = handed_on(__name__, "budget")
