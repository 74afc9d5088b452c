"""What whoever watches a search is told, and when."""

import cpmpy as cp
import numpy as np
import pytest
from divided_boards import infeasible

import gatesolve
from gatesolve.api import LeafEvent, PartReached
from gatesolve.pipelines import Accepted, AnglesTried, Compiled, Improved, LayersFollowed
from gatesolve.planning import Layout, Presolved
from gatesolve.puzzles import parse

SUDOKU = parse("box 2x2\n2.43\n..2.\n....\n.23.\n", "sudoku")
KAKURO = parse("values 0..3\n#   3\\\\  4\\\\\n\\\\3  .   .\n\\\\4  .   .\n".replace("\\\\", "\\"), "kakuro")


def watch(puzzle, **options):
    told = []
    return told, gatesolve.solve(puzzle, on_event=told.append, **options)


def test_a_search_is_told_in_the_order_of_its_making():
    told, found = watch(SUDOKU)
    assert [type(event) for event in told] == [Presolved, Layout, Compiled, Accepted]
    presolved, layout, compiled, accepted = told
    assert accepted.solution == found.solution
    assert presolved.provenance.presolve == found.presolve
    assert layout.space in presolved.spaces
    assert compiled.layout.space is layout.space is found.compiled.layout.space


def test_solutions_are_known_before_there_is_an_oracle():
    told, found = watch(SUDOKU)
    marked = told[0].mark_solutions()
    assert (marked.size, len(marked.numbers)) == (found.space_size, found.compiled.certificate.marked)
    space = told[0].spaces[0]
    for number in marked.numbers.tolist():
        assert told[0].model.check(space.assignment(number))


def test_a_descent_is_told_as_it_falls():
    told, found = watch(SUDOKU, pipeline="gas")
    steps = [(e.oracle_calls, e.energy, e.iterations) for e in told if isinstance(e, Improved)]
    known = zip(found.details.improvements, found.details.energies, strict=True)
    assert steps == [(step.oracle_calls, energy, step.iterations) for step, energy in known]


@pytest.mark.parametrize("pipeline", ["grover", "gas"])
def test_what_is_accepted_is_told_as_it_gets_better(pipeline):
    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 3, name="y")
    told, found = watch(cp.Model(x + y <= 5, maximize=x * y), pipeline=pipeline)
    values = [event.solution["x"] * event.solution["y"] for event in told if isinstance(event, Accepted)]
    assert values == sorted(set(values))
    assert values[-1] == found.energy == 6
    assert found.optimal


@pytest.mark.slow
def test_layers_are_followed_from_a_uniform_draw_to_the_state():
    told, found = watch(KAKURO, pipeline="qaoa", layers=2)
    ansatz = found.compiled.details
    tried = [event for event in told if isinstance(event, AnglesTried)]
    (layers,) = (event for event in told if isinstance(event, LayersFollowed))
    assert tried[-1].best == min(event.value for event in tried) == ansatz.outcome.value
    assert tried[-1].evaluations == ansatz.outcome.evaluations <= tried[-1].most
    assert layers.chances.shape == (3, len(layers.costs))
    uniform = np.bincount(np.unique(ansatz.ranked.costs, return_inverse=True)[1]) / len(ansatz.ranked.costs)
    assert layers.chances[0] == pytest.approx(uniform)
    assert layers.success[-1] == pytest.approx(ansatz.success_probability)
    assert layers.chances @ layers.costs == pytest.approx(layers.means)


def test_parts_are_told_before_they_are_searched():
    told, found = watch(infeasible(5), max_space=16, encoding="binary")
    steps = [event for event in told if isinstance(event, PartReached | LeafEvent)]
    parts, leaves = steps[::2], steps[1::2]
    assert len(parts) == len(leaves) == len(found.division.leaves)
    assert [event.part.path for event in parts] == [event.record.path for event in leaves]
    assert all(event.part not in event.frontier.waiting for event in parts)
