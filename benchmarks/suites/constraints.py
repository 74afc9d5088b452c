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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import cpmpy as cp

from benchmarks.core.boards import BOARDS
from benchmarks.core.follow import certify
from benchmarks.core.places import EXAMPLES
from benchmarks.core.problems import K7
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import make_parser
from gatesolve.circuit import And, PhaseFlip
from gatesolve.circuit.counting import count
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.lowering.measured.lower import lower_measured
from gatesolve.encodings import make_spaces
from gatesolve.errors import GatesolveError
from gatesolve.formats.from_cpmpy import from_cpmpy
from gatesolve.model import AllDifferent, Clause, Constraint, Linear, Model, NotEqual, Variable
from gatesolve.oracle import assemble, choose_lowered
from gatesolve.oracle.levels import literal_conditions
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


@dataclass(frozen=True)
class Case:
    """A row: what a model is made of, how it is encoded, and its bars (None: not known).

    Attributes:
        name: of the row.
        written: a model, or CPMpy's expressions.
        encoding: of the variables.
        before: CX that it took.
        by_hand: CX by hand.
        ands: by hand.
        depth: recorded, and with how many CX.
        is_board: whether "in a board" has no meaning.
    """

    name: str
    written: object
    encoding: str
    before: int | None = None
    by_hand: int | None = None
    ands: int | None = None
    depth: tuple[int, int] | None = None
    is_board: bool = False

    @cached_property
    def model(self) -> Model:
        """The model; a row that cannot be lowered raises here."""
        return self.written if isinstance(self.written, Model) else from_cpmpy(cp.Model(self.written))

    @property
    def bar(self) -> int | None:
        """The lesser of both, and 5 % more."""
        known = [count for count in (self.before, self.by_hand) if count is not None]
        return int(1.05 * min(known)) if known else None


def over(number: int, values: range) -> tuple[Variable, ...]:
    return tuple(Variable(f"x{k}", tuple(values)) for k in range(number))


def add(number: int, relation: str, bound: int, signs: Sequence[int] = ()) -> Linear:
    return Linear(tuple((c, f"x{k}") for k, c in enumerate(signs or [1] * number)), relation, bound)


def differ(number: int) -> AllDifferent:
    return AllDifferent(tuple(f"x{k}" for k in range(number)))


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


def clause(literals: int) -> tuple[tuple[Variable, ...], Constraint]:
    return over(literals, range(9)), Clause(tuple((f"x{k}", frozenset({k})) for k in range(literals)))


SINGLES: dict[str, tuple[tuple[Variable, ...], Constraint]] = {
    **{f"x != y, {k} values": (over(2, range(k)), NotEqual("x0", "x1")) for k in (8, 9, 16)},
    **{f"x < y, {k} values": (over(2, range(k)), add(2, "<=", -1, (1, -1))) for k in (4, 8, 9, 16)},
    **{f"x <= k/2, {k} values": (over(1, range(k)), add(1, "<=", k // 2)) for k in (8, 9, 16)},
    **{f"x + y = z, {k} values": (over(3, range(k)), add(3, "==", 0, (1, 1, -1))) for k in (4, 8)},
    "sum of 3 = 15, 1..9": (over(3, range(1, 10)), add(3, "==", 15)),
    "sum of 3 <= 15, 1..9": (over(3, range(1, 10)), add(3, "<=", 15)),
    "sum of 4 = 20, 1..9": (over(4, range(1, 10)), add(4, "==", 20)),
    "sum of 9 = 45, 1..9": (over(9, range(1, 10)), add(9, "==", 45)),
    "9 bits = 4": (over(9, range(2)), add(9, "==", 4)),
    "9 bits <= 4": (over(9, range(2)), add(9, "<=", 4)),
    **{
        f"all different, {n} of {k}": (over(n, range(k)), differ(n))
        for n, k in ((4, 8), (6, 8), (8, 8), (8, 9), (9, 9))
    },
    **{f"clause of {n} literals, 9 values": clause(n) for n in (3, 4, 6)},
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


def list_cases(words: Sequence[str] = ("",)) -> Iterator[Case]:
    """Yield each recorded row that has one of some words in its name, with what it is made of."""
    for row in TABLE.read():
        if any(word.lower() in row.name.lower() for word in words):
            is_board = row.name not in SINGLES
            written = (BOARDS | WRITTEN)[row.name]() if is_board else Model(SINGLES[row.name][0], SINGLES[row.name][1:])
            bars = (row.before, row.by_hand, row.ands)
            yield Case(row.name, written, row.encoding, *bars, (row.cx, row.depth), is_board)


def copy_model(model: Model, times: int) -> Model:
    """So many disjoint copies of a model of one constraint."""
    variables, constraints = list[Variable](), list[Constraint]()
    for number in range(times):
        names = {v.name: f"{v.name}_{number}" for v in model.variables}
        variables += [Variable(names[v.name], v.domain) for v in model.variables]
        (one,) = model.constraints
        match one:
            case Linear():
                one = Linear(tuple((c, names[x]) for c, x in one.terms), one.relation, one.bound)
            case NotEqual():
                one = NotEqual(names[one.left], names[one.right], one.offset)
            case AllDifferent():
                one = AllDifferent(tuple(names[x] for x in one.variables))
            case Clause():
                one = Clause(tuple((names[x], values) for x, values in one.literals))
        constraints.append(one)
    return Model(tuple(variables), tuple(constraints))


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


def broken(case: Case, found: Counts) -> list[str]:
    """Return what a row misses: ``over`` its bar of CX, more ``T`` than its ANDs allow, ``deeper`` at equal CX."""
    missed = ["over"] if case.bar is not None and found.cx > case.bar else []
    missed += ["T"] if case.ands is not None and found.t > T_PER_AND * case.ands else []
    cx, depth = case.depth or (None, 0)
    return missed + (["deeper"] if found.cx == cx and found.depth > depth else [])


HEADER = ("constraint or board", "encoding", "CX", "in a board", "before", "by hand", "bar", "T", "ANDs", "4.4 by hand",
          "depth", "missed")  # fmt: skip
WIDTHS = (36, 12, 6, 10, 7, 7, 6, 6, 6, 11, 6, 0)


def print_rows(cases: Sequence[Case], keep: bool = False) -> int:
    """A line a case; returns how many miss something. ``keep`` records the depths."""
    print(_line(HEADER))
    missed, kept = 0, dict[tuple[str, str], Counts]()
    for case in cases:
        try:
            found = count_case(case.model, case.encoding, check=True)
            more = None
            if not case.is_board:
                four, two = (count_case(copy_model(case.model, n), case.encoding, check=False).cx for n in (4, 2))
                more = f"{(four - two) / 2:.1f}"
        except GatesolveError as error:
            print(f"{case.name:36} {case.encoding:12} refused: {error}"[:160])
            missed += 1
            continue
        kept[case.name, case.encoding] = found
        reasons = broken(case, found)
        missed += bool(reasons)
        allowed = None if case.ands is None else f"{T_PER_AND * case.ands:.0f}"
        cells = (case.name, case.encoding, found.cx, more, case.before, case.by_hand, case.bar, found.t, found.ands)
        print(_line((*cells, allowed, found.depth, ", ".join(reasons))), flush=True)
    if keep:
        TABLE.write([record(row, kept.get(row.key)) for row in TABLE.read()])
    print(f"{len(cases) - missed} of {len(cases)} rows at their bars")
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
    return int(print_rows(list(list_cases(asked.only)), keep=asked.write) > 0)
