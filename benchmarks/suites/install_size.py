"""Space that an install of gatesolve takes, its requirements included, as they are installed here.

python -m benchmarks install-size [--write]   megabytes without and with extras; into install_size.csv

The files that pip recorded are summed, compiled ones included.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks.core.csv_rows import write_lines
from benchmarks.core.places import RESULTS

FILE = RESULTS / "install_size.csv"
HEADER = ("extras", "packages", "MB", "largest")
EXTRAS: tuple[tuple[str, ...], ...] = ((), ("ibm", "mitigate", "pennylane", "estimate"))


def requirements(name: str, extras: tuple[str, ...], found: dict[str, Distribution]) -> dict[str, Distribution]:
    """Add what a distribution needs, and what that needs, to those found."""
    here = distribution(name)
    found.setdefault(canonicalize_name(name), here)
    for line in here.requires or ():
        needed = Requirement(line)
        wanted = needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *extras))
        if wanted and canonicalize_name(needed.name) not in found:
            requirements(needed.name, tuple(needed.extras), found)
    return found


def size(one: Distribution) -> int:
    """Bytes of its files."""
    paths = [Path(str(file.locate())) for file in one.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file())


def main(arguments: Sequence[str]) -> int:
    """Print a line without extras and one with; 1 where a package is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="replace install_size.csv")
    chosen = parser.parse_args(arguments)
    rows = []
    for extras in EXTRAS:
        try:
            sizes = {name: size(one) for name, one in requirements("gatesolve-circuits", extras, {}).items()}
        except PackageNotFoundError as error:
            print(f"not installed: {error.name}")
            return 1
        largest = ", ".join(sorted(sizes, key=sizes.__getitem__, reverse=True)[:6])
        rows.append((" ".join(extras), len(sizes), round(sum(sizes.values()) / 1e6), largest))
        print(*rows[-1], sep=" | ")
    if chosen.write:
        write_lines(HEADER, rows, FILE)
    return 0
