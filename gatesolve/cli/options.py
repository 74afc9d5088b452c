"""The fields of `gatesolve.Options` as command line options: generated, and grouped by pipeline in ``--help``."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Container
from dataclasses import Field
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

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


def declare(name: str, one: Field[Any], hidden: bool = False) -> Any:
    """The annotated type that typer reads."""
    offered, known, told = choices(one), pipelines_of(name), spec(one).help
    if offered and {"--help", "-h"} & set(sys.argv):  # other packages' words are looked for where they are shown
        offered = all_choices(one)
    words = f"{' | '.join(offered)}: {told}." if offered else f"{told[0].upper()}{told[1:]}."
    panel = "Every pipeline" if len(known) == len(PIPELINES) else f"For {' and '.join(known)}"
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


CHOICES: dict[str, tuple[Any, Any]] = {
    name: (declare(name, one), one.default)
    for name, one in sorted(FIELDS.items(), key=lambda item: -len(pipelines_of(item[0])))
}
"""What typer reads of each option: its annotated type and its default."""


def with_choices(
    shown: Container[str] = CHOICES, tell_idle: Callable[[str], None] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command those of `CHOICES` that it shows; it receives those typed as a dictionary ``options``.

    With ``tell_idle`` the others may be typed too, so that one set of options describes one search: it is told of each
    that nothing comes of it.
    """
    idle = {name for name in CHOICES if name not in shown} if tell_idle else set()
    chosen = {name: declared for name, declared in CHOICES.items() if name in shown}
    chosen |= {name: (declare(name, FIELDS[name], hidden=True), FIELDS[name].default) for name in idle}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        kept = [p for p in own.parameters.values() if p.name != "options"]
        context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for name, (kind, default) in chosen.items()
        ]

        @wraps(command)
        def run(*, context: typer.Context, **arguments: Any) -> None:
            values = {name: arguments.pop(name) for name in chosen}
            typed = {name: value for name, value in values.items() if _is_typed(context, name)}
            for name in sorted(idle & typed.keys()):
                assert tell_idle is not None
                tell_idle(f"--{name.replace('_', '-')} changes no circuit, only how gatesolve solve runs one")
            command(**arguments, options=typed)

        keyword = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in kept]
        run.__signature__ = own.replace(parameters=[context, *keyword, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in [context, *keyword, *added]}
        return run

    return decorate


def _is_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
