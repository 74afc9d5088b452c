"""The pipelines by name. To add one: its package in ``gatesolve/pipelines`` and its line here, or an entry point."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from gatesolve.extensions import extension_names, load_extension
from gatesolve.pipelines.anneal.options import AnnealOptions
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.grover.options import GroverOptions
from gatesolve.pipelines.options import SpaceOptions
from gatesolve.pipelines.qaoa.options import QaoaOptions

PIPELINES: dict[str, type[SpaceOptions]] = {
    "grover": GroverOptions,
    "gas": GasOptions,
    "qaoa": QaoaOptions,
    "anneal": AnnealOptions,
}
"""The options that each of ours takes."""
GROUP = "gatesolve.pipelines"
"""The entry points by which other packages add a `Pipeline`; it takes options that there are already."""


def find_pipeline(name: str) -> Any:
    """Return the `Pipeline` of that name, loaded when it is first asked for: the others need not be."""
    # Our names come first, so no other package can replace one of our pipelines.
    if name not in PIPELINES and name in extension_names(GROUP):
        return load_extension(GROUP, name, _fault)
    return import_module(f"gatesolve.pipelines.{name}.pipeline").PIPELINE


def options_taken(name: str) -> type[SpaceOptions]:
    """Return the options that a pipeline takes; raises as `find_pipeline`."""
    taken: type[SpaceOptions] = PIPELINES[name] if name in PIPELINES else find_pipeline(name).options
    return taken


def own_entries() -> tuple[str, ...]:
    """Return the entries of `Result.as_dict` that one of our pipelines fills, null in the others."""
    return tuple(taken.entry for taken in PIPELINES.values() if taken.entry)


def name_pipelines(fits: Callable[[Any], bool]) -> str:
    """Our pipelines that fit, as advice names them: ``pipeline='grover', 'gas' or 'qaoa'``."""
    *names, last = (f"'{name}'" for name in PIPELINES if fits(find_pipeline(name)))
    return f"pipeline={', '.join(names)}{' or ' if names else ''}{last}"


def _fault(found: Any) -> str | None:
    # Loads what options and help do without.
    from gatesolve.pipelines.protocol import Pipeline

    if not isinstance(found, Pipeline):
        return "it is no Pipeline"
    # The command line and the types of `Options` list all options, so a package cannot add new ones.
    known = {name for taken in PIPELINES.values() for name in taken.__dataclass_fields__}
    own = sorted(set(found.options.__dataclass_fields__) - known)
    return f"it takes the option {own[0]}, which gatesolve has not" if own else None
