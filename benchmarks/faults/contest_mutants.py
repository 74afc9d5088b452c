"""Delete single gates of the contest entries in circuits/ and count what the judges still accept.

Every gate of every file is left out in turn, those under a condition too, or a seeded sample of so many a file:

    python -m benchmarks contest-mutants --write --jobs 2  # every gate, into circuits/mutants.csv: three to four hours
    python -m benchmarks contest-mutants --write --contest icpc-2021
    python -m benchmarks contest-mutants --sample 20 --seed 1
    python -m benchmarks contest-mutants --contest kakuro-2022 --outside ../shared/contests

What is accepted is listed: there the judge has proved that the circuit still does all that its class asks.
``--outside`` has those judged again by the contest's own judge. The colouring's searches are not judged anew
for each gate: `search_mutants` shows of most that an outcome has another probability than the judge takes, and the
judge has the others.
"""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

from benchmarks.core.places import CIRCUITS
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import make_parser

sys.path.append(str(CIRCUITS))

from entries import OURS, Entry, read_entries
from judges import CONTESTS, RefusedError, UnfollowedError, colouring_2019
from judges.base import parse

from benchmarks.faults.search_mutants import Finding, Search, find_cuts, findings, read_search

NO_GATE = ("OPENQASM", "include", "qreg", "creg", "qubit", "bit", "input", "//")
MANY = 100
"""Places from which a whole search is not judged again for each of them."""
TABLE = Table(
    "mutants",
    """
    contest     str           its folder
    task        str           of the contest
    class_      key [class]   which the judge was asked for
    circuit     key           its first file, below circuits/
    gates       int           statements that could be left out
    refused     int           of those left out
    unfollowed  int           of these: too many terms for the judge to follow
    accepted    int           proved to change nothing that the class asks
    sha256      str           of the files, the first twelve digits
    """,
    CIRCUITS,
)


def deletions(text: str) -> list[int]:
    """The numbers of the lines that hold one statement and no declaration."""
    lines = text.splitlines()
    return [k for k, line in enumerate(lines) if line.endswith(";") and not line.lstrip().startswith(NO_GATE)]


def mutable(entry: Entry) -> tuple[Path, ...]:
    """The files whose gates are left out; preparations are left alone."""
    return entry.files[:1] if entry.class_ == "prepared" else entry.files


Place = tuple[int, int]
"""Which file, and which of its lines from 0."""


def places_of(entry: Entry, sample: int | None = None, seed: int = 0) -> list[Place]:
    """Where gates are left out."""
    places = [(which, k) for which, path in enumerate(mutable(entry)) for k in deletions(path.read_text())]
    if sample is not None and sample < len(places):
        places = sorted(random.Random(seed).sample(places, sample))
    return places


def mutants(entry: Entry, places: Sequence[Place], folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """The left-out line, with its place, and the files without it."""
    for which, k in places:
        lines = entry.files[which].read_text().splitlines()
        path = folder / entry.files[which].name
        path.write_text("\n".join([*lines[:k], *lines[k + 1 :]]) + "\n")
        files = [path if place == which else other for place, other in enumerate(entry.files)]
        yield f"{entry.files[which].name}:{k + 1} {lines[k].strip()}", files


def is_accepted(entry: Entry, files: Sequence[Path]) -> bool | None:
    """Whether our judge takes these files for the entry's; None where it refuses what it cannot follow."""
    try:
        CONTESTS[entry.contest].judge(entry.task, entry.class_, files)
    except UnfollowedError:
        return None
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


def search_of(entry: Entry) -> Search | None:
    """The colouring's search, where each place is one of its gates, in their order."""
    if entry.contest != "colouring-2019":
        return None
    circuit = parse(entry.files[0].read_text(), entry.files[0])
    gates = [step for step in circuit.data if step.operation.name != "measure"]
    if len(circuit.data) != len(places_of(entry)) or circuit.data[: len(gates)] != gates:
        return None
    colourings = len(colouring_2019.proper_colourings())
    fewest = 1 << 14 if entry.class_ == "whole" else 2 * colourings
    return read_search(circuit, colourings, colouring_2019.ITERATIONS, fewest)


def split_off_refused(entry: Entry, places: Sequence[Place], pool: Executor, jobs: int) -> tuple[list[Place], int]:
    """The places that the judge has to look at, and how many others there are: refused for another probability."""
    search = search_of(entry) if len(places) >= MANY else None
    if search is None:
        return list(places), 0
    number_of = {place: number for number, place in enumerate(places_of(entry))}
    cuts, usual = find_cuts(search, seed=1)
    shares = [{number_of[place] for place in places[k::jobs]} for k in range(jobs)]
    found: dict[int, Finding] = {}
    for one in pool.map(findings, repeat(search), repeat(cuts), repeat(usual), shares):
        found |= one
    left = [place for place in places if found.get(number_of[place]) is not Finding.CHANGED]
    return left, len(places) - len(left)


def run_share(entry: Entry, places: Sequence[Place], outside: Path | None) -> tuple[int, int, list[str]]:
    """How many were refused, how many of these as they could not be followed, and a line for each that was accepted."""
    refused, unfollowed, accepted = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for line, files in mutants(entry, places, Path(folder)):
            taken = is_accepted(entry, files)
            if not taken:
                refused, unfollowed = refused + 1, unfollowed + (taken is None)
                continue
            verdict = outside_verdict(outside, entry, files) if outside else ""
            accepted.append(f"accepted: {entry.contest} {entry.task} ({entry.class_}): {line} {verdict}")
    return refused, unfollowed, accepted


def digest(entry: Entry) -> str:
    """Twelve digits that change with the files."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in entry.files)).hexdigest()[:12]


def our_entries() -> list[Entry]:
    """Those of gatesolve, in the open table's order of folders.

    Raises:
        RefusedError: a line of theirs is not as it should be.
    """
    found = []
    for _, entry in read_entries(CIRCUITS):
        if isinstance(entry, RefusedError):
            raise entry
        if entry.author == OURS:
            found.append(entry)
    return found


def record(row: Row) -> None:
    """Put a row in place of that of the same entry; entries that are gone leave."""
    known = {old.key: old for old in TABLE.read()} | {row.key: row}
    keys = [(entry.class_, _name(entry)) for entry in our_entries()]
    TABLE.write(known[key] for key in keys if key in known)


def _name(entry: Entry) -> str:
    return entry.files[0].relative_to(CIRCUITS).as_posix()


def main(arguments: Sequence[str]) -> None:
    """Read the arguments, leave out gates, print and perhaps write what was found."""
    parser = make_parser(__doc__)
    parser.add_argument("--contest", choices=CONTESTS)
    parser.add_argument("--circuit", help="only those whose first file has this in its name")
    parser.add_argument("--sample", type=int, help="so many gates of each entry; all by default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--outside", type=Path, help="the folder of the contests' own judges")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--write", action="store_true", help="what was found into circuits/mutants.csv")
    given = parser.parse_args(arguments)
    entries = [one for one in our_entries() if given.contest in {None, one.contest}]
    entries = [one for one in entries if (given.circuit or "") in _name(one)]
    if not entries:
        parser.error("no entry of ours is of this contest and has this name; circuits/mutants.csv has their names")
    if given.jobs < 1 or (given.sample is not None and given.sample < 1):
        parser.error("--jobs and --sample are 1 or more")
    with ProcessPoolExecutor(given.jobs) as pool:
        for entry in entries:
            places = places_of(entry, given.sample, given.seed)
            left, refused = split_off_refused(entry, places, pool, given.jobs)
            shares = [left[k :: given.jobs] for k in range(given.jobs)]
            done = list(pool.map(run_share, repeat(entry), shares, repeat(given.outside)))
            refused, unfollowed = refused + sum(one[0] for one in done), sum(one[1] for one in done)
            accepted = [line for one in done for line in one[2]]
            print(*accepted, sep="\n", end="\n" if accepted else "")
            said = f"{refused} refused ({unfollowed} not followed), {len(accepted)} accepted"
            print(f"{_name(entry)} ({entry.class_}): {said}", flush=True)
            if given.write:
                known = (entry.contest, entry.task, entry.class_, _name(entry), len(places))
                record(TABLE.row(*known, refused, unfollowed, len(accepted), digest(entry)))
