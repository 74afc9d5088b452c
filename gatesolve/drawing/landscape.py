"""The plots of a QAOA's landscape: around the angles that were taken, and of one layer at all angles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gatesolve.circuit.figure import INK, MARK, PLAIN, Plot, shorten


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
    falls = energies[betas.index(best[1][0])][gammas.index(best[0][0])] < energies.max()
    shown = (
        (energies, f"mean {name} of a measurement", "cividis_r" if falls else "cividis"),
        (chances, "probability of a best answer", "cividis"),
    )
    for axes, (values, label, colours) in zip(panels, shown, strict=True):
        drawn = axes.contourf(gammas, betas, values, levels=20, cmap=colours)
        axes.scatter(*best, s=90, marker="X", color=MARK, edgecolor="white", label=f"best {name} on average")
        figure.colorbar(drawn, ax=axes, label=label)
        axes.set_xlabel("gamma")
    panels[0].set_ylabel("beta")
    figure.legend(*panels[0].get_legend_handles_labels(), fontsize=8, loc="outside lower center", frameon=False)
    return figure
