"""Packages of other people, as ``pip install`` would leave them: a module and the entry points that it registers."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pytest

_NUMBER = itertools.count()


def install(patch: pytest.MonkeyPatch, folder: Path, source: str, **points: str) -> str:
    """Install a module until the test ends.

    Args:
        patch: undoes it.
        folder: to write to.
        source: of the module; ``MODULE`` in the entry points stands for its name.
        points: entry points of each group below ``gatesolve``, one a line: ``encodings="gray = MODULE:gray"``.

    Returns:
        The module's name.
    """
    module = f"another_package_{next(_NUMBER)}"
    site = folder / module
    info = site / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    (site / f"{module}.py").write_text(source, encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"[gatesolve.{group}]\n{named}\n".replace("MODULE", module) for group, named in points.items()]
    (info / "entry_points.txt").write_text("".join(lines), encoding="utf-8")
    patch.setattr(sys, "path", [str(site), *sys.path])
    return module
