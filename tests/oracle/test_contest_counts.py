"""Gate counts of the contest's oracles, declared domains only, stay below what a hand-made one needs."""

import pytest
from conformance.known import k4, k7
from conformance.spaces import marks, space_of

from gatesolve.circuit import lower
from gatesolve.oracle import assemble, synthesise

SOLUTIONS = {"k7": [[2, 1, 3, 2, 0, 0, 1]], "k4": [[0, 3, 3, 1], [2, 1, 1, 3]]}


def oracle_of(name, encoding, qubits=None):
    model = {"k7": k7, "k4": k4}[name]()
    space = space_of(model, encoding)
    budget = None if qubits is None else qubits - space.num_qubits
    oracle = assemble([synthesise(c, space) for c in model.constraints], space.num_qubits, budget)
    marked = [space.assignment(n) for n, mark in enumerate(marks(oracle, space)) if mark]
    found = sorted([a[f"x{k}"] for k in range(len(a))] for a in marked)
    assert found == SOLUTIONS[name]
    return oracle


def counts(oracle):
    """CX in cx+u, T and depth in Clifford+T."""
    by_cx = lower(oracle.ops, oracle.num_qubits).count_ops()
    by_t = lower(oracle.ops, oracle.num_qubits, "clifford+t")
    return by_cx["cx"], by_t.count_ops()["t"] + by_t.count_ops()["tdg"], by_t.depth()


@pytest.mark.quick("k4-*")
@pytest.mark.parametrize(
    ("name", "encoding", "qubits", "most"),
    [
        ("k7", "binary", None, (200, 225, 140)),
        ("k7", "one-hot", None, (230,)),
        ("k4", "binary", None, (90,)),
        ("k7", "binary", 24, (400,)),
    ],
)
def test_counts(name, encoding, qubits, most):
    oracle = oracle_of(name, encoding, qubits)
    assert qubits is None or oracle.num_qubits <= qubits
    assert all(found <= limit for found, limit in zip(counts(oracle), most, strict=False))


def test_counts_do_not_depend_on_the_run():
    assert oracle_of("k4", "binary").ops == oracle_of("k4", "binary").ops
