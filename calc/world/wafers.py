"""Tokens written from memory on the chip itself, beside the time of reading their weights from it."""

from __future__ import annotations

from dataclasses import dataclass

from calc import batching, catalog
from calc.setting import Setting
from calc.step.forecasting import Forecast, forecast

NODE = "hgx-h100"
FORMAT = "bf16"
CONTEXT = 1000
"""Tokens of context in the forecast: the runs do not say theirs, and one user's cache is small."""


@dataclass(frozen=True)
class Wafers:
    """One user's text on wafers that hold the layers in turn, so that one of them reads at a time."""

    model: str
    rate: str
    chips: int
    """Chips with memory beside them that hold the model in the same format."""

    @property
    def setting(self) -> Setting:
        """The same model in the same format on chips with memory beside them."""
        return Setting.published(self.model, NODE, FORMAT, chips=self.chips)

    @property
    def layers(self) -> float:
        """Layers that follow one another."""
        return float(self.setting.model.layer_count)

    @property
    def token_seconds(self) -> float:
        """Measured, for a token."""
        return 1 / catalog.datum(self.rate).value

    @property
    def reading_seconds(self) -> float:
        """Reading what a token reads of the weights, at the published bandwidth of one wafer: all cores at once.

        More wafers do not shorten it: each reads its own layers, and a token passes them in turn.
        """
        return float(batching.read_seconds(self.setting.read_weight_bytes, catalog.datum("wse3-bandwidth").value))

    @property
    def reading_seconds_at_most(self) -> float:
        """Reading where each layer fills cores of its own: a core reads its memory alone, and layers take turns."""
        return self.layers * emptied_seconds()

    @property
    def elsewhere(self) -> Forecast:
        """The forecast of a lone user's step on chips with memory beside them."""
        return forecast(self.setting, batch=1, context=CONTEXT)


SMALL = Wafers("llama-3-8b", "wse3-llama-8b-rate", chips=1)
LARGE = Wafers("llama-3-70b", "wse3-llama-70b-rate", chips=8)


def emptied_seconds() -> float:
    """Seconds in which a core reads the whole of its memory, as all of them together read all.

    >>> round(emptied_seconds() * 1e6, 1)
    2.1
    """
    return catalog.datum("wse3-memory").value / catalog.datum("wse3-bandwidth").value


def broader() -> float:
    """Bandwidth of one wafer's memory over that of an H100.

    >>> 6000 < broader() < 7000
    True
    """
    return catalog.datum("wse3-bandwidth").value / catalog.chip("h100-sxm").known("hbm_bandwidth")
