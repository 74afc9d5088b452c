"""The command ``gatesolve pareto``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from gatesolve.cli.console import open_console, print_json, show_progress
from gatesolve.cli.options import Dask, Family, File, Jobs, Json
from gatesolve.files import check_place, replace_file

COUNTED_IN_T = ("t", "t_depth")
"""Metrics that only Clifford+T counts."""
DEFAULT_ROWS = 20
"""Rows of the table unless asked for otherwise."""


def pareto(
    file: File,
    family: Family = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(metavar="AXIS=VALUE,...", help="Values of encoding, level, gates, optimize, measured or exact."),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option("--optimize", help="cx | t | depth | t_depth | qubits | expected_cx: also print the best"),
    ] = None,
    max_qubits: Annotated[int | None, typer.Option(help="Most qubits.")] = None,
    min_success: Annotated[float | None, typer.Option(help="Least success probability.")] = None,
    presolve: Annotated[str, typer.Option(help="auto | none | propagate | affine")] = "auto",
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Try every way, however long it takes, not the usual ones for 30 s.")
    ] = False,
    store: Annotated[Path | None, typer.Option(help="JSON lines: what is in it is not measured again.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Also write the front as CSV.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Also draw it: .png or .svg")] = None,
    rows: Annotated[int, typer.Option(min=1, help="Most rows of the table.")] = DEFAULT_ROWS,
    jobs: Jobs = None,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Sweep the ways to compile a puzzle; print those that nothing beats in qubits, CX, depth, T and success."""
    from gatesolve.api.pareto import check_metric
    from gatesolve.api.pareto import pareto as run

    if metric is not None:
        check_metric(metric)
    _check_outputs(csv, plot)
    named = list(sweep or ())
    fixed: dict[str, Any] = {"presolve": presolve, "seed": seed}
    if metric in COUNTED_IN_T and not thorough and not any(text.startswith("gates=") for text in named):
        named.append("gates=clifford+t")
    with show_progress(as_json) as progress:
        front = run(
            file,
            family=family,
            sweep=named,
            max_qubits=max_qubits,
            min_success=min_success,
            thorough=thorough,
            store=store,
            jobs=jobs or os.cpu_count() or 1,
            dask=dask,
            progress=progress,
            **fixed,
        )
    if metric is not None:
        front.best(metric)  # raises if nothing counts it, before anything is written or printed
    _write(front, csv, plot)
    if as_json:
        print_json(front.as_dict(metric))
        return
    from gatesolve.cli.pareto_table import print_front

    print_front(open_console(), front, rows, metric)


def _check_outputs(csv: Path | None, plot: Path | None) -> None:
    """Refuse places that cannot be written to before an hour of work, not after."""
    from gatesolve.puzzles.picture import kind_of

    if plot is not None:
        kind_of(plot)
    for path in (csv, plot):
        if path is not None:
            check_place(path)


def _write(front: Any, csv: Path | None, plot: Path | None) -> None:
    if csv is not None:
        replace_file(csv, front.to_csv().encode())
    if plot is not None:
        from gatesolve.drawing.plots import draw_front

        draw_front(front, plot)
