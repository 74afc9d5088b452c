"""What a job's counts are to a search that makes levels small."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gatesolve.api.adaptive import Adaptive
from gatesolve.api.adaptive_run import fingerprint
from gatesolve.devices.decode import states_of
from gatesolve.errors import InputError


def levels_of(ready: Adaptive, record: Mapping[str, Any], counts: Mapping[str, int]) -> dict[int, int]:
    """Shots by level, without those outside the space."""
    found: dict[int, int] = {}
    for state, shots in states_of(record, counts).items():
        values = ready.space.decode(state)
        number = None if values is None else ready.space.number(values)
        if number is not None:
            level = int(ready.levels[number])
            found[level] = found.get(level, 0) + shots
    return found


def require_same_space(ready: Adaptive, space_key: str, search: str) -> None:
    """Refuse to go on with a search whose problem is now laid out differently.

    Raises:
        InputError: it is.
    """
    if space_key != fingerprint(ready):
        raise InputError(
            f"job {search} was begun by another version of gatesolve, which lays this problem out differently: "
            "go on with that version, or submit it anew with again=True"
        )
