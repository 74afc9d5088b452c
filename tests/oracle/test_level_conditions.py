"""What each level compiles: never dearer than the level below, and no constraint twice or not at all."""

from pathlib import Path

import pytest
from conformance.spaces import marks, reference_marks

from gatesolve.api import as_problem
from gatesolve.circuit import count_cx
from gatesolve.encodings import make_spaces
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Linear, Model, NotEqual, Table, Variable
from gatesolve.oracle import assemble, conditions_at, levels

ROOT = Path(__file__).resolve().parents[2]


def model_of(names, *constraints, size=4):
    return Model(tuple(Variable(name, tuple(range(size))) for name in names), constraints)


def total(names, bound):
    return Linear(tuple((1, name) for name in names), "==", bound)


RUN = AllDifferent(tuple("abc")), total("abc", 4)
REST = AllDifferent(tuple("def"))


@pytest.mark.quick(1)
@pytest.mark.parametrize("board", ["takuzu/small.txt", "kakuro/contest.txt", "tents/sgt-4x4de-1.txt"])
def test_a_higher_level_never_takes_more_cx(board):
    """Joining the lines of the small Takuzu takes 799 CX; its constraints alone 476."""
    model = as_problem(ROOT / "examples" / board).model
    space = make_spaces(model, "binary")[0]
    cx = []
    for level in ("literal", "merged", "minimised"):
        conditions = conditions_at(level, model, space, 6)
        cx.append(count_cx(assemble(conditions, space.num_qubits, alone=level == "literal").ops))
    assert cx == sorted(cx, reverse=True)


def test_a_model_that_windows_would_make_dearer_stays_as_it_was_merged(monkeypatch):
    model = as_problem(ROOT / "examples" / "kakuro/contest.txt").model
    space = make_spaces(model, "binary")[0]
    merged = conditions_at("merged", model, space, 6)
    monkeypatch.setattr(
        levels, "minimise", lambda conditions, *_: [*conditions, *conditions_at("literal", model, space, 6)]
    )
    assert conditions_at("minimised", model, space, 6) == merged


def test_constraints_whose_table_does_not_compile_are_compiled_one_by_one(monkeypatch):
    def synthesise(constraint, space):
        if isinstance(constraint, Table):
            raise DoesNotFitError("too large")
        return levels_synthesise(constraint, space)

    levels_synthesise = levels.synthesise
    model = model_of("abcdef", *RUN, REST)
    space = make_spaces(model, "binary")[0]
    monkeypatch.setattr(levels, "synthesise", synthesise)
    for level in ("merged", "minimised"):
        conditions = conditions_at(level, model, space, 6)
        assert marks(assemble(conditions, space.num_qubits), space) == reference_marks(model, space)


def test_constraints_that_are_cheaper_alone_stay_beside_a_wider_one_that_was_not_joined():
    pair = NotEqual("a", "b"), Linear(((1, "a"), (1, "b")), "<=", 8)
    model = model_of("abcd", *pair, total("abcd", 14), size=8)
    space = make_spaces(model, "binary")[0]
    conditions = conditions_at("merged", model, space, 6)
    assert len(conditions) == 3, "each alone"
    assert marks(assemble(conditions, space.num_qubits), space) == reference_marks(model, space)


def test_a_constraint_inside_a_joined_one_is_not_compiled_again():
    model = model_of("abcdef", *RUN, REST, NotEqual("a", "b"))
    labels = [condition.label for condition in conditions_at("merged", model, make_spaces(model, "binary")[0], 6)]
    assert len(labels) == 2
    assert all(str(rule) in labels[0] for rule in RUN)
