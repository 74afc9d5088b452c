"""The plot of a sweep: width against cost, coloured by success."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gatesolve.costs.front import ParetoFront, Row
from gatesolve.files import replace_file
from gatesolve.puzzles.drawing import INK, figure_bytes, kind_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection

    from gatesolve.circuit.figure import Plot

LIKELY = 0.9
"""Success probability of the line of least cost, unless the sweep asks for another."""
COST = {"cx+u": ("cx", "CX"), "clifford+t": ("t", "T")}
"""What is drawn upwards, by gate set."""


def draw_front(front: ParetoFront, path: Path) -> None:
    """Write `plot_front` as PNG or SVG, by the suffix of ``path``."""
    kind = kind_of(path)
    replace_file(path, figure_bytes(plot_front(front), kind))


def plot_front(front: ParetoFront) -> Plot:
    """Draw every row, those of the front as filled dots, in one panel a gate set.

    A line joins the rows of least cost for their width among those that succeed with at least the sweep's
    ``min_success`` (0.9 if it has none). Upwards are CX, in Clifford+T T gates, on a logarithmic scale.
    """
    from gatesolve.circuit.figure import PLAIN, Plot

    sets = [gates for gates in COST if any(row.gates == gates for row in front.rows)]
    figure = Plot(1.6 + 5.2 * len(sets), 4.8)
    panels = figure.subplots(1, len(sets), squeeze=False)[0]
    drawn = [_draw_panel(axes, front, gates) for axes, gates in zip(panels, sets, strict=True)]
    figure.colorbar(drawn[0], ax=list(panels), label="success probability", pad=0.02)
    figure.suptitle(front.title, color=INK, **PLAIN)
    return figure


def _draw_panel(axes: Axes, front: ParetoFront, gates: str) -> PathCollection:
    """One gate set; returns the dots of the front."""
    from matplotlib.ticker import MaxNLocator

    field, label = COST[gates]
    best = [row for row in front.rows if row.gates == gates]
    kept = {id(row) for row in best}
    others = [row for row in front.measured if row.gates == gates and id(row) not in kept]

    def dots(rows: Sequence[Row]) -> tuple[list[int], list[float]]:
        # One gate less than one has no place on a logarithmic scale.
        return [row.qubits for row in rows], [max(row.count(field), 1.0) for row in rows]

    axes.scatter(
        *dots(others), s=14, facecolors="none", edgecolors="#b9bcc4", linewidths=0.7, label="beaten" if others else None
    )
    likely = front.limits.min_success or LIKELY
    line = _find_staircase([row for row in best if row.success >= likely - 1e-9], field)
    if line:
        axes.step(*dots(line), where="post", color=INK, linewidth=1, zorder=2, label=f"least at success ≥ {likely:g}")
    colours = [row.success for row in best]
    drawn = axes.scatter(
        *dots(best), s=42, c=colours, cmap="viridis_r", vmin=0, vmax=1, edgecolors=INK, linewidths=0.6, zorder=3,
        label="front",
    )  # fmt: skip
    axes.set_yscale("log")
    axes.set_xlabel("qubits, ancillas included")
    axes.set_ylabel(f"{label} of the whole circuit")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title(f"{gates}: {len(best)} of {len(best) + len(others)} rows on the front", fontsize=10)
    axes.grid(True, which="both", linewidth=0.3, color="#d9dbe0")
    axes.legend(fontsize=8, loc="best")
    return drawn


def _find_staircase(rows: Sequence[Row], field: str) -> list[Row]:
    """The rows that cost less than every narrower one, by width."""
    line: list[Row] = []
    for row in sorted(rows, key=lambda r: (r.qubits, r.count(field))):
        if not line or row.count(field) < line[-1].count(field):
            line.append(row)
    return line
