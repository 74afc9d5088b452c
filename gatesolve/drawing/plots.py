"""Plots of results: measured outcomes, success by iterations, landscapes of angles, fronts of sweeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gatesolve.circuit.figure import INK, MARK, OTHER, PLAIN, SOLUTION, Plot, count_ticks, shorten
from gatesolve.costs.front import ParetoFront, Row
from gatesolve.files import replace_file
from gatesolve.gate_sets import GATE_SETS
from gatesolve.pipelines.chart import Chart, Energies, Falling, Outcomes
from gatesolve.puzzles.picture import figure_bytes, kind_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection


BARS = 14
"""Most outcomes with a bar each."""
NAMED = 5
"""Most variables whose names stand before their values."""
LEVELS = 40
"""Most energies with a bar each; more are grouped into this many bins."""
DOTS = 60
"""Most iterations with a dot each."""
POINTS = 400
"""Most iterations that are computed."""
LIKELY = 0.9
"""Success probability of the line of least cost, unless the sweep asks for another."""


def draw_chart(chart: Chart, title: str) -> Plot:
    """Return the plot of a chart, with a title."""
    bars = min(len(chart.measured), BARS + 1) if isinstance(chart, Outcomes) else 0
    figure = Plot(7.5, 1.6 + 0.26 * max(bars, 4) if bars else 4.2)
    axes = figure.open_axes(title)
    axes.margins(x=0.1)
    match chart:
        case Outcomes():
            _draw_outcomes(axes, chart)
        case Energies():
            _draw_energies(axes, chart)
        case Falling():
            _draw_falling(axes, chart)
    if axes.get_legend_handles_labels()[0]:
        figure.legend(fontsize=8, loc="outside lower center", ncols=4, frameon=False)
    return figure


def _draw_outcomes(axes: Axes, chart: Outcomes) -> None:
    """Draw a bar for each outcome, the most frequent on top, dark for solutions; the rest as one bar per kind."""
    shots = sum(one.shots for one in chart.measured)
    bars = [(_describe(one.values), one.shots, one.accepted) for one in chart.measured[:BARS]]
    rest = chart.measured[BARS:]
    for accepted, kind in ((True, "more, solutions"), (False, "more, no solutions")):
        # Identity, because None means that it is not known whether an outcome is a solution.
        group = [one.shots for one in rest if one.accepted is accepted]
        # Multiplying by a truth value leaves out a bar of nothing.
        bars += [(f"{len(group):,} {kind}", sum(group), accepted)] * bool(group)
    places = range(len(bars))
    for accepted, label, colour, hatch in ((True, "solution", SOLUTION, ""), (False, "no solution", OTHER, "///")):
        here = [k for k in places if bars[k][2] is accepted]
        if here:
            axes.barh(
                here, [bars[k][1] for k in here], height=0.72, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.6,
                label=label,
            )  # fmt: skip
    for k in places:
        axes.annotate(
            f"{bars[k][1]:,}", (bars[k][1], k), (3, 0), textcoords="offset points", va="center", fontsize=8, color=INK
        )
    axes.set_yticks(list(places), [label for label, _, _ in bars], fontsize=8, **PLAIN)
    guess = shots / chart.states
    axes.axvline(guess, color=MARK, linestyle=":", linewidth=1.4, label="each, by guessing")
    axes.set_xlabel(f"times measured, of {shots:,}")
    axes.set_ylim(max(len(bars), 4) - 0.5, -0.5)
    values = chart.measured[0].values or {}
    if len(values) > NAMED:
        named = f"values of {', '.join(values)}"
        fits = len(named) <= 5 * len(bars)
        axes.set_ylabel(named if fits else f"values of\n{len(values)} variables", fontsize=8, **PLAIN)


def _describe(values: Mapping[str, int] | None) -> str:
    """Return an outcome in a few words: in full if it is short, else its values alone."""
    if values is None:
        return "no codeword"
    text = ", ".join(f"{name}={value}" for name, value in values.items())
    return shorten(text, 44) if len(values) <= NAMED else shorten(" ".join(map(str, values.values())), 44)


def _draw_energies(axes: Axes, chart: Energies) -> None:
    """Draw a bar for each energy, its share of the shots, and dots for exact probabilities and for guessing."""
    kept = [k for k, level in enumerate(chart.levels) if math.isfinite(level)]
    levels = np.array([chart.levels[k] for k in kept])
    total = max(sum(chart.shots), 1)
    shares = np.array([chart.shots[k] / total for k in kept])
    best = np.array([chart.best[k] for k in kept], dtype=bool)
    if not len(levels):
        axes.text(0.5, 0.5, "no energy is within the range of floats", ha="center", transform=axes.transAxes)
        return
    count = len(levels) if len(levels) <= LEVELS else LEVELS
    edges = np.histogram_bin_edges(levels, count)
    # Few levels have a bar each at their own place; many are counted in bins of equal width.
    whole, span = len(levels) <= LEVELS, float(levels.max() - levels.min())
    width = float(edges[1] - edges[0])
    if whole and span:
        # Bars must not overlap at the smallest gap, but stay visible in a wide range.
        width = min(max(0.8 * float(np.diff(np.sort(levels)).min()), span / 150), span / 6)

    def gather(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if whole:
            return levels, weights
        return (edges[:-1] + edges[1:]) / 2, np.histogram(levels, edges, weights=weights)[0]

    for chosen, label, colour, hatch in ((best, "best", SOLUTION, ""), (~best, "others", OTHER, "///")):
        where, heights = gather(np.where(chosen, shares, 0.0))
        below = gather(np.where(best, shares, 0.0))[1] if chosen is not best else 0
        if chosen.any():
            axes.bar(
                where, heights, width, bottom=below, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.5,
                label=f"measured, {label}" if chart.chances else label,
            )  # fmt: skip
    for values, label, marker, colour in (
        (chart.chances, "exact probability", "D", MARK),
        (chart.guesses, "by guessing", "_", INK),
    ):
        if values is not None:
            axes.scatter(*gather(np.array([values[k] for k in kept])), s=26, marker=marker, color=colour, label=label)
    # An answer that is too rare for its bar to be seen is pointed at.
    if best.any() and shares[best].sum() < gather(shares)[1].max() / 50:
        axes.axvline(levels[best][0], color=SOLUTION, linestyle="--", linewidth=1.2, label="the answer")
    count_ticks(axes.xaxis, bool((levels == levels.round()).all()))
    axes.set_xlabel(chart.name)
    axes.set_ylabel(f"share of the {chart.unit} ({total:,})")


def _draw_falling(axes: Axes, chart: Falling) -> None:
    """A step down at each improvement, up to where the search ended."""
    known = [
        (call, energy)
        for call, energy in zip(chart.calls, chart.energies, strict=True)
        if energy is not None and math.isfinite(energy)
    ]
    broken = [call for call, energy in zip(chart.calls, chart.energies, strict=True) if energy is None]
    axes.set_xlabel("oracle calls")
    axes.set_ylabel(f"best {chart.name}")
    for k, call in enumerate(broken):
        axes.axvline(call, color="#7b808c", linestyle=":", linewidth=1.4, label="" if k else "constraints broken")
    if known:
        calls, energies = zip(*known, strict=True)
        axes.step([*calls, chart.end], [*energies, energies[-1]], where="post", color=INK, linewidth=1.4)
        axes.scatter(calls[:-1], energies[:-1], s=34, color="white", edgecolor=INK, zorder=3, label="improvement")
        axes.scatter(calls[-1:], energies[-1:], s=52, color=SOLUTION, edgecolor=INK, zorder=3, label="the best found")
        axes.axvspan(calls[-1], chart.end, color=OTHER, alpha=0.35, linewidth=0, label="nothing better is found")
    axes.set_xlim(left=-0.02 * max(chart.end, 1))


def draw_amplitudes(success: Callable[[int], float], used: int, most: int, sought: str, title: str) -> Plot:
    """Draw the probability of what is sought after 0 ... ``most`` iterations, and point out those that are used."""
    # Rounded up, so that there are never more points than allowed.
    step = max(1, -(-most // POINTS))
    iterations = sorted({*range(0, most + 1, step), used, most})
    figure = Plot(7.5, 4)
    axes = figure.open_axes(title)
    marker = "o" if len(iterations) <= DOTS else ""
    chances = [success(k) for k in iterations]
    axes.plot(iterations, chances, color=SOLUTION, marker=marker, markersize=4, linewidth=1.4)
    # After no iteration, a measurement is a uniform draw.
    guess = success(0)
    axes.axhline(guess, color="#7b808c", linestyle=":", linewidth=1.4, label=f"guessing: {guess:.2g}")
    chance = success(used)
    axes.axvline(used, color=MARK, linestyle="--", linewidth=1.2)
    axes.scatter(
        [used], [chance], s=70, color=MARK, edgecolor=INK, zorder=3,
        label=f"this circuit: {used:,} iteration{'' if used == 1 else 's'}, {chance:.4f}",
    )  # fmt: skip
    axes.set_ylim(0, 1.04)
    axes.set_xlim(-0.02 * max(most, 1), most * 1.02 or 1)
    count_ticks(axes.xaxis)
    axes.set_xlabel("iterations of the search")
    axes.set_ylabel(f"probability that a measurement is\n{sought}")
    figure.legend(fontsize=8, loc="outside lower center", ncols=2, frameon=False)
    return figure


def draw_landscape(factors: Sequence[float], means: Any, name: str, title: str) -> Plot:
    """Draw mean energies by factors of all gammas (across) and of all betas (upwards); 1 is where the circuit is."""
    figure = Plot(6.4, 4.8)
    axes = figure.subplots()
    axes.set_title(shorten(title, 60), color=INK, fontsize=11, loc="left", **PLAIN)
    drawn = axes.contourf(factors, factors, means, levels=20, cmap="cividis")
    lines = axes.contour(factors, factors, means, levels=6, colors="white", linewidths=0.6)
    axes.clabel(lines, fontsize=7, fmt="%.3g")
    axes.scatter([1], [1], s=90, marker="X", color=MARK, edgecolor="white", label="angles of the circuit")
    figure.colorbar(drawn, ax=axes, label=f"mean {name} of a measurement")
    axes.set_xlabel("all gammas, times those of the circuit")
    axes.set_ylabel("all betas, times those of the circuit")
    figure.legend(fontsize=8, loc="outside lower center", ncols=2, frameon=False)
    return figure


def draw_plane(
    gammas: Sequence[float],
    betas: Sequence[float],
    energies: Any,
    chances: Any,
    best: tuple[Sequence[float], Sequence[float]],
    name: str,
    title: str,
) -> Plot:
    """Draw the mean energy and the probability of a best answer side by side; ``best`` is pointed out in both."""
    figure = Plot(10.4, 4.6)
    panels = figure.subplots(1, 2, sharey=True)
    figure.suptitle(shorten(title, 90), color=INK, fontsize=11, **PLAIN)
    # Low is good if the best angles are below the highest mean; then the colours run the other way.
    falls = energies[betas.index(best[1][0])][gammas.index(best[0][0])] < energies.max()
    marked = f"{'lowest' if falls else 'highest'} mean {name}"
    shown = (
        (energies, f"mean {name} of a measurement", "cividis_r" if falls else "cividis"),
        (chances, "probability of a best answer", "cividis"),
    )
    for axes, (values, label, colours) in zip(panels, shown, strict=True):
        drawn = axes.contourf(gammas, betas, values, levels=20, cmap=colours)
        axes.scatter(*best, s=90, marker="X", color=MARK, edgecolor="white", label=marked)
        figure.colorbar(drawn, ax=axes, label=label)
        axes.set_xlabel("gamma")
    panels[0].set_ylabel("beta")
    figure.legend(*panels[0].get_legend_handles_labels(), fontsize=8, loc="outside lower center", frameon=False)
    return figure


def draw_front(front: ParetoFront, path: Path) -> None:
    """Write `plot_front` as PNG or SVG, by the suffix of ``path``."""
    kind = kind_of(path)
    replace_file(path, figure_bytes(plot_front(front), kind))


def plot_front(front: ParetoFront) -> Plot:
    """Draw every row, those of the front as filled dots, in one panel a gate set.

    A line joins the rows of least cost for their width among those that succeed with at least the sweep's
    ``min_success`` (0.9 if it has none). Upwards are CX, in Clifford+T T gates, on a logarithmic scale.
    """
    sets = [gates for gates in GATE_SETS if any(row.gates == gates for row in front.rows)]
    figure = Plot(1.6 + 5.2 * len(sets), 4.8)
    panels = figure.subplots(1, len(sets), squeeze=False)[0]
    drawn = [_draw_panel(axes, front, gates) for axes, gates in zip(panels, sets, strict=True)]
    figure.colorbar(drawn[0], ax=list(panels), label="success probability", pad=0.02)
    figure.suptitle(front.title, color=INK, **PLAIN)
    return figure


def _draw_panel(axes: Axes, front: ParetoFront, gates: str) -> PathCollection:
    """One gate set; returns the dots of the front."""
    field = GATE_SETS[gates].swept[0]
    best = [row for row in front.rows if row.gates == gates]
    # By identity, because two rows may have equal counts.
    kept = {id(row) for row in best}
    others = [row for row in front.measured if row.gates == gates and id(row) not in kept]

    def dots(rows: Sequence[Row]) -> tuple[list[int], list[float]]:
        # One gate less than one has no place on a logarithmic scale.
        return [row.qubits for row in rows], [max(row.count(field), 1.0) for row in rows]

    axes.scatter(
        *dots(others), s=14, facecolors="none", edgecolors="#b9bcc4", linewidths=0.7, label="beaten" if others else None
    )
    likely = front.limits.min_success or LIKELY
    line: list[Row] = []
    for row in sorted(best, key=lambda r: (r.qubits, r.count(field))):
        # Wider rows count only if they cost less; else the line would rise.
        if row.success >= likely - 1e-9 and (not line or row.count(field) < line[-1].count(field)):
            line.append(row)
    if line:
        axes.step(*dots(line), where="post", color=INK, linewidth=1, zorder=2, label=f"least at success ≥ {likely:g}")
    colours = [row.success for row in best]
    drawn = axes.scatter(
        *dots(best), s=42, c=colours, cmap="viridis_r", vmin=0, vmax=1, edgecolors=INK, linewidths=0.6, zorder=3,
        label="front",
    )  # fmt: skip
    axes.set_yscale("log")
    axes.set_xlabel("qubits, ancillas included")
    axes.set_ylabel(f"{field.upper()} of the whole circuit")
    count_ticks(axes.xaxis)
    axes.set_title(f"{gates}: {len(best)} of {len(best) + len(others)} rows on the front", fontsize=10)
    axes.grid(True, which="both", linewidth=0.3, color="#d9dbe0")
    axes.legend(fontsize=8, loc="best")
    return drawn
