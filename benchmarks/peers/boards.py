"""The recipe of every board of `benchmarks.core.boards`, as a skilled user writes it: each constraint by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, pairwise

from benchmarks.core import boards
from benchmarks.peers.recipes import Bit, Recipe, Register, bits_of
from gatesolve.encodings import Space, make_binary
from gatesolve.model import Model

Wires = dict[str, list[int]]
"""The qubits of each variable, the lowest digit of its value's number first."""


def make_space(model: Model) -> Space:
    """Every variable in binary, its values numbered from 0."""
    return Space(tuple(make_binary(variable) for variable in model.variables))


def make_recipe(name: str, model: Model, space: Space) -> Recipe:
    """The steps of a board, its flags joined."""
    recipe = Recipe(space.num_qubits)
    wires = {v.name: list(space.block_qubits(space.home[v.name][0])) for v in model.variables}
    _MAKERS[name](recipe, wires, model)
    recipe.flags = recipe.conjoined()
    return recipe


def colour(recipe: Recipe, wires: Wires, model: Model) -> None:
    """Each edge."""
    for constraint in model.constraints:
        recipe.differ(*(wires[name] for name in constraint.scope))


def magic_square(recipe: Recipe, wires: Wires, model: Model) -> None:
    """Each line's sum of numbers 0 to 8 is 12, modulo 16, as no sum exceeds 24; then each number once."""
    cell = [wires[f"x[{r},{c}]"] for r in range(3) for c in range(3)]
    lines = [*([3 * k, 3 * k + 1, 3 * k + 2] for k in range(3)), *([k, k + 3, k + 6] for k in range(3))]
    for line in (*lines, [0, 4, 8], [2, 4, 6]):
        total = recipe.add(*(cell[k] for k in line), size=4)
        recipe.require(recipe.is_constant(_wires(total), 12))
    recipe.permute([recipe.decode(one, 9) for one in cell], range(8))


def golomb(recipe: Recipe, wires: Wires, model: Model) -> None:
    """Differences modulo 8, which the order makes exact."""
    marks = [wires[f"x[{k}]"] for k in range(4)]
    recipe.require(recipe.is_constant(marks[0], 0))
    for low, high in pairwise(marks):
        recipe.require(recipe.above(high, low))
    gaps = []
    for low, high in combinations(marks, 2):
        recipe.flip(low)
        gaps.append(_wires(recipe.add(high, low, [True], size=3)))
        recipe.flip(low)
    recipe.all_differ(gaps)


def send_more(recipe: Recipe, wires: Wires, model: Model) -> None:
    """Column by column, as on paper: a carry where the sum is 10 or more, and the digit under it."""
    letters: dict[str, list[int]] = dict(wires)
    for name in "SM":  # 1 to 9, numbered from 0
        letters[name] = _wires(recipe.add(wires[name], [True], size=4))
    recipe.all_differ(list(letters.values()))
    carry: Register = []
    for above, below, under in ("DEY", "NRE", "EON", "SMO"):
        total = recipe.add(letters[above], letters[below], carry, size=5, spare=carry)
        ten = recipe.above_constant(total, 9)
        digit = recipe.add(total[:4], [False, ten, ten], size=4)  # less 10 is 6 more, modulo 16
        for source, target in zip(letters[under], _wires(digit), strict=True):
            copied = recipe.fresh()
            recipe.xor(target, copied)
            recipe.xor(source, copied)
            recipe.refuse(copied)
        carry = [ten]
    recipe.require(ten, recipe.is_constant(wires["M"], 0))  # M is the last carry


def queens(size: int, recipe: Recipe, wires: Wires, model: Model) -> None:
    """A flag for each square; each column once, each diagonal at most once."""
    squares = [recipe.decode(wires[f"x{k}"], size) for k in range(size)]
    recipe.permute(squares, range(size - 1))
    for sign in (1, -1):
        for diagonal in range(-size, 2 * size):
            places = [(k, (diagonal - k) * sign) for k in range(size)]
            flags = [squares[k][column] for k, column in places if 0 <= column < size]
            if len(flags) > 1:
                recipe.at_most_one(flags)


def job_shop(jobs: Sequence[Sequence[tuple[int, int]]], recipe: Recipe, wires: Wires, model: Model) -> None:
    """The end of each task once; then comparisons."""
    bound = boards.MAKESPANS[len(jobs)]
    size = (bound - 1 + max(time for job in jobs for _, time in job)).bit_length()
    tasks = [(j, k) for j, job in enumerate(jobs) for k in range(len(job))]
    starts = {task: wires["s_{}_{}".format(*task)] for task in tasks}
    ends = {(j, k): _wires(recipe.add(starts[j, k], bits_of(jobs[j][k][1], size), size=size)) for j, k in tasks}
    for j, job in enumerate(jobs):
        for k in range(len(job) - 1):
            recipe.refuse(recipe.above(ends[j, k], starts[j, k + 1]))
        recipe.refuse(recipe.above_constant(starts[j, len(job) - 1], bound - job[-1][1]))
    for first, second in boards.shared_machines(jobs):
        late, early = recipe.above(ends[first], starts[second]), recipe.above(ends[second], starts[first])
        recipe.refuse(recipe.both(late, early))


def bin_packing(recipe: Recipe, wires: Wires, model: Model) -> None:
    """Codes 00, 01, 10 of a thing's bin: both digits are indicators already, the third is their NOR."""
    indicators: list[list[int]] = [[], [], []]
    for low, high in wires.values():
        neither = recipe.fresh()
        recipe.xor(low, neither)
        recipe.xor(high, neither)
        recipe.flip((neither,))
        for place, wire in zip(indicators, (neither, low, high), strict=True):
            place.append(wire)
    for place in indicators:
        total = recipe.add(*_weighted(boards.PACKED, place), size=sum(boards.PACKED).bit_length())
        recipe.refuse(recipe.above_constant(total, boards.CAPACITY))


def knapsack(recipe: Recipe, wires: Wires, model: Model) -> None:
    """Two weighted sums and their comparisons."""
    things = [wire for (wire,) in wires.values()]
    weight = recipe.add(*_weighted(boards.WEIGHTS, things), size=sum(boards.WEIGHTS).bit_length())
    recipe.refuse(recipe.above_constant(weight, boards.MOST_WEIGHT))
    worth = recipe.add(*_weighted(boards.WORTHS, things), size=sum(boards.WORTHS).bit_length())
    recipe.require(recipe.above_constant(worth, boards.LEAST_WORTH - 1))


def _weighted(weights: Sequence[int], wires: Sequence[int]) -> list[Register]:
    pairs = zip(weights, wires, strict=True)
    return [[wire if w >> k & 1 else False for k in range(w.bit_length())] for w, wire in pairs]


def sudoku(recipe: Recipe, wires: Wires, model: Model) -> None:
    """A flag for each cell and digit; of each line, each digit that is not given."""
    open_cells = [name for name, values in model.domains.items() if len(values) > 1]
    flags = {name: recipe.decode(wires[name], 9) for name in open_cells}
    for rule in model.constraints:
        cells = [flags[name] for name in rule.scope if name in flags]
        given = {model.domains[name][0] - 1 for name in rule.scope if name not in flags}
        missing = [digit for digit in range(9) if digit not in given]
        recipe.permute(cells, missing if given else missing[:-1])


def _wires(register: Sequence[Bit]) -> list[int]:
    if any(isinstance(bit, bool) for bit in register):
        raise ValueError("a digit of this sum is always the same")
    return [int(bit) for bit in register]


_MAKERS: dict[str, Callable[[Recipe, Wires, Model], None]] = {
    **{name: colour for name in boards.BOARDS if "colours" in name},
    "magic square 3x3": magic_square,
    "Golomb ruler, 4 marks": golomb,
    "SEND + MORE = MONEY": send_more,
    "6 queens as columns": partial(queens, 6),
    "8 queens as columns": partial(queens, 8),
    "job shop 2x2": partial(job_shop, boards.SHOP_2),
    "job shop 3x3": partial(job_shop, boards.SHOP_3),
    "bin packing 6 in 3": bin_packing,
    "knapsack of 8": knapsack,
    "Sudoku, Inkala 2012": sudoku,
    "Sudoku 9x9, no givens": sudoku,
}
