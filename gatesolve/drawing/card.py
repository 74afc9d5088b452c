"""A puzzle's cost card: what it takes a classical solver, a device of today and an error-corrected machine."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gatesolve.costs.estimate import Estimate, format_duration
from gatesolve.errors import MissingExtraError
from gatesolve.files import check_place, replace_file
from gatesolve.model.presolve.branch import Backtracking
from gatesolve.programs.section import describe_size
from gatesolve.puzzles import Puzzle
from gatesolve.puzzles.picture import INK, ImageKind, draw_picture, figure_bytes, kind_of, load_figures, sheet_size

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MODELS: Mapping[str, str] = {"gate_ns": "nanosecond gates", "gate_us": "microsecond gates", "maj_ns": "Majorana qubits"}
"""What the estimator's qubit models assume, by the middle of their names; the end is the error rate."""
WIDTH, HEIGHT, EDGE = 12.0, 6.3, 0.4
"""Of the sheet and its margin in inches: the shape in which pages that link to a picture show it."""
BOARD = 4.7
"""Most inches of the board either way."""
RIGHT, TOP, BOTTOM = 5.55, 1.62, 0.62
"""Where the panels begin, from the left, the top and the bottom."""
PALE = "#5f6066"
COLOURS = ("#2a7f4f", "#b3541e", "#1a56c4")
"""Of the three panels."""
LETTER = 0.0082
"""Inches of width that a letter takes on average, a point of its size."""


@dataclass(frozen=True)
class CardSearch:
    """The quantum search of the whole puzzle.

    Attributes:
        qubits: of the circuit, ancillas included.
        oracle_calls: in one run.
        marked: states that the oracle marks; None where they were not counted and one is assumed.
        success: probability of one run without errors; None where it was not worked out.
    """

    states: int
    qubits: int
    oracle_calls: int
    marked: int | None
    presolve: str
    encoding: str
    level: str
    success: float | None


@dataclass(frozen=True)
class Outlook:
    """The outlook for running on a present device.

    Attributes:
        width: its qubits; None where it could not be opened.
        circuit: the best circuit's record, with its ``estimate``; None where there is none, for the ``reason``.
        drowned: whether its answers could not be told from noise.
        layouts: and routings that were tried, of which the circuit is the best.
    """

    device: str
    width: int | None
    circuit: Mapping[str, Any] | None
    reason: str
    drowned: bool = False
    layouts: int = 1


@dataclass(frozen=True)
class Card:
    """The costs of an unsolved puzzle, ready to be drawn.

    Attributes:
        classical: what plain backtracking took here.
        search: the quantum search; None where no circuit could be built.
        outlook: on a device of today.
        machines: error-corrected ones that run the search.
        missing: why there are none, one line.
    """

    puzzle: Puzzle
    title: str
    classical: Backtracking
    search: CardSearch | None
    outlook: Outlook
    machines: tuple[Estimate, ...]
    missing: str = ""

    @property
    def facts(self) -> str:
        """The search in a line."""
        if self.search is None:
            return "no circuit of the whole search"
        one = self.search
        marked = "one solution assumed" if one.marked is None else f"{one.marked} marked"
        return (
            f"{_count(one.states)} states, {marked}  ·  {one.qubits} qubits, built for few T gates  ·  "
            f"{_count(one.oracle_calls)} oracle {'call' if one.oracle_calls == 1 else 'calls'}\n"
            f"level: {one.level}  ·  presolve: {one.presolve}  ·  encoding: {one.encoding}"
        )

    @property
    def panels(self) -> tuple[Panel, Panel, Panel]:
        """The texts of the card, from today's solver to tomorrow's machine."""
        return _classical(self.classical), _device(self.outlook, self.search), _machine(self)

    def image(self, kind: ImageKind = "png") -> bytes:
        """The card as the bytes of a file, ``kind`` being ``png`` or ``svg``."""
        return figure_bytes(card_figure(self.puzzle, self.title, self.facts, self.panels), kind)

    def draw(self, path: Path | str) -> None:
        """Write the card as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        replace_file(Path(path), self.image(kind_of(Path(path))))

    def _repr_png_(self) -> bytes | None:
        with suppress(MissingExtraError):
            return self.image()
        return None

    def as_dict(self) -> dict[str, Any]:
        """Its numbers, for JSON."""
        return {
            "title": self.title,
            "classical": asdict(self.classical),
            "search": None if self.search is None else asdict(self.search),
            "device": asdict(self.outlook),
            "machines": [asdict(one) for one in self.machines],
            "missing": self.missing,
        }


def check_card_place(path: Path) -> None:
    """Refuse a place that no card can be written to, before the work and not after it."""
    kind_of(path)
    check_place(path)


def _count(number: int) -> str:
    # Longer numbers do not fit a line, so they are written as powers.
    return f"{number:,}" if number < 10**10 else describe_size(number)


def _classical(run: Backtracking) -> Panel:
    # The first node is the board as it is given; every other one is a guess of a value.
    guesses = f"{run.nodes - 1:,} {'guess' if run.nodes == 2 else 'guesses'}"
    how = f"measured here: plain deduction and backtracking, {guesses}"
    better = "better classical solvers exist: this card shows no quantum advantage"
    if not run.finished:
        return Panel("A classical solver", f"over {format_duration(run.seconds)}", (f"{how}, then stopped", better))
    end = () if run.found else ("it proved that there is no solution",)
    return Panel("A classical solver", format_duration(run.seconds), (how, *end, better))


def _device(outlook: Outlook, search: CardSearch | None) -> Panel:
    heading = f"Today's quantum computer: {outlook.device}"
    if outlook.circuit is None:
        # The device could not be opened, so its size is unknown.
        if outlook.width is None:
            return Panel(heading, "not estimated", (outlook.reason,))
        # This reason comes first: no other would matter on a larger device.
        if search is not None and search.qubits > outlook.width:
            wide = f"counted: the whole search takes {search.qubits} qubits, the device has {outlook.width}"
            return Panel(heading, "does not fit", (wide,))
        return Panel(heading, "no circuit", (outlook.reason.partition(": ")[0],))
    found = outlook.circuit["estimate"]
    calls, gates = outlook.circuit["iterations"], f"{found['two_qubit']:,} two-qubit gates"
    made = f"built for few CX: {calls} {'iteration' if calls == 1 else 'iterations'}, {found['qubits']} qubits, {gates}"
    if outlook.layouts > 1:
        made += f", best of {outlook.layouts} layouts"
    # Without reported errors there is nothing to estimate from.
    if found["expected"] is None:
        return Panel(heading, "not estimated", (f"{made}; the device reports no errors",))
    clean = f"estimated from its reported errors: {found['fidelity']:.2g} of the shots have no error"
    if outlook.drowned:
        return Panel(heading, "drowned in noise", (made, clean))
    chance = f"random bits would be right in {found['chance']:.2g} of the shots"
    return Panel(heading, f"{found['expected']:.0%} of shots right", (made, clean, chance))


def _machine(card: Card) -> Panel:
    heading = "An error-corrected quantum computer"
    if not card.machines:
        return Panel(heading, "not estimated", (card.missing,))
    first, *others = card.machines
    chance, sure = None if card.search is None else card.search.success, ""
    if chance is not None:
        # Nothing is rounded to certainty.
        sure = f", right with probability {'over 0.999' if chance > 0.999 else f'{chance:.3f}'}"
    lines = [f"estimated for one run{sure}", f"these figures: {_describe_model(first)}"]
    lines += [f"with {_describe_model(one)}: {_describe_cost(one)}" for one in others]
    return Panel(heading, _describe_cost(first), tuple(lines))


def _describe_cost(machine: Estimate) -> str:
    number = machine.physical_qubits
    qubits = f"{number:,}" if number < 1_000_000 else f"{number / 1e6:.3g} million"
    return f"{format_duration(machine.seconds)}, {qubits} qubits"


def _describe_model(machine: Estimate) -> str:
    name = machine.model.removeprefix("qubit_")
    # The estimator's names are like ``qubit_gate_ns_e3``: the technology, then the exponent of the error rate.
    middle, _, rate = name.rpartition("_e")
    return f"{MODELS.get(middle, name)}, error rate 1e-{rate}"


class Panel(NamedTuple):
    """One part of the card: who solves the puzzle, the number, and what stands behind it."""

    heading: str
    headline: str
    lines: tuple[str, ...]


def card_figure(puzzle: Puzzle, title: str, facts: str, panels: Sequence[Panel]) -> Figure:
    """The card as a figure."""
    figure: Figure = load_figures().Figure(figsize=(WIDTH, HEIGHT), facecolor="white")
    _write(figure, (EDGE, 0.32), title, 19, INK, WIDTH - 2 * EDGE, lines=1, weight="bold")
    for number, line in enumerate(facts.split("\n")):
        _write(figure, (EDGE, 0.82 + 0.25 * number), line, 11.5, PALE, WIDTH - 2 * EDGE, lines=1)
    _draw_board(figure, puzzle)
    step = (HEIGHT - TOP - BOTTOM) / len(panels)
    for number, (panel, colour) in enumerate(zip(panels, COLOURS, strict=True)):
        _draw_panel(figure, panel, TOP + number * step, step - 0.12, colour)
    told = "gatesolve  ·  nothing was run on a quantum computer: times of the classical solver are measured, the rest"
    _write(figure, (EDGE, HEIGHT - 0.42), f"{told} is counted or estimated", 9, PALE, WIDTH - 2 * EDGE, lines=1)
    return figure


def _draw_board(figure: Figure, puzzle: Puzzle) -> None:
    """The board as large as its place allows, in the middle of it."""
    picture = puzzle.picture({}, drawing=True)
    rows, columns = sheet_size(picture)
    height = HEIGHT - TOP - BOTTOM
    # At most 1.2 inches, so that tiny boards do not fill the card with a few huge cells.
    cell = min(BOARD / columns, height / rows, 1.2)
    left = EDGE + (BOARD - cell * columns) / 2
    low = BOTTOM + (height - cell * rows) / 2
    axes = figure.add_axes((left / WIDTH, low / HEIGHT, cell * columns / WIDTH, cell * rows / HEIGHT))
    draw_picture(picture, axes, cell * 72)


def _draw_panel(figure: Figure, panel: Panel, top: float, height: float, colour: str) -> None:
    from matplotlib.patches import Rectangle

    place = (RIGHT / WIDTH, 1 - (top + height) / HEIGHT)
    figure.add_artist(Rectangle(place, 0.07 / WIDTH, height / HEIGHT, facecolor=colour, edgecolor="none"))
    left, wide = RIGHT + 0.22, WIDTH - EDGE - RIGHT - 0.22
    _write(figure, (left, top), panel.heading, 11, colour, wide, lines=1, weight="bold")
    _write(figure, (left, top + 0.24), panel.headline, 21, INK, wide, lines=1, weight="bold")
    _write(figure, (left, top + 0.68), "\n".join(panel.lines), 10, PALE, wide, lines=3)


def _write(
    figure: Figure,
    corner: tuple[float, float],
    text: str,
    points: float,
    colour: str,
    wide: float,
    lines: int,
    **style: Any,
) -> None:
    """A text from its upper left corner in inches, folded to a width; what is beyond the lines is cut with dots."""
    # Bold letters are about 8 % wider. Matplotlib knows true widths only after drawing.
    letters = int(wide / (LETTER * points * (1.08 if style else 1)))
    folded = [line for part in text.split("\n") for line in textwrap.wrap(part, letters)]
    if len(folded) > lines:
        folded = [*folded[: lines - 1], textwrap.shorten(" ".join(folded[lines - 1 :]), letters, placeholder=" ...")]
    left, top = corner
    # Matplotlib counts from the lower left corner, in parts of the figure.
    figure.text(
        left / WIDTH, 1 - top / HEIGHT, "\n".join(folded), color=colour, fontsize=points, va="top", linespacing=1.3,
        parse_math=False, **style,
    )  # fmt: skip
