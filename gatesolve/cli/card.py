"""The command ``gatesolve card``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gatesolve.api.options import FIELDS
from gatesolve.cli.console import open_console, print_json, show_progress
from gatesolve.cli.options import Asked, command


@command({name: FIELDS[name] for name in ("presolve", "encoding", "level", "seed")})
def card(
    *,
    asked: Asked,
    output: Annotated[Path, typer.Option("--output", "-o", help="The picture: .png or .svg")],
    backend: Annotated[
        str, typer.Option(help="Today's device: an IBM backend, or a fake one. Nothing is sent to it.")
    ] = "fake_torino",
    machine: Annotated[
        list[str] | None, typer.Option(help="Qubit model of the error-corrected machine; two of them if not given.")
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
    for panel in found.panels:
        out.print(f"{panel.heading}: {'; '.join((panel.headline, *panel.lines))}")
    out.print(f"written: {output}")
