"""CX of single constraints, alone and in a board, and of whole boards at the level ``literal``, beside their bars.

    python benchmarks/constraints.py             # all rows
    python benchmarks/constraints.py sudoku sum  # rows whose name has one of these words

One oracle call (compute, phase, uncompute), gate set cx+u, unlimited ancillas, nothing deduced. "in a board" is what
one more costs: half of what four disjoint copies take above two. "before" is what decision diagrams took, "bar" the
lesser of that and of a circuit made by hand, and 5 % more. Every oracle is run against the model, on all its codewords
up to 2^17, else on a sample.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path

import cpmpy as cp
from constraint_expressions import EXPRESSIONS, SQUARES, lower_expression

from gatesolve.circuit.lowering import lower
from gatesolve.encodings import make_spaces
from gatesolve.errors import GatesolveError
from gatesolve.model import AllDifferent, Clause, Constraint, Linear, Model, NotEqual, Variable
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.oracle import assemble
from gatesolve.oracle.levels import literal_conditions
from gatesolve.pipelines.certify import certify_oracle, phase_check
from gatesolve.pipelines.certify_sample import certify_sample
from gatesolve.pipelines.clock import Clock
from gatesolve.puzzles import load

ROOT = Path(__file__).resolve().parents[1]
EVERY_CODEWORD = 1 << 17


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


def over(count: int, values: range) -> tuple[Variable, ...]:
    return tuple(Variable(f"x{k}", tuple(values)) for k in range(count))


def add(count: int, relation: str, bound: int, signs: Sequence[int] = ()) -> Linear:
    return Linear(tuple((c, f"x{k}") for k, c in enumerate(signs or [1] * count)), relation, bound)


def differ(count: int) -> AllDifferent:
    return AllDifferent(tuple(f"x{k}" for k in range(count)))


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
    (
        "sum of 3 <= 15, 1..9",
        over(3, range(1, 10)),
        add(3, "<=", 15),
        {"binary": (616, 128), "one-hot": (407, 194)},
    ),
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


def colour(edges: Sequence[tuple[int, int]], colours: int) -> Model:
    """A colouring of a graph."""
    nodes = sorted({node for edge in edges for node in edge})
    variables = tuple(Variable(f"x{node}", tuple(range(colours))) for node in nodes)
    return Model(variables, tuple(NotEqual(f"x{a}", f"x{b}") for a, b in edges))


EDGES = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 4), (3, 4), (3, 5)]
PETERSEN = [
    *((k, (k + 1) % 5) for k in range(5)),
    *((5 + k, 5 + (k + 2) % 5) for k in range(5)),
    *((k, k + 5) for k in range(5)),
]


def magic_square() -> Model:
    """Nine numbers in a square of 3 x 3."""
    x = cp.intvar(1, 9, shape=(3, 3), name="x")
    lines = [*x, *x.T, [x[k, k] for k in range(3)], [x[k, 2 - k] for k in range(3)]]
    return from_cpmpy(cp.Model(cp.AllDifferent(x), [cp.sum(list(line)) == 15 for line in lines]))


def queens(size: int) -> Model:
    """A column for the queen of each row."""
    rows = cp.intvar(0, size - 1, shape=size, name="x")
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


def list_boards() -> Iterator[Case]:
    """Whole boards, every constraint alone."""
    inkala = from_cpmpy(load(ROOT / "examples/sudoku/inkala-2012.txt").to_cpmpy())
    rows: list[tuple[str, Model, dict[str, tuple[int | None, int | None]]]] = [
        ("8 colours, 7 edges", colour(EDGES, 8), {"binary": (1177, 162), "one-hot": (None, 294)}),
        ("Petersen graph, 3 colours", colour(PETERSEN, 3), {"binary": (242, 242), "one-hot": (242, 242)}),
        ("Petersen graph, 8 colours", colour(PETERSEN, 8), {"binary": (2537, 362), "one-hot": (798, 582)}),
        ("magic square 3x3", magic_square(), {"binary": (15804, 1203), "one-hot": (3573, 1256)}),
        ("Golomb ruler, 4 marks", golomb(), {"binary": (3501, 638), "one-hot": (1492, 692)}),
        ("SEND + MORE = MONEY", send_more(), {"binary": (None, 1959), "one-hot": (3570, 1785)}),
        ("6 queens as columns", queens(6), {"binary": (5470, 622), "one-hot": (1956, 456)}),
        ("8 queens as columns", queens(8), {"binary": (12480, 1173), "one-hot": (2271, 776)}),
        ("Sudoku, Inkala 2012", inkala, {"binary": (None, 4682), "one-hot": (4093, 3242)}),
    ]
    for name, model, found in rows:
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


def count_cx(model: Model, encoding: str, check: bool) -> int:
    """CX of one oracle call, after it was run against the model."""
    space = make_spaces(model, encoding)[0]
    oracle = assemble(literal_conditions(model, space), space.num_qubits, alone=True)
    if check and space.size <= EVERY_CODEWORD:
        certify_oracle(phase_check(model, space, oracle), 0, Clock())
    elif check:
        certify_sample(model, space, oracle, 0, Clock())
    return int(lower(oracle.ops, oracle.num_qubits, "cx+u").count_ops().get("cx", 0))


def print_rows(cases: Sequence[Case]) -> int:
    """A line a case; returns how many miss their bar."""
    print(
        f"{'constraint or board':36} {'encoding':12} {'CX':>6} {'in a board':>10} "
        f"{'before':>7} {'by hand':>7} {'bar':>6}"
    )
    missed = 0
    for case in cases:
        try:
            found = count_cx(case.model, case.encoding, check=True)
            more = ""
            if not case.is_board:
                four, two = (count_cx(copy_model(case.model, times), case.encoding, check=False) for times in (4, 2))
                more = f"{(four - two) / 2:.1f}"
        except GatesolveError as error:
            print(f"{case.name:36} {case.encoding:12} refused: {error}"[:160])
            missed += 1
            continue
        is_over = case.bar is not None and found > case.bar
        missed += is_over
        shown = ("-" if value is None else value for value in (case.before, case.by_hand, case.bar))
        before, by_hand, bar = shown
        mark = "  over" if is_over else ""
        print(
            f"{case.name:36} {case.encoding:12} {found:>6} {more:>10} {before:>7} {by_hand:>7} {bar:>6}{mark}",
            flush=True,
        )
    print(f"{len(cases) - missed} of {len(cases)} rows at their bar")
    return missed


if __name__ == "__main__":
    words = [word.lower() for word in sys.argv[1:]]
    every = [*list_singles(), *list_boards(), *list_written()]
    print_rows([case for case in every if not words or any(word in case.name.lower() for word in words)])
