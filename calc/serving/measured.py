"""Published measurements beside the bounds on the same model, chips, layout, batch and context.

Nothing is tuned to them. A bound is a rate that cannot be passed, so every share is below 1; how far below is what
kernels, imbalance, queues and missing overlap cost. `serial` is the rate if nothing overlaps: a system above it
overlaps, one below it loses time that the model does not know. `expected` is the rate by the constants of the forecast,
which have seen none of these systems and no reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from calc import catalog
from calc.moe.exchange import exchange_bytes, leaving_share, link_seconds
from calc.quantities.errors import UnknownName
from calc.serving.rates import blended_rate
from calc.setting import Layout, Machine, Setting
from calc.setting.precisions import Precisions
from calc.step import Step, decode, most_sequences, prefill
from calc.step.forecasting import FIT, at_measured_rates, forecast_of

DAY = "deepseek-day-6"
LONG_BATCH = 4096  # prompts a chip, where lengths are not published: enough for weights to be shared among them
BLOCK, SCALE_BYTES = 128, 4  # DeepEP sends a scale of four bytes for a block of 128 eight-bit numbers
TOKENS, WIDTH, COPIES = 128, 7168, 8  # what DeepEP's table was measured with
REQUESTS = ((2048, 128), (32768, 2048), (120000, 2048))
NARROW = replace(Precisions.named("fp8"), expert_weights="nvfp4", products="fp4", dispatch="fp4", block_scales=True)
WIDE = Precisions.named("fp8-bf16-cache")
RACK_PREFILL = MappingProxyType({"": (4, WIDE, "FP8"), "-fp4": (2, NARROW, "FP4")})
"""Chips of an instance, formats and their name."""


@dataclass(frozen=True)
class Comparison:
    """A measured rate, the bound on it, the rate without any overlap and the expected one, all for the same chips."""

    what: str
    unit: str
    measured: float
    bound: float
    serial: float
    expected: float
    source: str

    @property
    def share(self) -> float:
        """Measured over bound, at most 1 if the bound is one."""
        return self.measured / self.bound

    @property
    def share_of_serial(self) -> float:
        """Measured over the rate without overlap."""
        return self.measured / self.serial

    @property
    def over_expected(self) -> float:
        """Measured over expected: above 1 where a system is faster than its forecast."""
        return self.measured / self.expected


def comparison(name: str) -> Comparison:
    """One comparison by its name.

    >>> found = comparison("deepseek-decode")
    >>> found.measured, found.serial < found.bound, 0.2 < found.share < 0.4
    (1850.0, True, True)
    """
    if name not in comparisons():
        raise UnknownName("comparison", name, comparisons())
    return comparisons()[name]


def comparisons() -> Mapping[str, Comparison]:
    """Every measurement that is catalogued, by name.

    >>> all(0 < each.share < 1 for each in comparisons().values())
    True
    """
    found = {"deepseek-decode": _deepseek_decode(), "deepseek-prefill": _deepseek_prefill()}
    found |= {"sglang-h100-decode": _sglang_decode(), "sglang-h100-prefill": _sglang_prefill()}
    found |= {
        "sglang-gb200-decode": _sglang_rack("", Precisions.named("fp8")),
        "sglang-gb200-decode-fp8": _sglang_rack("-fp8", WIDE),
    }
    found |= {"sglang-gb200-decode-fp4": _sglang_narrow_rack()}
    found |= {f"sglang-gb200-prefill{kind}": _sglang_rack_prefill(kind) for kind in RACK_PREFILL}
    found |= {f"trtllm-405b-{prompt}": _whole_requests(prompt, output) for prompt, output in REQUESTS}
    return found | {f"deepep-{chips}": _exchange(chips) for chips in (8, 16, 32, 64, 128, 256)}


def _compared(what: str, measured: float, step: Step, source: str, *, reading: bool = False) -> Comparison:
    """Tokens a second of a chip beside those of the step's bound and of its sum."""
    rate = step.chip_reading_rate if reading else step.chip_rate
    likely = (at_measured_rates if reading else forecast_of)(step, catalog.forecast_fit(FIT))
    times = step.bound_seconds, step.serial_seconds, likely.seconds
    bound, serial, expected = (float(rate(seconds)) for seconds in times)
    return Comparison(what, "tokens/s per chip", measured, bound, serial, expected, source)


def day_of_decoding() -> Step:
    """A step of DeepSeek's day; the batch is the rate of a unit over the middle of the published speeds of a user.

    In whole sequences a chip. Attention is computed and kept in BF16, and every expert is sent a copy of its own.

    >>> day_of_decoding().requests[0].batch
    12672.0
    """
    day = catalog.deployment(DAY)
    batch = day.decode_expert_parallel * round(day.decode_batch / day.decode_expert_parallel)
    return decode(Setting.decoding(day), batch, day.mean_context)


def _deepseek_decode() -> Comparison:
    """One day of decode."""
    day = catalog.deployment(DAY)
    measured = day.decode_tokens_per_second / day.chips_per_node
    return _compared("DeepSeek's day of service, decode", measured, day_of_decoding(), day.sources[0].id)


def _deepseek_prefill() -> Comparison:
    """The same day's prefill, cached tokens taken off; attention is left out, as lengths are unpublished."""
    day = catalog.deployment(DAY)
    chips = day.prefill_expert_parallel
    setting = Setting.published(day.model, day.system, "fp8", layout=Layout(data=chips))
    step = prefill(setting, LONG_BATCH * chips, 1)
    measured = day.computed_tokens_per_second / day.chips_per_node
    return _compared("DeepSeek's day of service, prefill", measured, step, day.sources[0].id, reading=True)


def _sglang_decode() -> Comparison:
    row = catalog.datum("sglang-h100-decode")
    setting = Setting.published("deepseek-v3", "hgx-h100", "fp8", layout=Layout(data=72))
    step = decode(setting, 72 * 256, 2000)
    return _compared("SGLang on nine nodes of H100, decode", row.value / 8, step, row.sources[0].id)


def _sglang_prefill() -> Comparison:
    row = catalog.datum("sglang-h100-prefill")
    setting = Setting.published("deepseek-v3", "hgx-h100", "fp8", layout=Layout(data=32))
    step = prefill(setting, 32 * 8, 2000)
    return _compared("SGLang on four nodes of H100, prefill", row.value / 8, step, row.sources[0].id, reading=True)


def _sglang_rack(kind: str, precisions: Precisions) -> Comparison:
    """The batch is not published: the bound is that of all sequences that fit."""
    row = catalog.datum(f"sglang-gb200-decode{kind}")
    setting = Setting.published("deepseek-v3", "gb200-nvl72", precisions, layout=Layout(data=48))
    step = decode(setting, most_sequences(setting, 2000), 2000)
    name = f"SGLang on 48 chips of a GB200 rack, decode, {row.effective:%B %Y}"
    return _compared(name, row.value, step, row.sources[0].id)


def _sglang_narrow_rack() -> Comparison:
    """The batch fills the caches."""
    row = catalog.datum("sglang-gb200-decode-fp4")
    setting = Setting.published("deepseek-v3", "gb200-nvl72", NARROW, layout=Layout(data=48))
    step = decode(setting, 48 * 1408, 2000)
    return _compared("SGLang on 48 chips of a GB200 rack, decode in FP4", row.value, step, row.sources[0].id)


def _sglang_rack_prefill(kind: str) -> Comparison:
    """The batch is not published; eight prompts a chip share a pass, as on Hopper."""
    row = catalog.datum(f"sglang-gb200-prefill{kind}")
    chips, precisions, name = RACK_PREFILL[kind]
    setting = Setting.published("deepseek-v3", "gb200-nvl72", precisions, layout=Layout(data=chips))
    step = prefill(setting, chips * 8, 2000)
    what = f"SGLang on {chips} chips of a GB200 rack, prefill in {name}"
    return _compared(what, row.value, step, row.sources[0].id, reading=True)


def _whole_requests(prompt: int, output: int) -> Comparison:
    """Reading and writing on the same eight chips, with as many sequences as fit when each is half written."""
    row = catalog.datum(f"trtllm-405b-{prompt}")
    setting, context = Setting.published("llama-3-405b", "hgx-h200", "fp8"), prompt + output / 2
    batch = most_sequences(setting, context)
    read, written, fit = prefill(setting, 1, prompt), decode(setting, batch, context), catalog.forecast_fit(FIT)
    pairs = (
        (read.bound_seconds, written.bound_seconds),
        (read.serial_seconds, written.serial_seconds),
        (at_measured_rates(read, fit).seconds, forecast_of(written, fit).seconds),
    )
    bound, serial, expected = (float(blended_rate(first, output, step, batch)) for first, step in pairs)
    what = f"TensorRT-LLM on eight H200, Llama 3.1 405B, {prompt:,} tokens in and {output:,} out"
    return Comparison(what, "output tokens/s", row.value, bound, serial, expected, row.sources[0].id)


def _exchange(chips: int) -> Comparison:
    """Dispatch and combine of one layer, in exchanges a second; every expert gets a copy, as from these kernels."""
    seconds = sum(catalog.datum(f"deepep-{way}-{chips}").value for way in ("dispatch", "combine"))
    machine = Machine.published("hgx-h800")
    sent = exchange_bytes(TOKENS, WIDTH, COPIES, dispatch_bytes=1 + SCALE_BYTES / BLOCK).total
    leaving = leaving_share(max(1, chips / float(machine.domain_chips)))
    times = link_seconds(sent, leaving, machine.scale_up, machine.scale_out)
    likely = times.serial / catalog.forecast_fit(FIT).link_share
    bound, serial, expected = (1 / float(each) for each in (times.bound, times.serial, likely))
    what = f"DeepEP between {chips} chips, there and back"
    return Comparison(what, "exchanges/s", 1 / seconds, bound, serial, expected, "deepep-legacy")
