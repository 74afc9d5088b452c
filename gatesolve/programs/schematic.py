"""The picture of a program by its named operations: a row for each block, a column for each step.

Texts from a file are drawn unchanged. Blocks and conditions beyond a limit are replaced by their number, so that the
picture stays readable.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from gatesolve.circuit.figure import INK, MARK, OTHER, PLAIN, SOLUTION, Plot, shorten
from gatesolve.encodings.space import Space
from gatesolve.oracle.condition import Condition
from gatesolve.programs.section import Section, describe_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROWS = 24
"""Most blocks with a row each; the last row is of all others."""
SHOWN = 32
"""Most conditions with a column each."""
LABEL, ROW, COLUMN, BOX, LINE, TOP = 2.1, 0.34, 0.27, 0.52, 0.19, 1.0
"""Inches: the rows' labels, a row, a condition, a box, a line of the list of conditions, what is above the rows."""


def draw_sections(space: Space, sections: Sequence[Section], num_ancillas: int, title: str) -> Plot:
    """Draw sections that follow one another; those of one name in a row are drawn once, with their number."""
    grouped = groupby((one for one in sections if one.times), key=lambda one: one.name)
    runs = [(run[0], sum(one.times for one in run)) for run in (list(run) for _, run in grouped)]
    asked = [one.oracle.conditions for one, _ in runs if one.oracle is not None]
    conditions = max(asked, key=len, default=())
    lines = min(len(conditions), SHOWN) + (len(conditions) > SHOWN)
    # A block of one value has no qubit.
    blocks = [k for k, block in enumerate(space.blocks) if block.num_qubits]
    rows = min(len(blocks), ROWS)
    width = max(LABEL + sum(_width(one) + 0.3 for one, _ in runs) + BOX + 0.4, 5.5)
    columns = max(1, int(width // 4))
    height = TOP + ROW * (rows + (num_ancillas > 0)) + 0.35 + LINE * -(-lines // columns)
    sheet = _Sheet(space, blocks, num_ancillas, width, height)
    # What an early check asks is asked again by the oracle, under the same number.
    sheet.numbers |= {c.label: k + 1 for k, c in enumerate(conditions)}
    sheet.axes.text(0.1, 0.22, shorten(title, int(width * 12)), color=INK, fontsize=9, va="center", **PLAIN)
    at = LABEL
    for one, times in runs:
        if one.name == "iteration" and any(other.name == "early" for other, _ in runs):
            sheet.reflection = "early check undone, reflection, early check"
        at = sheet.add_run(one, times, at) + 0.3
    sheet.add_box(at, "measure", range(rows), OTHER)
    sheet.list_conditions(conditions, columns)
    return sheet.figure


def _width(section: Section) -> float:
    if section.oracle is None:
        return BOX
    shown = min(len(section.oracle.conditions), SHOWN) + (len(section.oracle.conditions) > SHOWN)
    return COLUMN * max(shown, 1) + 3 * (BOX + 0.08) + 0.1


class _Sheet:
    """The sheet that is drawn on, in inches from its top left."""

    def __init__(self, space: Space, blocks: Sequence[int], num_ancillas: int, width: float, height: float) -> None:
        self.figure = Plot(width, height, layout=None)
        self.axes: Axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_xlim(0, width)
        self.axes.set_ylim(height, 0)
        self.axes.set_axis_off()
        self.numbers: dict[str, int] = {}
        self.reflection = "reflection"
        rows = min(len(blocks), ROWS)
        self.rows, self.all_rows = rows, rows + (num_ancillas > 0)
        self.home = {q: min(row, rows - 1) for row, k in enumerate(blocks) for q in space.block_qubits(k)}
        for row in range(rows):
            here = blocks[row:] if row == rows - 1 else [blocks[row]]
            names = ", ".join(space.blocks[here[0]].variables) if len(here) == 1 else f"{len(here)} more blocks"
            self._add_row(row, shorten(names, 20), sum(space.blocks[k].num_qubits for k in here), width)
        if num_ancillas:
            self._add_row(rows, "ancillas", num_ancillas, width)

    def _add_row(self, row: int, name: str, qubits: int, width: float) -> None:
        y, colour = self._height(row), OTHER if row == self.rows else "#7b808c"
        self.axes.plot([LABEL - 0.35, width - 0.1], [y, y], color=colour, linewidth=1.2, zorder=0)
        self.axes.text(LABEL - 0.4, y, name, color=INK, fontsize=8, ha="right", va="center", **PLAIN)
        # A stroke through a wire with a number: so many qubits.
        self.axes.plot([LABEL - 0.27, LABEL - 0.19], [y + 0.06, y - 0.06], color=INK, linewidth=0.8)
        self.axes.text(LABEL - 0.2, y - 0.1, str(qubits), color=INK, fontsize=6.5, ha="center", va="center")

    def _height(self, row: float) -> float:
        return TOP + ROW * (row + 0.5)

    def add_run(self, section: Section, times: int, at: float) -> float:
        """Draw a section with how often it is done; returns where it ends."""
        end = at + _width(section)
        if times > 1:
            self._frame(at - 0.07, end + 0.07, f"{describe_size(times)} times", 0.26, MARK)
        if section.oracle is None:
            whole = self.rows if section.name == "preparation" else self.all_rows
            self.add_box(at, section.name, range(whole), "#e8eefb")
            return end
        conditions = section.oracle.conditions
        middle = end - BOX - 0.08
        self._frame(at - 0.02, middle - 0.02, f"oracle: {section.oracle.style}", 0.03, SOLUTION)
        for k, condition in enumerate(conditions[:SHOWN]):
            self._add_condition(at + COLUMN * (k + 0.5), condition, str(self.numbers.get(condition.label, k + 1)))
        if len(conditions) > SHOWN:
            middle_x = at + COLUMN * (SHOWN + 0.5)
            self.axes.text(middle_x, self._height(self.all_rows / 2), "…", color=INK, ha="center")
        step = at + COLUMN * max(1, min(len(conditions), SHOWN) + (len(conditions) > SHOWN)) + 0.03
        said = "−1 where all hold" if conditions else "−1 on what is looked for"
        self.add_box(step, said, range(self.all_rows), SOLUTION, "white")
        self.add_box(step + BOX + 0.08, "undo", range(self.all_rows), "#e8eefb")
        self.add_box(end - BOX, self.reflection, range(self.rows), "#fdf0e7")
        return end

    def _add_condition(self, x: float, condition: Condition, number: str) -> None:
        """Draw a condition: a dot on each block that it reads, its number on the ancillas."""
        read = sorted({self.home[q] for q in condition.qubits if q in self.home})
        bottom = self._height(self.all_rows - 1)
        tops = [self._height(row) for row in read] or [bottom]
        self.axes.plot([x, x], [tops[0], max(bottom, tops[-1])], color=INK, linewidth=0.9)
        self.axes.scatter([x] * len(read), [self._height(row) for row in read], s=18, color=INK, zorder=3)
        place = bottom if self.all_rows > self.rows else bottom + ROW * 0.6
        self.axes.scatter([x], [place], s=90, facecolor="white", edgecolor=INK, linewidth=0.8, zorder=4)
        self.axes.text(x, place, number, fontsize=6, color=INK, ha="center", va="center", zorder=5)

    def add_box(self, at: float, text: str, rows: range, fill: str, colour: str = INK) -> None:
        """Draw a box across rows, with its text along it."""
        from matplotlib.patches import Rectangle

        top, bottom = self._height(rows.start) - 0.13, self._height(rows.stop - 1) + 0.13
        self.axes.add_patch(
            Rectangle((at, top), BOX, bottom - top, facecolor=fill, edgecolor=INK, linewidth=0.9, zorder=2)
        )
        high = bottom - top
        said = text if high > 1.35 or len(text) < 9 else text.replace(" where", "\nwhere").replace(" on", "\non")
        turned = 90 if high > 0.75 else 0
        size = 8 if high > 1 else 6.5
        self.axes.text(
            at + BOX / 2, (top + bottom) / 2, said, rotation=turned, fontsize=size, color=colour, ha="center",
            va="center", zorder=3, **PLAIN,
        )  # fmt: skip

    def _frame(self, left: float, right: float, text: str, above: float, colour: str) -> None:
        """Draw a dashed frame around steps, with a word above it."""
        from matplotlib.patches import Rectangle

        top, bottom = TOP - above, self._height(self.all_rows - 1) + 0.2 + above / 4
        self.axes.add_patch(
            Rectangle(
                (left, top), right - left, bottom - top, fill=False, edgecolor=colour, linestyle=(0, (4, 2)),
                linewidth=1, zorder=1,
            )
        )  # fmt: skip
        self.axes.text(left, top - 0.03, text, color=colour, fontsize=8, va="bottom")

    def list_conditions(self, conditions: Sequence[Condition], columns: int) -> None:
        """List the conditions by their numbers, below the rows."""
        told = [f"{k + 1}  {c.label or c.method}" for k, c in enumerate(conditions[:SHOWN])]
        more = len(conditions) - SHOWN
        told += [f"… and {more} more conditions"] * (more > 0)
        first, each = self._height(self.all_rows) + 0.2, -(-len(told) // columns)
        for k, line in enumerate(told):
            x, y = 0.1 + 4 * (k // each), first + LINE * (k % each)
            self.axes.text(x, y, shorten(line, 62), color=INK, fontsize=7, va="center", **PLAIN)
