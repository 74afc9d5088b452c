"""Model -> space -> oracle -> operations -> lowered circuit: brute force's marked set, in every encoding."""

from itertools import product

import numpy as np
import pytest
from conformance.known import k4
from conformance.spaces import ENCODINGS, marks, space_of
from qiskit.quantum_info import Statevector

from gatesolve.circuit import lower
from gatesolve.errors import DoesNotFitError
from gatesolve.gate_sets import GATE_SETS
from gatesolve.model import AllDifferent, Clause, Linear, Model, NotEqual, Table, Variable, find_solutions
from gatesolve.oracle import assemble, synthesise

MOST_QUBITS = 15
"""Widest state vector."""


def k4_holds(x0, x1, x2, x3):
    return x0 != x1 and x0 != x2 and x1 != x3 and x2 != x3 and x0 + x1 == x0 + x2 == 3 and x2 + x3 == x1 + x3 == 4


def latin_holds(a, b, c, d):
    return len({a, b, c}) == 3 and a < d and (c != 2 or d == 7)


def coins_holds(a, b, c, fixed):
    return 5 * a + 2 * b - c == fixed and (a, b) in {(0, 3), (1, 0), (1, -1), (2, -3)}


def loose_holds(a, b, c):
    return a - b != 2 and (a in (5, 7) or b == 5 or c in (0, 8)) and a + b + c <= 17


LATIN = Model(
    (Variable("a", (1, 2, 3)), Variable("b", (1, 2, 3)), Variable("c", (1, 2, 3)), Variable("d", (2, 3, 7))),
    (
        AllDifferent(("a", "b", "c")),
        Linear(((1, "a"), (-1, "d")), "<=", -1),
        Clause((("c", frozenset({1, 3})), ("d", frozenset({7})))),
    ),
)
COINS = Model(
    (Variable("a", (0, 1, 2)), Variable("b", (-3, -1, 0, 3)), Variable("c", (-2, 0, 1, 3, 4)), Variable("fixed", (4,))),
    (
        Linear(((5, "a"), (2, "b"), (-1, "c"), (-1, "fixed")), "==", 0),
        Table(("a", "b"), ((0, 3), (1, -1), (1, 0), (2, -3))),
    ),
)
LOOSE = Model(
    (Variable("a", (5, 6, 7, 8, 9)), Variable("b", (5, 6)), Variable("c", (0, 3, 8))),
    (
        NotEqual("a", "b", 2),
        Clause((("a", frozenset({5, 7})), ("b", frozenset({5})), ("c", frozenset({0, 8})))),
        Linear(((1, "a"), (1, "b"), (1, "c")), "<=", 17),
    ),
)
IMPOSSIBLE = Model(
    tuple(Variable(n, (0, 1)) for n in "abc"), (AllDifferent(("a", "b", "c")), Linear(((1, "a"),), "==", 1))
)
FIXED = Model((Variable("a", (3,)), Variable("b", (4,))), (Linear(((1, "a"), (1, "b")), "==", 7),))

CASES = {
    "k4": (k4(merged=False), k4_holds),
    "k4 merged": (k4(), k4_holds),
    "latin": (LATIN, latin_holds),
    "coins": (COINS, coins_holds),
    "loose": (LOOSE, loose_holds),
    "impossible": (IMPOSSIBLE, lambda a, b, c: False),
    "fixed": (FIXED, lambda a, b: True),
}
every_case = pytest.mark.parametrize(("model", "rule"), CASES.values(), ids=CASES)
every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)


def brute_force(model, rule):
    """Solutions by the rule written out by hand, which knows nothing of constraints."""
    return sorted(row for row in product(*model.domains.values()) if rule(*row))


def compiled(model, encoding, ancillas=None):
    space = space_of(model, encoding)
    return space, assemble([synthesise(c, space) for c in model.constraints], space.num_qubits, ancillas)


def rows_of(model, space, marked):
    return sorted(tuple(space.assignment(n)[name] for name in model.domains) for n in marked)


@every_case
def test_the_reference_solver_agrees(model, rule):
    assert sorted(tuple(s.values()) for s in find_solutions(model)) == brute_force(model, rule)


@pytest.mark.sampled(10)
@pytest.mark.quick(
    "k4-binary", "k4-table", "latin-*", "loose-*", "coins-mixed", "coins-one-hot", "coins-table", "coins-binary"
)
@every_encoding
@every_case
def test_operations(model, rule, encoding):
    space, oracle = compiled(model, encoding)
    marked = [n for n, mark in enumerate(marks(oracle, space)) if mark]
    assert rows_of(model, space, marked) == brute_force(model, rule)


@pytest.mark.sampled(6)
@pytest.mark.quick("latin-binary", "loose-*", "coins-one-hot", "coins-mixed")
@every_encoding
@every_case
def test_operations_on_few_ancillas(model, rule, encoding):
    space, widest = compiled(model, encoding)
    fitting = []
    for ancillas in range(widest.num_ancillas):
        try:
            fitting.append(assemble(widest.conditions, space.num_qubits, ancillas))
        except DoesNotFitError:
            assert not fitting
    for oracle in fitting:
        marked = [n for n, mark in enumerate(marks(oracle, space)) if mark]
        assert rows_of(model, space, marked) == brute_force(model, rule)


TOO_WIDE = {("k4", "one-hot"), ("k4", "domain-wall"), ("k4", "mixed"), ("k4 merged", "one-hot")}
NO_QUBITS = {("fixed", encoding) for encoding in ENCODINGS}
NARROW = [pair for pair in product(CASES, ENCODINGS) if pair not in TOO_WIDE | NO_QUBITS]


@pytest.mark.sampled(16)
@pytest.mark.quick("latin-*-cx+u", "coins-binary-cx+u", "latin-binary-cz+u")
@pytest.mark.parametrize("gates", GATE_SETS)
@pytest.mark.parametrize(("case", "encoding"), NARROW)
def test_circuit(case, encoding, gates):
    """Exact preparation and lowered oracle, on few enough qubits: the amplitudes change sign at the solutions alone."""
    model, rule = CASES[case]
    space = space_of(model, encoding)
    _, oracle = compiled(model, encoding, MOST_QUBITS - space.num_qubits)
    vector = np.zeros(1 << oracle.num_qubits, dtype=complex)
    states = [space.state(n) for n in range(space.size)]
    vector[states] = 1 / np.sqrt(space.size)
    zeros = Statevector(np.eye(1, 1 << oracle.num_qubits)[0])
    prepared = zeros.evolve(lower(space.preparation, oracle.num_qubits, "cx+u"))
    assert abs(np.vdot(prepared.data, vector)) == pytest.approx(1, abs=1e-10)
    after = Statevector(vector).evolve(lower(oracle.ops, oracle.num_qubits, gates)).data
    # The global phase is the lowering's own: fix it by the first codeword, whose mark is known.
    solved = brute_force(model, rule)
    numbers = [space.number(dict(zip(model.domains, row, strict=True))) for row in solved]
    wanted = np.ones(space.size)
    wanted[numbers] = -1
    signs = after[states] * np.sqrt(space.size)
    assert np.abs(signs * (wanted[0] / signs[0]) - wanted).max() < 1e-9
