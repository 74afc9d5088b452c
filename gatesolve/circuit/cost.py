"""Two-qubit and T gates of reversible operations, for choosing between plans before lowering."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from gatesolve.circuit.ops import Op


def count_cx(ops: Iterable[Op]) -> int:
    """CX of ``ops`` when every multi-controlled gate finds a clean ancilla; lowering's passes may need fewer."""
    total, runs = 0, _Runs()
    for op in ops:
        total += op.counts.cx - 2 * runs.count_shared(op)
    return total


def count_t(ops: Iterable[Op]) -> int:
    """T of ``ops`` under the same assumption."""
    return sum(op.counts.t for op in ops)


def count_toffoli(ops: Iterable[Op]) -> int:
    """Toffoli gates of ``ops`` under the same assumption, where none is written out; a turn counts as for T."""
    return sum(op.counts.toffoli for op in ops)


class _Runs:
    """The outer sides of ANDs, by target, as long as neither the target nor what they read is touched."""

    def __init__(self) -> None:
        self._outer: dict[int, frozenset[int]] = {}
        self._targets: defaultdict[int, set[int]] = defaultdict(set)

    def count_shared(self, op: Op) -> int:
        """Wires that one AND XORs out of its target last and the next one, ``op``, XORs in first: neither is needed."""
        if not op.uses:
            self._outer, self._targets = {}, defaultdict(set)
            return 0
        target = op.changed[0]
        outer = frozenset(wire for side in op.product[1:] for wire in side.wires)
        shared = len(outer & self._outer.get(target, frozenset()))
        self._forget(op.wires, target)
        if outer:
            self._outer[target] = outer
        for wire in outer:
            self._targets[wire].add(target)
        return shared

    def _forget(self, read: Iterable[int], written: int) -> None:
        for wire in (*read, written):
            self._outer.pop(wire, None)
        for target in self._targets.pop(written, ()):
            self._outer.pop(target, None)
