"""Settings that Hypothesis draws for the tests of lecture 1."""

from __future__ import annotations

from hypothesis import strategies as st

MODEL = {"active_params": 50e9, "weight_bytes": 1e12, "kv_bytes_per_token": 1e5, "flops": 1e15, "bandwidth": 1e14}

batches = st.floats(1, 1e6)
contexts = st.floats(1, 1e8)


@st.composite
def systems(draw):
    """The arguments of a step for any plausible model and machine."""
    active = draw(st.floats(1e8, 1e12))
    return {
        "active_params": active,
        "weight_bytes": active * draw(st.floats(0.5, 100)),
        "kv_bytes_per_token": draw(st.floats(1e2, 1e7)),
        "flops": draw(st.floats(1e12, 1e20)),
        "bandwidth": draw(st.floats(1e11, 1e17)),
    }


def without(arguments, *names):
    return {name: value for name, value in arguments.items() if name not in names}
