"""dimod models have our energies in every state, both ways."""

from itertools import product

import dimod
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_qubos import energies, qubos, same

from gatesolve import solve
from gatesolve.api import parse_problem
from gatesolve.errors import InfeasibleError, InputError, UnsupportedError
from gatesolve.formats import from_bpoly, from_bqm, from_cqm, lp_text, program_of_model, to_bpoly, to_bqm, to_cqm
from gatesolve.model import AllDifferent, Linear, Model, NotEqual, Objective, Variable
from gatesolve.qubo import Qubo

HALVES = st.integers(-40, 40).map(lambda n: n / 2)


def row(qubo, bits, spin=False):
    return {name: 2 * bit - 1 if spin else bit for name, bit in zip(qubo.names, bits, strict=True)}


@given(qubos(weights=HALVES))
def test_bqm_energies(qubo):
    binary, spin = to_bqm(qubo), to_bqm(qubo, "SPIN")
    assert list(binary.variables) == list(qubo.names)
    for bits, energy in energies(qubo).items():
        assert binary.energy(row(qubo, bits)) == energy
        assert spin.energy(row(qubo, bits, spin=True)) == energy


@given(qubos())
def test_bqm_and_back(qubo):
    again = from_bqm(to_bqm(qubo))
    assert again.terms == {m: float(c) for m, c in qubo.terms.items()}
    assert again.offset == float(qubo.offset)
    assert again.names == qubo.names


def test_spins_are_multiplied_out_exactly():
    bqm = dimod.BinaryQuadraticModel({"s": 0.1, "t": 0.2}, {("s", "t"): 0.3}, 0.1, "SPIN")
    assert from_bqm(bqm) == Qubo(("s", "t"), {(0,): -0.4, (1,): -0.2, (0, 1): 1.2}, 0.1)


@given(qubos(degree=3, weights=HALVES))
def test_polynomials(qubo):
    poly = to_bpoly(qubo)
    for bits, energy in energies(qubo).items():
        assert poly.energy(row(qubo, bits)) == energy
    again = from_bpoly(poly)
    assert set(again.names) == set(qubo.names)
    order = [again.names.index(name) for name in qubo.names]
    found = {tuple(bits[k] for k in order): energy for bits, energy in energies(again).items()}
    assert found == energies(qubo)


def test_a_polynomial_of_spins():
    qubo = from_bpoly(dimod.BinaryPolynomial({"abc": 1.0, "a": -0.5, "": 2.0}, "SPIN"))
    assert qubo.names == ("a", "b", "c")
    for bits, energy in energies(qubo).items():
        s = [2 * bit - 1 for bit in bits]
        assert energy == s[0] * s[1] * s[2] - s[0] / 2 + 2


def test_labels_that_are_no_text():
    bqm = dimod.BinaryQuadraticModel({3: 1, ("a", 1): 2}, {}, 0, "BINARY")
    assert from_bqm(bqm).names == ("x3", "a_1")
    clash = dimod.BinaryQuadraticModel({3: 1, "x3": 2}, {}, 0, "BINARY")
    with pytest.raises(InputError, match="used twice: x3"):
        from_bqm(clash)


@pytest.mark.parametrize("bias", [float("nan"), float("inf")])
def test_biases_that_are_no_numbers(bias):
    with pytest.raises(InputError, match=r"coefficient of b \* a is (nan|inf): give a finite"):
        from_bqm(dimod.BinaryQuadraticModel({}, {("a", "b"): bias}, 0, "BINARY"))


def states(model):
    for values in product(*model.domains.values()):
        yield dict(zip(model.domains, values, strict=True))


@settings(max_examples=40)
@given(qubos(weights=HALVES))
def test_quadratic_objectives_with_constraints(qubo):
    model = Model(
        (*(Variable(name, (0, 1)) for name in qubo.names), Variable("more", (0, 1, 2))),
        (Linear(((1, qubo.names[0]), (1, "more")), "<=", 2),),
    )
    again = from_cqm(to_cqm(model, qubo))
    if qubo.degree == 2:
        assert same(again.qubo, qubo)
    elif qubo.terms:
        assert all(again.model.objective.value(s) == again.scale * qubo.energy(s) for s in states(model))
    assert all(again.model.check(s) == model.check(s) for s in states(model))


@st.composite
def linear_models(draw):
    """Ranges of integers, a linear objective, linear constraints: without any, 0/1 variables are read as a Qubo."""
    names = ("a", "b", "i", "j")
    variables = tuple(
        Variable(
            n, (0, 1) if n in "ab" else tuple(range(low := draw(st.integers(-2, 1)), low + draw(st.integers(2, 4))))
        )
        for n in names
    )
    coefficients = st.dictionaries(st.sampled_from(names), st.integers(-4, 4).filter(bool), min_size=1)
    rows = [
        Linear(tuple((c, n) for n, c in draw(coefficients).items()), draw(st.sampled_from(("<=", "=="))), bound)
        for bound in draw(st.lists(st.integers(-3, 5), min_size=1, max_size=3))
    ]
    terms = tuple((c, n) for n, c in draw(coefficients).items())
    return Model(
        variables, tuple(rows), Objective(terms, draw(st.integers(-3, 3)), draw(st.sampled_from(("min", "max"))))
    )


@settings(max_examples=40)
@given(linear_models())
def test_models_through_cqms_and_lp_files(model):
    theirs = dimod.lp.loads(lp_text(program_of_model(model)))
    read = [
        parse_problem(text, "p.lp").model for text in (lp_text(program_of_model(model)), dimod.lp.dumps(to_cqm(model)))
    ]
    made = [from_cqm(to_cqm(model)).model, from_cqm(theirs).model, *read]
    sign = {"min": 1, "max": -1}
    assert made[0].domains == model.domains
    for state in states(model):
        value = sign[model.objective.sense] * model.objective.value(state)
        for other in made:
            assert other.check(state) == model.check(state)
            assert sign[other.objective.sense] * other.objective.value(state) == value
        assert theirs.check_feasible(state) == model.check(state)


def test_spin_variables_of_a_cqm_become_bits():
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(dimod.Spin("s") * dimod.Binary("b"))
    problem = from_cqm(cqm)
    assert problem.qubo.energy({"s": 1, "b": 1}) == 1
    assert problem.qubo.energy({"s": 0, "b": 1}) == -1


@pytest.mark.sampled(0.5)
def test_an_objective_may_multiply_integers():
    a, i = dimod.Binary("a"), dimod.Integer("i", upper_bound=3)
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(2 * a * i - 3 * i * i + i)
    cqm.add_constraint(a + i <= 3, label="c0")
    problem = from_cqm(cqm)
    assert problem.qubo is None
    parts = [(weight, str(part)) for weight, part in problem.model.objective.parts]
    assert parts == [(2, "(a) * (i)"), (-3, "(i) * (i)")]
    assert to_cqm(problem.model).objective.energy({"a": 1, "i": 2}) == 4 - 12 + 2
    assert solve(problem.model, pipeline="gas", seed=1).energy == -24


@settings(max_examples=40)
@given(st.lists(HALVES, min_size=6, max_size=6), HALVES, st.sampled_from(("<=", ">=", "==")))
def test_quadratic_constraints(weights, bound, relation):
    a, i, s = dimod.Binary("a"), dimod.Integer("i", lower_bound=-1, upper_bound=2), dimod.Spin("s")
    left = sum(weight * part for weight, part in zip(weights, (a * i, i * i, a * s, i * s, a, i), strict=True))
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.add_constraint_from_model(left, relation, rhs=bound, label="c0")
    try:
        model = from_cqm(cqm).model
    except InfeasibleError:
        model = None
    for state in product((0, 1), range(-1, 3), (-1, 1)):
        named = dict(zip("ais", state, strict=True))
        kept = model is not None and model.check({**named, "s": (named["s"] + 1) // 2})
        assert kept == cqm.check_feasible(named, rtol=0, atol=0)


def test_what_a_cqm_may_not_hold():
    a, b = dimod.Binary("a"), dimod.Binary("b")
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(dimod.Real("r"))
    with pytest.raises(UnsupportedError, match="variable r is real"):
        from_cqm(cqm)
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.add_constraint(a + b <= 1, label="wish", weight=3.0)
    with pytest.raises(UnsupportedError, match="constraint wish is soft"):
        from_cqm(cqm)
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(dimod.Integer("wide"))
    with pytest.raises(InputError, match="variable wide has 9007199254740992 values, and at most 4096 fit"):
        from_cqm(cqm)


@pytest.mark.parametrize(
    ("constraint", "domain", "message"),
    [
        (NotEqual("x", "y"), (0, 1), "'x != y' is not linear"),
        (AllDifferent(("x", "y")), (0, 1), "is not linear"),
        (Linear(((1, "x"), (1, "y")), "!=", 1), (0, 1), "is not linear"),
        (Linear(((1, "x"), (1, "y")), "==", 1), (0, 2), "variable x has gaps"),
    ],
)
def test_what_cannot_be_written_as_a_cqm(constraint, domain, message):
    with pytest.raises(UnsupportedError, match=message):
        to_cqm(Model((Variable("x", domain), Variable("y", domain)), (constraint,)))


def test_an_objective_over_other_variables():
    with pytest.raises(InputError, match="reads 'z', which is not a 0/1 variable of the model"):
        to_cqm(Model((Variable("x", (0, 1)),)), Qubo(("z",), {(0,): 1}))


def test_a_bound_that_is_infinite_is_none():
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(-dimod.Binary("x"))
    cqm.add_constraint(dimod.Binary("x") <= float("inf"))
    cqm.add_constraint(dimod.Binary("x") >= -float("inf"))
    assert solve(cqm, progress=False).solution == {"x": 1}
    cqm.add_constraint(dimod.Binary("x") >= float("inf"), label="never")
    with pytest.raises(InputError, match="the bound of never is inf"):
        from_cqm(cqm)
