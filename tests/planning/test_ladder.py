"""The ladder of deductions stops at the first rung that fits, and says what one fewer would have left."""

from __future__ import annotations

import pytest

import gatesolve
from gatesolve.api import Options, as_problem
from gatesolve.errors import InputError
from gatesolve.model import deduce, stop_after
from gatesolve.planning import Clock, climb_ladder

EXAMPLES = "examples"


@pytest.mark.slow
@pytest.mark.parametrize("file", ["sudoku/royle17-0.txt", "kakuro/minizinc-8x8-hard.txt", "queens/linkedin-8x8.txt"])
@pytest.mark.parametrize("power", [4, 10])
def test_one_deduction_fewer_does_not_fit(file: str, power: int) -> None:
    problem, options = as_problem(f"{EXAMPLES}/{file}"), Options(max_space=2**power)
    rungs = list(climb_ladder(problem.model, options.limits(divides=True), Clock()))
    found = next(rung for rung in rungs if rung.fitting)
    assert found.setting == "partial"
    made = found.deductions
    assert made is not None
    assert made.size == found.least <= 2**power < made.before
    assert [rung.setting for rung in rungs][:2] == ["none", "partial"]
    # The same model by the deductions themselves, counted.
    events = list(deduce(problem.model))
    if made.of == len(events):
        assert stop_after(problem.model, events[: made.number])[0] == found.model


def test_nothing_is_deduced_where_the_whole_board_fits() -> None:
    found = gatesolve.solve(f"{EXAMPLES}/sudoku/small.txt")
    assert found.presolve == "none"
    less = gatesolve.solve(f"{EXAMPLES}/sudoku/small.txt", max_space=4)
    assert less.presolve == "partial"
    assert less.space_size is not None
    assert 1 < less.space_size <= 4
    assert any("one fewer would leave 2^" in note for note in less.notes)


@pytest.mark.sampled(0.5)
def test_probes_come_after_propagation() -> None:
    problem = as_problem(f"{EXAMPLES}/tents/sgt-15x15dt-2.txt")
    rungs = list(climb_ladder(problem.model, Options().limits(divides=True), Clock()))
    assert [rung.setting for rung in rungs] == ["none", "propagate", "partial"]
    assert rungs[1].fitting == []
    assert rungs[2].is_last
    assert rungs[2].deductions is not None
    assert rungs[2].deductions.of > len(list(deduce(problem.model)))


def test_the_limit_is_smaller_where_any_rung_will_do() -> None:
    assert Options().limits().most_states == 2**20
    assert Options(presolve="none").limits().most_states == 2**24
    assert Options(presolve="none", max_space=9).limits().most_states == 9
    with pytest.raises(InputError, match="max_space is 0: give a number from 1 to 16777216"):
        Options(max_space=0)


def test_compile_takes_the_rung_that_solve_takes() -> None:
    file = f"{EXAMPLES}/kakuro/minizinc-8x8-hard.txt"
    compiled, solved = gatesolve.compile(file, max_space=2**10), gatesolve.solve(file, max_space=2**10)
    assert solved.compiled is not None
    assert compiled.provenance.deductions == solved.compiled.provenance.deductions is not None
    assert compiled.program.space.size == solved.space_size


def test_a_circuit_that_is_run_whole_is_made_after_all_deductions() -> None:
    problem, options = as_problem(f"{EXAMPLES}/queens/linkedin-8x8.txt"), Options(max_space=2**10)
    rungs = list(climb_ladder(problem.model, options.limits(on_device=True), Clock()))
    assert [rung.setting for rung in rungs] == ["none", "propagate", "affine"]
    found = gatesolve.solve(f"{EXAMPLES}/kakuro/minizinc-6x6-hard.txt", backend="aer", max_space=2**10)
    assert (found.status, found.presolve) == ("solved", "propagate")


@pytest.mark.slow
def test_what_is_compiled_of_a_board_that_is_divided_says_so() -> None:
    compiled = gatesolve.compile(f"{EXAMPLES}/sudoku/inkala-2010.txt", encoding="one-hot", level="literal")
    assert compiled.notes[0].endswith("solve() divides it and searches the parts")
    assert compiled.program.space.size > 2**24
