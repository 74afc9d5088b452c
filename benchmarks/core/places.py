"""Where the benchmarks find and leave their files."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES, DOCS, CIRCUITS = ROOT / "examples", ROOT / "docs", ROOT / "circuits"
RESULTS = ROOT / "benchmarks" / "results"
README = ROOT / "benchmarks" / "README.md"
