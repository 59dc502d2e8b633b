"""Published days, fits and forecasts add up as their sources say."""

from __future__ import annotations

import datetime as dt

import pytest

from calc import catalog
from calc.catalog import Datum


class TestEvidence:
    def test_deepseeks_day_adds_up(self):
        day = catalog.deployment("deepseek-day-6")
        rent = day.nodes_mean * day.chips_per_node * 24 * day.dollars_per_chip_hour
        assert rent == pytest.approx(day.cost_dollars)
        assert day.cached_input_tokens / day.input_tokens == pytest.approx(0.563, abs=5e-4)
        sheet = catalog.price("deepseek-reasoner", on=day.since)
        fresh = day.input_tokens - day.cached_input_tokens
        revenue = day.cached_input_tokens * sheet.cached_input + fresh * sheet.input + day.output_tokens * sheet.output
        assert revenue / 1e6 == pytest.approx(day.revenue_dollars, rel=2e-3)
        assert (day.revenue_dollars / day.cost_dollars - 1) == pytest.approx(5.45, abs=0.01)
        assert catalog.model(day.model).id == "deepseek-v3"
        assert catalog.system(day.system).chips == day.chips_per_node
        assert day.decode_nodes * day.chips_per_node == day.decode_expert_parallel
        assert day.prefill_nodes * day.chips_per_node == day.prefill_expert_parallel

    def test_googles_traffic_is_a_series(self):
        rows = catalog.history(Datum, "data", "google-tokens-per-month")
        assert [row.value for row in rows] == sorted(row.value for row in rows)
        assert rows[-1].value / rows[1].value == pytest.approx(6.67, abs=0.01)  # announced as “7x” in a year
        assert rows[-1].value / rows[0].value == pytest.approx(330, abs=1)
        assert catalog.datum("google-tokens-per-month", on=dt.date(2025, 6, 1)).value == 480e12

    def test_the_two_fits_differ_where_the_papers_say(self):
        # Besiroglu et al. 2024: the refit's exponents agree with the rule of thumb, the original's do not.
        old, new = catalog.loss_fit("chinchilla"), catalog.loss_fit("chinchilla-refit")
        assert old.tokens_exponent < old.params_exponent
        assert new.params_exponent / new.tokens_exponent == pytest.approx(1, abs=0.05)
        assert new.irreducible > old.irreducible

    def test_routing_stops_paying_where_its_effect_vanishes(self):
        # Clark et al. 2022: the gain b + c log10 N is zero at the cut-off, as far as three digits of b and c allow.
        for fit in catalog.routing_fits().values():
            vanishing = 10 ** (-fit.b / fit.c)
            assert 0.1 < vanishing / fit.params_cutoff < 10

    def test_deepseeks_bound_on_communication_follows_from_its_inputs(self):
        # Insights into DeepSeek-V3, section 2.3.2: 120.96 us an exchange on 50 GB/s, 14.76 ms a token, 67 tokens/s.
        value = {name.removeprefix("comm-bound-"): row.value for name, row in catalog.data().items()}
        sent = value["tokens-per-device"] * value["copies"] * value["width"]
        exchange = (value["dispatch-bytes"] + value["combine-bytes"]) * sent / value["link"]
        assert exchange == pytest.approx(value["exchange"])
        step = 2 * exchange * catalog.model("deepseek-v3").layers
        assert step == pytest.approx(value["step"], rel=1e-3)
        assert 1 / step == pytest.approx(value["speed"], rel=0.02)
        assert value["exchange"] / value["nvl72-exchange"] == pytest.approx(18)
        assert 1 / value["nvl72-step"] == pytest.approx(value["nvl72-speed"], rel=0.02)

    def test_rubin_ultras_rack_is_its_packages(self):
        rack = catalog.announced("rubin-ultra-nvl576")
        assert rack.dies == 4 * rack.packages
        assert rack.packages * rack.package_fp4_flops == pytest.approx(rack.fp4_flops, rel=0.05)

    def test_rubin_ultras_domain_is_eight_racks(self):
        # NVIDIA, 16 March 2026: eight racks, each with 72 GPUs, in a single domain of 576.
        assert catalog.announced("rubin-ultra-nvl576-racks").packages == 8 * catalog.system("rubin-nvl72").chips
