"""The plot of a search's success: the probability of a solution after each iteration, past the best one too."""

from __future__ import annotations

from collections.abc import Callable

from matplotlib.ticker import MaxNLocator

from gatesolve.circuit.figure import INK, MARK, SOLUTION, Plot

DOTS = 60
"""Most iterations with a dot each."""
POINTS = 400
"""Most iterations that are worked out."""


def draw_amplitudes(success: Callable[[int], float], used: int, most: int, sought: str, title: str) -> Plot:
    """Draw ``success`` after 0 ... ``most`` iterations.

    Args:
        success: probability of a solution after so many iterations.
        used: the iterations of the circuit, pointed out.
        most: where the plot ends.
        sought: what a measurement is to be.
        title: of the plot.
    """
    step = max(1, -(-most // POINTS))
    iterations = sorted({*range(0, most + 1, step), used, most})
    figure = Plot(7.5, 4)
    axes = figure.open_axes(title)
    marker = "o" if len(iterations) <= DOTS else ""
    chances = [success(k) for k in iterations]
    axes.plot(iterations, chances, color=SOLUTION, marker=marker, markersize=4, linewidth=1.4)
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
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("iterations of the search")
    axes.set_ylabel(f"probability that a measurement is\n{sought}")
    figure.legend(fontsize=8, loc="outside lower center", ncols=2, frameon=False)
    return figure
