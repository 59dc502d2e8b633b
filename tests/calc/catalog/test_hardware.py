"""Chips, systems and memories are those that their makers print."""

from __future__ import annotations

import math

import pytest

from calc import catalog
from calc.quantities.errors import CalcError, UnknownName


class TestChips:
    # The lecture's ratio, as NVIDIA's, Google's and AMD's published rates give it: (FLOP/s / 2) x bytes / bandwidth.
    RATIOS = {  # noqa: RUF012
        "a100-sxm": {"bf16": 153.0, "int8": 153.0},
        "h100-sxm": {"bf16": 295.2, "fp8": 295.4},
        "h800-sxm": {"bf16": 295.2, "fp8": 295.4},
        "h200-sxm": {"bf16": 206.0, "fp8": 206.1},
        "b200-sxm": {"bf16": 281.2, "fp8": 281.2, "fp4": 281.2},
        "b300-sxm": {"bf16": 281.2, "fp4": 437.5},
        "gb200": {"bf16": 312.5, "fp8": 312.5, "fp4": 312.5},
        "gb300": {"fp8": 312.5, "fp4": 468.8},
        "rubin": {"bf16": 181.8, "fp8": 397.7, "fp4": 397.7},
        "tpu-v4": {"bf16": 229.2, "int8": 114.6},
        "tpu-v5e": {"bf16": 240.5, "int8": 239.9},
        "tpu-v5p": {"bf16": 166.0, "fp8": 83.0, "int8": 166.0},
        "tpu-v6e": {"bf16": 560.4, "fp8": 280.2, "int8": 560.4},
        "tpu-v7": {"bf16": 312.6, "fp8": 312.6},
        "mi300x": {"bf16": 246.6, "fp8": 246.7},
        "mi325x": {"bf16": 217.8, "fp8": 217.9},
        "mi355x": {"bf16": 314.5, "fp8": 314.6, "fp4": 314.6},
        "tpu-8t": {"fp4": 484.6},
        "tpu-8i": {"fp4": 293.6},
        "trainium": {"bf16": 215.8, "fp8": 107.9, "int8": 215.8},
        "trainium2": {"bf16": 230.0, "fp8": 224.0},
        "trainium3": {"bf16": 136.9, "fp8": 256.8, "fp4": 128.4},
    }

    def test_have_a_ratio_that_somebody_worked_out(self):
        assert set(self.RATIOS) == set(catalog.chips())

    @pytest.mark.parametrize("name", RATIOS)
    def test_have_the_published_ratio_of_multiplications_to_weights_read(self, name):
        chip, width = catalog.chip(name), {"bf16": 2, "fp8": 1, "int8": 1, "fp4": 0.5}
        found = {p: chip.flops(p) / 2 * width[p] / chip.hbm_bandwidth for p in self.RATIOS[name]}
        assert found == pytest.approx(self.RATIOS[name], abs=0.06)

    def test_multiply_the_narrowest_format_that_is_wide_enough(self):
        formats = ("bf16", "fp8", "int8", "fp4", "mxfp4")
        assert [catalog.chip("h100-sxm").arithmetic(p) for p in formats] == ["bf16", "fp8", "int8", "fp8", "fp8"]
        assert [catalog.chip("a100-sxm").arithmetic(p) for p in formats] == ["bf16", "int8", "int8", "int8", "int8"]
        assert [catalog.chip("gb200").arithmetic(p) for p in formats] == ["bf16", "fp8", "fp8", "fp4", "fp4"]
        assert [catalog.chip("rubin").arithmetic(p) for p in ("FP4", "nvfp4")] == ["fp4", "fp4"]

    @pytest.mark.parametrize("precision", ["bf16", "fp8", "int8"])
    def test_a_rate_that_was_never_confirmed_is_refused_not_guessed(self, precision):
        with pytest.raises(CalcError, match=r"precision must be a format whose rate on Google TPU 8i.* is known: fp4"):
            catalog.chip("tpu-8i").flops(precision)
        with pytest.raises(CalcError, match="it was “fp32”"):
            catalog.chip("h100-sxm").flops("fp32")
        with pytest.raises(UnknownName, match="precision"):
            catalog.chip("h100-sxm").flops("fp5")

    def test_are_no_slower_at_fewer_bits(self):
        for chip in catalog.chips().values():
            if chip.bf16_flops:
                assert chip.flops("bf16") <= chip.flops("fp8") <= chip.flops("fp4")


class TestSystems:
    def test_are_the_sum_of_their_chips(self):
        # NVIDIA's description of the rack: 13.4 TB, 576 TB/s, 720 PFLOP/s FP4 and 360 FP8, dense. A driver counts more.
        rack = catalog.system("gb200-nvl72")
        assert rack.hbm_bytes == 72 * 189_471 * 2**20 == pytest.approx(13.4e12, rel=0.07)
        assert rack.hbm_bandwidth == 576e12
        assert (rack.flops("fp4"), rack.flops("fp8")) == (720e15, 360e15)
        # Scaling book, GPUs chapter: HGX H100 has 26.8 TB/s, 15.8 PFLOP/s FP8; 400 GB/s leave the node. Its 640 GB are
        # eight times 80 GiB less what the driver keeps.
        node = catalog.system("hgx-h100")
        assert (node.hbm_bytes, node.hbm_bandwidth) == (8 * 81_559 * 2**20, pytest.approx(26.8e12))
        assert node.flops("fp8") == pytest.approx(15.832e15)
        assert node.chips * node.scale_out_bandwidth == 400e9

    @pytest.mark.parametrize(
        ("name", "ratio"),
        [
            ("hgx-a100", 12),
            ("hgx-h100", 9),
            ("hgx-h800", 4),
            ("gb200-nvl72", 18),
            ("gb300-nvl72", 9),
            ("tpu-v5p-pod", 96),
        ],
    )
    def test_have_links_that_are_faster_inside_than_outside(self, name, ratio):
        system = catalog.system(name)
        assert system.scale_up_bandwidth / system.scale_out_bandwidth == ratio

    def test_every_torus_has_as_many_places_as_its_pod_has_chips(self):
        pods = [row for row in catalog.systems().values() if row.torus]
        assert len(pods) == 7
        for pod in pods:
            assert math.prod(pod.torus) == pod.chips


class TestTiers:
    # Capacity over bandwidth of each device's own sheet, in seconds.
    @pytest.mark.parametrize(
        ("name", "seconds"),
        [("hbm3e-gb200", 0.02483), ("hbm4-rubin", 0.01309), ("ddr5-1.5tb", 2.441), ("nvme-gen5-30tb", 2194.3),
         ("qlc-123tb", 16605.4), ("hdd-24tb", 84210.5)],
    )  # fmt: skip
    def test_drain_in_the_time_that_their_sheets_give(self, name, seconds):
        assert catalog.tier(name).drain_seconds == pytest.approx(seconds, rel=1e-3)

    def test_slower_media_are_cheaper(self):
        priced = {row.medium: row for row in catalog.tiers().values() if row.dollars_per_gb_low}
        assert priced["DRAM"].dollars_per_gb_low > priced["flash"].dollars_per_gb_high
        assert priced["flash"].dollars_per_gb_low > priced["disk"].dollars_per_gb_high
