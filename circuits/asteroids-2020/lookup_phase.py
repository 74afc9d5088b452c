"""Phases that are sums of products of looked-up functions, as CZ between wires of the lookup.

With every function a parity of wires, ``sum_j p_j q_j`` is a quadratic form over the wires. It is never multiplied
out in terms of the index: wires are taken as independent variables throughout. Adding one wire onto another (a CX,
undone afterwards) changes variables in the form; that is worth it where it removes more than two CZ.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from gatesolve.circuit import Op, Ops, Parity, PhaseFlip, Xor, inverse
from gatesolve.functions.table_lookup import LookupChain


@dataclass(frozen=True)
class QuadraticForm:
    """``sum of w_i w_j over edges + sum of w_i over linear + constant`` over GF(2).

    Attributes:
        rows: bit j of rows[i] (and bit i of rows[j]) is the coefficient of w_i w_j; no diagonal.
        linear: bit i is the coefficient of w_i.
    """

    rows: tuple[int, ...]
    linear: int

    @staticmethod
    def of(terms: Sequence[tuple[Parity, Parity]], num_wires: int) -> QuadraticForm:
        """The sum of products of parities, up to a constant (a global phase)."""
        rows, linear = [0] * num_wires, 0
        for first, second in terms:
            left, right = _mask(first), _mask(second)
            for wire in range(num_wires):
                if left >> wire & 1:
                    rows[wire] ^= right
                if right >> wire & 1:
                    rows[wire] ^= left
            linear ^= left & right ^ left * second.constant ^ right * first.constant
        return QuadraticForm(tuple(row & ~(1 << i) for i, row in enumerate(rows)), linear)

    @property
    def num_edges(self) -> int:
        """Products of two wires."""
        return sum(row.bit_count() for row in self.rows) // 2

    def added(self, source: int, target: int) -> QuadraticForm:
        """The form over the wires after ``target ^= source``."""
        rows, linear = list(self.rows), self.linear
        # w_target becomes w_target + w_source: each of its products is had by w_source too.
        moved = rows[target]
        if moved >> source & 1:
            linear ^= 1 << source
            moved ^= 1 << source
        if linear >> target & 1:
            linear ^= 1 << source
        rows[source] ^= moved
        for wire in range(len(rows)):
            if moved >> wire & 1:
                rows[wire] ^= 1 << source
        return QuadraticForm(tuple(rows), linear)

    def gain(self, source: int, target: int) -> int:
        """Edges that ``target ^= source`` takes away."""
        seen = ~(1 << source | 1 << target)
        row = self.rows[source] & seen
        return row.bit_count() - (row ^ self.rows[target] & seen).bit_count()


def _mask(parity: Parity) -> int:
    return sum(1 << wire for wire in parity.wires)


@dataclass(frozen=True)
class Diagonal:
    """CX ``network``, then CZ and Z of ``form``, then the network undone.

    Attributes:
        network: pairs (source, target).
        form: over the wires after the network.
    """

    network: tuple[tuple[int, int], ...]
    form: QuadraticForm

    @property
    def cx(self) -> int:
        """Two-qubit gates in all."""
        return 2 * len(self.network) + self.form.num_edges

    def ops(self, num_index: int) -> Ops:
        """The operations; CZ are grouped so that few wires change basis, AND targets before index qubits."""
        make: list[Op] = [Xor(Parity((source,)), target) for source, target in self.network]
        flips: list[Op] = [PhaseFlip((Parity((w,)),)) for w in range(len(self.form.rows)) if self.form.linear >> w & 1]
        return (*make, *flips, *_edges(self.form, num_index), *inverse(make))


def _edges(form: QuadraticForm, num_index: int) -> list[Op]:
    """CZ in groups by the wire that changes basis: the one with most edges left each time."""
    rows, ops = list(form.rows), list[Op]()
    while any(rows):
        # An edge between index qubits alone comes last: index qubits change basis only for those.
        ancillas = [w for w in range(num_index, len(rows)) if rows[w]]
        goal = max(ancillas or range(len(rows)), key=lambda w: rows[w].bit_count())
        for wire in range(len(rows)):
            if rows[goal] >> wire & 1:
                ops.append(PhaseFlip((Parity((wire,)), Parity((goal,)))))
                rows[wire] ^= 1 << goal
        rows[goal] = 0
    return ops


def diagonal(lookup: LookupChain, terms: Sequence[tuple[int, int]], rng: random.Random) -> Diagonal:
    """The phase (-1)**(sum of p(i) q(i) over terms) on the wires of ``lookup``.

    Args:
        lookup: has every p and q in its span.
        terms: pairs of functions of the index.
        rng: breaks ties between equally good CX.
    """
    form = QuadraticForm.of([(lookup.parity(p), lookup.parity(q)) for p, q in terms], lookup.num_wires)
    network: list[tuple[int, int]] = []
    while True:
        gains: dict[int, list[tuple[int, int]]] = {}
        for target in range(lookup.num_wires):
            for source in range(lookup.num_wires):
                if source != target:
                    gains.setdefault(form.gain(source, target), []).append((source, target))
        best = max(gains, default=0)
        if best <= 2:
            return Diagonal(tuple(network), form)
        source, target = rng.choice(gains[best])
        form = form.added(source, target)
        network.append((source, target))
