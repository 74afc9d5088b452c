"""Problems and spaces as JSON: they come back equal, and damage is refused in one line."""

import json
from fractions import Fraction

import kept
import pytest
from contest_kakuro import K7
from hypothesis import given, settings
from strategies import models

from gatesolve.api import as_problem
from gatesolve.api.problem import Problem
from gatesolve.api.problem_record import record_problem, restore_problem
from gatesolve.encodings import Space
from gatesolve.errors import GatesolveError, InputError
from gatesolve.model import Fixed, Looked, Recovery, Weighted
from gatesolve.model.presolve import presolve
from gatesolve.pipelines.converter import structure, unstructure
from gatesolve.puzzles import examples, parse
from gatesolve.qubo import Qubo


def through_json(data):
    return json.loads(json.dumps(data))


def read_again(value):
    """Recorded and read again."""
    data = unstructure(value)
    assert through_json(data) == data
    return structure(through_json(data), type(value))


@given(models())
@settings(max_examples=40)
def test_a_model_comes_back(model):
    assert read_again(model) == model


@pytest.mark.parametrize("encoding", ["one-hot", "binary", "domain-wall", "table"])
def test_a_space_decodes_as_before(encoding):
    space = kept.compiled(K7, encoding=encoding, presolve="none", iterations=0).program.space
    again = read_again(space)
    for number in range(0, space.size, max(1, space.size // 50)):
        state = space.state(number)
        assert again.decode(state) == space.decode(state) == again.assignment(number)
    assert (again.size, again.num_qubits) == (space.size, space.num_qubits)


def test_a_recovery_comes_back():
    steps = (
        Fixed("a", 3),
        Weighted("b", ((2, "c"), (-1, "d")), 1),
        Looked("e", ("c", "d"), (((1, 2), 3), ((0, 0), -1))),
    )
    recovery = Recovery(("a", "b", "c", "d", "e"), steps)
    again = read_again(recovery)
    assert again == recovery
    assert again.recover({"c": 1, "d": 2}) == {"a": 3, "b": 1, "c": 1, "d": 2, "e": 3}


def test_the_recovery_of_a_puzzle_comes_back():
    _, recovery = presolve(as_problem(parse({n: t for n, _, t in examples()}["kakuro"])).model, "affine")
    assert read_again(recovery) == recovery


@pytest.mark.parametrize(("family", "text"), [(name, text) for name, _, text in examples()])
def test_a_puzzle_comes_back_with_its_rules(family, text):
    problem = as_problem(parse(text, family))
    again = restore_problem(through_json(record_problem(problem)))
    assert again.puzzle == problem.puzzle
    assert again.model == problem.model


def test_a_qubo_comes_back_exactly():
    qubo = Qubo.of(("a", "b"), {(): 0.1, (0,): -3, (0, 1): Fraction(1, 3), (1,): 2.5e-7})
    problem = as_problem(qubo)
    assert restore_problem(through_json(record_problem(problem))) == Problem(
        problem.model, qubo=problem.qubo, name=problem.title
    )


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d["blocks"][0].pop("kind"),
        lambda d: d["blocks"][0].update(kind=3),
        lambda d: d["blocks"][0].update(codewords=["zz"]),
        lambda d: d["blocks"][0].update(codewords=["0"] * len(d["blocks"][0]["tuples"])),
        lambda d: d["blocks"][0].update(num_qubits=0),
        lambda d: d["blocks"][0].update(tuples=[1]),
        lambda d: d.update(blocks=None),
    ],
)
def test_a_damaged_space_is_refused(spoil):
    data = through_json(unstructure(kept.compiled(K7, encoding="table", presolve="none").program.space))
    spoil(data)
    with pytest.raises(InputError, match="the record of a job"):
        structure(data, Space)


@pytest.mark.parametrize("data", [{}, {"kind": "x"}, {"kind": "model", "model": {}}, {"kind": "puzzle", "text": 3}, []])
def test_a_damaged_problem_is_refused(data):
    with pytest.raises(GatesolveError):
        restore_problem(data)
