"""Reading records back: JSON is checked before anything is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from gatesolve.errors import InputError

Read = TypeVar("Read")
Data = Mapping[str, Any]


def entry(data: Any, name: str, kind: type[Read]) -> Read:
    """The entry ``name`` of a dictionary, which must be of type ``kind``.

    Raises:
        InputError: it is not.
    """
    value = data.get(name) if isinstance(data, Mapping) else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(
            f"the record of a job has no {kind.__name__} '{name}': it was damaged or is of another version"
        )
    return value


def words(values: Any) -> tuple[str, ...]:
    """A list of strings."""
    return tuple(_each(values, str))


def numbers(values: Any) -> tuple[int, ...]:
    """A list of whole numbers."""
    return tuple(_each(values, int))


def rows(values: Any) -> tuple[tuple[int, ...], ...]:
    """A list of lists of whole numbers."""
    return tuple(numbers(row) for row in _each(values, list))


def weighted(values: Any) -> tuple[tuple[int, str], ...]:
    """Coefficients and names, in pairs."""
    return tuple((_one(pair[0], int), _one(pair[1], str)) for pair in _each(values, list) if _pair(pair))


def mapped(values: Any, read: Callable[[Data], Read]) -> tuple[Read, ...]:
    """A list of dictionaries, each read by ``read``."""
    return tuple(read(value) for value in _each(values, dict))


def _each(values: Any, kind: type[Read]) -> Sequence[Read]:
    if not isinstance(values, list):
        raise _damaged()
    return [_one(value, kind) for value in values]


def _one(value: Any, kind: type[Read]) -> Read:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _damaged()
    return value


def _pair(value: Sequence[Any]) -> bool:
    if len(value) != 2:
        raise _damaged()
    return True


def _damaged() -> InputError:
    return InputError("the record of a job cannot be read: damaged, or of another version")
