"""Space that an install of gatesolve takes, its requirements included, as they are installed here.

    python -m benchmarks install-size [--write]   megabytes without and with extras

The files that pip recorded are summed, compiled ones included.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite

EXTRAS = ("", "plots", "anneal", "fast", "ibm mitigate pennylane estimate")
TABLE = Table(
    "install_size",
    """
    extras    key         their names
    packages  int         installed
    mb        int [MB]    of all files
    largest   str         packages
    """,
)


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


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Make the row of some extras."""
    sizes = {one: size(found) for one, found in requirements("gatesolve-circuits", tuple(name.split()), {}).items()}
    largest = ", ".join(sorted(sizes, key=sizes.__getitem__, reverse=True)[:6])
    yield TABLE.row(name, len(sizes), round(sum(sizes.values()) / 1e6), largest)


SUITE = Suite(TABLE, list_cases=lambda: EXTRAS, measure=measure)
