"""The bound of a step against every measurement: `python -m calc.world.falsify`. One that is faster refutes it.

Measurements that are set aside are asked as well where a bound must hold for them too, which it must unless drafts gave
several tokens a step or the layout is not what ran. Those of them that are faster are listed by name with the reason:
the list says what is known to be wrong with a record, and a test keeps it from growing in silence.

A second bound has the prompts too that a run reads between its tokens: their products take the multipliers for a time
that none of the tokens can use. It holds if prompts begin as evenly as answers end; requests that all begin at once
read theirs before the first token. No clean measurement is faster than this one either.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from calc.catalog.measurement import Measurement, measurements
from calc.step import decode
from calc.world.settings import fastest_setting_of, setting_of
from calc.world.work import deployments, loads, work

NOT_BOUND = frozenset({"speculation", "impossible layout"})
QUEUE = "requests queued for 24 s and wrote for 5 s: means say little of what was in flight at once"
UNCOUNTED = "no concurrency is on record: the load is the engine's limit, not what was in flight"
EXCEPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "2026_04_06_gpt_oss_120b_h100_sxm_vllm_fp4_agg_1024x1024_c512_tp2_ep1_1135": QUEUE,
        "qwen3_32b_qwen3_32b_h100_sxm_vllm_disagg_4000x1000_c_tp_epnone_2": UNCOUNTED,
        "qwen3_235b_a22b_qwen3_235b_a22b_h100_sxm_vllm_disagg_4000x1000_c_tpnone_epnone_1": UNCOUNTED,
    }
)


@dataclass(frozen=True)
class Confronted:
    """A measurement beside the bound, the bound with what is open at its fastest, and the serial sum, in seconds.

    `memory` is what the bound counts of reading and writing, `products` the arithmetic of the step and of the prompts
    that begin while it runs.
    """

    row: Measurement
    bound: float
    fastest: float
    serial: float
    memory: float
    products: float

    @property
    def ratio(self) -> float:
        """Measured over the bound."""
        return self.row.token_seconds / self.bound

    @property
    def prompted(self) -> float:
        """The bound with the products of prompts: those on the same chips take turns with those of the step."""
        return max(self.bound, self.products)

    @property
    def prompted_ratio(self) -> float:
        """Measured over the bound with prompts."""
        return self.row.token_seconds / self.prompted

    @property
    def multiplies(self) -> bool:
        """Whether products set the bound with prompts."""
        return self.products >= self.prompted

    @property
    def reads(self) -> bool:
        """Whether the bound is that of memory, and the measurement so a test of what is read, and of nothing else."""
        return self.memory >= self.bound

    @property
    def refutes(self) -> bool:
        """Whether the measurement is faster than the bound, with what is open at its fastest."""
        return self.row.token_seconds < self.fastest


def confronted(rows: Sequence[Measurement]) -> list[Confronted]:
    """Measurements beside what is computed for them."""
    found: dict[int, Confronted] = {}
    for places in deployments(rows):
        some = [rows[place] for place in places]
        step, fastest = (decode(setting(some[0]), *loads(some)) for setting in (setting_of, fastest_setting_of))
        products = work(some).arithmetic_seconds
        kinds = step.bound_seconds, fastest.bound_seconds, step.serial_seconds, step.memory_seconds, products
        times = np.stack(np.broadcast_arrays(*kinds), axis=1)
        found |= {place: Confronted(row, *of) for place, row, of in zip(places, some, times.tolist(), strict=True)}
    return [found[place] for place in range(len(rows))]


def every() -> list[Confronted]:
    """Every measurement for which the bound must hold, in the order of the table."""
    return confronted([row for row in measurements() if row.set_aside not in NOT_BOUND])


def refuting(found: Iterable[Confronted]) -> list[Confronted]:
    """Those that are faster than the bound with what is open at its fastest, the fastest first."""
    return sorted((each for each in found if each.refutes), key=lambda each: each.ratio)


def faster_with_prompts(found: Iterable[Confronted]) -> list[Confronted]:
    """Clean measurements that are faster than the bound with the prompts that they read: there should be none."""
    return [each for each in found if not each.row.set_aside and each.prompted_ratio < 1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how far the world is from the bound, and every measurement that is faster than it, with the reason."""
    argparse.ArgumentParser(prog="python -m calc.world.falsify", description=__doc__).parse_args(arguments)
    found = every()
    clean = [each for each in found if not each.row.set_aside]
    ratio = np.array([each.ratio for each in clean])
    serial = np.median([each.row.token_seconds / each.serial for each in clean])
    print(
        f"{len(clean)} clean measurements take {np.median(ratio):.2f} times the bound (median), {serial:.2f} times the"
    )
    print(f"serial sum; the nearest takes {ratio.min():.2f} times the bound, {np.mean(ratio < 2):.0%} less than twice.")
    print(f"Memory limits {sum(each.reads for each in clean)} of them, so they test what is read and little else.")
    prompted = np.array([each.prompted_ratio for each in clean])
    print(
        f"With the prompts that are read between, the nearest takes {prompted.min():.2f} times the bound, the median "
        f"{np.median(prompted):.2f}; products limit {np.mean([each.multiplies for each in clean]):.0%}."
    )
    beyond = faster_with_prompts(clean)
    for each in beyond:
        print(f"faster than the bound with prompts, {each.prompted_ratio:.2f}: {each.row.id}")
    unknown = len(beyond)
    for each in refuting(found):
        reason = EXCEPTIONS.get(each.row.id, "")
        unknown += not reason
        print(f"faster than the bound, {each.ratio:.2f}: {each.row.id}: {reason or 'NO REASON IS KNOWN'}")
    return int(unknown > 0)


if __name__ == "__main__":
    raise SystemExit(main())
