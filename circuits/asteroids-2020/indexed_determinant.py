"""The matching test of `indexed_matching` computed in the circuit from looked-up cells.

Over GF(2) the number of matchings of a 4x4 board, counted modulo 2, is the determinant of its cells. Adding a row to
a row or a column to a column does not change it, so the table is looked up in whatever form of that kind is cheap to
load. The last row is always the sum of all rows and the last column the sum of all columns; boards with an even
number of stones then have a zero in that corner, which saves three products and a wire.

Counting modulo 2 misses boards with two matchings. With at most six stones these are the boards with a full 2x2
window and a matching of the two rows and columns left; for each window that some board of the table fills (a look at
four cells) the circuit adds the product of its cells and the complementary minor.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from indexed_matching import PAIRS, SIDE, Table, complement, window
from lookup_linear import WIDTH, Matrix, Network, completed, inverse_matrix, network, spread

from gatesolve.circuit import And, Op, Ops, Parity, PhaseFlip, Xor, inverse
from gatesolve.circuit.gf2 import AffineSpan
from gatesolve.errors import InputError
from gatesolve.functions.table_lookup import LookupChain, LookupStep, drawn_lookup, everywhere
from gatesolve.oracle.assemble import Oracle

LAST = SIDE - 1
CELLS = tuple((row, column) for row in range(SIDE) for column in range(SIDE))
ENTRIES = CELLS[:-1]
"""All but the corner, which is zero."""
HOT, COLD = 2.5, 0.05
"""Temperatures of the annealing, in units of `spread`."""
POLISH_WIDTH = 12
"""Of the beam by which neighbours are compared."""
MARGIN = 4.0
"""How much worse by `spread` a load may look for its network to be drawn at all."""


@dataclass(frozen=True)
class Form:
    """A board's cells after row and column additions: entry (r, c) is the sum of cells (rows[r] x columns[c]).

    Attributes:
        rows: for each new row the mask of board rows summed; the last is all of them.
        columns: likewise.
    """

    rows: tuple[int, ...] = (1, 2, 4, 15)
    columns: tuple[int, ...] = (1, 2, 4, 15)

    def entry(self, table: Table, row: int, column: int) -> int:
        """The function of the index at an entry."""
        value = 0
        for r, c in CELLS:
            if self.rows[row] >> r & 1 and self.columns[column] >> c & 1:
                value ^= table[r, c]
        return value

    def moved(self, rng: random.Random) -> Form:
        """One line other than the last has another added to it."""
        goal = rng.randrange(LAST)
        added = rng.choice([line for line in range(SIDE) if line != goal])
        lines = list(self.rows if (by_rows := rng.random() < 0.5) else self.columns)
        lines[goal] ^= lines[added]
        return Form(tuple(lines), self.columns) if by_rows else Form(self.rows, tuple(lines))

    def cell(self, row: int, column: int) -> tuple[tuple[int, int], ...]:
        """The entries whose sum is a cell of the board."""
        up, across = inverse_matrix(self.rows), inverse_matrix(self.columns)
        assert up is not None
        assert across is not None
        return tuple((r, c) for r, c in ENTRIES if up[row] >> r & 1 and across[column] >> c & 1)


FORM = Form()


@dataclass(frozen=True)
class Load:
    """A chain of ANDs and a network that together put every entry on a wire of its own.

    Attributes:
        lookup: the chain.
        form: which sums of cells are loaded.
        picked: entries that get a wire of the chain; the others are sums of these.
        matrix: row i: the chain's wires whose parity is picked entry i, up to complement; then wires left over.
    """

    lookup: LookupChain
    form: Form
    picked: tuple[tuple[int, int], ...]
    matrix: Matrix

    @cached_property
    def burden(self) -> float:
        """What annealing lowers: a guess at the CX of the network, and the ANDs' further controls."""
        back = inverse_matrix(self.matrix)
        assert back is not None
        return spread(self.matrix, back) + sum(len(s.left.wires) - 1 for s in self.lookup.steps)


def load_of(lookup: LookupChain, form: Form, table: Table) -> Load:
    """The cells of ``table`` in the given form, from a chain that has them in its span.

    Raises:
        ValueError: the chain does not hold some entry.
    """
    keep = (1 << lookup.num_wires) - 1
    picked, rows, reduced = [], [], list[int]()
    for entry in ENTRIES:
        mask = lookup.span.express(form.entry(table, *entry))
        if mask is None:
            raise ValueError(f"the chain does not hold entry {entry}")
        left = mask & keep
        for other in reduced:
            left = min(left, left ^ other)
        if left:
            reduced.append(left)
            picked.append(entry)
            rows.append(mask & keep)
    return Load(lookup, form, tuple(picked), completed(rows, lookup.num_wires))


def found_load(table: Table, num_index: int, seed: int, tries: int, form: Form = FORM) -> Load:
    """A cheap way to load the cells, by simulated annealing over chains and the forms reached from ``form``.

    Raises:
        InputError: a board has an odd number of stones.

    Cost: per try some hundred reductions over GF(2).
    """
    if Form().entry(table, LAST, LAST):
        raise InputError("the determinant form needs boards with an even number of stones")
    rng = random.Random(seed)
    entries = [Form().entry(table, *entry) for entry in ENTRIES]
    current = best = load_of(drawn_lookup(entries, num_index, rng), form, table)
    for number in range(tries):
        heat = HOT * (1 - number / tries) + COLD
        candidate = _neighbour(current, table, entries, rng)
        if candidate is None:
            continue
        rise = candidate.burden - current.burden
        if rise <= 0 or rng.random() < math.exp(-rise / heat):
            current = candidate
        if current.burden < best.burden:
            best = current
    return best


def polished_load(load: Load, table: Table, seed: int, tries: int) -> Load:
    """A load near ``load`` with fewer CX in the network that is really built, by descent over neighbours.

    Cost: per try a network; some ten milliseconds.
    """
    rng = random.Random(seed)
    entries = [Form().entry(table, *entry) for entry in ENTRIES]
    best, cost = load, load_cx(load, POLISH_WIDTH)
    for _ in range(tries):
        candidate = _neighbour(best, table, entries, rng)
        if candidate is None or candidate.burden > best.burden + MARGIN:
            continue
        reached = load_cx(candidate, POLISH_WIDTH)
        if reached <= cost:
            best, cost = candidate, reached
    return best


def load_cx(load: Load, width: int = WIDTH) -> int:
    """CX of the chain and of the network found, one way."""
    return load.lookup.cx + len(_network(load.matrix, width).cx)


def _neighbour(load: Load, table: Table, entries: Sequence[int], rng: random.Random) -> Load | None:
    draw, steps, num_index = rng.random(), load.lookup.steps, load.lookup.num_index
    if draw < 0.4 or not steps:
        return load_of(load.lookup, load.form.moved(rng), table)
    chosen = rng.randrange(len(steps))
    if draw < 0.6:
        kept = steps[:chosen]
    else:
        changed = _complemented(steps[chosen], rng) if draw < 0.8 else _other(chosen, num_index, rng)
        kept = (*steps[:chosen], changed, *steps[chosen + 1 :])
    lookup = drawn_lookup(entries, num_index, rng, kept)
    if lookup.span.null or len(lookup.steps) > len(steps):
        return None
    return load_of(lookup, load.form, table)


def _complemented(step: LookupStep, rng: random.Random) -> LookupStep:
    if rng.random() < 0.5:
        return LookupStep(step.left.negated(), step.right)
    return LookupStep(step.left, step.right.negated())


def _other(chosen: int, num_index: int, rng: random.Random) -> LookupStep:
    """A drawn step for a place in the chain, over the wires there are at that point."""
    wires = rng.sample(range(num_index + chosen), min(3, num_index + chosen))
    left = tuple(sorted(wires[: 1 + (rng.random() < 0.1)]))
    return LookupStep(Parity(left, rng.random() < 0.5), Parity((wires[-1],), rng.random() < 0.5))


@dataclass
class Circuit:
    """Entries on wires ``at``, and the operations so far; ``most`` is the width reached."""

    at: dict[tuple[int, int], Parity]
    free: int
    ops: list[Op] = field(default_factory=list)
    most: int = 0

    def fresh(self) -> int:
        """A wire that is zero."""
        self.free += 1
        self.most = max(self.most, self.free)
        return self.free - 1

    def product_sum(self, products: Sequence[tuple[Parity, Parity]]) -> Parity:
        """The sum of products on a fresh wire."""
        goal = self.fresh()
        for left, right in products:
            long, short = (left, right) if len(left.wires) >= len(right.wires) else (right, left)
            if short.wires:
                self.ops.append(And(long, short, goal))
            elif short.constant:
                self.ops.append(Xor(long, goal))
        return Parity((goal,))

    def finish(self, start: int, phases: Sequence[Op], free: int) -> None:
        """Put ``phases``, then undo all operations from ``start`` on; wires from ``free`` on are zero again."""
        made = tuple(self.ops[start:])
        self.ops += [*phases, *inverse(made)]
        self.free = free

    def oracle(self, num_index: int, unloading: Ops) -> Oracle:
        """All operations, then ``unloading``."""
        return Oracle((*self.ops, *unloading), num_index, self.most - num_index)


def determinant_oracle(load: Load, table: Table) -> Oracle:
    """Index qubits first, then the ANDs' targets; phase -1 on the boards with a matching, up to a global sign.

    Args:
        load: of the same table.
        table: boards of at most six stones.

    Cost: the load twice, 12 ANDs and their inverses, nine CCZ; and five ANDs, their inverses and a CZ for each
    2x2 window that some board fills.
    """
    circuit = loaded(load, table)
    unloading = inverse(circuit.ops)
    for rows, columns in _filled_windows(table):
        _window(circuit, load.form, rows, columns)
    add_determinant(circuit)
    return circuit.oracle(load.lookup.num_index, unloading)


def loaded(load: Load, table: Table) -> Circuit:
    """The chain and its network: every entry on a wire."""
    made = _network(load.matrix)
    chain = load.lookup
    circuit = Circuit({}, chain.num_wires)
    circuit.ops = [*chain.ops, *(Xor(Parity((source,)), target) for source, target in made.cx)]
    _place(circuit, load, table, made)
    return circuit


def _place(circuit: Circuit, load: Load, table: Table, made: Network) -> None:
    """Say which wire holds each entry; an entry that is a sum of several others gets a fresh one."""
    functions = {entry: load.form.entry(table, *entry) for entry in ENTRIES}
    for entry, wire in zip(load.picked, made.places, strict=False):
        circuit.at[entry] = Parity((wire,), load.lookup.parity(functions[entry]).constant)
    span = AffineSpan.of([functions[entry] for entry in load.picked], everywhere(load.lookup.num_index))
    for entry in ENTRIES:
        if entry in circuit.at:
            continue
        mask = span.express(functions[entry])
        assert mask is not None
        total = Parity((), bool(mask & span.constant_bit))
        for number, other in enumerate(load.picked):
            if mask >> number & 1:
                total = total ^ circuit.at[other]
        if len(total.wires) > 1:
            goal = circuit.fresh()
            circuit.ops.append(Xor(Parity(total.wires), goal))
            total = Parity((goal,), total.constant)
        circuit.at[entry] = total


def _network(matrix: Matrix, width: int = WIDTH) -> Network:
    made = network(matrix, width)
    if made is None:
        raise InputError("no network found for these cells: try another seed")
    return made


def add_determinant(circuit: Circuit) -> None:
    """Minors of rows 0 and 1; the phase of each with an entry of row 2 and one of row 3 (Laplace by rows)."""
    at, start, free = circuit.at, len(circuit.ops), circuit.free
    phases: list[Op] = []
    minors = {(a, b): circuit.product_sum([(at[0, a], at[1, b]), (at[0, b], at[1, a])]) for a, b in PAIRS}
    for column in range(LAST):
        others = [c for c in range(SIDE) if c != column]
        phases += [PhaseFlip((minors[_without(others, c)], at[2, c], at[LAST, column])) for c in others]
    circuit.finish(start, phases, free)


def _without(columns: Sequence[int], column: int) -> tuple[int, int]:
    low, high = (c for c in columns if c != column)
    return low, high


def _filled_windows(table: Table) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The 2x2 windows all of whose cells some board has."""
    return [(rows, columns) for rows in PAIRS for columns in PAIRS if window(table, rows, columns)]


def _window(circuit: Circuit, form: Form, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    """The phase of a full window times its complementary minor; its helpers are uncomputed at once."""

    def cell(row: int, column: int) -> Parity:
        total = Parity(())
        for entry in form.cell(row, column):
            total = total ^ circuit.at[entry]
        return total

    start, free = len(circuit.ops), circuit.free
    upper = circuit.product_sum([(cell(rows[0], columns[0]), cell(rows[0], columns[1]))])
    lower = circuit.product_sum([(cell(rows[1], columns[0]), cell(rows[1], columns[1]))])
    (top, bottom), (left, right) = complement(rows), complement(columns)
    rest = circuit.product_sum([(cell(top, left), cell(bottom, right)), (cell(top, right), cell(bottom, left))])
    full = circuit.product_sum([(upper, lower)])
    circuit.finish(start, [PhaseFlip((full, rest))], free)
