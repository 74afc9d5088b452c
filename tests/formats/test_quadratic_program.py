"""Quadratic programs of qiskit-optimization, both ways: on a stub of the package, and on itself where installed."""

import importlib.util
import operator
import sys
from itertools import product
from types import SimpleNamespace

import program_stub
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_qubos import energies, qubos, same

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats import from_quadratic_program, to_quadratic_program
from gatesolve.model import AllDifferent, Linear, Model, Objective, Variable
from gatesolve.qubo import Qubo

INSTALLED = importlib.util.find_spec("qiskit_optimization") is not None


@pytest.fixture(params=["stub", "installed"] if INSTALLED else ["stub"])
def package(request, monkeypatch):
    """The package to use."""
    if request.param == "stub":
        stub = SimpleNamespace(QuadraticProgram=program_stub.QuadraticProgram)
        monkeypatch.setitem(sys.modules, "qiskit_optimization", stub)
    import qiskit_optimization

    return qiskit_optimization


FIXTURES = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
HALVES = st.integers(-40, 40).map(lambda n: n / 2)


@FIXTURES
@given(qubo=qubos(weights=HALVES))
def test_energies_both_ways(package, qubo):
    program = to_quadratic_program(qubo)
    assert [v.name for v in program.variables] == list(qubo.names)
    for bits, energy in energies(qubo).items():
        assert program.objective.evaluate(list(bits)) == energy
    assert same(from_quadratic_program(program).qubo, qubo)


MODEL = Model(
    (Variable("i", (2, 3, 4)), Variable("a", (0, 1)), Variable("b", (0, 1))),
    (
        Linear(((2, "i"), (-1, "a")), "<=", 6),
        Linear(((1, "i"), (1, "b")), "==", 3),
    ),
    Objective(((3, "i"), (-2, "b")), 5, "max"),
)


def test_a_model_and_back(package):
    program = to_quadratic_program(MODEL)
    for state in product(*MODEL.domains.values()):
        named = dict(zip(MODEL.domains, state, strict=True))
        assert program.objective.evaluate(list(state)) == MODEL.objective.value(named)
    again = from_quadratic_program(program)
    assert again.model == MODEL
    assert (again.qubo, again.sense, again.scale) == (None, "max", 1)


def test_a_quadratic_objective_with_constraints(package):
    qubo = Qubo(("a", "b"), {(0,): -1, (0, 1): 2.5}, 1)
    again = from_quadratic_program(to_quadratic_program(MODEL, qubo))
    assert again.qubo == qubo
    assert again.model.constraints == MODEL.constraints
    assert again.model.objective is None


def test_decimals_and_maximising(package):
    program = package.QuadraticProgram("mine")
    for name in "ab":
        program.binary_var(name)
    program.maximize(0.5, {"a": 0.1}, {("a", "b"): -2})
    problem = from_quadratic_program(program)
    assert problem.qubo == Qubo(("a", "b"), {(0,): -0.1, (0, 1): 2}, -0.5)
    assert (problem.sense, problem.title) == ("max", "mine: QUBO of 2 variables, 2 terms")
    program.linear_constraint({"a": 0.1, "b": 0.2}, ">=", 0.15, "share")
    assert from_quadratic_program(program).model.constraints == (Linear(((-1, "a"), (-2, "b")), "<=", -2),)


@pytest.mark.parametrize("relation", ["<=", ">=", "=="])
def test_quadratic_constraints(package, relation):
    program = package.QuadraticProgram()
    program.binary_var("a")
    program.integer_var(-2, 2, "i")
    program.integer_var(0, 2, "j")
    program.quadratic_constraint({"j": 1}, {("i", "j"): 0.5, ("i", "i"): 1, ("a", "a"): -1}, relation, 2, "q0")
    model = from_quadratic_program(program).model
    held = {"<=": operator.le, ">=": operator.ge, "==": operator.eq}[relation]
    for a, i, j in product(*model.domains.values()):
        assert model.check({"a": a, "i": i, "j": j}) == held(j + i * j / 2 + i * i - a, 2)


def test_what_is_refused(package):
    program = package.QuadraticProgram()
    program.binary_var("a")
    program.integer_var(0, 1e20, "i")
    with pytest.raises(InputError, match="variable i has 100000000000000000001 values: at most 4096"):
        from_quadratic_program(program)
    program = package.QuadraticProgram()
    program.continuous_var(name="r")
    with pytest.raises(UnsupportedError, match="variable r is continuous"):
        from_quadratic_program(program)
    with pytest.raises(UnsupportedError, match="is not linear"):
        to_quadratic_program(Model(MODEL.variables, (AllDifferent(("a", "b")),)))
    with pytest.raises(UnsupportedError, match="a term has 3 variables"):
        to_quadratic_program(Qubo(("a", "b", "c"), {(0, 1, 2): 1}))


def test_a_missing_package_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "qiskit_optimization", None)
    with pytest.raises(
        UnsupportedError, match=r"""not installed: run pip install "\.\[peers\]" in gatesolve's checkout"""
    ):
        to_quadratic_program(MODEL)
