"""One hash for everything that is kept and found again: what is equal has the same key, in every process."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Set
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np

KEY_LENGTH = 16
"""Hexadecimal digits of a key: 64 bits of a hash."""


def content_key(*parts: object) -> str:
    """Return a hash that is equal for equal values alone: None, strings, bytes, numbers, and collections of these.

    Raises:
        TypeError: a value that is no dataclass either; how it prints need not say what it is.
    """
    return hashlib.sha256(canonical(parts).encode(errors="surrogatepass")).hexdigest()[:KEY_LENGTH]


def canonical(value: object) -> str:
    """Return the text that `content_key` hashes; values with equal texts are equal.

    The order of sets and dictionaries does not matter, nor the type of a number (1, True, 1.0). It does not matter
    whether a sequence is a list or a tuple, because JSON has only lists. A dataclass is written as its name and its
    fields by name, without fields at their default. So adding a field with a default keeps stored keys valid, but
    changing a default changes their meaning.

    Raises:
        TypeError: a value has another type.
    """
    if isinstance(value, np.generic):
        value = value.item()
    match value:
        case None:
            return "null"
        case str():
            # The length makes texts unambiguous, whatever brackets or commas they contain.
            return f"{len(value)}:{value}"
        case bytes():
            return f"bytes {hashlib.sha256(value).hexdigest()}"
        case int() | float() | Fraction():
            return _number(value)
        case list() | tuple():
            if set(map(type, value)) == {int}:  # the rows of long tables, as below but quicker
                return f"[{','.join([format(item, 'x') for item in value])}]"
            return f"[{','.join(map(canonical, value))}]"
        case Set():
            # Sorted as texts, because members of different types cannot be compared.
            return f"<{','.join(sorted(map(canonical, value)))}>"
        case Mapping():
            return f"{{{','.join(sorted(f'{canonical(key)}={canonical(item)}' for key, item in value.items()))}}}"
        case _ if is_dataclass(value) and not isinstance(value, type):
            return f"{type(value).__name__}{{{','.join(sorted(_list_fields(value)))}}}"
    raise TypeError(f"a {type(value).__name__} has no canonical form, so nothing that holds it can be kept by content")


def _number(value: int | float | Fraction) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    # 1, 1.0, True and Fraction(1) have the same ratio and so the same text.
    numerator, denominator = value.as_integer_ratio()
    # Hexadecimal, because decimal digits are limited in number and slow.
    return format(numerator, "x") if denominator == 1 else f"{numerator:x}/{denominator:x}"


def _list_fields(value: Any) -> Iterator[str]:
    """The fields that are compared and have not their default."""
    for field in (field for field in fields(value) if field.compare):
        default = field.default if field.default_factory is MISSING else field.default_factory()
        text = canonical(getattr(value, field.name))
        if default is MISSING or text != canonical(default):
            yield f"{field.name}={text}"
