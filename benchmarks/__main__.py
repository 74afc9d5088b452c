"""The one runner: ``python -m benchmarks NAME [options]``.

Without a name it lists all names. ``NAME --help`` describes a suite or a campaign. Suites with recorded rows take
``--only WORD ...`` (cases), ``--check`` (compare with the recorded rows), ``--write`` (record rows, and remake the
pages that show them) and ``--pages`` (remake the pages alone).
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent


def list_modules() -> dict[str, Path]:
    """Return the file of each suite and campaign by its name on the command line."""
    paths = [path for folder in ("suites", "faults") for path in sorted((HERE / folder).glob("[a-z]*.py"))]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    return {p.stem.replace("_", "-"): p for p, t in texts.items() if "\ndef main(" in t or "\nSUITE = " in t}


def main(arguments: Sequence[str]) -> int:
    """Run what is named; 2 where there is nothing of this name."""
    modules = list_modules()
    name = arguments[0].replace("_", "-") if arguments else ""
    if name in modules:
        sys.argv[0] = f"python -m benchmarks {name}"
        module = importlib.import_module(f"benchmarks.{modules[name].parent.name}.{modules[name].stem}")
        suite = getattr(module, "SUITE", None)
        return int((suite.run(module.__doc__, arguments[1:]) if suite else module.main(arguments[1:])) or 0)
    if name.strip("-") in {"", "h", "help"}:
        print(__doc__)
        for known, path in modules.items():
            print(f"{known:18} {(ast.get_docstring(ast.parse(path.read_text())) or '').splitlines()[0]}")
        return 0
    sys.stderr.write(f"no benchmark is called {name!r}: `python -m benchmarks` lists them\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
