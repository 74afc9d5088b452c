"""Models whose oracle has to do the work: each constraint as written, nothing deduced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, pairwise

import cpmpy as cp

from benchmarks.core.places import ROOT
from gatesolve.formats import from_cpmpy
from gatesolve.model import AllDifferent, Model, NotEqual, Variable
from gatesolve.puzzles import load

EDGES = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 4), (3, 4), (3, 5)]
PETERSEN = [
    *((k, (k + 1) % 5) for k in range(5)),
    *((5 + k, 5 + (k + 2) % 5) for k in range(5)),
    *((k, k + 5) for k in range(5)),
]
SHOP_2 = [[(0, 2), (1, 3)], [(1, 2), (0, 2)]]
"""Jobs as lists of a machine and a duration; the shortest makespan is 5."""
SHOP_3 = [[(0, 3), (1, 2), (2, 2)], [(0, 2), (2, 1), (1, 4)], [(1, 4), (2, 3), (0, 1)]]
"""The jobs of OR-Tools' example, the third with one more task; the shortest makespan is 11."""
MAKESPANS = {2: 7, 3: 11}
PACKED, BINS, CAPACITY = (4, 3, 3, 2, 2, 1), 3, 5
WEIGHTS, MOST_WEIGHT = (5, 4, 7, 2, 3, 6, 1, 8), 18
WORTHS, LEAST_WORTH = (8, 5, 10, 3, 4, 9, 2, 11), 27


def colour(edges: Sequence[tuple[int, int]], colours: int) -> Model:
    """A colouring of a graph."""
    nodes = sorted({node for edge in edges for node in edge})
    variables = tuple(Variable(f"x{node}", tuple(range(colours))) for node in nodes)
    return Model(variables, tuple(NotEqual(f"x{a}", f"x{b}") for a, b in edges))


def magic_square() -> Model:
    """Nine numbers in a square of 3 x 3."""
    x = cp.intvar(1, 9, shape=(3, 3), name="x")
    lines = [*x, *x.T, [x[k, k] for k in range(3)], [x[k, 2 - k] for k in range(3)]]
    return from_cpmpy(cp.Model(cp.AllDifferent(x), [cp.sum(list(line)) == 15 for line in lines]))


def queens(size: int) -> Model:
    """A column for the queen of each row."""
    rows = [cp.intvar(0, size - 1, name=f"x{k}") for k in range(size)]
    diagonals = [[rows[k] + sign * k for k in range(size)] for sign in (1, -1)]
    return from_cpmpy(cp.Model([cp.AllDifferent(list(one)) for one in (rows, *diagonals)]))


def send_more() -> Model:
    """SEND + MORE = MONEY, all letters different."""
    letters = {name: cp.intvar(name in "SM", 9, name=name) for name in "SENDMORY"}

    def word(text: str) -> object:
        return cp.sum([10**k * letters[name] for k, name in enumerate(reversed(text))])

    return from_cpmpy(cp.Model(cp.AllDifferent(list(letters.values())), word("SEND") + word("MORE") == word("MONEY")))


def golomb() -> Model:
    """Four marks, all six distances different, length 6."""
    marks = cp.intvar(0, 6, shape=4, name="x")
    gaps = [marks[b] - marks[a] for a, b in combinations(range(4), 2)]
    return from_cpmpy(cp.Model(marks[0] == 0, [a < b for a, b in pairwise(marks)], cp.AllDifferent(gaps)))


def job_shop(jobs: Sequence[Sequence[tuple[int, int]]]) -> Model:
    """Starts s_job_task of tasks in their order, one at a time on a machine, all done by the bound."""
    bound = MAKESPANS[len(jobs)]
    starts = [[cp.intvar(0, bound - 1, name=f"s_{j}_{k}") for k in range(len(job))] for j, job in enumerate(jobs)]
    rules = [s[k] + job[k][1] <= s[k + 1] for s, job in zip(starts, jobs, strict=True) for k in range(len(job) - 1)]
    rules += [s[-1] + job[-1][1] <= bound for s, job in zip(starts, jobs, strict=True)]
    for (j, k), (i, m) in shared_machines(jobs):
        a, b = starts[j][k], starts[i][m]
        rules.append((a + jobs[j][k][1] <= b) | (b + jobs[i][m][1] <= a))
    return from_cpmpy(cp.Model(rules))


def shared_machines(jobs: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of tasks of different jobs on one machine, each as its job and its place there."""
    tasks = [(j, k) for j, job in enumerate(jobs) for k in range(len(job))]
    return [(a, b) for a, b in combinations(tasks, 2) if a[0] != b[0] and jobs[a[0]][a[1]][0] == jobs[b[0]][b[1]][0]]


def bin_packing() -> Model:
    """A bin for each of six things."""
    x = cp.intvar(0, BINS - 1, shape=len(PACKED), name="x")
    loads = [cp.sum([size * (place == b) for size, place in zip(PACKED, x, strict=True)]) for b in range(BINS)]
    return from_cpmpy(cp.Model([load <= CAPACITY for load in loads]))


def knapsack() -> Model:
    """Eight things, neither too heavy nor worth too little."""
    x = cp.intvar(0, 1, shape=len(WEIGHTS), name="x")
    weight, worth = (cp.sum([c * v for c, v in zip(given, x, strict=True)]) for given in (WEIGHTS, WORTHS))
    return from_cpmpy(cp.Model(weight <= MOST_WEIGHT, worth >= LEAST_WORTH))


def empty_sudoku() -> Model:
    """A 9x9 Sudoku without a given cell."""
    names = [f"r{k // 9 + 1}c{k % 9 + 1}" for k in range(81)]
    variables = tuple(Variable(name, tuple(range(1, 10))) for name in names)
    return Model(variables, tuple(AllDifferent(tuple(names[k] for k in group)) for group in sudoku_groups()))


def sudoku_groups() -> list[list[int]]:
    """Rows, columns and boxes of cells 0 to 80."""
    rows = [[9 * r + c for c in range(9)] for r in range(9)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    boxes = [[9 * (3 * b + r) + 3 * a + c for r in range(3) for c in range(3)] for b in range(3) for a in range(3)]
    return rows + columns + boxes


def inkala() -> Model:
    """Arto Inkala's Sudoku of 2012, as the example is declared: givens are variables of one value."""
    return from_cpmpy(load(ROOT / "examples/sudoku/inkala-2012.txt").to_cpmpy())


BOARDS: dict[str, Callable[[], Model]] = {
    **{f"{k} colours, 7 edges": partial(colour, EDGES, k) for k in (5, 8, 12, 16)},
    **{f"Petersen graph, {k} colours": partial(colour, PETERSEN, k) for k in (3, 5, 8, 12, 16)},
    "magic square 3x3": magic_square,
    "Golomb ruler, 4 marks": golomb,
    "SEND + MORE = MONEY": send_more,
    "6 queens as columns": partial(queens, 6),
    "8 queens as columns": partial(queens, 8),
    "job shop 2x2": partial(job_shop, SHOP_2),
    "job shop 3x3": partial(job_shop, SHOP_3),
    "bin packing 6 in 3": bin_packing,
    "knapsack of 8": knapsack,
    "Sudoku, Inkala 2012": inkala,
    "Sudoku 9x9, no givens": empty_sudoku,
}
