"""Constraints by the values of their variables: right on every codeword of denser codes."""

import cpmpy as cp
import numpy as np
import pytest
from conformance.spaces import marks, reference_marks, space_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import And
from gatesolve.model import AllDifferent, Clause, Model, Variable
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.oracle import choose_projections, literal_conditions
from gatesolve.oracle.assemble import assemble
from gatesolve.oracle.by_values import MOST_VALUES, compile_by_values
from gatesolve.oracle.synthesise import synthesise

DOMAINS = ((5,), (0, 1), (-1, 0, 1), (2, 3, 4, 5, 6), (-3, -2, -1, 0, 1, 2, 3), (0, 2, 3), tuple(range(9)))


@pytest.mark.more_examples(40)
@settings(deadline=None, max_examples=12)
@given(data=st.data())
def test_any_clause_or_all_different(data):
    drawn = data.draw(st.lists(st.sampled_from(DOMAINS), min_size=2, max_size=3))
    variables = tuple(Variable(f"v{k}", domain) for k, domain in enumerate(drawn))
    chosen = [(v.name, frozenset(data.draw(st.sets(st.sampled_from(v.domain), min_size=1)))) for v in variables]
    kinds = (Clause(tuple(chosen)), AllDifferent(tuple(v.name for v in variables)))
    model = Model(variables, (data.draw(st.sampled_from(kinds)),))
    space = space_of(model, "binary")
    views = choose_projections(model.constraints[0], space)
    found = compile_by_values(model.constraints[0], views, synthesise)
    if found is None:
        assert all(view.free for view in views)
    else:
        assert marks(assemble([found], space.num_qubits), space) == reference_marks(model, space)


def test_more_values_are_left_to_other_ways():
    variables = tuple(Variable(name, tuple(range(MOST_VALUES + 1))) for name in "ab")
    model = Model(variables, (AllDifferent(("a", "b")),))
    space = space_of(model, "binary")
    assert compile_by_values(model.constraints[0], choose_projections(model.constraints[0], space), synthesise) is None


def visits_all(successors):
    """Whether one walks from node 0 through all nodes, for each column of successors."""
    here, seen = np.zeros(successors.shape[1], dtype=int), np.zeros(successors.shape, dtype=bool)
    for _ in successors:
        here = successors[here, np.arange(successors.shape[1])]
        seen[here, np.arange(successors.shape[1])] = True
    return seen.all(axis=0)


@pytest.mark.quick("[2345]-*")
@pytest.mark.parametrize("encoding", ["binary", "one-hot", "domain-wall"])
@pytest.mark.parametrize(("size", "most_ands"), [(2, 1), (3, 8), (4, 12), (5, 32), (6, 75)])
def test_a_circuit_of_up_to_six_nodes(size, most_ands, encoding):
    model = from_cpmpy(cp.Model(cp.Circuit(cp.intvar(0, size - 1, shape=size, name="x"))))
    space = space_of(model, encoding)
    oracle = assemble(literal_conditions(model, space), space.num_qubits, alone=True)
    values = space.values(np.arange(space.size))
    assert marks(oracle, space) == visits_all(np.array([values[f"x[{k}]"] for k in range(size)])).tolist()
    assert sum(isinstance(op, And) for op in oracle.ops) // 2 <= most_ands
