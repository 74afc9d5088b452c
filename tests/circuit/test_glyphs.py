"""Every operation is drawn as itself, on all its wires."""

import pytest

from gatesolve.circuit import And, AndNot, Gate, Mcx, Mux, Parity, PhaseFlip, Xor

A, B, C = Parity((0, 1)), Parity((2,), True), Parity((3,))
DRAWN = {
    And(A, B, 4): ("and", "∧", (0, 1, 2), 4),
    And(A, B, 4, undo=True): ("undo", "†", (0, 1, 2), 4),
    AndNot(C, A, B, 4): ("and", "∧¬", (3, 0, 1, 2), 4),
    Mux(C, A, B, 4): ("and", "?:", (3, 0, 1, 2), 4),
    Xor(A, 4): ("xor", "+", (0, 1), 4),
    Mcx(((0, True), (2, False)), 4): ("and", "+", (0, 2), 4),
    PhaseFlip((A, B)): ("phase", "Z", (0, 1, 2), None),
    Gate("h", (4,)): ("gate", "H", (), 4),
    Gate("rz", (4,), (0.5,)): ("gate", "RZ", (), 4),
    Gate("cx", (0, 4)): ("xor", "+", (0,), 4),
    Gate("cz", (0, 4)): ("phase", "Z", (0, 4), None),
}


@pytest.mark.parametrize(("op", "said"), DRAWN.items(), ids=map(str, DRAWN))
def test_a_drawing_shows_the_wires_of_its_operation(op, said):
    drawn = op.glyph()
    assert (drawn.kind, drawn.sign, drawn.dots, drawn.target) == said
