"""The one runner: ``python -m benchmarks NAME [options]``; without a name all names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent


def list_names() -> dict[str, str]:
    """The module of each suite and campaign, by the name on the command line."""
    paths = [path for folder in ("suites", "faults") for path in sorted((HERE / folder).glob("[a-z]*.py"))]
    return {
        path.stem.replace("_", "-"): f"benchmarks.{path.parent.name}.{path.stem}"
        for path in paths
        if "\ndef main(" in path.read_text(encoding="utf-8")
    }


def main(arguments: Sequence[str]) -> int:
    """Run the suite that is named; 2 where there is none of this name."""
    names = list_names()
    name = arguments[0].replace("_", "-") if arguments else ""
    if name not in names:
        known = ", ".join(names)
        sys.stderr.write(f"python -m benchmarks: {f'no suite {name!r}: name' if name else 'name'} one of {known}\n")
        return 2
    sys.argv[0] = f"python -m benchmarks {name}"
    return int(importlib.import_module(names[name]).main(arguments[1:]) or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
