"""Chips, the systems that they are built into, the memory behind them, and machines that are only announced."""

from __future__ import annotations

from dataclasses import dataclass

from calc.catalog.records import Record, quantity
from calc.quantities.errors import CalcError
from calc.quantities.units import BITS_PER_ELEMENT
from calc.quantities.units import precision as format_of


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Chip(Record):
    """One accelerator package: dense rates, one direction for links.

    `hbm_bytes` are those that the driver counts, as nvidia-smi and rocm-smi list them, before an engine takes a share.
    Where nobody's list was read they are the maker's figure, in GiB where it says GiB. A sheet's “80 GB” are 80 GiB of
    which the driver keeps a little: on an H100 7 % more bytes than 80e9. A row's note gives the sheet's figure.
    """

    vendor: str
    bf16_flops: float | None = quantity("BF16, dense", "FLOP/s")
    fp8_flops: float | None = quantity("FP8, dense", "FLOP/s")
    fp4_flops: float | None = quantity("FP4, dense", "FLOP/s")
    int8_ops: float | None = quantity("INT8, dense", "FLOP/s")
    hbm_bytes: float = quantity("HBM capacity", "B", optional=False)
    hbm_bandwidth: float = quantity("HBM bandwidth", "B/s", optional=False)
    watts: float | None = quantity("Power", "W")

    def flops(self, precision: str) -> float:
        """The dense rate at which numbers stored as `precision` are multiplied.

        A format that the chip cannot multiply is widened to the narrowest one that it can: four-bit weights on an
        H100 are stored in four bits and multiplied at the FP8 rate.
        """
        return self.rates[self.arithmetic(precision)]

    def arithmetic(self, precision: str) -> str:
        """The format in which this chip multiplies numbers that are stored as `precision`.

        All formats of one width count as one: eight-bit floats on a chip that has only INT8 take its INT8 rate.

        >>> from calc import catalog
        >>> catalog.chip("h100-sxm").arithmetic("fp4"), catalog.chip("b200-sxm").arithmetic("fp4")
        ('fp8', 'fp4')
        >>> catalog.chip("a100-sxm").arithmetic("fp8"), catalog.chip("tpu-v5p").arithmetic("int8")
        ('int8', 'int8')
        """
        stored, rates = format_of(precision), self.rates
        if stored in rates:
            return stored
        wide_enough = [name for name in rates if BITS_PER_ELEMENT[name] >= BITS_PER_ELEMENT[stored]]
        if not wide_enough:
            raise CalcError("precision", precision, f"a format whose rate on {self.name} is known: {', '.join(rates)}")
        return min(wide_enough, key=lambda name: BITS_PER_ELEMENT[name])

    @property
    def rates(self) -> dict[str, float]:
        """Dense rates by format, in FLOP/s."""
        rates = {"bf16": self.bf16_flops, "fp8": self.fp8_flops, "int8": self.int8_ops, "fp4": self.fp4_flops}
        return {name: rate for name, rate in rates.items() if rate is not None}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class System(Record):
    """Chips in one scale-up domain, and the links within and out of it (per chip, one direction).

    A domain is switched unless its `topology` is "mesh", every pair with a link of its own, or a torus with so many
    chips along each dimension, as in "torus 16x24x24".
    """

    chip: Chip
    chips: int = quantity("Chips in the scale-up domain", optional=False)
    topology: str = ""
    scale_up_bandwidth: float | None = quantity("Scale-up link per chip", "B/s")
    scale_out_bandwidth: float | None = quantity("Scale-out link per chip", "B/s")
    watts: float | None = quantity("Power of the domain", "W")

    @property
    def torus(self) -> tuple[int, ...]:
        """Chips along each dimension, where the domain is a torus; nothing elsewhere.

        >>> from calc import catalog
        >>> catalog.system("tpu-v7-pod").torus, catalog.system("gb200-nvl72").torus
        ((16, 24, 24), ())
        """
        kind, _, sides = self.topology.partition(" ")
        return tuple(int(side) for side in sides.split("x")) if kind == "torus" else ()

    @property
    def hbm_bytes(self) -> float:
        """Memory of the whole domain."""
        return self.chips * self.chip.hbm_bytes

    @property
    def hbm_bandwidth(self) -> float:
        """Memory bandwidth of the whole domain."""
        return self.chips * self.chip.hbm_bandwidth

    def flops(self, precision: str) -> float:
        """Dense rate of the whole domain."""
        return self.chips * self.chip.flops(precision)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Announced(Record):
    """A machine that nobody can buy yet: what its maker has said of one rack, or of racks that are one domain."""

    vendor: str
    due: str
    packages: int = quantity("Packages", optional=False)
    dies: int | None = quantity("Dies in the rack")
    fp4_flops: float | None = quantity("FP4 of the rack, as announced", "FLOP/s")
    fp8_flops: float | None = quantity("FP8 of the rack, as announced", "FLOP/s")
    package_fp4_flops: float | None = quantity("FP4 of a package, as announced", "FLOP/s")
    package_hbm_bytes: float | None = quantity("HBM capacity of a package", "B")
    sram_bytes: float | None = quantity("Memory on the chips of the rack", "B")
    sram_bandwidth: float | None = quantity("Its bandwidth, that of the rack", "B/s")
    watts: float | None = quantity("Power of the rack", "W")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Tier(Record):
    """A place where a cache can be kept: one device, or one group of channels, that is read as a whole."""

    medium: str
    capacity_bytes: float = quantity("Capacity", "B", optional=False)
    read_bandwidth: float = quantity("Read bandwidth", "B/s", optional=False)
    write_bandwidth: float | None = quantity("Write bandwidth", "B/s")
    dollars_per_gb_low: float | None = quantity("Price, low", "$/GB")
    dollars_per_gb_high: float | None = quantity("Price, high", "$/GB")

    @property
    def drain_seconds(self) -> float:
        """Time to read all of it once: capacity / bandwidth.

        >>> from calc import catalog
        >>> catalog.tier("nvme-gen6-30tb").drain_seconds / 60 > 18
        True
        """
        return self.capacity_bytes / self.read_bandwidth
