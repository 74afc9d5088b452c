"""The tables in examples/*/README.md say of each board what it is: its size, its solutions, what propagation leaves."""

import re
from collections import Counter
from math import log2, prod

import pages
import pytest

from gatesolve import load
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions, presolve

EXAMPLES = pages.ROOT / "examples"
FAMILIES = ("kakuro", "sudoku", "takuzu", "tango", "tents", "galaxies", "starbattle")
"""Chess and Queens have their own tests beside their rules."""
COUNTED = {"white cells": "cells", "clues": "clues", "trees": "tree", "dots": "dot", "stars": "star"}
"""Columns and the word that stands behind the number in a board's title."""


def table(family):
    lines = (EXAMPLES / family / "README.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines if line.startswith("| ")]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]


ROWS = {f"{family}/{row['file'].strip('`')}": row for family in FAMILIES for row in table(family)}


def shown(number):
    return str(number) if number < 100_000 else f"2^{log2(number):.1f}".removesuffix(".0")


def count_permutations(domains):
    ways = Counter({0: 1})
    for domain in domains:
        ways, before = Counter(), ways
        for used, number in before.items():
            for value in domain:
                if not used >> value & 1:
                    ways[used | 1 << value] += number
    return sum(ways.values())


def count_left(puzzle, model):
    """Assignments of a Takuzu's open cells; of a Sudoku the best of rows, columns and boxes as permutations."""
    smaller, recovery = presolve(model, "propagate")
    if puzzle.family != "sudoku":
        return prod(len(variable.domain) for variable in smaller.variables)
    known = recovery.recover({variable.name: variable.domain[0] for variable in smaller.variables})
    domains = {name: (value,) for name, value in known.items()} | {v.name: v.domain for v in smaller.variables}
    sides = range(len(puzzle.cells))
    rows = [[f"r{i + 1}c{j + 1}" for j in sides] for i in sides]
    boxes = [[rows[i][j] for i in sides for j in sides if puzzle.boxes[i][j] == box] for box in sides]
    kinds = (rows, [*zip(*rows, strict=True)], boxes)
    return min(prod(count_permutations([domains[name] for name in unit]) for unit in kind) for kind in kinds)


@pytest.mark.sampled(18)
@pytest.mark.quick("*/small.txt", "*/tiny*", "*5x5*", "*/weak*")
@pytest.mark.parametrize("name", ROWS)
def test_a_board_is_as_its_row_says(name):
    row, puzzle = ROWS[name], load(EXAMPLES / name)
    model = from_cpmpy(puzzle.to_cpmpy())
    assert f" {row['size'].split(',')[0]}: " in puzzle.title
    for column, word in COUNTED.items():
        assert column not in row or f" {row[column]} {word}" in puzzle.title
    assert len(find_solutions(model, int(row["solutions"]) + 1)) == int(row["solutions"])
    if "left" in row:
        assert row["left"] == shown(count_left(puzzle, model))


def test_every_board_has_a_row():
    files = {f"{f}/{path.name}" for f in FAMILIES for path in (EXAMPLES / f).iterdir() if path.suffix != ".md"}
    assert files == set(ROWS)


@pytest.mark.slow
def test_the_energies_of_qubo_files_are_those_of_the_command():
    for row in table("qubo"):
        path = EXAMPLES / "qubo" / row["file"].strip("`")
        printed, status = pages.run(f"gatesolve qubo {path}")
        assert status == 0
        assert re.search(r"(\d+) variables", printed)[1] == row["variables"]
        energy, states = re.search(r"lowest energy: (\S+), of (\d+) state", printed).groups()
        assert (energy, states) == (row["lowest energy"].split()[0], row["of states"])
