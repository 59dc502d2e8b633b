"""A chip and its surroundings. Every rate and size here is of one chip; what is of a whole system says `system`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from calc import catalog
from calc.catalog import System
from calc.quantities.check import Quantity, Range, number
from calc.quantities.errors import CalcError, MissingFact, OutOfRange, UnknownName, WrongType
from calc.quantities.units import BITS_PER_ELEMENT
from calc.quantities.units import precision as format_of
from calc.setting.numbers import require_numbers

SWITCH, MESH, TORUS = "switch", "mesh", "torus"
POSITIVE = Range(0, open_low=True)
NO_WAY_OUT = 0.0
"""The link out of a domain of which none is known: a layout beyond the domain is refused."""


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Per chip: FLOP/s by format, memory in B/s and B, links in B/s one way; a `scale_out` of 0 is `NO_WAY_OUT`.

    `domain_chips` share the scale-up links, over a switch, a mesh of pairs, or a torus with so many chips a `sides`.
    """

    name: str
    rates: Mapping[str, Quantity]
    bandwidth: Quantity
    hbm_bytes: Quantity
    domain_chips: Quantity
    scale_up: Quantity
    scale_out: Quantity = NO_WAY_OUT
    topology: str = SWITCH
    sides: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        require_numbers(self, at_least_one=("domain_chips",))
        for name in ("bandwidth", "hbm_bytes"):
            if not np.all(np.asarray(getattr(self, name)) > 0):
                raise OutOfRange(name, getattr(self, name), "above 0")
        if np.any((np.asarray(self.scale_up) == 0) & (np.asarray(self.domain_chips) > 1)):
            raise OutOfRange("scale_up", self.scale_up, "above 0 where chips share a domain")
        if self.topology not in (SWITCH, MESH, TORUS):
            raise UnknownName("topology", self.topology, (SWITCH, MESH, TORUS))
        if not isinstance(self.rates, Mapping):
            raise WrongType("rates", self.rates, "FLOP/s by format, such as {'fp8': 2e15}")
        rates = {format_of(name): number(f"rate of {name}", rate, POSITIVE) for name, rate in self.rates.items()}
        object.__setattr__(self, "rates", MappingProxyType(rates))

    @classmethod
    def published(cls, system: System | str) -> Machine:
        """A catalogued system, by its row or its name.

        >>> h100 = Machine.published("hgx-h100")
        >>> h100.flops("fp8"), h100.scale_out, Machine.published("tpu-v7-pod").sides
        (1979000000000000.0, 50000000000.0, (16, 24, 24))
        """
        row = system if isinstance(system, System) else catalog.system(system)
        if row.scale_up_bandwidth is None:
            raise MissingFact(row.id, "scale_up_bandwidth")
        return cls(
            name=row.name,
            rates=row.chip.rates,
            bandwidth=row.chip.hbm_bandwidth,
            hbm_bytes=row.chip.hbm_bytes,
            domain_chips=row.chips,
            scale_up=row.scale_up_bandwidth,
            scale_out=NO_WAY_OUT if row.scale_out_bandwidth is None else row.scale_out_bandwidth,
            topology=TORUS if row.torus else row.topology or SWITCH,
            sides=row.torus,
        )

    def flops(self, precision: str) -> Quantity:
        """The dense rate of one chip for numbers in a format, widened to the narrowest that the chip multiplies.

        >>> Machine.published("hgx-a100").flops("fp4") / 1e12
        624.0
        """
        wanted = format_of(precision)
        if wanted in self.rates:
            return self.rates[wanted]
        wide = [name for name in self.rates if BITS_PER_ELEMENT[name] >= BITS_PER_ELEMENT[wanted]]
        if not wide:
            raise CalcError(
                "precision", precision, f"a format whose rate on {self.name} is known: {', '.join(self.rates)}"
            )
        return self.rates[min(wide, key=BITS_PER_ELEMENT.__getitem__)]

    def reached(self, *, mfu: Quantity = 1.0, mbu: Quantity = 1.0, link: Quantity = 1.0) -> Machine:
        """The same machine at shares of its rates: of the multipliers (MFU), of memory (MBU), of the links.

        >>> Machine.published("hgx-h100").reached(mbu=0.5).bandwidth
        1675000000000.0
        """
        shares = {"mfu": mfu, "mbu": mbu, "link": link}
        mfu, mbu, link = (number(name, share, Range(0, 1, open_low=True)) for name, share in shares.items())
        return replace(
            self,
            rates={name: rate * mfu for name, rate in self.rates.items()},
            bandwidth=self.bandwidth * mbu,
            scale_up=self.scale_up * link,
            scale_out=self.scale_out * link,
        )
