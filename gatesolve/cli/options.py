"""Commands from functions: options that are declared elsewhere, and dataclasses of options that belong together.

Options of a search are generated from the fields of `gatesolve.Options`, and grouped by pipeline in ``--help``.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand

from gatesolve.api.options import FIELDS, pipelines_of
from gatesolve.errors import InputError
from gatesolve.files import ModelText
from gatesolve.pipelines.options import all_choices, choices, spec
from gatesolve.pipelines.registry import PIPELINES

File = Annotated[str, typer.Argument(metavar="FILE|-", help="File of a puzzle or a problem, or - for standard input.")]
MaybeFile = Annotated[
    str | None,
    typer.Argument(metavar="FILE|-", help="File of a puzzle or a problem, or - for standard input; or give --model."),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="TEXT", help="Constraints instead of a file, such as 'x, y in 0..3; x + y == 4; x != y'."
    ),
]
Family = Annotated[
    str | None, typer.Option(help="Puzzle family or format; if not given, it is detected from the text.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Jobs = Annotated[int | None, typer.Option(min=1, help="Number of processes; if not given, as many as cores.")]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|local",
        help="Address of a Dask scheduler whose workers do the work; local starts a cluster here.",
    ),
]
BoardOutput = Annotated[
    Path | None, typer.Option("--output", "-o", help="Also write the board: .txt, .png, .svg, or .json for everything")
]
SPECIAL = "For "
"""The beginning of the headings of options that not every pipeline has."""
_TYPED = "gatesolve.typed"


def declare(name: str, one: Field[Any], hidden: bool = False) -> Any:
    """Return the annotated type that typer reads."""
    offered, known, told = choices(one), pipelines_of(name), spec(one).help
    # Names of other packages are loaded only when the help shows them.
    if offered and {"--help", "-h"} & set(sys.argv):
        offered = all_choices(one)
    words = f"{' | '.join(offered)}: {told}." if offered else f"{told[0].upper()}{told[1:]}."
    panel = "Every pipeline" if len(known) == len(PIPELINES) else f"{SPECIAL}{' and '.join(known)}"
    # An option of a device may have the name of a pipeline's option, with another meaning.
    if FIELDS.get(name) is not one:
        panel = "On the device"
    # Named explicitly, a flag has no counterpart ``--no-...``.
    flag = [f"--{name.replace('_', '-')}"] if one.type is bool else []
    parser, metavar = (read_power, "N|2^K") if spec(one).power else (None, None)
    return Annotated[
        str if offered else one.type,
        typer.Option(*flag, help=words, rich_help_panel=panel, hidden=hidden, parser=parser, metavar=metavar),
    ]


def read_power(text: str) -> int:
    """Return a whole number, written as ``1048576`` or ``2^20``."""
    found = re.fullmatch(r"(\d{1,12})|2\^(\d{1,2})", text.strip())
    if found is None:
        raise typer.BadParameter(f"{text!r} is not a whole number: write 1048576 or 2^20")
    return int(found[1]) if found[1] else 2 ** int(found[2])


@dataclass(frozen=True)
class Asked:
    """The parameters of all commands that read a problem."""

    file: MaybeFile = None
    model: ModelOption = None
    family: Family = None
    as_json: Json = False

    @property
    def source(self) -> str:
        """The file, or the constraints that were typed.

        Raises:
            InputError: neither or both are given, or a family beside constraints.
        """
        if self.model is None and self.file is not None:
            return self.file
        if self.model is None:
            raise InputError("Missing argument FILE: name a file, - for standard input, or use --model")
        if self.file is not None or self.family is not None:
            raise InputError(f"--model is the problem itself: leave out {self.file or '--family'}")
        return ModelText(self.model)


def command(
    shown: Mapping[str, Field[Any]] | None = None, tell_idle: Callable[[str], None] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command: its parameters that are dataclasses become the options that their fields declare.

    Args:
        shown: further declared options; the function receives those typed as a dictionary ``options``.
        tell_idle: called for each other option of a search that is typed. The command accepts these without effect, so
            that one set of options describes one search; without this function they are refused.
    """
    # Options of more pipelines come first.
    chosen = dict(sorted((shown or {}).items(), key=lambda item: -len(pipelines_of(item[0]))))
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
    """Yield the parameters of a command for one parameter of its function."""
    if not is_dataclass(kind := parameter.annotation):
        yield _keyword(parameter.name, kind, parameter.default)
        return
    # The extras are typer's descriptions of the options, inside ``Annotated``.
    hints = get_type_hints(kind, include_extras=True)
    for one in fields(kind):
        yield _keyword(one.name, hints[one.name], inspect.Parameter.empty if one.default is MISSING else one.default)


def _keyword(name: str, kind: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _is_typed(context: typer.Context, name: str) -> bool:
    # A default that is typed counts as typed: an option that the pipeline lacks is then refused and not ignored.
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


class ShortHelp(TyperCommand):
    """A command whose ``--help`` shows the options of at most one pipeline: all of them fill three screens."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Store the typed words for `format_help`, which is called before any option has its value."""
        ctx.meta[_TYPED] = tuple(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, and how to ask for more at the end."""
        with self._shown(_find_pipeline(ctx.meta.get(_TYPED, ())), ctx.command_path):
            super().format_help(ctx, formatter)

    @contextmanager
    def _shown(self, pipeline: str | None, command: str) -> Iterator[None]:
        """Hide the options of other pipelines; without a pipeline, all that not every pipeline has."""
        # A command without ``--pipeline`` shows all its options.
        options: list[Any] = self.params if any(one.name == "pipeline" for one in self.params) else []
        panels = [(one, getattr(one, "rich_help_panel", None) or "") for one in options if not one.hidden]
        # Options that belong to some pipelines only; others may have the same name.
        special = [one for one, panel in panels if panel.startswith(SPECIAL)]
        flags = {name: [one.opts[0] for one in special if name in pipelines_of(one.name)] for name in PIPELINES}
        before = self.epilog
        if special and pipeline is None:
            more = [f"{command} --pipeline {name} --help: {', '.join(known)}" for name, known in flags.items() if known]
            self.epilog = "\n\n".join(("Each pipeline has options of its own:", *more))
        # The options are those of the command itself, which tests call again, so they are restored at the end.
        hidden = [one for one in special if pipeline not in pipelines_of(one.name)]
        for one in hidden:
            one.hidden = True
        try:
            yield
        finally:
            self.epilog = before
            for one in hidden:
                one.hidden = False


def _find_pipeline(words: tuple[str, ...]) -> str | None:
    """Return the pipeline that was typed, if it exists."""
    # Help is shown before the options are parsed, so both spellings are looked for in the words.
    for word, after in zip(words, (*words[1:], ""), strict=True):
        name = after if word == "--pipeline" else word.removeprefix("--pipeline=")
        if word.startswith("--pipeline") and name in PIPELINES:
            return name
    return None
