"""A reader is offered the models that every figure can answer, and no other."""

from __future__ import annotations

from calc import catalog
from calc.figure.scenario import MODELS
from calc.quantities.errors import CalcError
from calc.setting.published import architecture


def answered(model: catalog.Model) -> bool:
    try:
        architecture(model)
    except CalcError:
        return False
    return model.standing != "rumour"


def test_the_models_offered_are_those_whose_facts_are_known():
    assert set(MODELS) == {row.id for row in catalog.models().values() if answered(row)}
