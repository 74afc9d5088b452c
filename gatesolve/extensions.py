"""Names that are loaded on demand: of rooms, of optional packages, and of entry points, which are checked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NewType

from gatesolve.errors import InputError, MissingExtraError, one_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    import cpmpy as cpmpy

Registered = NewType("Registered", str)
"""A name from a registry that other packages extend; type checkers accept ``encoding=Registered("gray")`` besides
ours."""


class LateModule:
    """A module that is imported when one of its names is first used, because importing it takes a second."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


if not TYPE_CHECKING:
    cpmpy = LateModule("cpmpy")


def load_late(room: str, public: Mapping[str, Collection[str]]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a room that loads its public names, listed by module, when first asked for."""

    def find(name: str) -> Any:
        for module, names in public.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return find


def require(module: str, fault: str, extra: str) -> Any:
    """Import a module of an optional package, which is in an extra of this distribution.

    Raises:
        MissingExtraError: the package is not installed; ``fault`` says on one line which feature needs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(fault, extra) from error


def extension_names(group: str) -> tuple[str, ...]:
    """Return the names of other packages' entry points in a group, without loading any."""
    return tuple(_entry_points(group, tuple(sys.path)))


def load_extension(group: str, name: str, fault: Callable[[Any], str | None]) -> Any:
    """Load the extension that another package has registered under a name in a group, such as ``gatesolve.encodings``.

    Raises:
        InputError: it cannot be loaded, or ``fault`` returns what is wrong with it.
    """
    # Part of the cache's key: a package that is found after a change of the path is loaded.
    path = tuple(sys.path)
    found, wrong = _load(group, name, path)
    wrong = wrong or fault(found)
    if wrong is not None:
        point = _entry_points(group, path)[name]
        plural = group.partition(".")[2]
        # "gatesolve.families" becomes "family", "gatesolve.encodings" becomes "encoding".
        noun = f"{plural[:-3]}y" if plural.endswith("ies") else plural.removesuffix("s")
        mend = "correct its package, or uninstall it"
        raise InputError(f"the {noun} '{name}' ({point.value}) cannot be used: {wrong}: {mend}")
    return found


def load_extensions(group: str, fault: Callable[[Any], str | None]) -> dict[str, Any]:
    """Load a group's extensions, by name; faulty ones are left out until `load_extension` asks for them."""
    return _load_all(group, fault)[0]


def broken_extensions(group: str, fault: Callable[[Any], str | None]) -> tuple[str, ...]:
    """Return the faults of the extensions that `load_extensions` leaves out, in the words of `load_extension`."""
    return _load_all(group, fault)[1]


def _load_all(group: str, fault: Callable[[Any], str | None]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Load a group's extensions, by name, and list the faults of the others."""
    found, broken = {}, []
    for name in extension_names(group):
        try:
            found[name] = load_extension(group, name, fault)
        except InputError as error:
            broken.append(str(error))
    return found, tuple(broken)


@lru_cache(maxsize=256)
def _load(group: str, name: str, path: tuple[str, ...]) -> tuple[Any, str | None]:
    """Load an extension once; return it, or the reason why it cannot be loaded."""
    try:
        return _entry_points(group, path)[name].load(), None
    # Another package may raise any error.
    except Exception as error:
        return None, one_line(f"{type(error).__name__}: {error}")[:200]


@lru_cache(maxsize=64)
def _entry_points(group: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name."""
    # Slow to import, and most commands do not need it.
    from importlib.metadata import entry_points

    # Of two packages with one name, the first on ``sys.path`` wins.
    return {point.name: point for point in reversed(list(entry_points(group=group)))}
