"""What is said to be best is best in exact arithmetic, whatever the pipeline and the coefficients."""

import contextlib
import re
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gatesolve
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.model import Linear, Model, Objective, Variable
from gatesolve.pipelines import as_number
from gatesolve.qubo import Qubo, as_written

WIDE = st.builds(lambda m, e: float(f"{m}e{e}"), st.integers(-9, 9), st.integers(-300, 300))
NEAR = st.builds(lambda m, e: m * 10**e, st.integers(-9, 9), st.integers(0, 13))
CHEAP = {"anneal": {}, "gas": {"value_oracle": "counter"}, "qaoa": {"layers": 1, "evaluations": 6, "shots": 64}}
SIZES = {"anneal": (25, 4), "gas": (12, 2), "qaoa": (5, 2), "grover": (5, 2)}


@st.composite
def qubos(draw: st.DrawFn, most: int) -> Qubo:
    monomials = st.sets(st.integers(0, most - 1), min_size=1, max_size=2).map(lambda m: tuple(sorted(m)))
    weights = draw(st.sampled_from([WIDE, NEAR, st.one_of(WIDE, NEAR)]))
    return Qubo.of([f"x{k}" for k in range(most)], draw(st.dictionaries(monomials, weights, min_size=2, max_size=6)))


def exact(qubo, bits):
    return sum((as_written(c) for m, c in qubo.polynomial.items() if all(bits[k] for k in m)), start=Fraction(0))


def check_claim(result, energy, least):
    """``energy`` is the answer's, and what is said of better ones is true of ``least``."""
    assert result.exact_energy == energy
    assert result.energy == as_number(energy)
    if "nothing better exists" in result.message:
        assert energy == least
    elif said := re.search(r"better by more than (\S+) (exists|would)", result.message):
        assert energy - least <= Fraction(said[1])
    elif "would have been found" in result.message:
        assert energy == least
    else:
        assert "the best" in result.message


@pytest.mark.quick("gas", "anneal")
@pytest.mark.parametrize("pipeline", CHEAP)
def test_a_qubo_has_nothing_better_than_what_is_said_to_be_best(pipeline):
    examples, most = SIZES[pipeline]

    @settings(max_examples=examples, deadline=None, derandomize=True)
    @given(qubos(most))
    def check(qubo):
        result = gatesolve.solve(qubo, pipeline=pipeline, **CHEAP[pipeline])
        least = min(exact(qubo, bits) for bits in product((0, 1), repeat=qubo.num_variables))
        check_claim(result, exact(qubo, list(result.solution.values())), least)
        assert pipeline != "anneal" or result.exact_energy == least

    check()


@pytest.mark.quick("gas", "anneal", "grover")
@pytest.mark.parametrize("pipeline", ["grover", *CHEAP])
def test_an_objective_has_nothing_better_than_what_is_said_to_be_best(pipeline):
    examples, most = SIZES[pipeline]
    weights = st.builds(lambda m, e: m * 10**e, st.integers(-9, 9), st.integers(0, 40))

    @settings(max_examples=examples, deadline=None, derandomize=True)
    @given(st.lists(weights, min_size=most, max_size=most), weights, st.sampled_from(["min", "max"]))
    def check(coefficients, constant, sense):
        names = [f"x{k}" for k in range(most)]
        rule = Linear(((1, names[0]), (1, names[1])), "<=", 1)
        goal = Objective(tuple((c, n) for c, n in zip(coefficients, names, strict=True) if c), constant, sense)
        model = Model(tuple(Variable(name, (0, 1)) for name in names), (rule,), goal)
        choices = {"pipeline": pipeline, "presolve": "none", **CHEAP.get(pipeline, {})}
        if pipeline != "anneal" and max(map(abs, coefficients)) >= 1 << 62:
            with contextlib.suppress(DoesNotFitError):  # the same sizes over a common divisor may fit
                gatesolve.solve(model, **choices)
            return
        result = gatesolve.solve(model, **choices)
        states = [bits for bits in product((0, 1), repeat=most) if sum(bits[:2]) < 2]
        values = [goal.value(dict(zip(names, bits, strict=True))) for bits in states]
        assert result.energy == goal.value(result.solution)
        if "nothing better exists" in result.message or "would have been found" in result.message:
            assert result.energy == (min(values) if sense == "min" else max(values))
        else:
            assert "the best" in result.message

    check()


@pytest.mark.parametrize("pipeline", ["auto", "anneal"])
def test_decimals_longer_than_a_float_are_read_as_they_stand(tmp_path, pipeline):
    path = tmp_path / "long.lp"
    terms = "9007199254740993.0 x - 9007199254740992.0 y"
    path.write_text(f"Maximize\n obj: {terms}\nSubject To\n c: x - y = 0\nBinary\n x y\nEnd\n")
    found = gatesolve.solve(path, pipeline=pipeline)
    assert (found.energy, found.solution) == (1, {"x": 1, "y": 1})


def test_a_number_that_floats_take_for_0_is_refused(tmp_path):
    path = tmp_path / "small.coo"
    path.write_text("0 0 1e-400\n")
    with pytest.raises(InputError, match="row 1, column 3: the weight '1e-400' is too close to 0"):
        gatesolve.solve(path)
