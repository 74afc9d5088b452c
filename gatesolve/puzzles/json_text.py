"""Puzzles written as one JSON object, as in the lines of public instance collections."""

from __future__ import annotations

import re
from typing import Any

from gatesolve import files
from gatesolve.errors import InputError


def json_family(text: str) -> str | None:
    """The family that a JSON object names, found without reading all of it; None if it names none."""
    match = re.search(r'"family"\s*:\s*"([^"]*)"', text)
    return match[1] if match else None


def refuse_fields(data: dict[str, Any], mends: dict[str, str], source: str) -> None:
    """Refuse fields that would be passed over in silence though they look like a rule.

    Args:
        data: the object.
        mends: words of the text format that no field is called by, and what to write instead.
        source: what to call it in messages.

    Raises:
        InputError: with the first of them.
    """
    for name, mend in mends.items():
        if name in data:
            raise InputError(f"JSON has no field '{name}': {mend}", source=source)


def json_object(text: str, source: str, family: str | None = None) -> dict[str, Any]:
    """The one JSON object that a text holds.

    Args:
        text: all of the text.
        source: what to call it in messages.
        family: the family it must be of, if it names one; None to accept any.

    Raises:
        InputError: it holds something else, or an object of another family.
    """
    data = files.json_object(text, source)
    found = data.get("family", family)
    if family is not None and found != family:
        raise InputError(f"JSON of family {str(found)[:20]!r}, read as {family}: name its family", source=source)
    return data
