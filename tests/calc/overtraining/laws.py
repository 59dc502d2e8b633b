"""Scaling laws as published, any others within reach of them, and runs that one of them makes."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from calc.overtraining.law_fit import TrainedRuns
from calc.overtraining.scaling_law import ScalingLaw, loss

HOFFMANN = ScalingLaw(1.69337368, 406.401018, 410.722827, 0.33917084, 0.2849083)
"""Hoffmann et al. 2022, section D.3, equation 10, before rounding: a comment of the paper's own text."""
BESIROGLU = ScalingLaw(1.8172, 482.01, 2085.43, 0.3478, 0.3658)
"""Besiroglu et al. 2024, table 1."""

laws = st.builds(
    ScalingLaw,
    irreducible=st.floats(0, 3),
    params_factor=st.floats(10, 5000),
    tokens_factor=st.floats(10, 5000),
    params_exponent=st.floats(0.2, 0.6),
    tokens_exponent=st.floats(0.2, 0.6),
    joint_exponent=st.just(1.0) | st.floats(0.5, 1),
)
sizes = st.floats(1e7, 1e12)
counts = st.floats(1e9, 1e15)


def made_runs(noise: float, count: int = 240) -> TrainedRuns:
    """Runs of the published refit, at sizes and tokens like those of Chinchilla."""
    draw = np.random.default_rng(5)
    params, tokens = np.exp(draw.uniform(np.log(5e7), np.log(1.6e10), count)), 10 ** draw.uniform(9, 11.5, count)
    losses = loss(BESIROGLU, params, tokens) * np.exp(noise * draw.standard_normal(count))
    return TrainedRuns(np.log(params), np.log(tokens), np.log(losses))
