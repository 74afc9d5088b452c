"""CX of single constraints, alone and in a board, and of whole boards at the level ``literal``, beside their bars.

    python -m benchmarks constraints                    # all rows; 1 if one misses its bar
    python -m benchmarks constraints --only sudoku sum  # rows whose name has one of these words

One oracle call (compute, phase, uncompute), gate set cx+u, unlimited ancillas, nothing deduced. "in a board" is what
one more costs: half of what four disjoint copies take above two. constraints.csv has the bars: "before" is what
decision diagrams took, "by hand" a circuit made by hand; "bar" is the lesser of both, and 5 % more. T is with ANDs
erased by measurement, ANDs those of the compute half, both allowed 4.4 T for each AND by hand. "missed" contains CX
``over`` the bar, too many ``T``, ``deeper`` than recorded at equal CX (``--write`` records it). Every oracle is run
against the model, on all its codewords up to 2^17, else on a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import cpmpy as cp

from benchmarks.core.boards import BOARDS
from benchmarks.core.follow import certify
from benchmarks.core.places import EXAMPLES
from benchmarks.core.problems import K7
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import make_parser
from gatesolve.circuit import And, PhaseFlip, count, lower, lower_measured
from gatesolve.encodings import make_spaces
from gatesolve.errors import GatesolveError
from gatesolve.formats import from_cpmpy
from gatesolve.model import AllDifferent, Clause, Constraint, Linear, Model, NotEqual, Variable
from gatesolve.oracle import assemble, choose_lowered, literal_conditions
from gatesolve.puzzles import load

T_PER_AND = 4.4
"""T with measured erasure may be so many times the ANDs by hand, where they were counted."""
TABLE = Table(
    "constraints",
    """
    name      key  of the row
    encoding  key  of the variables
    cx        int  in cx+u
    depth     int  that a later oracle of as many CX may not exceed
    before    int  CX that decision diagrams took
    by_hand   int  CX of a circuit made by hand
    ands      int  ANDs of circuits made by hand
    """,
)


def find_bar(row: Row) -> int | None:
    """Return the lesser of what a row took and what it takes by hand, and 5 % more."""
    known = [count for count in (row.before, row.by_hand) if count is not None]
    return int(1.05 * min(known)) if known else None


Maker = Callable[[str], Model]
"""Makes a model whose variables have a suffix, so that copies are disjoint."""


def single(count: int, values: range, make: Callable[[list[str]], Constraint]) -> Maker:
    """Return the maker of a constraint over so many variables with the same values."""

    def build(suffix: str) -> Model:
        names = [f"x{k}{suffix}" for k in range(count)]
        return Model(tuple(Variable(name, tuple(values)) for name in names), (make(names),))

    return build


def add(relation: str, bound: int, signs: Sequence[int] = ()) -> Callable[[list[str]], Constraint]:
    return lambda names: Linear(tuple(zip(signs or [1] * len(names), names, strict=True)), relation, bound)


def differ(names: list[str]) -> Constraint:
    return AllDifferent(tuple(names))


def choose(names: list[str]) -> Constraint:
    """A clause: one of the variables has the value of its place."""
    return Clause(tuple((name, frozenset({k})) for k, name in enumerate(names)))


def number(count: int, values: int) -> cp.expressions.variables.NDVarArray:
    return cp.intvar(0, values - 1, shape=count, name="x")


def keep_distance(values: int, least: bool) -> cp.expressions.core.Expression:
    """Two numbers one apart, or at least two."""
    x, y = number(2, values)
    return abs(x - y) >= 2 if least else abs(x - y) == 1


def keep_apart(values: int) -> cp.expressions.core.Expression:
    """Tasks of two and of three time steps that do not overlap."""
    x, y = number(2, values)
    return (x + 2 <= y) | (y + 3 <= x)


def count_twice() -> cp.expressions.core.Expression:
    return cp.Count(number(6, 5), 3) == 2


def count_each() -> cp.expressions.core.Expression:
    return cp.GlobalCardinalityCount(number(6, 3), [0, 1, 2], [2, 2, 2])


def pick_cell() -> cp.expressions.core.Expression:
    """The cell that an index picks is the result."""
    return cp.Element(number(4, 8), cp.intvar(0, 3, name="index")) == cp.intvar(0, 7, name="result")


def less_or_alike() -> cp.expressions.core.Expression:
    x, y, z = number(3, 8)
    return (x < y) | (x == z)


def imply_order() -> cp.expressions.core.Expression:
    x, y, z = number(3, 8)
    return (x == 3).implies(y <= z)


def go_round(size: int) -> cp.expressions.core.Expression:
    return cp.Circuit(number(size, size))


def place_queens(size: int) -> list[cp.expressions.core.Expression]:
    """A 0/1 variable a square: one queen a row and a column, at most one a diagonal."""
    x = cp.boolvar(shape=(size, size), name="x")
    squares = [(r, c) for r in range(size) for c in range(size)]
    rising = [[x[r, c] for r, c in squares if r + c == k] for k in range(2 * size - 1)]
    falling = [[x[r, c] for r, c in squares if r - c == k] for k in range(1 - size, size)]
    lines = [cp.sum(list(line)) == 1 for line in (*x, *x.T)]
    return lines + [cp.sum(one) <= 1 for one in rising + falling if len(one) > 1]


def read_contest() -> Model:
    """The contest's Kakuro of seven cells as it is given: an all-different and a sum for each run."""
    return from_cpmpy(load(EXAMPLES / "kakuro/contest.txt").to_cpmpy())


SINGLES: dict[str, Maker] = {
    **{f"x != y, {k} values": single(2, range(k), lambda names: NotEqual(*names)) for k in (8, 9, 16)},
    **{f"x < y, {k} values": single(2, range(k), add("<=", -1, (1, -1))) for k in (4, 8, 9, 16)},
    **{f"x <= k/2, {k} values": single(1, range(k), add("<=", k // 2)) for k in (8, 9, 16)},
    **{f"x + y = z, {k} values": single(3, range(k), add("==", 0, (1, 1, -1))) for k in (4, 8)},
    "sum of 3 = 15, 1..9": single(3, range(1, 10), add("==", 15)),
    "sum of 3 <= 15, 1..9": single(3, range(1, 10), add("<=", 15)),
    "sum of 4 = 20, 1..9": single(4, range(1, 10), add("==", 20)),
    "sum of 9 = 45, 1..9": single(9, range(1, 10), add("==", 45)),
    "9 bits = 4": single(9, range(2), add("==", 4)),
    "9 bits <= 4": single(9, range(2), add("<=", 4)),
    **{f"all different, {n} of {k}": single(n, range(k), differ) for n, k in ((4, 8), (6, 8), (8, 8), (8, 9), (9, 9))},
    **{f"clause of {n} literals, 9 values": single(n, range(9), choose) for n in (3, 4, 6)},
}
WRITTEN: dict[str, Callable[[], object]] = {
    **{f"abs(x - y) = 1, {k} values": partial(keep_distance, k, False) for k in (8, 9, 16)},
    **{f"abs(x - y) >= 2, {k} values": partial(keep_distance, k, True) for k in (8, 9, 16)},
    **{f"tasks of 2 and 3 apart, {k} values": partial(keep_apart, k) for k in (8, 9)},
    "exactly 2 of 6 equal 3, 5 values": count_twice,
    "each of 3 values twice, 6 cells": count_each,
    "element, 4 cells of 8 values": pick_cell,
    "x < y or x = z, 8 values": less_or_alike,
    "x = 3 implies y <= z, 8 values": imply_order,
    **{f"circuit of {n}": partial(go_round, n) for n in (4, 5, 6)},
    **{f"{n} queens as 0/1": partial(place_queens, n) for n in (6, 8)},
    "Kakuro K7, contest.txt": read_contest,
    "Kakuro K7, ten disequalities": lambda: K7.model,
}
"""Rows that are written as expressions of CPMpy's. K7's bars, 260 and 310, are aims of their own."""


def list_rows(words: Sequence[str] = ("",)) -> list[Row]:
    """Return each recorded row that has one of some words in its name."""
    return [row for row in TABLE.read() if any(word.lower() in row.name.lower() for word in words)]


def make_model(name: str, copies: int = 1) -> Model:
    """Return what a row is about: so many disjoint copies of a single constraint, or a board.

    Raises:
        GatesolveError: the board cannot be lowered.
    """
    if name in SINGLES:
        parts = [SINGLES[name](f"_{number}" * (copies > 1)) for number in range(copies)]
        return Model(sum((one.variables for one in parts), ()), sum((one.constraints for one in parts), ()))
    written = (BOARDS | WRITTEN)[name]()
    return written if isinstance(written, Model) else from_cpmpy(cp.Model(written))


@dataclass(frozen=True)
class Counts:
    """What one oracle call takes: CX and depth in cx+u, T with ANDs erased by measurement, and ANDs."""

    cx: int
    depth: int
    t: int
    ands: int


def count_case(model: Model, encoding: str, check: bool) -> Counts:
    """Counts of one oracle call at the level ``literal``, after it was run against the model."""
    space = make_spaces(model, encoding)[0]
    conditions = literal_conditions(model, space)
    oracle = choose_lowered(assemble(conditions, space.num_qubits, alone=True, with_alternative=True))
    if check:
        certify(model, space, oracle)
    general = count(lower(oracle.ops, oracle.num_qubits, "cx+u"), "cx+u")
    zeros = range(oracle.num_data, oracle.num_qubits)
    erased = count(lower_measured(oracle.ops, oracle.num_qubits, "clifford+t", "t", zeros=zeros), "clifford+t")
    half = oracle.ops[: next(k for k, op in enumerate(oracle.ops) if isinstance(op, PhaseFlip))]
    return Counts(general.cx, general.depth, erased.t or 0, sum(isinstance(op, And) for op in half))


def broken(row: Row, found: Counts) -> list[str]:
    """Return what a row misses: ``over`` its bar of CX, more ``T`` than its ANDs allow, ``deeper`` at equal CX."""
    bar = find_bar(row)
    missed = ["over"] if bar is not None and found.cx > bar else []
    missed += ["T"] if row.ands is not None and found.t > T_PER_AND * row.ands else []
    return missed + (["deeper"] if found.cx == row.cx and found.depth > row.depth else [])


HEADER = ("constraint or board", "encoding", "CX", "in a board", "before", "by hand", "bar", "T", "ANDs", "4.4 by hand",
          "depth", "missed")  # fmt: skip
WIDTHS = (36, 12, 6, 10, 7, 7, 6, 6, 6, 11, 6, 0)


def print_rows(rows: Sequence[Row], keep: bool = False) -> int:
    """A line a row; returns how many miss something. ``keep`` records the depths."""
    print(_line(HEADER))
    missed, kept = 0, dict[tuple[str, str], Counts]()
    for row in rows:
        try:
            found = count_case(make_model(row.name), row.encoding, check=True)
            more = None
            if row.name in SINGLES:
                four, two = (count_case(make_model(row.name, n), row.encoding, check=False).cx for n in (4, 2))
                more = f"{(four - two) / 2:.1f}"
        except GatesolveError as error:
            print(f"{row.name:36} {row.encoding:12} refused: {error}"[:160])
            missed += 1
            continue
        kept[row.name, row.encoding] = found
        reasons = broken(row, found)
        missed += bool(reasons)
        allowed = None if row.ands is None else f"{T_PER_AND * row.ands:.0f}"
        bars = (row.before, row.by_hand, find_bar(row))
        cells = (row.name, row.encoding, found.cx, more, *bars, found.t, found.ands, allowed, found.depth)
        print(_line((*cells, ", ".join(reasons))), flush=True)
    if keep:
        TABLE.write([record(row, kept.get(row.key)) for row in TABLE.read()])
    print(f"{len(rows) - missed} of {len(rows)} rows at their bars")
    return missed


def _line(cells: Sequence[object]) -> str:
    shown = ["-" if cell is None else str(cell) for cell in cells]
    left, rest = zip(shown[:2], WIDTHS[:2], strict=True), zip(shown[2:], WIDTHS[2:], strict=True)
    return " ".join([*(f"{c:{w}}" for c, w in left), *(f"{c:>{w}}" for c, w in rest)]).rstrip()


def record(row: Row, found: Counts | None) -> Row:
    """Return a row with what was counted; at equal CX the lesser depth stays."""
    if found is None:
        return row
    return row.replace(cx=found.cx, depth=min(found.depth, row.depth) if found.cx == row.cx else found.depth)


def main(arguments: Sequence[str]) -> int:
    """Print the rows that are asked for; 1 if one misses something."""
    parser = make_parser(__doc__)
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="rows with one of these words")
    parser.add_argument("--write", action="store_true", help="record CX and depth in constraints.csv")
    asked = parser.parse_args(arguments)
    return int(print_rows(list_rows(asked.only), keep=asked.write) > 0)
