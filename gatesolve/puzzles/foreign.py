"""Formats of other solvers: they are not read here, but CPMpy reads them, and its models are."""

from __future__ import annotations

import re
from pathlib import Path

# What CPMpy calls a format, and how its texts start.
_STARTS = (
    ("cnf", r"(?:c\b.*\n|\s*\n)*p cnf\b"),
    ("opb", r"\* #variable="),
    ("xcsp3", r"(?:<\?xml[^>]*>\s*)?<instance\b"),
    ("mps", r"(?:\*.*\n|\s*\n)*NAME\b.*\n(?:.*\n)*?ROWS\b"),
)
_SUFFIXES = {".cnf": "cnf", ".wcnf": "wcnf", ".opb": "opb", ".mps": "mps", ".xml": "xcsp3"}
_EXTRAS = {"mps": "io-scip", "xcsp3": "io-xcsp3"}


def way_in(text: str, source: str) -> str | None:
    """How to hand a file of another solver over, in a sentence; None for a text of no such format.

    Args:
        text: of the file, by whose start a format is known.
        source: its name, whose suffix tells more.
    """
    found = next((name for name, start in _STARTS if re.match(start, text)), None)
    name = found or _SUFFIXES.get(Path(source).suffix.lower())
    if name is None:
        return None
    file = "FILE" if source.startswith("<") else source
    extra = f" (with cpmpy[{_EXTRAS[name]}])" if name in _EXTRAS else ""
    return (
        f"the format {name} is not read, but CPMpy reads it{extra}: in Python, "
        f"from cpmpy.tools.io import load; gatesolve.solve(load({file!r}, {name!r}))"
    )
