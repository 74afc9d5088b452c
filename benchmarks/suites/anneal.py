"""Published QUBOs of the examples, annealed: reads and seconds to an answer, and the rate of hits.

    python -m benchmarks anneal [--only inkala ...] [--write | --check]
    python -m benchmarks anneal --others [--samplers sa tabu] [--sweeps 1000] [--reads 2000] [--seeds 3] [--presolve]

A row is one board, sampler and seed; ``--others`` measures all boards with other settings, and records nothing. "to
answer": reads and seconds until the puzzle's own rules accept a state. "hits": of READS further reads, made without
looking at any, those that end at the ground energy; an answer has it, but not every state that has it is an answer (see
docs/anneal.md). Seconds are of processor time, on this machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from benchmarks.core.places import EXAMPLES
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite
from gatesolve.formats import from_cpmpy
from gatesolve.model import propagate
from gatesolve.pipelines import anneal_qubo
from gatesolve.pipelines.anneal.pipeline import Sampler
from gatesolve.puzzles import Puzzle, load
from gatesolve.qubo import published_qubo
from gatesolve.qubo.published import Published

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
WRITTEN = [(name, "sa", 2000, seed) for name in BOARDS[:5] for seed in range(3)] + [
    (name, "tabu", 200, 0) for name in HARDEST
]
"""Board, sampler, reads for the rate of hits and seed of each recorded row."""
TABLE = Table(
    "anneal",
    """
    board          key      file of examples/
    variables      int      of the formula, what the clues fix left out
    couplings      int      of the formula
    sampler        key      sa, tabu or exact
    sweeps         key-int  of a read
    seed           key-int  of the reads
    answer         str [to answer]   reads until an answer, or none
    seconds        seconds  of those
    hits           int      reads that end at the ground energy
    reads          int      further reads
    reads_seconds  seconds [seconds of reads]  of those
    """,
)


def make_formula(puzzle: Puzzle, presolve: bool) -> Published:
    """The published formula without what the clues fix, or without what propagation fixes."""
    formula = published_qubo(puzzle)
    if not presolve:
        return formula
    smaller, recovery = propagate(from_cpmpy(puzzle.to_cpmpy()))
    fixed = recovery.recover({v.name: v.domain[0] for v in smaller.variables})
    domains = {name: (value,) for name, value in fixed.items()} | smaller.domains
    return formula.narrow(domains)


def measure_board(
    name: str, puzzle: Puzzle, formula: Published, sampler: Sampler, sweeps: int, reads: int, seed: int
) -> Row:
    """Make one row."""
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
    answer = str(found.reads) if found.accepted else "none"
    row = TABLE.row(name, formula.qubo.num_variables, couplings, found.sampler, sweeps, seed, answer, round(seconds, 1))
    if reads and found.sampler != "exact":
        start = time.process_time()
        rate = anneal_qubo(formula.qubo, sampler=sampler, sweeps=sweeps, seed=seed + 1_000_000, reads=reads)
        hits = rate.hits if formula.ground is not None and rate.best == formula.ground else 0
        return row.replace(hits=hits, reads=reads, reads_seconds=round(time.process_time() - start, 1))
    return row


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Make the recorded rows of a board, or those of other settings."""
    puzzle = load(EXAMPLES / name)
    formula = make_formula(puzzle, asked.presolve)
    recorded = [row[1:] for row in WRITTEN if row[0] == name]
    others = [(sampler, asked.reads, seed) for sampler in asked.samplers for seed in range(asked.seeds)]
    for sampler, reads, seed in others if asked.others else recorded:
        yield measure_board(name, puzzle, formula, sampler, asked.sweeps, reads, seed)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add other settings."""
    parser.add_argument("--others", action="store_true", help="all boards with the settings that follow")
    parser.add_argument("--samplers", nargs="+", default=["sa", "tabu"])
    parser.add_argument("--sweeps", type=int, default=1000)
    parser.add_argument("--reads", type=int, default=2000, help="for the rate of hits; 0 for none")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--presolve", action="store_true", help="put in what propagation fixes")


SUITE = Suite(
    TABLE,
    list_cases=lambda: BOARDS,
    measure=measure,
    add_options=add_options,
    order=lambda row: (row.sampler, BOARDS.index(row.board)),
    is_failed=lambda row: row.answer == "none",
)
