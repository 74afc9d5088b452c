"""A CPMpy model with the variables that its file declares, also those that nothing reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gatesolve.errors import InputError

if TYPE_CHECKING:
    import cpmpy

MOST_DECLARED = 1 << 14
"""The most variables of a file: each is listed in its solution."""


class Declared(NamedTuple):
    """The content of another solver's file.

    Attributes:
        model: its constraints and its objective.
        variables: the user's variables, in the file's order; one of the model that is not here is the reader's own.
    """

    model: cpmpy.Model
    variables: list[Any]


def check_declared(count: int, source: str, row: int | None = None) -> None:
    """Refuse a file of too many variables, before any of them is made."""
    if count > MOST_DECLARED:
        fault = f"{count} variables declared: at most {MOST_DECLARED} are read; give a smaller problem"
        raise InputError(fault, source=source, row=row)
