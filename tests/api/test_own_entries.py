"""What the pipelines declare of themselves is what they do."""

import pytest

from gatesolve import Model, Variable, solve
from gatesolve.model import Linear
from gatesolve.pipelines import own_entries
from gatesolve.pipelines.registry import PIPELINES

MODEL = Model((Variable("a", (0, 1)), Variable("b", (0, 1))), (Linear(((1, "a"), (1, "b")), "==", 1),))


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_fills_the_entry_that_it_declares_and_no_other(name):
    data = solve(MODEL, pipeline=name, presolve="none").as_dict()
    assert "".join(entry for entry in own_entries() if data[entry] is not None) == PIPELINES[name].entry
    assert list(data) == list(solve(MODEL, pipeline="grover", presolve="none").as_dict())
