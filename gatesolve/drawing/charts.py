"""Plots of a run: what was measured, how often each energy came up, how the best one fell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from gatesolve.circuit.figure import INK, MARK, OTHER, PLAIN, SOLUTION, Plot, shorten
from gatesolve.pipelines.chart import Chart, Energies, Falling, Outcomes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BARS = 14
"""Most outcomes with a bar each."""
NAMED = 5
"""Most variables whose names stand before their values."""
LEVELS = 40
"""Most energies with a bar each; more are gathered into so many."""


def draw_chart(chart: Chart, title: str) -> Plot:
    """The plot of a chart, under a title."""
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
    """A bar for each outcome, the most frequent on top, dark where it is a solution; the rest as one bar each kind."""
    shots = sum(one.shots for one in chart.measured)
    bars = [(_describe(one.values), one.shots, one.accepted) for one in chart.measured[:BARS]]
    rest = chart.measured[BARS:]
    for accepted, kind in ((True, "more, solutions"), (False, "more, no solutions")):
        group = [one.shots for one in rest if one.accepted is accepted]
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
    """An outcome in a few words; in full where it is short, else its values alone."""
    if values is None:
        return "no codeword"
    text = ", ".join(f"{name}={value}" for name, value in values.items())
    return shorten(text, 44) if len(values) <= NAMED else shorten(" ".join(map(str, values.values())), 44)


def _draw_energies(axes: Axes, chart: Energies) -> None:
    """A bar for each energy: the share of what was measured; dots for exact probabilities and for guessing."""
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
    whole, span = len(levels) <= LEVELS, float(levels.max() - levels.min())
    width = float(edges[1] - edges[0])
    if whole and span:
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
    axes.xaxis.set_major_locator(MaxNLocator(integer=bool((levels == levels.round()).all())))
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
