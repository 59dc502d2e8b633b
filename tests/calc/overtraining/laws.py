"""Scaling laws as published, and any others within reach of them."""

from __future__ import annotations

from hypothesis import strategies as st

from calc.overtraining.scaling_law import ScalingLaw

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
)
sizes = st.floats(1e7, 1e12)
counts = st.floats(1e9, 1e15)
