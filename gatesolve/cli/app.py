"""The command line: ``gatesolve solve | compile | resources | submit`` and the rest, one file a group of commands."""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress
from typing import Annotated, Any

import typer

from gatesolve.api import about
from gatesolve.api.words import OPTIONS
from gatesolve.cli.console import drop_output, fail, open_output, say
from gatesolve.cli.costs import card, pareto
from gatesolve.cli.jobs import fetch, jobs, submit
from gatesolve.cli.options import Family, ShortHelp
from gatesolve.cli.qubo import qubo
from gatesolve.cli.show import families, show
from gatesolve.cli.solve import compile_, count, resources, solve
from gatesolve.cli.verify import verify
from gatesolve.errors import INTERRUPTED, RENAMED, BackendError, GatesolveError, InfeasibleError, MissingExtraError

app = typer.Typer(
    add_completion=False, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
)
EXAMPLES = """\
Give a command, for example:

  gatesolve solve examples/kakuro/contest.txt
  gatesolve compile examples/kakuro/contest.txt --output contest.qasm3
  gatesolve solve --model "x, y in 0..3; x + y == 4; x > y"

They search for the solution of a board, write its circuit to a file, and solve constraints of your own.
gatesolve --help lists all commands."""
"""Standard error without a command."""
# The base of all usage errors. Typer moved it when it absorbed click, but its place in this hierarchy is unchanged.
_UsageError: type[Exception] = typer.BadParameter.__mro__[2]


def web(
    board: Annotated[
        str | None, typer.Argument(metavar="LINK|FILE|-", help="Board to open: its link, its file, or standard input.")
    ] = None,
    *,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Port on this machine, otherwise 8497 or any free one; 0 takes any free one."
        ),
    ] = None,
    family: Family = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open nothing.")] = False,
) -> None:
    """Open a page on this machine: draw or paste a board, watch the search, take the circuit away. Ctrl-C ends it."""
    try:
        from gatesolve.web.boards import make_fragment
        from gatesolve.web.server import serve
    except ImportError as error:
        raise MissingExtraError("the page needs packages that are not installed", "web") from error
    fragment = "" if board is None else make_fragment(board, family)
    with suppress(KeyboardInterrupt):
        serve(port, not no_browser, lambda address: say(f"the page is at {address} (Ctrl-C ends it)"), fragment)


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
        typer.echo(EXAMPLES, err=True)
        # A missing command is a usage error: the examples go to standard error.
        raise typer.Exit(2)


COMMANDS = (solve, compile_, verify, resources, count, card, show, families, pareto, qubo, submit, jobs, fetch, web)
for command in COMMANDS:
    # ``compile_`` has an underscore because ``compile`` is a built-in function.
    app.command(command.__name__.rstrip("_"), cls=ShortHelp)(command)


def _elsewhere(error: Any) -> str:
    """Return a hint for an option that was renamed or belongs to other commands; empty for other errors."""
    missing = hasattr(error, "possibilities") and error.option_name in OPTIONS.values()
    former = getattr(error, "option_name", None) or ""
    # A former name is told first: click's own message would only list similar options.
    if (new := RENAMED.get(former.removeprefix("--").replace("-", "_"))) and former.startswith("--"):
        return f"{former} is now called --{new.replace('_', '-')}: use the new name"
    return f"{error.option_name} is not an option of {error.ctx.command_path}: leave it out" if missing else ""


def main() -> None:
    """Run the command line, with one line and an exit status for every error a user can cause."""
    try:
        open_output()
        warnings.showwarning = lambda message, *_, **__: say(str(message))
        # Not standalone: typer would print its own error boxes and choose the exit status.
        status = app(prog_name="gatesolve", standalone_mode=False) or 0
        # Flushed here, so that a full disk or a closed pipe is an error that is reported below.
        sys.stdout.flush()
    except _UsageError as error:
        fail(f"{_elsewhere(error) or getattr(error, 'format_message', error.__str__)()} (see gatesolve --help)", 2)
    # The order matters: both are GatesolveErrors, and exit with 1, as an answer, instead of 2 for bad input.
    except InfeasibleError as error:
        fail(f"infeasible: {error}", 1)
    except BackendError as error:
        fail(str(error), 1)
    except GatesolveError as error:
        fail(str(error), 2)
    except BrokenPipeError:
        # The reader of our output has gone. Nothing more can be written, not even by the interpreter's last flush.
        drop_output()
        status = 1
    except OSError as error:
        drop_output()
        fail(f"cannot write the output: {error.strerror or error}", 2)
    except KeyboardInterrupt:
        status = INTERRUPTED
    # typer returns this status for Ctrl-C inside a command, instead of raising KeyboardInterrupt.
    if status == INTERRUPTED:
        fail("interrupted", status)
    raise SystemExit(status)
