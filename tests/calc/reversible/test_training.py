import numpy as np
import pytest

from calc.quantities.errors import CalcError, UnknownName
from calc.reversible.gradients import WAYS, logits
from calc.reversible.rounds import forward
from calc.reversible.training import spirals, train


@pytest.fixture(scope="module")
def runs():
    """The same run three ways."""
    return {memory: train(memory) for memory in WAYS}


class TestSpirals:
    def test_the_arms_are_each_others_mirror_image(self):
        places, arms = spirals(400, turns=1.5)
        radius = np.hypot(*places.T)
        assert radius.max() <= 1
        phase = np.arctan2(*places.T[::-1]) - 3 * np.pi * radius + np.where(arms < 0, np.pi, 0)
        assert np.cos(phase) == pytest.approx(np.ones(400))

    def test_points_are_spread_evenly_over_the_disc(self):
        radius = np.hypot(*spirals(5000)[0].T)
        assert (radius**2).mean() == pytest.approx(0.5, abs=0.02)

    def test_both_arms_have_the_same_number(self):
        assert spirals(100)[1].sum() == 0

    def test_no_straight_line_tells_them_apart(self):
        places, arms = spirals(400)
        slope = (places * arms[:, None]).sum(0)
        assert np.mean(np.sign(places @ slope) == arms) < 0.75

    @pytest.mark.parametrize("name", ["points", "seed"])
    def test_several_at_once_are_refused(self, name):
        with pytest.raises(CalcError, match=f"{name} must be a single number"):
            spirals(**({"points": 4} | {name: [4, 5]}))


class TestTraining:
    @pytest.mark.parametrize("memory", list(WAYS))
    def test_it_learns_the_spirals(self, runs, memory):
        assert runs[memory].losses[0] == pytest.approx(np.log(2), abs=0.1)
        assert runs[memory].losses[-1] < 0.01
        assert runs[memory].accuracy == 1
        assert len(runs[memory].losses) == 200

    def test_checkpoints_give_the_very_same_run(self, runs):
        assert (runs["checkpoint"].losses == runs["store"].losses).all()
        assert (runs["checkpoint"].net.weights == runs["store"].net.weights).all()

    def test_running_backwards_gives_it_up_to_rounding(self, runs):
        assert runs["reverse"].losses == pytest.approx(runs["store"].losses, rel=1e-9)
        assert runs["reverse"].net.weights == pytest.approx(runs["store"].net.weights, abs=1e-9)
        assert runs["reverse"].readout == pytest.approx(runs["store"].readout, abs=1e-9)

    def test_it_holds_16_8_and_2_states(self, runs):
        assert {memory: run.last.peak_states for memory, run in runs.items()} == {
            "store": 16,
            "checkpoint": 4 + 4,
            "reverse": 2,
        }
        assert [run.last.evaluations for run in runs.values()] == [16, 32, 32]
        assert [run.memory for run in runs.values()] == list(WAYS)

    def test_the_readout_and_the_biases_are_trained_too(self, runs):
        assert np.ptp(runs["store"].readout) > 0.1
        assert np.abs(runs["store"].net.biases).max() > 0.01

    def test_it_starts_from_its_seed(self):
        first, again, other = (train(steps=2, seed=seed).losses for seed in (1, 1, 2))
        assert first.tolist() == again.tolist() != other.tolist()

    def test_without_momentum_a_step_is_the_rate_times_the_slope(self):
        short, long = (train(steps=steps, rounds=2, width=2, momentum=0, rate=0.25) for steps in (1, 2))
        assert long.net.weights == pytest.approx(short.net.weights - 0.25 * long.last.weights)
        assert long.net.biases == pytest.approx(short.net.biases - 0.25 * long.last.biases)
        assert long.readout == pytest.approx(short.readout - 0.25 * long.last.readout)

    def test_the_start_is_a_readout_of_means_and_a_step_that_shortens_with_depth(self):
        run = train(steps=1, rounds=16, width=4, rate=0.25)
        assert run.readout + 0.25 * run.last.readout == pytest.approx(np.full((2, 4), 1 / 4))
        assert run.net.step == 1 / 4

    def test_what_is_left_out_is_said_in_the_signature(self):
        said = {"rounds": 16, "width": 8, "points": 200, "every": 4, "rate": 0.3, "momentum": 0.9, "seed": 1}
        left_out, written = train("checkpoint", steps=3), train("checkpoint", steps=3, **said, dtype="float64")
        assert left_out.losses.tolist() == written.losses.tolist()
        assert (left_out.net.weights == written.net.weights).all()
        assert left_out.last.peak_states == written.last.peak_states
        assert (spirals(9)[0] == spirals(9, turns=1, seed=3)[0]).all()

    def test_momentum_carries_the_last_step_on(self):
        one, two = (train(steps=steps, rounds=2, width=2, momentum=0.5, rate=0.25) for steps in (1, 2))
        start = one.net.weights + 0.25 * one.last.weights
        carried = 0.5 * (one.net.weights - start) - 0.25 * two.last.weights
        assert two.net.weights == pytest.approx(one.net.weights + carried)

    def test_single_precision_stays_single(self):
        run = train("reverse", steps=20, dtype="float32")
        assert (run.net.weights.dtype, run.readout.dtype) == (np.float32, np.float32)
        assert run.losses[-1] < run.losses[0]

    def test_accuracy_is_the_share_of_right_signs(self):
        run, (places, arms) = train(steps=30, width=4), spirals(200)
        half = np.pad(places, ((0, 0), (0, 2)))
        answers = logits(forward(run.net, half, half), run.readout) > 0
        assert run.accuracy == np.mean(answers == (arms > 0))
        assert 0.5 < run.accuracy < 1

    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_a_rate_that_runs_away_is_refused(self, dtype):
        with pytest.raises(CalcError, match=r"rate must be small enough that no parameter moves by 1e.06 in a step"):
            train(steps=5, rate=1e300, dtype=dtype)
        with pytest.raises(CalcError, match="rate must be small enough"):
            train(steps=1, rate=3e7, dtype=dtype)

    def test_a_point_needs_two_coordinates(self):
        with pytest.raises(CalcError, match="width must be a whole number of at least 2, for the two coordinates"):
            train(width=1)
        assert train(width=2, steps=1, rounds=1).accuracy > 0

    def test_an_unknown_way_is_refused(self):
        with pytest.raises(UnknownName, match="memory must be one of"):
            train("forget")
