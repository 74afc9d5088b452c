"""Make fresh boards with Simon Tatham's puzzles, read them and solve each with the reference solver.

    python examples/generate_sgt.py --seeds 1-25
    python examples/generate_sgt.py --seeds 1-5 --programs tents,galaxies --output boards/

The programs come with Debian's ``sgt-puzzles``. Every board must load with its family told by its
text alone, have exactly one solution, and pass its own rules; the exit status is 1 if one does not.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gatesolve import GatesolveError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.puzzles import parse

PRESETS = {
    "tents": ("8x8de", "8x8dt", "10x10dt", "15x15dt"),
    "galaxies": ("7x7dn", "7x7du", "10x10dn", "15x15dn"),
    "solo": ("2x2", "2x3db", "3x3db", "3x3de"),
    "unruly": ("6x6dn", "8x8dn", "8x8udn", "10x10dn"),
}
"""Sizes and difficulties to make for each program, used in turn."""
FAMILIES = {"tents": "tents", "galaxies": "galaxies", "solo": "sudoku", "unruly": "takuzu"}
SECONDS = 60
"""Longest that one board may take to be made."""


@dataclass(frozen=True)
class Outcome:
    """What became of one board: its game id, what is wrong with it (nothing), and the seconds to solve it."""

    seed: str
    board: str
    fault: str
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the boards and print one row a program; 1 if a board was not what it should be."""
    options = _options(arguments)
    programs = [(name, _installed(name)) for name in options.programs.split(",")]
    missing = [f"sgt-{name}" for name, path in programs if path is None]
    if missing:
        print(f"not installed: {', '.join(missing)}; apt-get install sgt-puzzles brings them", file=sys.stderr)
    faults = 0
    print(f"{'program':10}{'boards':>8}{'one solution':>14}{'slowest, s':>12}  presets")
    for name, path in programs:
        if path is None:
            continue
        outcomes = [_outcome(path, name, k, seed) for k, seed in enumerate(options.seeds)]
        good = [outcome for outcome in outcomes if not outcome.fault]
        slowest = max((outcome.seconds for outcome in outcomes), default=0.0)
        print(f"{name:10}{len(outcomes):>8}{len(good):>14}{slowest:>12.2f}  {' '.join(PRESETS[name])}")
        for outcome in outcomes:
            if outcome.fault:
                print(f"  {name} {outcome.seed} {outcome.board}: {outcome.fault}")
        faults += len(outcomes) - len(good)
        if options.output:
            _write(options.output, name, good)
    return 1 if faults else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--seeds", type=_seeds, default=range(1, 6), help="FIRST-LAST, such as 1-25")
    parser.add_argument("--programs", default=",".join(PRESETS), help="any of " + ",".join(PRESETS))
    parser.add_argument("--output", type=Path, help="a folder to write the boards to")
    options = parser.parse_args(arguments)
    unknown = set(options.programs.split(",")) - set(PRESETS)
    if unknown:
        parser.error(f"unknown program {', '.join(sorted(unknown))}: choose any of {', '.join(PRESETS)}")
    return options


def _seeds(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _installed(name: str) -> str | None:
    """Where the program is; Debian keeps games in a folder of their own."""
    return shutil.which(f"sgt-{name}") or shutil.which(f"sgt-{name}", path="/usr/games")


def _outcome(path: str, name: str, turn: int, seed: int) -> Outcome:
    """Make the board of one seed, read it and solve it."""
    told = f"{PRESETS[name][turn % len(PRESETS[name])]}#{seed}"
    try:
        made = subprocess.run(
            [path, "--generate", "1", told], capture_output=True, text=True, timeout=SECONDS, check=True
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        return Outcome(told, "", f"not made: {error}", 0.0)
    board = made.stdout.strip()
    start = time.perf_counter()
    fault = _fault(board, name)
    return Outcome(told, board, fault, time.perf_counter() - start)


def _fault(board: str, name: str) -> str:
    """What is wrong with a board; nothing when it is read, has one solution and passes its rules."""
    try:
        puzzle = parse(board, source=name)
        if puzzle.family != FAMILIES[name]:
            return f"taken for {puzzle.family}"
        found = find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit=100)
    except GatesolveError as error:
        return str(error)
    # One board may be several assignments: trees and tents can be paired in more than one way.
    boards = {str(puzzle.board(solution)) for solution in found}
    broken = [rule for solution in found for rule in puzzle.check(solution)]
    if len(boards) != 1:
        return f"{len(boards)} solutions"
    return "; ".join(broken[:3])


def _write(folder: Path, name: str, outcomes: Sequence[Outcome]) -> None:
    """Write one file a board, fit for ``gatesolve solve``."""
    folder.mkdir(parents=True, exist_ok=True)
    for outcome in outcomes:
        head = f"; sgt-{name} --generate 1 '{outcome.seed}'\n"
        (folder / f"{name}-{outcome.seed.replace('#', '-')}.txt").write_text(f"{head}{outcome.board}\n")


if __name__ == "__main__":
    sys.exit(main())
