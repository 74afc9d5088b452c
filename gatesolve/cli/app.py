"""The command line: ``gatesolve solve | compile | resources | submit`` and the rest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from gatesolve.api import about
from gatesolve.cli.jobs import fetch, jobs, submit
from gatesolve.cli.options import with_choices
from gatesolve.cli.pareto import pareto
from gatesolve.cli.qubo import qubo
from gatesolve.cli.terminal import drop_output, open_output
from gatesolve.cli.words import as_typed, json_text
from gatesolve.errors import INTERRUPTED, BackendError, GatesolveError, InfeasibleError, InputError, one_line

app = typer.Typer(
    add_completion=False, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
)

# The base of all errors in the command line itself. Typer moved it when it took click in, but not its place here.
_UsageError: type[Exception] = typer.BadParameter.__mro__[2]

PATIENCE = 1.0
"""Seconds before a progress bar appears."""

File = Annotated[str, typer.Argument(metavar="FILE|-", help="Puzzle file, or - for standard input.")]
Family = Annotated[str | None, typer.Option(help="Puzzle family; found from the text if not given.")]
Chosen = dict[str, Any]
"""The fields of `Options`, from `with_choices`."""
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version.")] = False,
) -> None:
    """Integer constraint problems to verified gate-model quantum circuits."""
    if version:
        typer.echo(f"gatesolve {about.version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


@app.command()
@with_choices()
def solve(
    *,
    file: File,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Also write the board: .txt, .png, .svg, or .json for everything"),
    ] = None,
    family: Family = None,
    resume: Annotated[
        Path | None, typer.Option(help="gas: keep the search in this file after every run, and go on from it.")
    ] = None,
    as_json: Json = False,
    options: Chosen,
) -> None:
    """Solve a puzzle: exit 0 solved, 1 no accepted answer or proven infeasible, 2 bad input."""
    from gatesolve.api import calls as api
    from gatesolve.cli import boards

    if output is not None:
        boards.check_board_suffix(output)
    with _progress(as_json) as progress:
        result = api.solve(file, family=family, progress=progress, resume=resume, **options)
        if output is not None and (result.solution is not None or output.suffix.lower() == ".json"):
            boards.write_board(result, output)
        if not as_json:
            # Counts the circuit, which can take longer than all before it.
            from gatesolve.cli import report

            page = report.result_report(result)
    if as_json:
        _print_json(result.as_dict())
    else:
        report.console().print(page)
    raise typer.Exit(0 if result.status == "solved" else 1)


@app.command("compile")
@with_choices()
def compile_(
    *,
    file: File,
    output: Annotated[Path, typer.Option("--output", "-o", help="FILE.qasm, FILE.qasm3 or FILE.qpy")],
    part: Annotated[str, typer.Option(help="whole | oracle (one call)")] = "whole",
    family: Family = None,
    as_json: Json = False,
    options: Chosen,
) -> None:
    """Write the lowered circuit to a file, its qubits explained in comments or metadata."""
    from gatesolve.api.export import as_part, check_suffix, write_circuit

    check_suffix(output)
    wanted = as_part(part)
    with _progress(as_json) as progress:
        compiled = _compiled(file, family, progress, options)
        write_circuit(compiled.program, output, wanted)
    _print_resources(compiled, as_json, {"notes": _notes(compiled, options), "output": str(output)})


@app.command()
@with_choices()
def resources(
    *,
    file: File,
    family: Family = None,
    physical: Annotated[
        bool, typer.Option("--physical", help="Estimate error-corrected machines for the whole search instead.")
    ] = False,
    machine: Annotated[
        list[str] | None, typer.Option(help="physical: qubit model; may be repeated; all of them if not given.")
    ] = None,
    budget: Annotated[float | None, typer.Option(help="physical: probability that errors spoil a run [0.001].")] = None,
    as_json: Json = False,
    options: Chosen,
) -> None:
    """Count the circuit without running it."""
    if physical:
        _print_physical(file, family, as_json, options, machine or [], budget)
        return
    if machine or budget is not None:
        raise InputError("--machine and --budget are of --physical: add it, or leave them out")
    with _progress(as_json) as progress:
        compiled = _compiled(file, family, progress, options)
    _print_resources(compiled, as_json, {"notes": _notes(compiled, options)})


@app.command()
def show(
    *,
    file: File,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the picture instead: .txt, .png or .svg")
    ] = None,
    family: Family = None,
) -> None:
    """Draw a puzzle without solving it."""
    from gatesolve.cli import boards, report
    from gatesolve.puzzles import load

    if output is not None:
        boards.check_picture_suffix(output)
    puzzle = load(file, family)
    if output is not None:
        boards.write_picture(puzzle, None, output)
        return
    out = report.console()
    out.print(puzzle.title, style="bold")
    out.print(puzzle.render())


@app.command()
def families() -> None:
    """List the puzzle families that can be read, with an example of each."""
    import textwrap

    from gatesolve.cli import report
    from gatesolve.puzzles import examples

    out = report.console()
    for name, summary, text in examples():
        out.print(f"[bold]{name}[/]: {summary}", markup=True)
        out.print(textwrap.indent(text, "    "))


app.command("pareto")(pareto)
app.command("qubo")(qubo)
app.command("submit")(submit)
app.command("jobs")(jobs)
app.command("fetch")(fetch)


def _compiled(file: str, family: str | None, progress: Callable[..., None] | None, options: dict[str, Any]) -> Any:
    from gatesolve.api import calls as api

    return api.compile(file, family=family, progress=progress, **options)


def _print_physical(
    file: str, family: str | None, as_json: bool, options: dict[str, Any], machines: list[str], budget: float | None
) -> None:
    from gatesolve.api.physical import estimate
    from gatesolve.cli import physical as cli_physical

    if budget is not None:
        options = {**options, "budget": budget}
    with _progress(as_json) as progress:
        found = estimate(file, family=family, progress=progress, machines=machines, **options)
    if as_json:
        _print_json(found.as_dict())
        return
    from gatesolve.cli import report

    cli_physical.print_physical(report.console(), found)


def _notes(compiled: Any, options: dict[str, Any]) -> list[str]:
    """What was decided on the way, for the JSON; that there is no circuit is said on standard error too."""
    from gatesolve.api.choose_space import nothing_left
    from gatesolve.api.options import Options

    notes = list(compiled.notes)
    if compiled.program.num_qubits == 0:
        notes.append(nothing_left(compiled.problem.model, compiled.presolve, Options(**options)))
        _say(notes[-1])
    return notes


def _print_resources(compiled: Any, as_json: bool, extra: dict[str, Any]) -> None:
    if as_json:
        _print_json({**compiled.as_dict(), **extra})
        return
    from gatesolve.cli import report

    out = report.console()
    out.print(report.compiled_report(compiled))
    if "output" in extra:
        out.print(f"written: {extra['output']}")


def _print_json(data: dict[str, Any]) -> None:
    print(json_text(data))


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """A progress bar on standard error for whatever takes over a second, if that is a terminal."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from threading import Timer

    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("read", total=None)
    late = Timer(PATIENCE, bar.start)
    late.daemon = True
    late.start()
    try:
        yield lambda stage, done, total: bar.update(task, description=stage, completed=done, total=total or None)
    finally:
        late.cancel()
        late.join()
        bar.stop()


def main() -> None:
    """Entry point: one line and an exit status for every error a user can cause."""
    try:
        open_output()
        status = app(prog_name="gatesolve", standalone_mode=False) or 0
        sys.stdout.flush()
    except _UsageError as error:
        _fail(f"{getattr(error, 'format_message', error.__str__)()} (see gatesolve --help)", 2)
    except InfeasibleError as error:
        _fail(f"infeasible: {error}", 1)
    except BackendError as error:
        _fail(str(error), 1)
    except GatesolveError as error:
        _fail(str(error), 2)
    except BrokenPipeError:
        # The reader of our output went away; nothing more can be said to it, not even by the interpreter's last flush.
        drop_output()
        status = 1
    except OSError as error:
        drop_output()
        _fail(f"cannot write the output: {error.strerror or error}", 2)
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status == INTERRUPTED:
        _fail("interrupted", status)
    raise SystemExit(status)


def _fail(message: str, status: int) -> NoReturn:
    _say(message)
    raise SystemExit(status)


def _say(message: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"gatesolve: {one_line(as_typed(' '.join(message.split())))}\n")
