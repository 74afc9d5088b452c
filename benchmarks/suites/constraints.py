"""CX of single constraints, alone and in a board, and of whole boards at the level ``literal``, beside their bars.

    python -m benchmarks constraints                    # all rows
    python -m benchmarks constraints --only sudoku sum  # rows whose name has one of these words

One oracle call (compute, phase, uncompute), gate set cx+u, unlimited ancillas, nothing deduced. "in a board" is what
one more costs: half of what four disjoint copies take above two. "before" is what decision diagrams took, "bar" the
lesser of that and of a circuit made by hand, and 5 % more. T is with ANDs erased by measurement, ANDs those of the
compute half, both allowed 4.4 T for each AND by hand. "missed" says what is broken: CX ``over`` the bar, too many
``T``, ``deeper`` than constraints.csv has it at equal CX (``--write`` records it). Every oracle is run against
the model, on all its codewords up to 2^17, else on a sample.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import cpmpy as cp

from benchmarks.core.boards import BOARDS
from benchmarks.core.places import EXAMPLES
from benchmarks.core.problems import K7
from benchmarks.core.rows import Row, Table
from gatesolve.circuit import And, PhaseFlip
from gatesolve.circuit.counting import count
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.lowering.measured.lower import lower_measured
from gatesolve.encodings import make_spaces
from gatesolve.errors import GatesolveError
from gatesolve.model import AllDifferent, Clause, Constraint, Linear, Model, NotEqual, Variable
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.oracle import assemble, choose_lowered
from gatesolve.oracle.levels import literal_conditions
from gatesolve.pipelines.certify import certify_oracle, phase_check
from gatesolve.pipelines.certify_sample import certify_sample
from gatesolve.pipelines.clock import Clock
from gatesolve.puzzles import load

EVERY_CODEWORD = 1 << 17
TABLE = Table(
    "constraints",
    """
    name      key  of the row
    encoding  key  of the variables
    cx        int  in cx+u
    depth     int  that a later oracle of as many CX may not exceed
    """,
)


@dataclass(frozen=True)
class Case:
    """A row: what a model is made of, how it is encoded, what it took before and takes by hand (None: not known)."""

    name: str
    written: object
    encoding: str
    before: int | None = None
    by_hand: int | None = None
    is_board: bool = False

    @cached_property
    def model(self) -> Model:
        """What is measured; a row that cannot be lowered says so when it is."""
        return lower_expression(self.written)

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


Found = dict[str, tuple[int | None, int | None]]
"""CX for each encoding: before, and by hand."""


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


EXPRESSIONS: list[tuple[str, Callable[[], object], Found]] = [
    ("abs(x - y) = 1, 8 values", partial(keep_distance, 8, False), {"binary": (44, 45)}),
    ("abs(x - y) = 1, 9 values", partial(keep_distance, 9, False), {"binary": (50, 67)}),
    ("abs(x - y) = 1, 16 values", partial(keep_distance, 16, False), {"binary": (80, 67)}),
    ("abs(x - y) >= 2, 8 values", partial(keep_distance, 8, True), {"binary": (168, 64)}),
    ("abs(x - y) >= 2, 9 values", partial(keep_distance, 9, True), {"binary": (330, 68)}),
    ("abs(x - y) >= 2, 16 values", partial(keep_distance, 16, True), {"binary": (390, 92)}),
    ("tasks of 2 and 3 apart, 8 values", partial(keep_apart, 8), {"binary": (148, 44)}),
    ("tasks of 2 and 3 apart, 9 values", partial(keep_apart, 9), {"binary": (276, 48)}),
    ("exactly 2 of 6 equal 3, 5 values", count_twice, {"binary": (438, 87), "one-hot": (84, 51)}),
    ("each of 3 values twice, 6 cells", count_each, {"binary": (320, 129), "one-hot": (300, 117)}),
    ("element, 4 cells of 8 values", pick_cell, {"binary": (None, 101), "one-hot": (None, 172)}),
    ("x < y or x = z, 8 values", less_or_alike, {"binary": (304, 52)}),
    (
        "x = 3 implies y <= z, 8 values",
        imply_order,
        {"binary": (154, 46), "one-hot": (82, 67), "domain-wall": (92, 62)},
    ),
    ("circuit of 4", partial(go_round, 4), {"binary": (50, 117), "one-hot": (37, None)}),
    ("circuit of 5", partial(go_round, 5), {"binary": (716, 214), "one-hot": (171, None)}),
    ("circuit of 6", partial(go_round, 6), {"binary": (None, 725), "one-hot": (617, None)}),
]
"""One constraint each: its name, what makes it, and what it took and takes by hand."""
SQUARES: list[tuple[str, Callable[[], object], Found]] = [
    ("6 queens as 0/1", partial(place_queens, 6), {"binary": (1481, 1350)}),
    ("8 queens as 0/1", partial(place_queens, 8), {"binary": (3031, 2532)}),
    ("Kakuro K7, contest.txt", read_contest, {"binary": (309, 248)}),
    ("Kakuro K7, ten disequalities", lambda: K7.model, {"binary": (357, 296)}),
]
"""Boards in the same form. K7's bars, 260 and 310, are aims of their own."""


def lower_expression(written: object) -> Model:
    """The model of what a row makes."""
    return written if isinstance(written, Model) else from_cpmpy(cp.Model(written))


SINGLES: list[tuple[str, tuple[Variable, ...], Constraint, dict[str, tuple[int | None, int | None]]]] = [
    *(
        (f"x != y, {k} values", over(2, range(k)), NotEqual("x0", "x1"), rows)
        for k, rows in (
            (8, {"binary": (154, 16), "one-hot": (32, 44), "domain-wall": (29, 32)}),
            (9, {"binary": (294, 24)}),
            (16, {"binary": (348, 24), "one-hot": (64, 95), "domain-wall": (61, 68)}),
        )
    ),
    *(
        (f"x < y, {k} values", over(2, range(k)), add(2, "<=", -1, (1, -1)), {"binary": found})
        for k, found in ((4, (28, 14)), (8, (118, 26)), (9, (246, 38)), (16, (288, 38)))
    ),
    *(
        (f"x <= k/2, {k} values", over(1, range(k)), add(1, "<=", k // 2), {"binary": found})
        for k, found in ((8, (13, 10)), (9, (18, 16)), (16, (24, 16)))
    ),
    *(
        (f"x + y = z, {k} values", over(3, range(k)), add(3, "==", 0, (1, 1, -1)), {"binary": found})
        for k, found in ((4, (53, 34)), (8, (304, 56)))
    ),
    (
        "sum of 3 = 15, 1..9",
        over(3, range(1, 10)),
        add(3, "==", 15),
        {"binary": (592, 89), "one-hot": (402, 155), "domain-wall": (491, 152)},
    ),
    ("sum of 3 <= 15, 1..9", over(3, range(1, 10)), add(3, "<=", 15), {"binary": (616, 128), "one-hot": (407, 194)}),
    ("sum of 4 = 20, 1..9", over(4, range(1, 10)), add(4, "==", 20), {"binary": (None, 163), "one-hot": (1008, 251)}),
    ("sum of 9 = 45, 1..9", over(9, range(1, 10)), add(9, "==", 45), {"binary": (None, 478), "one-hot": (7206, 676)}),
    ("9 bits = 4", over(9, range(2)), add(9, "==", 4), {"binary": (198, 96)}),
    ("9 bits <= 4", over(9, range(2)), add(9, "<=", 4), {"binary": (182, 100)}),
    ("all different, 4 of 8", over(4, range(8)), differ(4), {"binary": (2466, 138), "one-hot": (1611, 137)}),
    ("all different, 6 of 8", over(6, range(8)), differ(6), {"binary": (None, 368), "one-hot": (798, 166)}),
    ("all different, 8 of 8", over(8, range(8)), differ(8), {"binary": (4747, 314), "one-hot": (122, 122)}),
    ("all different, 8 of 9", over(8, range(9)), differ(8), {"binary": (None, 583), "one-hot": (None, 242)}),
    ("all different, 9 of 9", over(9, range(9)), differ(9), {"binary": (14318, 373), "one-hot": (None, 157)}),
    *(
        (
            f"clause of {n} literals, 9 values",
            over(n, range(9)),
            Clause(tuple((f"x{k}", frozenset({k})) for k in range(n))),
            {"binary": found, "one-hot": hot},
        )
        for n, found, hot in ((3, (216, 46), (14, 10)), (4, (322, 64), (24, 16)), (6, (None, 100), (28, 28)))
    ),
]


def list_singles() -> Iterator[Case]:
    """One constraint in each encoding that has a bar."""
    for name, variables, constraint, rows in SINGLES:
        for encoding, (before, by_hand) in rows.items():
            yield Case(name, Model(variables, (constraint,)), encoding, before, by_hand)


BOARD_BARS: dict[str, dict[str, tuple[int | None, int | None]]] = {
    "8 colours, 7 edges": {"binary": (1177, 162), "one-hot": (None, 294)},
    "Petersen graph, 3 colours": {"binary": (242, 242), "one-hot": (242, 242)},
    "Petersen graph, 8 colours": {"binary": (2537, 362), "one-hot": (798, 582)},
    "magic square 3x3": {"binary": (15804, 1203), "one-hot": (3573, 1256)},
    "Golomb ruler, 4 marks": {"binary": (3501, 638), "one-hot": (1492, 692)},
    "SEND + MORE = MONEY": {"binary": (None, 1959), "one-hot": (3570, 1785)},
    "6 queens as columns": {"binary": (5470, 622), "one-hot": (1956, 456)},
    "8 queens as columns": {"binary": (12480, 1173), "one-hot": (2271, 776)},
    "Sudoku, Inkala 2012": {"binary": (None, 4682), "one-hot": (4093, 3242)},
    "Sudoku 9x9, no givens": {"binary": (None, 5865), "one-hot": (None, 3921)},
}
MOST_ANDS = {
    ("x != y, 8 values", "binary"): 2,
    ("x != y, 9 values", "binary"): 3,
    ("x != y, 16 values", "binary"): 3,
    **{(f"x < y, {k} values", "binary"): n for k, n in ((4, 2), (8, 3), (9, 4), (16, 4))},
    ("x + y = z, 4 values", "binary"): 4,
    ("x + y = z, 8 values", "binary"): 6,
    **{("sum of 3 = 15, 1..9", encoding): 8 for encoding in ("binary", "one-hot", "domain-wall")},
    **{("sum of 3 <= 15, 1..9", encoding): 14 for encoding in ("binary", "one-hot")},
    **{("sum of 4 = 20, 1..9", encoding): 14 for encoding in ("binary", "one-hot")},
    **{("sum of 9 = 45, 1..9", encoding): 33 for encoding in ("binary", "one-hot")},
    ("9 bits = 4", "binary"): 8,
    ("9 bits <= 4", "binary"): 9,
    ("all different, 4 of 8", "binary"): 17,
    ("all different, 6 of 8", "binary"): 44,
    ("all different, 8 of 8", "binary"): 38,
    ("all different, 8 of 9", "binary"): 40,
    ("all different, 9 of 9", "binary"): 43,
    ("8 colours, 7 edges", "binary"): 20,
    ("Petersen graph, 8 colours", "binary"): 44,
    ("magic square 3x3", "binary"): 115,
    ("Golomb ruler, 4 marks", "binary"): 78,
    ("SEND + MORE = MONEY", "binary"): 139,
    ("6 queens as columns", "binary"): 34,
    ("8 queens as columns", "binary"): 66,
    ("Sudoku, Inkala 2012", "binary"): 455,
}
"""ANDs of circuits made by hand, where they were counted; T with measured erasure may be `T_PER_AND` times as many."""
T_PER_AND = 4.4


def list_boards() -> Iterator[Case]:
    """Whole boards, every constraint alone."""
    for name, found in BOARD_BARS.items():
        model = BOARDS[name]()
        for encoding, (before, by_hand) in found.items():
            yield Case(name, model, encoding, before, by_hand, is_board=True)


def list_written() -> Iterator[Case]:
    """What is written as expressions of CPMpy's."""
    for name, make, found in (*EXPRESSIONS, *SQUARES):
        for encoding, (before, by_hand) in found.items():
            yield Case(name, make(), encoding, before, by_hand, is_board=True)


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
    if check and space.size <= EVERY_CODEWORD:
        certify_oracle(phase_check(model, space, oracle), 0, Clock())
    elif check:
        certify_sample(model, space, oracle, 0, Clock())
    general = count(lower(oracle.ops, oracle.num_qubits, "cx+u"), "cx+u")
    zeros = range(oracle.num_data, oracle.num_qubits)
    erased = count(lower_measured(oracle.ops, oracle.num_qubits, "clifford+t", "t", zeros=zeros), "clifford+t")
    half = oracle.ops[: next(k for k, op in enumerate(oracle.ops) if isinstance(op, PhaseFlip))]
    return Counts(general.cx, general.depth, erased.t or 0, sum(isinstance(op, And) for op in half))


def recorded() -> dict[tuple[str, str, int], int]:
    """Depth of each row when it was last recorded, and its CX: a row of equal CX may not be deeper."""
    return {(r.name, r.encoding, r.cx): r.depth for r in TABLE.read()}


def broken(case: Case, found: Counts, depths: dict[tuple[str, str, int], int]) -> list[str]:
    """What a row misses: ``over`` its bar of CX, more ``T`` than its ANDs allow, ``deeper`` at equal CX."""
    allowed = MOST_ANDS.get((case.name, case.encoding))
    depth = depths.get((case.name, case.encoding, found.cx))
    missed = ["over"] if case.bar is not None and found.cx > case.bar else []
    missed += ["T"] if allowed is not None and found.t > T_PER_AND * allowed else []
    return missed + (["deeper"] if depth is not None and found.depth > depth else [])


HEADER = ("constraint or board", "encoding", "CX", "in a board", "before", "by hand", "bar", "T", "ANDs", "4.4 by hand",
          "depth", "missed")  # fmt: skip
WIDTHS = (36, 12, 6, 10, 7, 7, 6, 6, 6, 11, 6, 0)


def print_rows(cases: Sequence[Case], keep: bool = False) -> int:
    """A line a case; returns how many miss something. ``keep`` records the depths."""
    print(_line(HEADER))
    missed, depths, kept = 0, recorded(), list[Row]()
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
        least = min(found.depth, depths.get((case.name, case.encoding, found.cx), found.depth))
        kept.append(TABLE.row(case.name, case.encoding, found.cx, least))
        reasons = broken(case, found, depths)
        missed += bool(reasons)
        hand = MOST_ANDS.get((case.name, case.encoding))
        allowed = None if hand is None else f"{T_PER_AND * hand:.0f}"
        cells = (case.name, case.encoding, found.cx, more, case.before, case.by_hand, case.bar, found.t, found.ands)
        print(_line((*cells, allowed, found.depth, ", ".join(reasons))), flush=True)
    if keep:
        fresh = {row.key: row for row in kept}
        TABLE.write([fresh.pop(row.key, row) for row in TABLE.read()] + [*fresh.values()])
    print(f"{len(cases) - missed} of {len(cases)} rows at their bars")
    return missed


def _line(cells: Sequence[object]) -> str:
    shown = ["-" if cell is None else str(cell) for cell in cells]
    left, rest = zip(shown[:2], WIDTHS[:2], strict=True), zip(shown[2:], WIDTHS[2:], strict=True)
    return " ".join([*(f"{c:{w}}" for c, w in left), *(f"{c:>{w}}" for c, w in rest)]).rstrip()


def main(arguments: Sequence[str]) -> int:
    """Print the rows that are asked for; 1 if one misses something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="WORD", help="rows whose name has one of these words"
    )
    parser.add_argument("--write", action="store_true", help="record the depths in constraints.csv")
    asked = parser.parse_args(arguments)
    every = [*list_singles(), *list_boards(), *list_written()]
    chosen = [case for case in every if any(word.lower() in case.name.lower() for word in asked.only)]
    return int(print_rows(chosen, keep=asked.write) > 0)
