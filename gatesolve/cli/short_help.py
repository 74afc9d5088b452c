"""Help in two steps: what every pipeline has, then what the one named by ``--pipeline`` has besides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer.core import TyperCommand

from gatesolve.api.options import FIELDS, pipelines_of
from gatesolve.api.registry import PIPELINES

_TYPED = "gatesolve.typed"


class ShortHelp(TyperCommand):
    """A command whose ``--help`` shows the options of one pipeline at most: all of them fill three screens."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep what was typed for `format_help`, which is called before any option has its value."""
        ctx.meta[_TYPED] = tuple(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, and last how to ask for more."""
        with self._shown(_find_pipeline(ctx.meta.get(_TYPED, ())), ctx.command_path):
            super().format_help(ctx, formatter)

    @contextmanager
    def _shown(self, pipeline: str | None, command: str) -> Iterator[None]:
        """Hide the options of other pipelines; of all that not every one has where none is named."""
        options: list[Any] = [one for one in self.params if one.name in FIELDS]
        special = [one for one in options if not one.hidden and len(pipelines_of(one.name)) < len(PIPELINES)]
        flags = {name: [one.opts[0] for one in special if name in pipelines_of(one.name)] for name in PIPELINES}
        before = self.epilog
        if special and pipeline is None:
            more = [f"{command} --pipeline {name} --help: {', '.join(known)}" for name, known in flags.items() if known]
            self.epilog = "\n\n".join(("Each pipeline has options of its own:", *more))
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
    """The pipeline that was typed, whether or not there is such a one."""
    for word, after in zip(words, (*words[1:], ""), strict=True):
        name = after if word == "--pipeline" else word.removeprefix("--pipeline=")
        if word.startswith("--pipeline") and name in PIPELINES:
            return name
    return None
