"""Every operation is drawn as itself, on all its wires; one that no drawing knows is refused by name."""

from dataclasses import dataclass
from typing import get_args

import pytest

from gatesolve.circuit import And, AndNot, Gate, Mcx, Op, Parity, PhaseFlip, Xor
from gatesolve.circuit.glyph import draw_op
from gatesolve.web.story import _tell_op

A, B, C = Parity((0, 1)), Parity((2,), True), Parity((3,))
DRAWN = {
    And(A, B, 4): ("and", "∧", (0, 1, 2), 4),
    And(A, B, 4, undo=True): ("undo", "†", (0, 1, 2), 4),
    AndNot(C, A, B, 4): ("and", "∧¬", (3, 0, 1, 2), 4),
    Xor(A, 4): ("xor", "+", (0, 1), 4),
    Mcx(((0, True), (2, False)), 4): ("and", "+", (0, 2), 4),
    PhaseFlip((A, B)): ("phase", "Z", (0, 1, 2), None),
    Gate("h", (4,)): ("gate", "H", (), 4),
    Gate("rz", (4,), (0.5,)): ("gate", "RZ", (), 4),
    Gate("cx", (0, 4)): ("xor", "+", (0,), 4),
    Gate("cz", (0, 4)): ("phase", "Z", (0, 4), None),
}


@dataclass(frozen=True)
class Swap:
    """An operation that a later version might add."""

    target: int


def test_every_class_of_operations_has_a_drawing():
    classes = {part for kind in get_args(Op) for part in (get_args(kind) or (kind,))}
    assert {type(op) for op in DRAWN} == classes


@pytest.mark.parametrize(("op", "said"), DRAWN.items(), ids=map(str, DRAWN))
def test_a_drawing_shows_the_wires_of_its_operation(op, said):
    drawn = draw_op(op)
    assert (drawn.kind, drawn.sign, drawn.dots, drawn.target) == said


@pytest.mark.parametrize(
    ("op", "name"), [(Swap(0), "operation Swap"), (Gate("cswap", (0, 1, 2)), "gate cswap on 3 qubits")]
)
@pytest.mark.parametrize("draw", [draw_op, _tell_op])
def test_an_unknown_operation_is_refused_by_name(draw, op, name):
    with pytest.raises(ValueError, match=f"no drawing is known for the {name}"):
        draw(op)
