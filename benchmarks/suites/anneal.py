"""Annealing the published QUBOs of the examples: reads and seconds to an answer, and the rate of hits.

python -m benchmarks anneal [--samplers sa tabu] [--sweeps 1000] [--reads 2000] [--seeds 3] [--presolve] [NAME ...]
python -m benchmarks anneal --write        the rows of docs/anneal.md, into anneal.csv (5 minutes)

A row is one board, sampler and seed. "to answer": reads and seconds until the puzzle's own rules accept a state.
"hits": of READS further reads, made without looking at any, those that end at the ground energy; an answer has it, but
not every state that has it is an answer (see docs/anneal.md). Seconds are of processor time, on this machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence

from benchmarks.core.csv_rows import write_lines
from benchmarks.core.places import EXAMPLES, RESULTS
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.model.presolve.propagate import propagate
from gatesolve.pipelines.anneal.anneal import Sampler, anneal_qubo
from gatesolve.puzzles import Puzzle, load
from gatesolve.qubo.published import Published, published_qubo

HARDEST = ("sudoku/inkala-2006.txt", "sudoku/inkala-2010.txt", "sudoku/inkala-2012.txt")
BOARDS = (
    *HARDEST,
    "sudoku/royle17-0.txt",
    "galaxies/blog-5x5.txt",
    "galaxies/grilops-7x7.txt",
    "queens/linkedin-11x11.txt",
    "queens/csplib079-diag-8-4-7.param",
    "starbattle/tolleson-10x10-2.txt",
    "tents/sgt-15x15dt-2.txt",
    "takuzu/sgt-14x14.txt",
    "tango/santipvz-sample1.json",
    "kakuro/contest.txt",
    "chess/coloured-5x5.txt",
)
MOST_READS = 100_000
COLUMNS = ("board", "variables", "couplings", "sampler", "sweeps", "seed", "to answer", "s", "hits", "of reads", "s")
WIDTHS = (34, 10, 10, 8, 7, 5, 10, 7, 6, 9, 7)
FILE = RESULTS / "anneal.csv"
HEADER = ("board", "variables", "couplings", "sampler", "sweeps", "seed", "to answer", "seconds", "hits", "reads",
          "seconds of reads")  # fmt: skip
WRITTEN = [(name, "sa", 2000, seed) for name in BOARDS[:5] for seed in range(3)] + [
    (name, "tabu", 200, 0) for name in HARDEST
]
"""Board, sampler, reads for the rate of hits and seed of each row of the file."""


def main(arguments: Sequence[str]) -> int:
    """Print the table; 1 if a board was not solved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=BOARDS, help="files below examples/")
    parser.add_argument("--samplers", nargs="+", default=["sa", "tabu"])
    parser.add_argument("--sweeps", type=int, default=1000)
    parser.add_argument("--reads", type=int, default=2000, help="for the rate of hits; 0 for none")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--presolve", action="store_true", help="put in what propagation fixes")
    parser.add_argument("--write", action="store_true", help="replace anneal.csv, whose boards and seeds are fixed")
    asked = parser.parse_args(arguments)
    _print_row(COLUMNS)
    if asked.write:
        rows = []
        for name, sampler, reads, seed in WRITTEN:
            puzzle = load(EXAMPLES / name)
            rows.append(_measure(name, puzzle, _formula(puzzle, False), sampler, 1000, reads, seed))
        write_lines(HEADER, rows, FILE)
        return 0
    unsolved = 0
    for name in asked.names:
        puzzle = load(EXAMPLES / name)
        formula = _formula(puzzle, asked.presolve)
        for sampler in asked.samplers:
            for seed in range(asked.seeds):
                row = _measure(name, puzzle, formula, sampler, asked.sweeps, asked.reads, seed)
                unsolved += row[6] == "none"
    return int(unsolved > 0)


def _formula(puzzle: Puzzle, presolve: bool) -> Published:
    """The published formula without what the clues fix, or without what propagation fixes."""
    formula = published_qubo(puzzle)
    if not presolve:
        return formula
    smaller, recovery = propagate(from_cpmpy(puzzle.to_cpmpy()))
    fixed = recovery.recover({v.name: v.domain[0] for v in smaller.variables})
    domains = {name: (value,) for name, value in fixed.items()} | smaller.domains
    return formula.narrow(domains)


def _measure(
    name: str, puzzle: Puzzle, formula: Published, sampler: Sampler, sweeps: int, reads: int, seed: int
) -> list[object]:
    """Print one row and return it."""
    start = time.process_time()
    found = anneal_qubo(
        formula.qubo,
        sampler=sampler,
        sweeps=sweeps,
        seed=seed,
        reads=MOST_READS,
        ground=formula.ground,
        accept=lambda bits: not puzzle.check(formula.decode(bits)),
    )
    seconds = time.process_time() - start
    couplings = sum(len(m) == 2 for m in formula.qubo.terms)
    row: list[object] = [name, formula.qubo.num_variables, couplings, found.sampler, sweeps, seed]
    row += [found.reads if found.accepted else "none", f"{seconds:.1f}"]
    if reads and found.sampler != "exact":
        start = time.process_time()
        rate = anneal_qubo(formula.qubo, sampler=sampler, sweeps=sweeps, seed=seed + 1_000_000, reads=reads)
        hits = rate.hits if formula.ground is not None and rate.best == formula.ground else 0
        row += [hits, reads, f"{time.process_time() - start:.1f}"]
    _print_row(row)
    return row


def _print_row(row: Iterable[object]) -> None:
    cells = list(map(str, row))
    print(
        "  ".join(c.ljust(w) if k == 0 else c.rjust(w) for k, (c, w) in enumerate(zip(cells, WIDTHS, strict=False))),
        flush=True,
    )
