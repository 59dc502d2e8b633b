"""Every run draws the same examples, here and in the browser, and no slow machine fails a test by its clock."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "rooflines",
    derandomize=True,
    deadline=None,
    max_examples=50,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("rooflines")
