"""The plot of a QAOA's landscape: the mean energy around the angles that were taken."""

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
