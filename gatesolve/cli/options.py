"""Commands from functions: options that are declared elsewhere, and dataclasses of options that belong together.

Options of a search are generated from the fields of `gatesolve.Options`, and grouped by pipeline in ``--help``.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from gatesolve.api.options import FIELDS, pipelines_of
from gatesolve.api.registry import PIPELINES
from gatesolve.pipelines.options import all_choices, choices, spec

File = Annotated[str, typer.Argument(metavar="FILE|-", help="File of a puzzle or a problem, or - for standard input.")]
Family = Annotated[str | None, typer.Option(help="Puzzle family, or format; found from the text if not given.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Jobs = Annotated[int | None, typer.Option(min=1, help="Processes; as many as cores if not given.")]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS|local", help="Address of a Dask scheduler, whose workers do the work."),
]
BoardOutput = Annotated[
    Path | None, typer.Option("--output", "-o", help="Also write the board: .txt, .png, .svg, or .json for everything")
]


SPECIAL = "For "
"""The beginning of the headings of options that not every pipeline has."""


def declare(name: str, one: Field[Any], hidden: bool = False) -> Any:
    """The annotated type that typer reads."""
    offered, known, told = choices(one), pipelines_of(name), spec(one).help
    if offered and {"--help", "-h"} & set(sys.argv):  # other packages' words are looked for where they are shown
        offered = all_choices(one)
    words = f"{' | '.join(offered)}: {told}." if offered else f"{told[0].upper()}{told[1:]}."
    panel = "Every pipeline" if len(known) == len(PIPELINES) else f"{SPECIAL}{' and '.join(known)}"
    if FIELDS.get(name) is not one:
        panel = "On the device"
    flag = [f"--{name.replace('_', '-')}"] if one.type is bool else []
    parser, metavar = (read_power, "N|2^K") if spec(one).power else (None, None)
    return Annotated[
        str if offered else one.type,
        typer.Option(*flag, help=words, rich_help_panel=panel, hidden=hidden, parser=parser, metavar=metavar),
    ]


def read_power(text: str) -> int:
    """A whole number, ``1048576`` or ``2^20``."""
    found = re.fullmatch(r"(\d{1,12})|2\^(\d{1,2})", text.strip())
    if found is None:
        raise typer.BadParameter(f"{text!r} is no whole number: write 1048576 or 2^20")
    return int(found[1]) if found[1] else 2 ** int(found[2])


def sort_by_reach(item: tuple[str, Field[Any]]) -> int:
    """Return a key by which options of more pipelines come first."""
    return -len(pipelines_of(item[0]))


@dataclass(frozen=True)
class Asked:
    """The parameters that all commands have which read a problem."""

    file: File
    family: Family = None
    as_json: Json = False


def command(
    shown: Mapping[str, Field[Any]] | None = None, tell_idle: Callable[[str], None] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command: its parameters that are dataclasses become the options that their fields declare.

    Args:
        shown: declared options that it has besides; it receives those typed as a dictionary ``options``.
        tell_idle: told of each other option of a search that is typed, which the command takes without effect, so that
            one set of options describes one search; without it these are refused.
    """
    chosen = dict(sorted((shown or {}).items(), key=sort_by_reach))
    declared = {name: (declare(name, one), one.default) for name, one in chosen.items()}
    idle = {name: one for name, one in FIELDS.items() if name not in declared} if tell_idle else {}
    declared |= {name: (declare(name, one, hidden=True), one.default) for name, one in idle.items()}

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function, eval_str=True)
        taken = [p for p in signature.parameters.values() if p.name != "options"]
        groups: dict[str, Any] = {p.name: p.annotation for p in taken if is_dataclass(p.annotation)}
        parts = [part for p in taken for part in _spread(p)]
        parts += [_keyword(name, kind, default) for name, (kind, default) in declared.items()]
        context = _keyword("context", typer.Context)

        @wraps(function)
        def run(*, context: typer.Context, **arguments: Any) -> None:
            typed = {name: arguments.pop(name) for name in declared}
            typed = {name: value for name, value in typed.items() if _is_typed(context, name)}
            for name in sorted(idle.keys() & typed.keys()):
                assert tell_idle is not None
                tell_idle(f"--{name.replace('_', '-')} changes no circuit, only how gatesolve solve runs one")
            for name, kind in groups.items():
                arguments[name] = kind(**{one.name: arguments.pop(one.name) for one in fields(kind)})
            function(**arguments, **({} if shown is None else {"options": typed}))

        run.__signature__ = signature.replace(parameters=[context, *parts])  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in [context, *parts]}
        return run

    return decorate


def _spread(parameter: inspect.Parameter) -> Iterator[inspect.Parameter]:
    """The parameters of a command that one of its function's stands for."""
    if not is_dataclass(kind := parameter.annotation):
        yield _keyword(parameter.name, kind, parameter.default)
        return
    hints = get_type_hints(kind, include_extras=True)
    for one in fields(kind):
        yield _keyword(one.name, hints[one.name], inspect.Parameter.empty if one.default is MISSING else one.default)


def _keyword(name: str, kind: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _is_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
