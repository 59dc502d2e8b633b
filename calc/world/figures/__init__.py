"""The models against the world in pictures. They are drawn when the site is built and carry no Python to the reader."""

from calc.world.figures import (
    bound,
    changes,
    company,
    first_days,
    forecast,
    mlperf,
    other_chips,
    peers,
    rack,
    reading,
    starts,
    training_busy,
    training_count,
    training_format,
    training_memory,
    training_runs,
)

FIGURES = (
    *bound.FIGURES,
    *forecast.FIGURES,
    *company.FIGURES,
    *rack.FIGURES,
    *changes.FIGURES,
    *first_days.FIGURES,
    *other_chips.FIGURES,
    *reading.FIGURES,
    *mlperf.FIGURES,
    *peers.FIGURES,
    *starts.FIGURES,
    *training_count.FIGURES,
    *training_busy.FIGURES,
    *training_format.FIGURES,
    *training_memory.FIGURES,
    *training_runs.FIGURES,
)
