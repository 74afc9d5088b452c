"""Constraints made of parts that several read: each right alone, and cheaper where there are many."""

from dataclasses import replace
from itertools import combinations

import cpmpy as cp
import pytest
from conformance.spaces import marks, reference_marks, space_of

from gatesolve.circuit import count_cx
from gatesolve.formats import from_cpmpy
from gatesolve.model import Model, NotEqual, Variable
from gatesolve.oracle import assemble, literal_conditions

ENCODINGS = ("binary", "one-hot", "domain-wall")


def assert_right(condition, model, space):
    oracle = assemble([replace(condition, shared=None)], space.num_qubits, alone=True)
    assert marks(oracle, space) == reference_marks(model, space)


def assert_shares_are_right(model, space):
    """Each form of parts that several read alone, and all conditions together; which conditions have such a form."""
    conditions = literal_conditions(model, space)
    for constraint, condition in zip(model.constraints, conditions, strict=True):
        if condition.shared is not None:
            assert_right(condition.shared, Model(model.variables, (constraint,)), space)
    oracle = assemble(conditions, space.num_qubits, alone=True)
    assert marks(oracle, space) == reference_marks(model, space)
    return [condition.shared is not None for condition in conditions]


@pytest.mark.quick(5)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("size", [2, 3, 5, 7, 9])
def test_bits_on_wires_of_their_own_are_shared_where_there_are_many(encoding, size):
    variables = tuple(Variable(f"v{k}", tuple(range(k - 3, k - 3 + size))) for k in range(3))
    differ = tuple(NotEqual(a, b, d) for a, b, d in (("v0", "v1", 0), ("v1", "v2", 1), ("v0", "v2", 0)))
    model = Model(variables, differ)
    # every set of values is a parity in the other encodings
    assert all(assert_shares_are_right(model, space_of(model, encoding))) or encoding == "binary"


def test_many_disequalities_share_the_bits_of_a_variable():
    variables = tuple(Variable(f"v{k}", tuple(range(8))) for k in range(5))
    differ = [NotEqual(f"v{a}", f"v{b}") for a, b in combinations(range(5), 2)]
    model = Model(variables, tuple(differ))
    space = space_of(model, "one-hot")
    conditions = literal_conditions(model, space)
    alone = assemble([replace(c, shared=None) for c in conditions], space.num_qubits, alone=True)
    assert count_cx(assemble(conditions, space.num_qubits, alone=True).ops) < 0.8 * count_cx(alone.ops)
    one = assemble(conditions[:1], space.num_qubits, alone=True)
    assert one.conditions[0].method == "diagram", "one alone shares nothing"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("low", "size"), [(0, 2), (-1, 3), (2, 5), (-3, 7)])
def test_every_kind_with_shared_parts_is_right(low, size, encoding):
    x = cp.intvar(low, low + size - 1, shape=3, name="x")
    model = from_cpmpy(
        cp.Model(
            cp.AllDifferent(x[0] - x[1], x[1] - x[2], x[0] + x[2] - 2 * low),
            cp.AllDifferent(x[0], x[1] + 1, x[2]),
            x[0] <= x[1] + 1,
            x[2] - x[0] != 1,
            (x[0] == low) | (x[1] == low + size - 1) | (x[2] == low),
            cp.Count(x, low) <= 2,
            cp.Xor([x[0] == low, x[1] == low, x[2] == low + 1]),
        )
    )
    assert any(assert_shares_are_right(model, space_of(model, encoding)))
