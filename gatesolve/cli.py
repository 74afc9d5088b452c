"""The command line: ``gatesolve solve | compile | resources``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from gatesolve.errors import BackendError, GatesolveError, InfeasibleError

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)

File = Annotated[str, typer.Argument(metavar="FILE|-", help="Puzzle file, or - for standard input.")]
Family = Annotated[str | None, typer.Option(help="Puzzle family; found from the text if not given.")]
Pipeline = Annotated[str, typer.Option(help="grover")]
OracleStyle = Annotated[str, typer.Option("--oracle", help="constraints | classical")]
Encoding = Annotated[str, typer.Option(help="auto | one-hot | binary | domain-wall | table")]
Presolve = Annotated[str, typer.Option(help="auto | none | propagate | affine")]
Backend = Annotated[str, typer.Option(help="space (exact, in the space) | aer (whole circuit)")]
Shots = Annotated[int, typer.Option(help="Measurements to draw.")]
Seed = Annotated[int, typer.Option(help="Seed of everything random.")]
Gates = Annotated[str, typer.Option(help="cx+u | clifford+t")]
Ancillas = Annotated[int | None, typer.Option(help="Most ancilla qubits; as many as help if not given.")]
Schedule = Annotated[str, typer.Option(help="auto | known | unknown number of solutions")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@app.callback()
def _main() -> None:
    """Integer constraint problems to verified gate-model quantum circuits."""


@app.command()
def solve(
    file: File,
    family: Family = None,
    pipeline: Pipeline = "grover",
    oracle: OracleStyle = "constraints",
    encoding: Encoding = "auto",
    presolve: Presolve = "auto",
    backend: Backend = "space",
    shots: Shots = 1024,
    seed: Seed = 0,
    gates: Gates = "cx+u",
    ancillas: Ancillas = None,
    schedule: Schedule = "auto",
    as_json: Json = False,
) -> None:
    """Solve a puzzle: exit 0 solved, 1 no accepted answer or proven infeasible, 2 bad input."""
    options = _options(locals())
    with _progress(as_json) as progress:
        from gatesolve import api

        result = api.solve(file, family=family, progress=progress, **options)
    if as_json:
        _print_json(result.as_dict())
    else:
        from gatesolve import report

        report.console().print(report.result_report(result))
    raise typer.Exit(0 if result.status == "solved" else 1)


@app.command("compile")
def compile_(
    file: File,
    output: Annotated[Path, typer.Option("--output", "-o", help="FILE.qasm, FILE.qasm3 or FILE.qpy")],
    part: Annotated[str, typer.Option(help="whole | oracle (one call)")] = "whole",
    family: Family = None,
    pipeline: Pipeline = "grover",
    oracle: OracleStyle = "constraints",
    encoding: Encoding = "auto",
    presolve: Presolve = "auto",
    backend: Backend = "space",
    shots: Shots = 1024,
    seed: Seed = 0,
    gates: Gates = "cx+u",
    ancillas: Ancillas = None,
    schedule: Schedule = "auto",
    as_json: Json = False,
) -> None:
    """Write the lowered circuit to a file, its qubits explained in comments or metadata."""
    options = _options(locals())
    from gatesolve.export import as_part, check_suffix, write_circuit

    check_suffix(output)
    wanted = as_part(part)
    with _progress(as_json) as progress:
        compiled = _compiled(file, family, progress, options)
        write_circuit(compiled.program, output, wanted)
    _print_resources(compiled, as_json, {"output": str(output)})


@app.command()
def resources(
    file: File,
    family: Family = None,
    pipeline: Pipeline = "grover",
    oracle: OracleStyle = "constraints",
    encoding: Encoding = "auto",
    presolve: Presolve = "auto",
    backend: Backend = "space",
    shots: Shots = 1024,
    seed: Seed = 0,
    gates: Gates = "cx+u",
    ancillas: Ancillas = None,
    schedule: Schedule = "auto",
    as_json: Json = False,
) -> None:
    """Count the circuit without running it."""
    options = _options(locals())
    with _progress(as_json) as progress:
        compiled = _compiled(file, family, progress, options)
    _print_resources(compiled, as_json, {})


def _options(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments that are fields of `Options`."""
    left_out = {"file", "family", "as_json", "output", "part"}
    return {name: value for name, value in arguments.items() if name not in left_out}


def _compiled(file: str, family: str | None, progress: Callable[..., None] | None, options: dict[str, Any]) -> Any:
    from gatesolve import api

    compiled = api.compile(file, family=family, progress=progress, **options)
    if compiled.certificate.marked == 0:
        raise InfeasibleError(f"no solution: every one of {compiled.certificate.of} codewords was checked")
    return compiled


def _print_resources(compiled: Any, as_json: bool, extra: dict[str, Any]) -> None:
    program = compiled.program
    if as_json:
        _print_json(
            {
                "encoding": compiled.encoding,
                "presolve": compiled.presolve,
                "iterations": program.iterations,
                "space_size": program.space.size,
                "marked": compiled.certificate.marked,
                "resources": program.resources().as_dict(),
                "oracle_resources": program.oracle_resources().as_dict(),
                **extra,
            }
        )
        return
    from gatesolve import report

    out = report.console()
    out.print(f"[bold]{compiled.problem.title}[/]", markup=True)
    out.print(
        f"presolve {compiled.presolve}, encoding {compiled.encoding}: {program.space.size} states, "
        f"{program.iterations} iterations"
    )
    out.print(report.resources_table(program))
    out.print(report.certificate_line(compiled.certificate))
    if extra:
        out.print(f"written: {extra['output']}")


def _print_json(data: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(data, indent=2) + "\n")


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """A progress bar on standard error for whatever takes over a second, if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    import time

    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None, visible=False)
        started = time.monotonic()

        def show(stage: str, done: int, total: int) -> None:
            late = time.monotonic() - started > 1
            bar.update(task, description=stage, completed=done, total=total or None, visible=late)

        yield show


def main() -> None:
    """Entry point: one line and an exit status for every error a user can cause."""
    try:
        app()
    except InfeasibleError as error:
        _fail(f"infeasible: {error}", 1)
    except BackendError as error:
        _fail(str(error), 1)
    except GatesolveError as error:
        _fail(str(error), 2)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except BrokenPipeError:
        # The reader of our output went away; nothing more can be said to it.
        sys.stderr.close()
        raise SystemExit(1) from None


def _fail(message: str, status: int) -> None:
    sys.stderr.write(f"gatesolve: {' '.join(message.split())}\n")
    raise SystemExit(status)
