"""OMMX instances, both ways: on a stub of the package, and on itself where installed."""

import importlib.util
import sys
from itertools import product

import ommx_stub
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_qubos import energies, qubos, same

import gatesolve
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats import from_ommx, to_ommx
from gatesolve.model import Linear, Model, Objective, Variable

INSTALLED = importlib.util.find_spec("ommx") is not None


@pytest.fixture(params=["stub", "installed"] if INSTALLED else ["stub"])
def package(request, monkeypatch):
    """The package to use."""
    if request.param == "stub":
        monkeypatch.setitem(sys.modules, "ommx", ommx_stub)
        monkeypatch.setitem(sys.modules, "ommx.v1", ommx_stub)
        return ommx_stub
    import ommx.v1

    return ommx.v1


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(qubo=qubos(degree=3, weights=st.integers(-40, 40).map(lambda n: n / 2)))
def test_energies_both_ways(package, qubo):
    instance = to_ommx(qubo)
    for bits, energy in energies(qubo).items():
        assert instance.evaluate(dict(enumerate(bits))).objective == energy
    assert same(from_ommx(instance).qubo, qubo)


MODEL = Model(
    (Variable("i", (2, 3, 4)), Variable("a", (0, 1)), Variable("b", (0, 1))),
    (Linear(((2, "i"), (-1, "a")), "<=", 6), Linear(((1, "i"), (1, "b")), "==", 3)),
    Objective(((3, "i"), (-2, "b")), 5, "max"),
)


def test_a_model_and_back(package):
    instance = to_ommx(MODEL)
    for state in product(*MODEL.domains.values()):
        named = dict(zip(MODEL.domains, state, strict=True))
        if MODEL.check(named):
            assert instance.evaluate(dict(enumerate(state))).objective == MODEL.objective.value(named)
    again = from_ommx(instance).model
    assert again.domains == MODEL.domains
    for state in product(*MODEL.domains.values()):
        named = dict(zip(MODEL.domains, state, strict=True))
        assert again.check(named) == MODEL.check(named)
        assert again.objective.value(named) == MODEL.objective.value(named)
    assert again.objective.sense == "max"


def made(package, variables, terms, constraints=()):
    return package.Instance.from_components(
        decision_variables=variables,
        objective=package.Function(package.Polynomial(terms=terms)),
        constraints=constraints,
        sense=package.Instance.MINIMIZE,
    )


def test_constraints_of_any_degree(package):
    variable = package.DecisionVariable
    bits = [
        variable.binary(0, name="a"),
        variable.binary(1, name="b"),
        variable.integer(2, lower=-1, upper=2, name="i"),
    ]
    cubic = package.Constraint(
        function=package.Function(package.Polynomial(terms={(0, 1, 2): 1.0, (2, 2): -0.5, (0,): 1, (): 0.5})),
        equality=package.Constraint.LESS_THAN_OR_EQUAL_TO_ZERO, id=3, name="cubic",
    )  # fmt: skip
    model = from_ommx(made(package, bits, {(0,): 1}, [cubic])).model
    for a, b, i in product(*model.domains.values()):
        assert model.check({"a": a, "b": b, "i": i}) == (a * b * i - i * i / 2 + a + 0.5 <= 0)


def test_an_instance_is_solved_by_ids(package):
    binary = package.DecisionVariable.binary
    instance = made(package, [binary(k, name="x") for k in (7, 3)], {(3, 7): 1.5, (3,): -2, (): 0.25})
    result = gatesolve.solve(instance)
    assert (result.solution, result.energy) == ({7: 0, 3: 1}, -1.75)
    assert instance.evaluate(result.solution).objective == result.energy


def test_what_is_refused(package):
    variable = package.DecisionVariable
    with pytest.raises(UnsupportedError, match="variable r is continuous"):
        from_ommx(made(package, [variable.continuous(0, name="r")], {(0,): 1}))
    with pytest.raises(InputError, match="variable i has no bound"):
        from_ommx(made(package, [variable.integer(0, name="i")], {(0,): 1}))


def test_a_missing_package_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ommx.v1", None)
    with pytest.raises(UnsupportedError, match="ommx is not installed"):
        to_ommx(MODEL)
