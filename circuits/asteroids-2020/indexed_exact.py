"""The test of `indexed_determinant`, exact for every 4x4 board of six stones: nothing is decided from the table.

The determinant modulo 2 misses exactly the boards with two matchings. On those, two rows hold the same two columns, and
the other two rows a stone each in the other two columns, one in each. Say x_i for a row, v_i for the parity of its
stones and u for the sum of all rows: the rows R_i = x_i + u are 1111 for the two rows (v_i = 0), and for the others
a single column (v_i = 1). Conversely, a board of six stones of which three rows are so, not all three with v_i = 1,
has two matchings (the tests run all 8,008 boards). With a and b the sums of
one column and two others, and h the fourth column of R_i, a row is so exactly where (a or b)(v or h) + h = 1: an AND
and an `AndNot`.

The determinant does not change when u is added to rows, and is computed of the same entries.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from indexed_determinant import LAST, SIDE, Circuit, Form, Load, add_determinant, loaded
from indexed_matching import Table

from gatesolve.circuit import AndNot, Parity, PhaseFlip, Xor, inverse
from gatesolve.oracle.assemble import Oracle

ALL = (1 << SIDE) - 1


@dataclass(frozen=True)
class RowForm(Form):
    """Rows R_i, and columns so that a row's entries are a, b, h and v.

    Attributes:
        row_order: the last one is not tested.
        column_order: a is the first and the second, b the first and the third, h the last.
    """

    row_order: tuple[int, ...] = tuple(range(SIDE))
    column_order: tuple[int, ...] = tuple(range(SIDE))

    @staticmethod
    def of(row_order: Sequence[int], column_order: Sequence[int]) -> RowForm:
        """The form for these orders of the board's rows and columns."""
        rows = (*(ALL ^ 1 << row for row in row_order[:LAST]), ALL)
        first, second, third, last = column_order
        columns = (1 << first | 1 << second, 1 << first | 1 << third, 1 << last, ALL)
        return RowForm(rows, columns, tuple(row_order), tuple(column_order))

    def moved(self, rng: random.Random) -> RowForm:
        """Two rows or two columns change places."""
        orders = [list(self.row_order), list(self.column_order)]
        order = rng.choice(orders)
        one, other = rng.sample(range(SIDE), 2)
        order[one], order[other] = order[other], order[one]
        return RowForm.of(*orders)


ROW_FORM = RowForm.of(range(SIDE), range(SIDE))


def exact_oracle(load: Load, table: Table) -> Oracle:
    """Index qubits first, then the ANDs' targets; phase -1 on the boards with a matching, up to a global sign.

    Args:
        load: of the same table, in a `RowForm`.
        table: boards of six stones.

    Cost: the load twice, `add_exact_test` once.
    """
    circuit = loaded(load, table)
    unloading = inverse(circuit.ops)
    add_exact_test(circuit)
    return circuit.oracle(load.lookup.num_index, unloading)


def add_exact_test(circuit: Circuit) -> None:
    """The phase -1 for boards of six stones with one matching or two.

    Cost: 15 ANDs, four `AndNot` and their inverses, ten CCZ.
    """
    add_two_matchings(circuit)
    add_determinant(circuit)


def add_two_matchings(circuit: Circuit) -> None:
    """The phase -1 for boards of six stones with two matchings: three rows are so, and not all of them odd."""
    start, free = len(circuit.ops), circuit.free
    first, second, third = (_row_is_so(circuit, row) for row in range(LAST))
    odd, *others = (circuit.at[row, LAST] for row in range(LAST))
    equal = [odd ^ other.negated() for other in others]
    held = [parity.wires for parity in (odd, *others)]
    if all(len(wires) == 1 for wires in held) and len({*held}) == LAST:  # so they are made in place
        circuit.ops += [Xor(Parity(odd.wires), *other.wires) for other in others]
        equal = [one ^ Parity(odd.wires) for one in equal]
    goal = circuit.fresh()
    circuit.ops.append(AndNot(first, *equal, goal))
    circuit.finish(start, [PhaseFlip((Parity((goal,)), second, third))], free)


def _row_is_so(circuit: Circuit, row: int) -> Parity:
    """(a or b)(v or h) + h, in place of h where no other entry reads its wire."""
    a, b, h, v = (circuit.at[row, column] for column in range(SIDE))
    empty = circuit.product_sum([(v.negated(), h.negated())])
    readers = [entry for entry, held in circuit.at.items() if set(h.wires) & set(held.wires)]
    if readers != [(row, 2)]:
        goal = circuit.fresh()
        circuit.ops.append(Xor(h, goal))
        h = Parity((goal,))
    circuit.ops.append(AndNot(empty.negated(), a.negated(), b.negated(), *h.wires))
    return h
