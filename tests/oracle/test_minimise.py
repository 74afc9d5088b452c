"""Minimising by don't-cares: the same marks on every codeword, at no greater cost, in windows of the stated size."""

import cpmpy as cp
import pytest
from conformance.known import k4, k7
from conformance.spaces import ENCODINGS, marks, reference_marks, space_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.circuit import count_cx
from gatesolve.formats import from_cpmpy
from gatesolve.oracle import assemble, literal_conditions, minimised_conditions, synthesise
from gatesolve.oracle.levels import minimise

MOST_CODEWORDS = 700


@pytest.mark.more_examples(16)
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=12)
@given(data=st.data(), window=st.integers(1, 8))
def test_any_model_keeps_its_marks_and_costs_no_more(encoding, data, window):
    model = data.draw(models())
    space = space_of(model, encoding)
    assume(space.size <= MOST_CODEWORDS and space.num_qubits <= 24)
    wanted = reference_marks(model, space)
    for conditions in (minimised_conditions(model, space, window), literal_conditions(model, space)):
        assert marks(assemble(conditions, space.num_qubits), space) == wanted
        assert marks(assemble(conditions, space.num_qubits, alone=True), space) == wanted
    before = [synthesise(c, space) for c in model.constraints]
    assert sum(c.cost for c in minimise(before, space)) <= sum(c.cost for c in before)


def contest_2022():
    """The 11 constraints of the Classiq 2022 Kakuro."""
    x = [cp.intvar(0, 3 if k == 3 else 1, name=f"x{k}") for k in range(7)]
    unequal = [(0, 1), (3, 4), (1, 3), (3, 5), (5, 6), (0, 2), (1, 5), (4, 6)]
    rules = [x[a] != x[b] for a, b in unequal]
    return from_cpmpy(cp.Model(*rules, x[2] + 2 != x[3], x[3] == 2, x[2] + x[4] + x[3] == 3))


@pytest.mark.quick("k4-*", "contest_2022-*")
@pytest.mark.parametrize(
    ("model", "window", "literal", "minimised"), [(contest_2022, 2, 121, 36), (k7, 6, 323, 72), (k4, 6, 120, 48)]
)
def test_counts_at_each_level(model, window, literal, minimised):
    space = space_of(model(), "binary")
    alone = assemble(literal_conditions(model(), space), space.num_qubits, alone=True)
    together = assemble(minimised_conditions(model(), space, window), space.num_qubits)
    wanted = reference_marks(model(), space)
    assert marks(alone, space) == marks(together, space) == wanted
    assert count_cx(alone.ops) <= literal
    assert count_cx(together.ops) <= minimised


def test_the_levels_join_differently():
    """A literal oracle has no parity reduced against another: it keeps a factor a constraint."""
    model = contest_2022()
    space = space_of(model, "binary")
    assert len(literal_conditions(model, space)) == 11
    assert len(minimised_conditions(model, space, 6)) == 8
