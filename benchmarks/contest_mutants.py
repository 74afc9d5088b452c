"""Delete single gates of the contest entries in circuits/ and count what the judges still accept.

Every gate of every file is left out in turn, those under a condition too, or a seeded sample of so many a file:

    python benchmarks/contest_mutants.py                            # every gate: hours
    python benchmarks/contest_mutants.py --sample 20 --seed 1
    python benchmarks/contest_mutants.py --contest kakuro-2022 --outside ../shared/contests

What is accepted is listed: there the judge has proved that the circuit still does all that its class asks.
``--outside`` has those judged again by the contest's own judge.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "circuits"))

from entries import Entry, read_entries  # noqa: E402
from judges import CONTESTS, RefusedError  # noqa: E402

NO_GATE = ("OPENQASM", "include", "qreg", "creg", "qubit", "bit", "input", "//")


def deletions(text: str) -> list[int]:
    """The numbers of the lines that hold one statement and no declaration."""
    lines = text.splitlines()
    return [k for k, line in enumerate(lines) if line.endswith(";") and not line.lstrip().startswith(NO_GATE)]


def mutants(entry: Entry, sample: int | None, seed: int, folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """The left-out line, with its place, and the files without it; preparations are left alone."""
    mutable = entry.files[:1] if entry.class_ == "prepared" else entry.files
    places = [(which, k) for which, path in enumerate(mutable) for k in deletions(path.read_text())]
    if sample is not None and sample < len(places):
        places = sorted(random.Random(seed).sample(places, sample))
    for which, k in places:
        lines = entry.files[which].read_text().splitlines()
        path = folder / entry.files[which].name
        path.write_text("\n".join([*lines[:k], *lines[k + 1 :]]) + "\n")
        files = [path if place == which else other for place, other in enumerate(entry.files)]
        yield f"{entry.files[which].name}:{k + 1} {lines[k].strip()}", files


def is_accepted(entry: Entry, files: Sequence[Path]) -> bool:
    """Whether our judge takes these files for the entry's."""
    try:
        CONTESTS[entry.contest].judge(entry.task, entry.class_, files)
    except RefusedError:
        return False
    return True


def outside_command(contests: Path, entry: Entry, files: Sequence[Path]) -> list[str]:
    """How the contest's own judge is called."""
    named: list[str] = []
    if entry.contest in {"icpc-2021", "iquhack-2023"}:
        named = ["--task", entry.task]
    elif entry.contest == "toffoli-measured":
        named = ["--circuit", entry.task, *(["--clean"] if entry.class_ == "clean" else [])]
    elif entry.contest == "toffoli-t-counts":
        family, _, controls = entry.task.rpartition("_")
        mode = "clean" if entry.class_ == "clean" else "dirty"
        named = ["--spec", family.removesuffix("_tof"), "--n", controls, "--mode", mode]
    elif entry.class_ == "prepared":
        named, files = ["--prep", str(files[1])], files[:1]
    return [sys.executable, str(contests / entry.contest / "check.py"), *map(str, files), *named]


def outside_verdict(contests: Path, entry: Entry, files: Sequence[Path]) -> tuple[bool, str]:
    """Whether the contest's own judge takes the files, and its last line."""
    command = outside_command(contests, entry, files)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0, (done.stdout.splitlines() or [""])[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description="Delete single gates of the contest entries.")
    parser.add_argument("--contest", choices=CONTESTS)
    parser.add_argument("--sample", type=int, help="so many gates of each entry; all by default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--outside", type=Path, help="the folder of the contests' own judges")
    given = parser.parse_args()
    totals: Counter[tuple[str, str]] = Counter()
    for place, entry in read_entries(ROOT / "circuits"):
        if isinstance(entry, RefusedError):
            raise SystemExit(f"{place}: {entry}")
        if given.contest not in {None, entry.contest}:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for line, files in mutants(entry, given.sample, given.seed, Path(folder)):
                accepted = is_accepted(entry, files)
                totals[entry.contest, "accepted" if accepted else "refused"] += 1
                if accepted:
                    verdict = outside_verdict(given.outside, entry, files) if given.outside else ""
                    print(f"accepted: {entry.contest} {entry.task} ({entry.class_}): {line} {verdict}", flush=True)
    for contest in dict.fromkeys(name for name, _ in totals):
        refused, accepted = totals[contest, "refused"], totals[contest, "accepted"]
        print(f"{contest}: {refused + accepted} gates left out, {refused} refused, {accepted} accepted")


if __name__ == "__main__":
    main()
