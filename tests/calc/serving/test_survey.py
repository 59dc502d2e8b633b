"""A declared sweep: its parts are its product, each is served as by the frontier, and a mistake is a sentence."""

from __future__ import annotations

import numpy as np
import pytest

from calc.quantities.errors import CalcError
from calc.serving import frontier, survey
from calc.setting import Setting

DECLARED = """
models = ["deepseek-v3", "llama-3-70b"]
systems = ["gb200-nvl72", "hgx-h200"]
precisions = ["fp8"]
batch = { from = 1, to = 100_000, points = 3000 }
dollars_per_chip_hour = 2
[[workloads]]
input_tokens = 4096
output_tokens = 512
[[workloads]]
input_tokens = 32_768
output_tokens = 1024
"""


def test_its_parts_are_the_whole_product_once_and_none_is_large():
    parts = survey.parts(DECLARED)
    cells = {(part.model, part.system, part.input_tokens) for part in parts}
    assert len(cells) == 2 * 2 * 2
    assert all(part.points <= survey.MOST_POINTS for part in parts)
    for cell in cells:
        batches = [part.batch for part in parts if (part.model, part.system, part.input_tokens) == cell]
        every = np.concatenate(batches)
        assert np.all(np.diff(every) > 0)
        assert (every[0], every[-1]) == (1, 100_000)


def test_a_part_holds_what_the_frontier_finds_at_the_mean_length():
    part = survey.parts(DECLARED)[0]
    served = survey.serve(part).columns
    found = frontier.sweep(Setting.published(part.model, part.system, part.precision), 4096 + 256, batch=part.batch)
    assert served["chip_tokens_per_second"].tolist() == found.per_chip.tolist()
    assert served["user_tokens_per_second"].tolist() == found.per_user.tolist()
    assert served["chips"].tolist() == (found.tensor * found.expert * found.stages).tolist()
    assert set(served["model"]) == {"deepseek-v3"}
    assert served["dollars_per_million_output"] == pytest.approx(2 / 3600 / found.per_chip * 1e6)


def test_without_a_rent_there_is_no_cost():
    part = survey.parts(DECLARED.replace("dollars_per_chip_hour = 2", ""))[0]
    assert "dollars_per_million_output" not in survey.serve(part).columns


def test_what_cannot_be_served_has_no_rows_and_a_reason():
    (part,) = survey.parts(
        'models = ["llama-3-405b"]\nsystems = ["hgx-h100"]\nprecisions = ["bf16"]\nbatch = [1]\ntensor = [1]\n'
        "stages = [1]\n[[workloads]]\ninput_tokens = 1\noutput_tokens = 1\n"
    )
    served = survey.serve(part)
    assert served.columns == {}
    assert served.refusal.startswith("llama-3-405b on hgx-h100: model must be")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("models =", "models"), "declaration must be TOML"),
        (('"llama-3-70b"', '"lama-3-70b"'), "model must be .*did you mean “llama-3-70b”"),
        (('["fp8"]', '"fp8"'), r"precisions must be a list of precisions, such as precisions = \["),
        (("batch =", "batches ="), "key of the declaration must be one of batch, .*; it was “batches”"),
        (("from = 1,", "from = 0,"), r"batch\.from must be a whole number of at least 1; it was 0"),
        (("from = 1,", ""), "batch must be a list of numbers, or a table of from, to and points"),
        (("hour = 2", "hour = -2"), "dollars_per_chip_hour must be a finite number of at least 0; it was -2"),
        (("output_tokens = 512", "tokens = 512"), "workload must be a table of input_tokens and output_tokens"),
        (("input_tokens = 4096", "input_tokens = 0"), "input_tokens must be a finite number above 0; it was 0"),
    ],
)
def test_a_mistake_is_a_sentence(change, sentence):
    with pytest.raises(CalcError, match=sentence):
        survey.parts(DECLARED.replace(*change))


def test_a_declaration_without_a_workload_is_refused():
    with pytest.raises(CalcError, match="workloads must be at least one table"):
        survey.parts(DECLARED.partition("[[")[0])
