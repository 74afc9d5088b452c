"""Pictures of the documentation: their numbers are those of a run today, and no operation is drawn as another."""

import tomllib

import make_overview
import make_pictures
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

import gatesolve
from gatesolve.circuit import Parity, PhaseFlip

HEIGHTS = {wire: float(wire) for wire in range(5)}
A, B, C = Parity((0, 1)), Parity((2,), True), Parity((3,))


def test_the_overview_shows_what_the_command_gives():
    result = make_overview.run()
    assert make_pictures.read_stamp(make_overview.PICTURE) == make_overview.figures(result)


@pytest.mark.sampled(0.3)
def test_the_card_shows_what_the_command_gives():
    card = gatesolve.card(make_overview.ROOT / "examples" / make_pictures.CARD)
    assert make_pictures.read_stamp(make_pictures.PICTURES / "card.png") == make_pictures.card_figures(card)


def test_the_overview_fails_where_it_has_no_place():
    with pytest.raises(ValueError, match=r"no place for"):
        make_overview.draw_operation(Figure().add_subplot(), 0.0, PhaseFlip((A, B)), HEIGHTS)


def test_the_extra_that_the_page_names_draws_single_gates():
    page = (make_overview.ROOT / "docs/notebooks.md").read_text(encoding="utf-8")
    extras = tomllib.loads((make_overview.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = extras["optional-dependencies"]
    assert '`pip install ".[draw]"`' in page
    assert [one.split(">")[0] for one in named["draw"]] == ["gatesolve-circuits[plots]", "pylatexenc"]
    assert any(",draw," in one for one in named["test"])
    program = gatesolve.compile(make_overview.ROOT / "examples/kakuro/small.txt", presolve="none").program
    figure = program.lowered.draw("mpl")
    assert figure.axes
    pyplot.close(figure)
