"""The commands that compare costs: ``gatesolve pareto`` and ``gatesolve card``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from gatesolve.api.options import FIELDS
from gatesolve.cli.console import open_console, print_json, show_progress
from gatesolve.cli.options import Asked, Dask, Jobs, command
from gatesolve.files import check_place, replace_file

COUNTED_IN_T = ("t", "t_depth")
"""Metrics that only Clifford+T counts."""
DEFAULT_ROWS = 20
"""Default number of rows of the table."""


@dataclass(frozen=True)
class Axes:
    """The axes of a sweep and its limits."""

    sweep: Annotated[
        list[str] | None,
        typer.Option(metavar="AXIS=VALUE,...", help="Values of encoding, level, gates, optimize, measured or exact."),
    ] = None
    max_qubits: Annotated[int | None, typer.Option(help="Limit on the qubits.")] = None
    min_success: Annotated[float | None, typer.Option(help="Least success probability.")] = None
    thorough: Annotated[
        bool,
        typer.Option(
            "--thorough", help="Try every combination; if not given, the usual ones, and begin none after 11 s."
        ),
    ] = False


@dataclass(frozen=True)
class Shown:
    """Outputs made from the front."""

    optimize: Annotated[
        str | None, typer.Option(help="cx | t | depth | t_depth | qubits | expected_cx: also print the best")
    ] = None
    csv: Annotated[Path | None, typer.Option(help="Also write the front as CSV.")] = None
    plot: Annotated[Path | None, typer.Option(help="Also draw it: .png or .svg")] = None
    rows: Annotated[int, typer.Option(min=1, help="Limit on the rows of the table.")] = DEFAULT_ROWS


@command({name: FIELDS[name] for name in ("presolve", "seed")})
def pareto(
    *,
    asked: Asked,
    axes: Axes,
    shown: Shown,
    store: Annotated[
        Path | None, typer.Option(help="File of JSON lines; combinations that it contains are not measured again.")
    ] = None,
    jobs: Jobs = None,
    dask: Dask = None,
    options: dict[str, Any],
) -> None:
    """Sweep the ways to compile a puzzle; print those that nothing beats in qubits, CX, depth, T and success."""
    from gatesolve.api.pareto import pareto as run
    from gatesolve.costs.front import check_metric

    metric = shown.optimize
    if metric is not None:
        check_metric(metric)
    _check_outputs(shown)
    named = list(axes.sweep or ())
    # The usual sweep counts CX alone, and would have no best row by T.
    if metric in COUNTED_IN_T and not axes.thorough and not any(text.startswith("gates=") for text in named):
        named.append("gates=clifford+t")
    with show_progress(asked.as_json) as progress:
        front = run(
            asked.source,
            family=asked.family,
            **{**vars(axes), "sweep": named},
            store=store,
            jobs=jobs or os.cpu_count() or 1,
            dask=dask,
            progress=progress,
            **options,
        )
    if metric is not None:
        # Raises if nothing counts it, before anything is written or printed.
        front.best(metric)
    _write(front, shown)
    if asked.as_json:
        print_json(front.as_dict(metric))
        return
    from gatesolve.cli.report import print_front

    print_front(open_console(), front, shown.rows, metric)


def _check_outputs(shown: Shown) -> None:
    """Refuse places that cannot be written to before an hour of work."""
    from gatesolve.puzzles.picture import kind_of

    if shown.plot is not None:
        kind_of(shown.plot)
    for path in (shown.csv, shown.plot):
        if path is not None:
            check_place(path)


def _write(front: Any, shown: Shown) -> None:
    if shown.csv is not None:
        replace_file(shown.csv, front.to_csv().encode())
    if shown.plot is not None:
        from gatesolve.drawing.plots import draw_front

        draw_front(front, shown.plot)


@command({name: FIELDS[name] for name in ("presolve", "encoding", "level", "seed")})
def card(
    *,
    asked: Asked,
    output: Annotated[Path, typer.Option("--output", "-o", help="The picture: .png or .svg")],
    backend: Annotated[
        str, typer.Option(help="Today's device, an IBM backend or a fake one. Nothing is sent to it.")
    ] = "fake_torino",
    machine: Annotated[
        list[str] | None, typer.Option(help="Qubit model of the error-corrected machine; if not given, two of them.")
    ] = None,
    backtracking_seconds: Annotated[float, typer.Option(help="Most seconds of the classical solver.")] = 10.0,
    seeds: Annotated[int, typer.Option(help="Layouts and routings tried on the device.")] = 1,
    options: dict[str, Any],
) -> None:
    """Draw what a puzzle costs: a classical solver, today's device, an error-corrected machine."""
    from gatesolve.api.card import card as make
    from gatesolve.drawing.card import check_card_place

    check_card_place(output)
    chosen = {**options, "backtracking_seconds": backtracking_seconds, **({"machines": machine} if machine else {})}
    with show_progress(asked.as_json) as progress:
        found = make(asked.source, device=backend, family=asked.family, seeds=seeds, progress=progress, **chosen)
        # Drawing counts the circuits, so it belongs under the progress bar.
        found.draw(output)
    if asked.as_json:
        print_json({**found.as_dict(), "output": str(output)})
        return
    out = open_console()
    out.print(found.title, style="bold")
    out.print(found.facts)
    for panel in found.panels:
        out.print(f"{panel.heading}: {panel.headline}", style="bold")
        for line in panel.lines:
            out.print(f"  {line}")
    out.print(f"written: {output}")
