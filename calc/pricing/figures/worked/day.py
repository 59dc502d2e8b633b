"""One company's published day, priced."""

from __future__ import annotations

from calc import catalog
from calc.catalog import Deployment
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall import attention
from calc.memory_wall.figures.setting import slope
from calc.pricing import prompt_cache
from calc.pricing.figures.setting import attention_context
from calc.pricing.figures.shared import DAY, measured, measured_decode, measured_prefill
from calc.quantities.arithmetic import HOUR, MILLION
from calc.quantities.check import Quantity
from calc.setting import Scenario
from calc.setting.published import attention_layers

RUNS = (  # of DeepSeek-V3: reading, and writing
    ("h100-prefill", "h100-decode"),
    ("gb200-prefill", "gb200-decode-fp8"),
    ("gb200-prefill-fp4", "gb200-decode-fp4"),
)
TENTH = 0.1  # of a miss's time
SPREAD = 2.0  # mean of the squares of lengths over the square of their mean, if they are spread exponentially


def day_in_full() -> Answer:
    """DeepSeek's published day against the ratios of price lists."""
    row = catalog.deployment(DAY)
    where = Scenario.named(row.model, row.system, "fp8")
    active, busy = where.model.active_params, measured_prefill(row)
    decode, attended = measured_decode(row), row.mean_context / attention_context(row.model)
    net = measured()
    sheet, other = (catalog.price(name, row.since) for name in ("deepseek-reasoner", "deepseek-chat"))
    hits = 1 - row.uncached_share
    tier = catalog.tier("nvme-gen5-4tb")
    chip = where.chip
    slower = chip.flops("fp8") / chip.flops("bf16")  # core attention ran in BF16, by the source
    prompt = _prompt(row)
    new = prompt * row.uncached_share
    attends = attention.attended_tokens(new, prompt - new) / new
    read = _reading_work(row, slower, attends)
    again, read_counted = _reading_work(row, slower, 0) - 1, _reading_work(row, 1, attends)
    node = row.chips_per_node * chip.flops("fp8")
    cheaper = slope(where.model, prompt=True) / slope(where.model)
    node_hour = row.dollars_per_chip_hour * row.chips_per_node
    node_second = node_hour / HOUR
    missed, written = (
        node_second / rate * MILLION for rate in (row.computed_tokens_per_second, row.decode_tokens_per_second)
    )
    earned = sheet.input + sheet.known("cached_input") * hits / (1 - hits)
    fetched = prompt_cache.fetch_speedup(where.kv_bytes_per_token, tier.read_bandwidth, active, chip.flops("fp8"))
    runs = [catalog.datum(f"sglang-{read}").value / catalog.datum(f"sglang-{wrote}").value for read, wrote in RUNS]
    return Answer(
        finding="A published day of service",
        values={
            "nodes": Value(row.nodes_mean, "", "Nodes, on average", 3),
            "prefill_nodes": Value(row.prefill_nodes, "", "Nodes that read together"),
            "decode_nodes": Value(row.decode_nodes, "", "Nodes that write together"),
            "chips": Value(row.decode_expert_parallel, "", "Chips that write together"),
            "rent": Value(row.dollars_per_chip_hour, "$", "An hour of a chip"),
            "node": Value(node_hour, "$", "An hour of a node"),
            "batch": Value(row.decode_batch, "", "In flight on them", 3),
            "step": Value(1 / row.user_tokens_per_second, "s", "From token to token", 3),
            "dollars": Value(written, "$", "Machine time of a million written tokens"),
            "prefill": Value(row.prefill_tokens_per_second, "tokens/s", "Prefill of a node"),
            "decode": Value(row.decode_tokens_per_second, "tokens/s", "Decode of a node"),
            "net": Value(net, "", "Prefill over decode, if hits take no time"),
            "net_tenth": Value(
                net * (1 + TENTH * hits / (1 - hits)), "", "The same if a hit takes a tenth of a miss's time"
            ),
            "runs_low": Value(min(runs), "x", "The same in SGLang's runs, least"),
            "runs_high": Value(max(runs), "x", "and most"),
            "hits": Value(hits, "%", "Input found in a cache"),
            "busy": Value(busy, "%", "Multipliers busy in prefill", 2),
            "busy_decode": Value(decode, "%", "Multipliers busy in decode", 2),
            "writing": Value(decode * node, "FLOP/s", "Done by a node that writes, attention left out"),
            "reading": Value(busy * node, "FLOP/s", "The same of one that reads"),
            "node_flops": Value(node, "FLOP/s", "Arithmetic of a node"),
            "counted_written": Value(decode * (1 + attended), "%", "Busy in decode, attention's operations counted", 2),
            "counted_read": Value(busy * read_counted, "%", "The same in prefill", 2),
            "context": Value(row.mean_context, "tokens", "Mean context while decoding", 4),
            "attended": Value(attended, "x", "Attention's operations over the weights'"),
            "attended_time": Value(attended * slower, "x", "Attention's time over the weights', both at full rate"),
            "attended_whole": Value(1 + attended * slower, "x", "Time with attention over that of the weights alone"),
            "busy_attended": Value(
                decode * (1 + attended * slower), "%", "Multipliers busy in decode, attention counted", 2
            ),
            "prompt": Value(prompt, "tokens", "A prompt, if all requests were alike", 2),
            "attends": Value(attends, "tokens", "Attended to by a computed token"),
            "cheaper": Value(cheaper, "x", "Operations for each of them, over a written token's", 2),
            "read_slowed": Value(slower * attends / attention_context(row.model), "x", "Were each as much work", 2),
            "read_proper": Value(read - 1 - again, "x", "Time of a prompt's attention proper, over the weights'", 2),
            "expands": Value(again, "x", "Time of expanding what was found, over that of the weights", 2),
            "read_attended": Value(read - 1, "x", "The same for a prompt's token", 2),
            "read_whole": Value(read, "x", "Of a prompt's token, time with attention over that of the weights alone"),
            "busy_read": Value(busy * read, "%", "Multipliers busy in prefill, attention counted", 2),
            "work": Value(
                (1 + attended * slower) / read, "x", "Time ratio that the work would give, each part at its speed", 2
            ),
            "work_spread": Value(
                (1 + attended * slower) / _reading_work(row, slower, SPREAD * attends),
                "x",
                "The same, lengths spread",
                2,
            ),
            "work_counted": Value((1 + attended) / read_counted, "x", "The same in operations", 2),
            "computed": Value(row.computed_tokens_per_second, "tokens/s", "Prompts that a node computed"),
            "sheet": Value(sheet.output / sheet.input, "", "Output over a miss on its price list"),
            "beyond": Value(sheet.output / sheet.input / net, "x", "The list's ratio over that of the rates"),
            "over_missed": Value(sheet.input / missed, "x", "Price of a miss over its machine time", 2),
            "over_written": Value(sheet.output / written, "x", "Price of a written token over its machine time", 2),
            "v3_missed": Value(other.input / missed, "x", f"Price of a miss over its machine time, {other.name}", 2),
            "v3_written": Value(other.output / written, "x", "The same of a written token", 2),
            "earned": Value(earned, "$", "Earned by a million computed tokens, hits credited to them", 2),
            "found_each": Value(hits / (1 - hits) * MILLION, "tokens", "Found beside a million computed"),
            "earned_hits": Value(earned - sheet.input, "$", "Earned by them", 2),
            "over_earned": Value(earned / missed, "x", "That over their machine time", 2),
            "earned_sheet": Value(sheet.output / earned, "", "Output over what a computed token earned", 2),
            "earned_beyond": Value(sheet.output / earned / net, "x", "That ratio over that of the rates"),
            "compute": Value(2 * active / chip.flops("fp8"), "s", "Computing a token"),
            "fetch": Value(where.kv_bytes_per_token / tier.read_bandwidth, "s", "Fetching a token"),
            "fetched": Value(fetched, "", "Fetching, faster by"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
        },
    )


def _prompt(day: Deployment) -> float:
    """Tokens of a prompt if all requests were alike: while an answer is written, its mean context holds half of it."""
    return day.mean_context / (1 + day.output_tokens / day.input_tokens / 2)


def _reading_work(day: Deployment, slower: float, attends: Quantity) -> float:
    """Time of a computed token with attention, over that of its weights, if it attends to so many.

    Latents that were found are expanded again, at the rate of the weights; attention proper is slower by the factor.
    """
    model, found = catalog.model(day.model), 1 / day.uncached_share - 1
    multiplies = slower * attends * slope(model, prompt=True)
    expands = found * sum(count * 2 * at.expansion for count, at in attention_layers(model))
    return float(1 + (multiplies + expands) / (2 * model.active_params))


FIGURES = (
    Figure(
        name="pricing/day",
        compute=day_in_full,
        sources=("deepseek-day-6", "deepseek-pricing", "micron-9550", "sglang-96-h100", "sglang-gb200-2"),
    ),
)
