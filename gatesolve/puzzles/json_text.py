"""Puzzles written as one JSON object, as in the lines of public instance collections."""

from __future__ import annotations

import json
import re
from typing import Any

from gatesolve.errors import InputError


def json_family(text: str) -> str | None:
    """The family that a JSON object names, found without reading all of it; None if it names none."""
    match = re.search(r'"family"\s*:\s*"([^"]*)"', text)
    return match[1] if match else None


def json_object(text: str, source: str, family: str | None = None) -> dict[str, Any]:
    """The one JSON object that a text holds.

    Args:
        text: all of the text.
        source: what to call it in messages.
        family: the family it must be of, if it names one; None to accept any.

    Raises:
        InputError: it holds something else, or an object of another family.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        fault = f"not one JSON object ({error.msg}): write one object {{...}} and nothing after it"
        raise InputError(fault, source=source, row=error.lineno, column=error.colno) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets thousands deep
        raise InputError("JSON too deep or with too long a number: write a plain grid", source=source) from error
    if not isinstance(data, dict):
        raise InputError("JSON but not an object: write one object {...}", source=source)
    found = data.get("family", family)
    if family is not None and found != family:
        raise InputError(f"JSON of family {str(found)[:20]!r}, read as {family}: name its family", source=source)
    return data
