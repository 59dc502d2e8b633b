"""Consequences of what was said: the round figures of the lecture, and fast modes on sale."""

from __future__ import annotations

import datetime as dt

from calc import batching, catalog
from calc.batching import departures, fast_mode
from calc.batching.figures.shared import ANSWER, BLACKBOARD, rows
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MONTH

SPARSITY_ON_THE_BLACKBOARD = 8
SEATS_SAID, DEPARTURES_SAID = 2000, 64


def blackboard() -> Answer:
    """The consequences of the round figures of the lecture."""
    batch = batching.balanced_batch(BLACKBOARD, SPARSITY_ON_THE_BLACKBOARD)
    period = catalog.datum("lecture-drain-hbm").value
    gb200 = catalog.chip("gb200")
    ratios = [number for _, _, number in rows()]
    said = SEATS_SAID * DEPARTURES_SAID
    google = {row.since: row.value / MONTH for row in catalog.history(catalog.Datum, "data", "google-tokens-per-month")}
    return Answer(
        finding="Pope's round figures",
        values={
            "ratio": Value(BLACKBOARD, "", "Ratio"),
            "lowest": Value(min(ratios), "", "Smallest of the catalogue"),
            "highest": Value(max(ratios), "", "Largest of the catalogue"),
            "sparsity": Value(SPARSITY_ON_THE_BLACKBOARD, "", "Sparsity"),
            "batch": Value(batch, "sequences", "Balanced batch"),
            "period": Value(period, "s", "Period"),
            "capacity": Value(batching.tokens_per_second(batch, period), "tokens/s", "One system"),
            "worst": Value(departures.worst_wait(period), "s", "First token at worst"),
            "answer": Value(ANSWER, "tokens", "An answer", 9),
            "answer_slow": Value(ANSWER * period, "s", "An answer, at the period"),
            "mean": Value(departures.mean_wait(period), "s", "First token on average"),
            "said": Value(said, "tokens/s", "One system, as said"),
            "google_2025": Value(google[dt.date(2025, 5, 20)] / said, "x", "Google in May 2025"),
            "google_october": Value(google[dt.date(2025, 10, 31)] / said, "x", "Google in October 2025"),
            "google_2026": Value(google[dt.date(2026, 5, 19)] / said, "x", "Google in May 2026"),
            "bytes_bf16": Value(gb200.flops("bf16") / gb200.hbm_bandwidth, "FLOP/B", "GB200, BF16"),
            "bytes_fp8": Value(gb200.flops("fp8") / gb200.hbm_bandwidth, "FLOP/B", "GB200, FP8"),
            "bytes_fp4": Value(gb200.flops("fp4") / gb200.hbm_bandwidth, "FLOP/B", "GB200, FP4"),
            "rent": Value(catalog.rent("hgx-h100").dollars_per_chip_hour, "$/h", "H100, middle of the market"),
            "rent_gb200": Value(catalog.rent("gb200-nvl72").dollars_per_chip_hour, "$/h", "GB200, one provider"),
        },
    )


def offers() -> Answer:
    """The implications of the opening's fast mode, and of one that earns twice as much as the ordinary mode."""
    sheet = catalog.price("claude-opus-4.6")
    price, speed = sheet.known("fast_multiplier"), sheet.known("fast_speed")
    implied = fast_mode.fast_mode(price, speed)
    twice = fast_mode.fast_mode(price / 2, speed)  # earning m times as much at c is earning alike at c / m
    return Answer(
        finding="What fast modes imply",
        values={
            "opus_46_price": Value(price, "", sheet.name),
            "opus_46_speed": Value(speed, "", sheet.name),
            "opus_46_gain": Value(speed - 1, "", "Speed beyond the ordinary"),
            "opus_46_part": Value(1 - 1 / price, "", "One less one over the price"),
            "opus_46_smaller": Value(1 / implied.batch_share, "", "Fast batch, smaller by"),
            "opus_46_cache": Value(implied.cache_to_weights, "", "Cache over weights"),
            "opus_46_ceiling": Value(implied.speed_ceiling, "x", "Speed at any price"),
            "opus_46_saving": Value(1 / implied.speed_ceiling, "%", "A slow mode saves less than"),
            "opus_46_twice_smaller": Value(1 / twice.batch_share, "", "Fast batch, smaller by, earning twice as much"),
            "opus_46_twice_ceiling": Value(twice.speed_ceiling, "x", "Speed at any price, earning twice as much"),
            "batch_price": Value(sheet.known("batch_multiplier"), "%", "Batch price"),
        },
    )


FIGURES = (
    Figure(name="batching/blackboard", compute=blackboard, sources=("lecture",)),
    Figure(name="batching/offers", compute=offers, sources=("anthropic-fast-mode", "openrouter-fast")),
)
