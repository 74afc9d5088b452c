"""Two-qubit and T gates of reversible operations, for choosing between plans before lowering."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from gatesolve.circuit.ops import Op


def count_cx(ops: Iterable[Op]) -> int:
    """Return the CX of ``ops`` if every multi-controlled gate has a clean ancilla; an upper bound after the passes."""
    total, runs = 0, _Runs()
    for op in ops:
        # For each shared wire, the CX at the end of one AND and the CX at the start of the next cancel.
        total += op.counts.cx - 2 * runs.count_shared(op)
    return total


def count_t(ops: Iterable[Op]) -> int:
    """Return the T gates of ``ops`` if every multi-controlled gate has a clean ancilla."""
    return sum(op.counts.t for op in ops)


def count_toffoli(ops: Iterable[Op]) -> int:
    """Return the Toffoli gates of ``ops`` with clean ancillas; an approximated rotation counts as for T."""
    return sum(op.counts.toffoli for op in ops)


class _Runs:
    """The outer sides of earlier ANDs by target, until the target or a wire that they read is touched."""

    def __init__(self) -> None:
        self._outer: dict[int, frozenset[int]] = {}
        self._targets: defaultdict[int, set[int]] = defaultdict(set)

    def count_shared(self, op: Op) -> int:
        """Return the number of wires that the last AND on this target XORs out last and ``op`` XORs in first."""
        # Other operations may use any wire, so nothing is assumed to cancel across them.
        if not op.uses:
            self._outer, self._targets = {}, defaultdict(set)
            return 0
        target = op.changed[0]
        # Side 0 is XORed in the middle of Margolus' gate only; the later sides are its first and last CX.
        outer = frozenset(wire for side in op.product[1:] for wire in side.wires)
        shared = len(outer & self._outer.get(target, frozenset())) if outer else 0
        # Forms of oracles are counted by the hundred, operation by operation.
        if self._outer:
            for wire in (target, *[wire for parity in op.reads for wire in parity.wires]):
                self._outer.pop(wire, None)
        for other in self._targets.pop(target, ()):
            self._outer.pop(other, None)
        if outer:
            self._outer[target] = outer
        for wire in outer:
            self._targets[wire].add(target)
        return shared
