"""Programs of qiskit-optimization, on a stub too, and instances of OMMX where it is installed, both ways."""

import operator
import sys
from importlib.util import find_spec
from itertools import product
from types import SimpleNamespace

import program_stub
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_qubos import energies, qubos, same

import gatesolve
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats import from_ommx, from_quadratic_program, to_ommx, to_quadratic_program
from gatesolve.model import AllDifferent, Linear, Model, Objective, Variable
from gatesolve.qubo import Qubo

PROGRAM = SimpleNamespace(QuadraticProgram=program_stub.QuadraticProgram)
MODULES = {"qiskit_optimization": ["qiskit_optimization"], "ommx": ["ommx", "ommx.v1"]}
WAYS = {"qiskit_optimization": (to_quadratic_program, from_quadratic_program), "ommx": (to_ommx, from_ommx)}
FIXTURES = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
HALVES = st.integers(-40, 40).map(lambda n: n / 2)
MODEL = Model(
    (Variable("i", (2, 3, 4)), Variable("a", (0, 1)), Variable("b", (0, 1))),
    (Linear(((2, "i"), (-1, "a")), "<=", 6), Linear(((1, "i"), (1, "b")), "==", 3)),
    Objective(((3, "i"), (-2, "b")), 5, "max"),
)


def use(name, kind, monkeypatch):
    """The package of that name, or the stub in its place."""
    if kind == "stub":
        monkeypatch.setitem(sys.modules, name, PROGRAM)
    return __import__("ommx.v1", fromlist=["v1"]) if name == "ommx" else __import__(name)


def kinds(*names):
    pairs = [(name, kind) for name in names for kind in ("stub", "installed")]
    return [(name, kind) for name, kind in pairs if find_spec(name) or (name, kind) == ("qiskit_optimization", "stub")]


@pytest.fixture(params=kinds("qiskit_optimization"), ids="-".join)
def program(request, monkeypatch):
    return use(*request.param, monkeypatch).QuadraticProgram


@pytest.fixture(params=kinds("ommx"), ids="-".join)
def ommx(request, monkeypatch):
    return use(*request.param, monkeypatch)


@pytest.fixture(params=kinds(*WAYS), ids="-".join)
def way(request, monkeypatch):
    """What writes, what reads, and the objective of what was written at a state."""
    name = request.param[0]
    use(*request.param, monkeypatch)

    def value(written, state):
        if name == "ommx":
            return written.evaluate(dict(enumerate(state))).objective
        return written.objective.evaluate(list(state))

    return (*WAYS[name], value)


@FIXTURES
@given(data=st.data())
def test_energies_both_ways(way, data):
    write, read, value = way
    qubo = data.draw(qubos(degree=3 if write is to_ommx else 2, weights=HALVES))
    written = write(qubo)
    for bits, energy in energies(qubo).items():
        assert value(written, bits) == energy
    assert same(read(written).qubo, qubo)


def test_a_model_and_back(way):
    write, read, value = way
    written, again = write(MODEL), read(write(MODEL))
    assert again.model.domains == MODEL.domains
    assert (again.qubo, again.sense, again.scale) == (None, "max", 1)
    for state in product(*MODEL.domains.values()):
        named = dict(zip(MODEL.domains, state, strict=True))
        assert again.model.check(named) == MODEL.check(named)
        assert again.model.objective.value(named) == MODEL.objective.value(named)
        if MODEL.check(named):
            assert value(written, state) == MODEL.objective.value(named)


def test_a_quadratic_objective_with_constraints(way):
    write, read, _ = way
    qubo = Qubo(("a", "b"), {(0,): -1, (0, 1): 2.5}, 1)
    again = read(write(MODEL, qubo))
    assert again.qubo == qubo
    assert again.model.constraints == MODEL.constraints
    assert again.model.objective is None


@pytest.mark.parametrize("name", WAYS)
def test_a_missing_package_is_one_line(name, monkeypatch):
    for module in MODULES[name]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UnsupportedError, match=r"is not installed: run pip install \"[^\n]*\"$"):
        WAYS[name][0](MODEL)


def test_decimals_and_maximising(program):
    made = program("mine")
    for name in "ab":
        made.binary_var(name)
    made.maximize(0.5, {"a": 0.1}, {("a", "b"): -2})
    problem = from_quadratic_program(made)
    assert problem.qubo == Qubo(("a", "b"), {(0,): -0.1, (0, 1): 2}, -0.5)
    assert (problem.sense, problem.title) == ("max", "mine: QUBO of 2 variables, 2 terms")
    made.linear_constraint({"a": 0.1, "b": 0.2}, ">=", 0.15, "share")
    assert from_quadratic_program(made).model.constraints == (Linear(((-1, "a"), (-2, "b")), "<=", -2),)


@pytest.mark.parametrize("relation", ["<=", ">=", "=="])
def test_quadratic_constraints(program, relation):
    made = program()
    made.binary_var("a")
    made.integer_var(-2, 2, "i")
    made.integer_var(0, 2, "j")
    made.quadratic_constraint({"j": 1}, {("i", "j"): 0.5, ("i", "i"): 1, ("a", "a"): -1}, relation, 2, "q0")
    model = from_quadratic_program(made).model
    held = {"<=": operator.le, ">=": operator.ge, "==": operator.eq}[relation]
    for a, i, j in product(*model.domains.values()):
        assert model.check({"a": a, "i": i, "j": j}) == held(j + i * j / 2 + i * i - a, 2)


def test_what_a_program_may_not_hold(program):
    made = program()
    made.binary_var("a")
    made.integer_var(0, 1e20, "i")
    with pytest.raises(InputError, match="variable i has 100000000000000000001 values, and at most 4096"):
        from_quadratic_program(made)
    made = program()
    made.continuous_var(name="r")
    with pytest.raises(UnsupportedError, match="variable r is continuous"):
        from_quadratic_program(made)
    with pytest.raises(UnsupportedError, match="is not linear"):
        to_quadratic_program(Model(MODEL.variables, (AllDifferent(("a", "b")),)))
    with pytest.raises(UnsupportedError, match="a term has 3 variables"):
        to_quadratic_program(Qubo(("a", "b", "c"), {(0, 1, 2): 1}))


def instance(package, variables, terms, constraints=()):
    return package.Instance.from_components(
        decision_variables=variables,
        objective=package.Function(package.Polynomial(terms=terms)),
        constraints=constraints,
        sense=package.Instance.MINIMIZE,
    )


def test_constraints_of_any_degree(ommx):
    binary, integer = ommx.DecisionVariable.binary, ommx.DecisionVariable.integer
    cubic = ommx.Constraint(
        function=ommx.Function(ommx.Polynomial(terms={(0, 1, 2): 1.0, (2, 2): -0.5, (0,): 1, (): 0.5})),
        equality=ommx.Constraint.LESS_THAN_OR_EQUAL_TO_ZERO,
        id=3,
        name="cubic",
    )
    variables = [binary(0, name="a"), binary(1, name="b"), integer(2, lower=-1, upper=2, name="i")]
    model = from_ommx(instance(ommx, variables, {(0,): 1}, [cubic])).model
    for a, b, i in product(*model.domains.values()):
        assert model.check({"a": a, "b": b, "i": i}) == (a * b * i - i * i / 2 + a + 0.5 <= 0)


def test_an_instance_is_solved_by_ids(ommx):
    binary = ommx.DecisionVariable.binary
    given_ = instance(ommx, [binary(k, name="x") for k in (7, 3)], {(3, 7): 1.5, (3,): -2, (): 0.25})
    result = gatesolve.solve(given_)
    assert (result.solution, result.energy) == ({7: 0, 3: 1}, -1.75)
    assert given_.evaluate(result.solution).objective == result.energy


def test_what_an_instance_may_not_hold(ommx):
    variable = ommx.DecisionVariable
    with pytest.raises(UnsupportedError, match="variable r is continuous"):
        from_ommx(instance(ommx, [variable.continuous(0, name="r")], {(0,): 1}))
    with pytest.raises(InputError, match="variable i has no bound"):
        from_ommx(instance(ommx, [variable.integer(0, name="i")], {(0,): 1}))
