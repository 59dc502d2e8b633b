"""Published results: fits of scaling laws, a measured deployment, and single figures (traffic, windows, forecasts)."""

from __future__ import annotations

from dataclasses import dataclass

from calc.catalog.records import Fact, Record, quantity
from calc.quantities.check import Range

ANY = Range()
SHARE = Range(0, 1)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LossFit(Record):
    """Constants of L(N, D) = E + A / N^alpha + B / D^beta, loss against parameters and training tokens."""

    irreducible: float = quantity("Irreducible loss E", optional=False)
    irreducible_error: float | None = quantity("Standard error of E")
    params_factor: float = quantity("Factor A of the parameters", optional=False)
    params_factor_error: float | None = quantity("Standard error of A")
    tokens_factor: float = quantity("Factor B of the tokens", optional=False)
    tokens_factor_error: float | None = quantity("Standard error of B")
    params_exponent: float = quantity("Exponent alpha of the parameters", optional=False)
    params_exponent_error: float | None = quantity("Standard error of alpha")
    tokens_exponent: float = quantity("Exponent beta of the tokens", optional=False)
    tokens_exponent_error: float | None = quantity("Standard error of beta")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RoutingFit(Record):
    """Constants of log10 L = a log10 N + b log10 E' + c log10 N log10 E' + d, loss against size and experts.

    E' is the saturated number of experts: 1 / E' = 1 / (E - 1 + 1 / (1 / start - 1 / most)) + 1 / most. Past
    `params_cutoff` parameters the fit says that more experts stop paying.
    """

    a: float = quantity("a", optional=False, accepted=ANY)
    b: float = quantity("b", optional=False, accepted=ANY)
    c: float = quantity("c", optional=False, accepted=ANY)
    d: float = quantity("d", optional=False, accepted=ANY)
    experts_start: float = quantity("Start of the experts' saturation", optional=False)
    experts_most: float = quantity("Most experts that count", optional=False)
    params_cutoff: float = quantity("Size from which routing stops paying", "parameters", optional=False)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ForecastFit(Record):
    """Constants of the forecast of a step, fitted to measurements, each with its standard error, and its bands.

    `effective` is the day of the fit; `systems` are those of the measurements, with spaces between. The bands bound
    measured over forecast where a configuration was left out. Errors and redraws take the runs of one model on one
    system together.
    """

    systems: str
    memory_share: float = quantity("Share of memory bandwidth that is reached", optional=False)
    memory_share_error: float = quantity("Standard error of it", optional=False)
    arithmetic_share: float = quantity("Share of arithmetic that is reached", optional=False)
    arithmetic_share_error: float = quantity("Standard error of it", optional=False)
    link_share: float = quantity("Share of link bandwidth that is reached", optional=False)
    link_share_error: float = quantity("Standard error of it", optional=False)
    kernel_seconds: float = quantity("Time of a kernel beside its work", "s", optional=False)
    kernel_seconds_error: float = quantity("Standard error of it", "s", optional=False)
    sequence_seconds: float = quantity("Time of a sequence beside its work", "s", optional=False)
    sequence_seconds_error: float = quantity("Standard error of it", "s", optional=False)
    low_80: float = quantity("Band of 80 %, low", optional=False)
    high_80: float = quantity("Band of 80 %, high", optional=False)
    high_80_least: float = quantity("The same, least of 95 % of redraws", optional=False)
    high_80_most: float = quantity("The same, most of 95 % of redraws", optional=False)
    low_90: float = quantity("Band of 90 %, low", optional=False)
    high_90: float = quantity("Band of 90 %, high", optional=False)
    median_error: float = quantity("Relative error of a configuration left out, median", optional=False)
    mean_error: float = quantity("Relative error of a configuration left out, mean", optional=False)
    rows: int = quantity("Operating points fitted to", optional=False)
    configurations: int = quantity("Configurations fitted to", optional=False)

    def covers(self, system: str) -> bool:
        """Whether runs on a system were among the measurements."""
        return system in self.systems.split()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Deployment(Record):
    """A serving system whose operator has published what it did in one day."""

    model: str
    system: str
    input_tokens: float = quantity("Input tokens in a day", "tokens", optional=False)
    cached_input_tokens: float = quantity("of which found in a cache", "tokens", optional=False)
    output_tokens: float = quantity("Output tokens in a day", "tokens", optional=False)
    mean_context: float = quantity("Mean context while decoding", "tokens", optional=False)
    user_tokens_per_second_low: float = quantity("Output speed of a user, low", "tokens/s", optional=False)
    user_tokens_per_second_high: float = quantity("Output speed of a user, high", "tokens/s", optional=False)
    prefill_tokens_per_second: float = quantity("Prefill of a node, cache hits included", "tokens/s", optional=False)
    decode_tokens_per_second: float = quantity("Decode of a node", "tokens/s", optional=False)
    chips_per_node: int = quantity("Chips in a node", optional=False)
    nodes_mean: float = quantity("Nodes, mean", optional=False)
    nodes_peak: int = quantity("Nodes, peak", optional=False)
    prefill_nodes: int = quantity("Nodes of a prefill unit", optional=False)
    decode_nodes: int = quantity("Nodes of a decode unit", optional=False)
    prefill_expert_parallel: int = quantity("Chips that share the experts in prefill", optional=False)
    decode_expert_parallel: int = quantity("Chips that share the experts in decode", optional=False)
    dollars_per_chip_hour: float = quantity("Rent that the operator assumes", "$/chip-hour", optional=False)
    cost_dollars: float = quantity("Cost of the day, as published", "$", optional=False)
    revenue_dollars: float = quantity("Theoretical revenue of the day, as published", "$", optional=False)

    @property
    def peak(self) -> float:
        """Machines at the peak of its day, over their mean."""
        return self.nodes_peak / self.nodes_mean

    @property
    def user_tokens_per_second(self) -> float:
        """Output speed of a user: the middle of the published range.

        >>> from calc import catalog
        >>> catalog.deployment("deepseek-day-6").user_tokens_per_second
        21.0
        """
        return (self.user_tokens_per_second_low + self.user_tokens_per_second_high) / 2

    @property
    def decode_batch(self) -> float:
        """Sequences of a decode unit: tokens that its nodes write in a second, over those that a user gets.

        >>> from calc import catalog
        >>> round(catalog.deployment("deepseek-day-6").decode_batch)
        12686
        """
        return self.decode_nodes * self.decode_tokens_per_second / self.user_tokens_per_second

    @property
    def uncached_share(self) -> float:
        """Share of the input that was computed and not found in a cache."""
        return 1 - self.cached_input_tokens / self.input_tokens

    @property
    def computed_tokens_per_second(self) -> float:
        """Tokens a second of prompts that a node computed: the published rate counts those found in a cache too."""
        return self.prefill_tokens_per_second * self.uncached_share


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Datum(Record):
    """One published number that belongs to no other table: traffic, a context window, a forecast, a paper's result."""

    topic: str
    unit: str = ""
    value: float = quantity("Value", optional=False, accepted=ANY)

    def facts(self) -> dict[str, Fact]:
        """The value, in the row's own unit and under the row's own name."""
        return {"value": Fact(self.value, self.name, self.unit, self.sources, self.effective, self.read, self.note)}
