"""Pictures of the documentation: their numbers are those of a run today, and no operation is drawn as another."""

import make_overview
import make_pictures
import pytest
from matplotlib.figure import Figure

import gatesolve
from gatesolve.circuit import And, AndNot, Gate, Parity, PhaseFlip, Xor

HEIGHTS = {wire: float(wire) for wire in range(5)}
A, B, C = Parity((0, 1)), Parity((2,), True), Parity((3,))


def test_the_overview_shows_what_the_command_gives():
    result = make_overview.run()
    assert make_pictures.read_stamp(make_overview.PICTURE) == make_overview.figures(result)


@pytest.mark.slow
def test_the_card_shows_what_the_command_gives():
    card = gatesolve.card(make_overview.ROOT / "examples" / make_pictures.CARD)
    assert make_pictures.read_stamp(make_pictures.PICTURES / "card.png") == make_pictures.card_figures(card)


@pytest.mark.parametrize(
    ("op", "sign", "dots"),
    [(And(A, B, 4), "∧", 3), (AndNot(C, A, B, 4), "∧¬", 4), (Xor(A, 4), "+", 2), (PhaseFlip((C,)), "Z", 0)],
    ids=str,
)
def test_the_overview_draws_each_operation_as_itself(op, sign, dots):
    axes = Figure().add_subplot()
    make_overview.draw_operation(axes, 0.0, op, HEIGHTS)
    assert [text.get_text() for text in axes.texts] == [sign]
    assert sum(type(patch).__name__ == "Circle" for patch in axes.patches) == dots


@pytest.mark.parametrize(
    "op", [Gate("cswap", (0, 1, 2)), PhaseFlip((A, B)), object()], ids=["gate", "phase of parities", "no operation"]
)
def test_the_overview_fails_where_it_has_no_drawing(op):
    with pytest.raises(ValueError, match=r"no drawing is known for the (gate cswap|operation object)|no place for"):
        make_overview.draw_operation(Figure().add_subplot(), 0.0, op, HEIGHTS)
