"""Spaces too large to simulate: compiled, counted and checked on a sample, never run."""

import itertools
import math

import pytest

import gatesolve
from gatesolve import DoesNotFitError, InputError, Model, Variable
from gatesolve.circuit import Gate
from gatesolve.model import Linear, NotEqual
from gatesolve.oracle import assemble
from gatesolve.programs import best_iterations
from gatesolve.simulate import CertificateError

NAMES = tuple(f"x{k}" for k in range(30))
CHAIN = Model(tuple(Variable(n, (0, 1)) for n in NAMES), tuple(map(NotEqual, NAMES, NAMES[1:])))
BARE = {"presolve": "none", "encoding": "binary", "level": "literal"}


def test_a_large_space_is_compiled_with_one_solution_assumed():
    compiled = gatesolve.compile(CHAIN, **BARE)
    certificate = compiled.certificate
    assert compiled.program.space.size == certificate.of == 2**30
    assert (certificate.marked, certificate.method) == (None, "sample, seed 0")
    assert certificate.checked >= 4096 + 31, "drawn codewords, a solution, and all one bit away"
    assert certificate.lowered > 0
    assert compiled.marks is None
    assert compiled.program.iterations == best_iterations(2**30, 1)
    assert compiled.notes[0] == "1073741824 codewords are too many to count solutions: one is assumed"
    data = compiled.as_dict()
    assert (data["marked"], data["level"], data["space_size"]) == (None, "literal", 2**30)
    iteration = compiled.program.resources("iteration")
    assert compiled.program.resources().cx >= iteration.cx * (compiled.program.iterations - 1)


def test_stated_solutions_shorten_the_search():
    compiled = gatesolve.compile(CHAIN, solutions=2, **BARE)
    assert compiled.program.iterations == best_iterations(2**30, 2)
    assert "2 are taken, as stated" in compiled.notes[0]
    with pytest.raises(InputError, match="solutions is 3, but 2 were counted: leave out solutions"):
        gatesolve.compile(Model(CHAIN.variables[:4], CHAIN.constraints[:3]), solutions=3, **BARE)


def test_solutions_are_counted_where_that_is_asked_for(monkeypatch):
    compiled = gatesolve.compile(CHAIN, count_solutions=True, **BARE)
    assert compiled.program.iterations == best_iterations(2**30, 2)
    assert compiled.notes[0] == "OR-Tools counted 2 solutions among 1073741824 codewords"
    assert compiled.certificate.marked is None, "not counted by running the oracle"
    with pytest.raises(InputError, match="solutions is 3, but 2 were counted: leave out solutions"):
        gatesolve.compile(CHAIN, count_solutions=True, solutions=3, **BARE)
    monkeypatch.setattr("gatesolve.pipelines.certify.MOST_COUNTED", 1)
    compiled = gatesolve.compile(CHAIN, count_solutions=True, **BARE)
    assert compiled.program.iterations == best_iterations(2**30, 1)
    assert compiled.notes[0].endswith("within 1 solutions or 60 seconds: one is assumed")


def test_the_setting_with_the_smallest_space_is_taken_and_none_is_simulated():
    narrow = Model(CHAIN.variables, (*CHAIN.constraints, Linear(((1, "x0"),), "==", 0)))
    assert gatesolve.compile(narrow, encoding="binary").presolve == "partial", "few states are left"
    wide = Model(CHAIN.variables, (Linear(tuple((1, n) for n in NAMES), "<=", 29),))
    assert gatesolve.compile(wide, encoding="binary", level="literal").presolve == "none"
    with pytest.raises(DoesNotFitError, match=r"^does not fit: .* up to 2\^24 states are simulated"):
        gatesolve.solve(wide, encoding="binary", presolve="none")
    with pytest.raises(DoesNotFitError, match=r"^does not fit: .* up to 2\^4 states are simulated"):
        gatesolve.solve(wide, encoding="binary", presolve="none", max_space=16)


def test_a_circuit_too_long_to_write_says_what_can_be_written():
    wider = tuple(Variable(f"y{k}", (0, 1)) for k in range(70))
    model = Model(wider, tuple(NotEqual(a.name, b.name) for a, b in itertools.pairwise(wider)))
    program = gatesolve.compile(model, **BARE).program
    assert math.log2(program.iterations) > 34
    with pytest.raises(
        DoesNotFitError, match=r"has 2\^\d+\.\d operations, .* use part='oracle' to write it, or iterations=1"
    ):
        program.qasm2()
    assert "qreg" in program.qasm2("oracle")
    assert "qreg" in program.with_iterations(1).qasm2()


def test_an_oracle_that_is_wrong_near_a_solution_is_caught(monkeypatch):
    def wrong(*args, **kwargs):
        oracle = assemble(*args, **kwargs)
        return type(oracle)((*oracle.ops, Gate("x", (3,))), oracle.num_data, oracle.num_ancillas, oracle.conditions)

    monkeypatch.setattr("gatesolve.oracle.recipe.assemble", wrong)
    with pytest.raises(CertificateError):
        gatesolve.compile(CHAIN, **BARE)


@pytest.mark.sampled(0.3)
def test_pareto_wants_the_number_of_solutions():
    swept = ["encoding=binary", "gates=cx+u", "level=literal", "optimize=cx"]
    with pytest.raises(DoesNotFitError, match="does not fit"):
        gatesolve.pareto(CHAIN, presolve="none", sweep=swept)
    front = gatesolve.pareto(CHAIN, presolve="none", solutions=2, sweep=swept)
    assert {row.marked for row in front.rows} == {2}
    assert front.rows[0].space_size == 2**30
