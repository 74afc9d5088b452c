"""Where the benchmarks find and leave their files."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES, DOCS, CIRCUITS = ROOT / "examples", ROOT / "docs", ROOT / "circuits"
RESULTS = ROOT / "benchmarks" / "results"
README = ROOT / "benchmarks" / "README.md"


def own_command(name: str, *arguments: object) -> list[str]:
    """The command of a suite in a process of its own, to be run in `ROOT`."""
    return [sys.executable, "-m", "benchmarks", name, *map(str, arguments)]
