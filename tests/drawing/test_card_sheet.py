"""No text of a card runs over its edge or into the next panel, whatever the board says."""

from itertools import pairwise
from pathlib import Path

import pytest

from gatesolve.drawing.card import HEIGHT, WIDTH, Panel, card_figure
from gatesolve.puzzles import load

EXAMPLES = Path(__file__).parents[2] / "examples"
BOARDS = ("queens/linkedin-18x18.txt", "tents/sgt-15x15dt-2.txt")
LONG = "a sentence of $many words_that is^ far too long for the place it is given, said once more. " * 6
PANELS = [Panel(LONG, "10.3 years, 28.7 million qubits" * 3, (LONG,)) for _ in range(3)]


def boxes(figure):
    """Where the texts of the sheet itself stand, in inches from the lower left corner."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(figure).get_renderer()
    return [text.get_window_extent(renderer).transformed(figure.dpi_scale_trans.inverted()) for text in figure.texts]


@pytest.mark.parametrize("board", BOARDS)
def test_long_texts_stay_in_their_place(board):
    found = boxes(card_figure(load(EXAMPLES / board), LONG, f"{LONG}\n{LONG}", PANELS))
    assert len(found) == 3 + 3 * 3 + 1
    assert all(box.x0 >= 0 and box.x1 <= WIDTH and box.y0 >= 0 and box.y1 <= HEIGHT for box in found)
    assert all(upper.y0 >= lower.y1 - 0.02 for upper, lower in pairwise(found))


@pytest.mark.quick(1)
@pytest.mark.parametrize("board", BOARDS)
def test_the_board_stays_left_of_the_panels_and_below_the_title(board):
    figure = card_figure(load(EXAMPLES / board), "board", "facts", PANELS)
    (axes,) = figure.axes
    place = axes.get_position()
    assert 0 < place.x0 < place.x1 < 5.3 / WIDTH
    assert 0 < place.y0 < place.y1 < 1 - 1.6 / HEIGHT
    (rows, columns) = abs(axes.get_ylim()[1] - axes.get_ylim()[0]), abs(axes.get_xlim()[1] - axes.get_xlim()[0])
    assert place.width * WIDTH / columns == pytest.approx(place.height * HEIGHT / rows)
