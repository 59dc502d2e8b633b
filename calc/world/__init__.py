"""The models held against measurements: taking them in, judging a bound, fitting and judging a forecast.

Nothing here runs in a browser. `take` reads a release of the source, `repairs` are what it needs, `fit` finds the
constants of the forecast and `judge` says how far they are off where they were not fitted.
"""

__all__: list[str] = []
