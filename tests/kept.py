"""Problems compiled, and circuits exported, once for all tests of a process.

What comes back is frozen, or files of the test's own, so that one test cannot spoil it for another.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import gatesolve


def compiled(problem: Any, **options: Any) -> Any:
    """`gatesolve.compile`, once for the same problem (a path, a model, a puzzle) and options."""
    return _compiled(problem, tuple(sorted(options.items())))


@cache
def _compiled(problem: Any, options: tuple[tuple[str, Any], ...]) -> Any:
    return gatesolve.compile(problem, **dict(options))


def exported(folder: Path, problem: Any, part: str = "whole", suffix: str = ".qasm", **options: Any) -> Path:
    """A problem's circuit with its certificate, written to a folder; compiled and proved once."""
    path = folder / f"board{suffix}"
    for place, data in zip(_pair(path), _exported(problem, part, suffix, tuple(sorted(options.items()))), strict=True):
        place.write_bytes(data)
    return path


@cache
def _exported(problem: Any, part: str, suffix: str, options: tuple[tuple[str, Any], ...]) -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        made = gatesolve.export(_compiled(problem, options), Path(folder) / f"board{suffix}", part)
        return [path.read_bytes() for path in _pair(made.circuit)]


def _pair(circuit: Path) -> tuple[Path, Path]:
    return circuit, circuit.with_suffix(".cert.json")
