"""One sweep of cancelling and merging across gates that commute, or that can be passed for one gate more.

On each of its qubits a gate is diagonal (``z``), a function of X (``x``) or neither (``-``); gates with the same letter
on every qubit they share commute. A gate looks back along its qubits for its own inverse.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gatesolve.circuit.lowering.gates import LowGate
from gatesolve.circuit.lowering.passes.phase_folding import EIGHTHS, phase_gates

REACH = 64
"""Gates looked back over on a qubit: bounds the work, and partners are near."""
_LETTERS = {"cx": "zx", "cz": "zz", "x": "x", "p": "z", "rz": "z", "phase": "z"} | dict.fromkeys(EIGHTHS, "z")

_DIAGONAL = frozenset({*EIGHTHS, "phase"})


def pauli_letters(gate: LowGate) -> str:
    """One letter for each of the gate's qubits: how it acts there."""
    return _LETTERS.get(gate[0]) or "-" * len(gate[1])


def sweep_rotations(gates: Iterable[LowGate], new_cz: bool = True) -> list[LowGate]:
    """Cancel inverse pairs and merge phases across gates that commute with them; the others keep their order.

    Two equal CX or CZ also go when the gates between them that do not commute can be passed for one CX in all:
    CX(a,b) CX(b,c) CX(a,b) is CX(a,c) CX(b,c), CX(a,b) CX(d,a) CX(a,b) is CX(d,b) CX(d,a), an X on a control or a Z on
    a target is copied to the other qubit, and CX(a,b) S(b) CX(a,b) is S(a) S(b) CZ(a,b).

    Multiples of a phase of pi/4 are merged, other phases left; CZ come up where there was none only with ``new_cz``.
    The result is equal up to a global phase and has no more CX (CZ counted as one) or T.

    Cost: `REACH` gates looked back over for each gate and qubit.
    """
    sweep = _Sweep(new_cz)
    for gate in gates:
        sweep.add(gate)
    return list(sweep.result())


@dataclass
class _Sweep:
    """The gates kept so far, and for each qubit the indices of those on it.

    An entry is one gate, or two that stand side by side and are passed by none until the next sweep.
    """

    new_cz: bool
    kept: list[tuple[LowGate, ...]] = field(default_factory=list)
    lines: dict[int, list[int]] = field(default_factory=dict)

    def add(self, gate: LowGate) -> None:
        """Keep a gate, or what is left of it and an earlier one."""
        if len(gate[1]) == 2 and gate[0] in {"cx", "cz"}:
            found = self._pair(gate)
            if found is not None:
                self._drop(found[0])
                for index, extra in found[1]:
                    self._beside(index, extra)
                return
        elif len(gate[1]) == 1:
            partner = self._single(gate)
            if partner is not None:
                merged = _merge(self.kept[partner][0], gate)
                if merged:
                    self.kept[partner] = merged
                else:
                    self._drop(partner)
                return
        for qubit in gate[1]:
            self.lines.setdefault(qubit, []).append(len(self.kept))
        self.kept.append((gate,))

    def result(self) -> Iterator[LowGate]:
        """The gates that are left."""
        for entry in self.kept:
            for gate in entry:
                if gate[0] == "phase":
                    yield from phase_gates(gate[1], gate[2])
                else:
                    yield gate

    def _drop(self, index: int) -> None:
        for qubit in self.kept[index][0][1]:
            line = self.lines[qubit]
            del line[bisect_left(line, index)]
        self.kept[index] = ()

    def _beside(self, index: int, extra: tuple[LowGate, ...]) -> None:
        there = {q for gate in self.kept[index] for q in gate[1]}
        for qubit in {q for gate in extra for q in gate[1]} - there:
            insort(self.lines.setdefault(qubit, []), index)
        self.kept[index] = (*extra, *self.kept[index])

    def _single(self, gate: LowGate) -> int | None:
        """Index of the earlier gate that a one-qubit gate merges with."""
        name, (qubit,), _ = gate
        if name not in EIGHTHS and name not in {"x", "h"}:
            return None
        letter = pauli_letters(gate)
        for index in self.lines.get(qubit, [])[: -REACH - 1 : -1]:
            entry = self.kept[index]
            if len(entry) > 1:
                return None
            earlier = entry[0][0]
            if earlier == name or (name in EIGHTHS and earlier in _DIAGONAL):
                return index
            if letter == "-" or _letter_on(entry[0], qubit) != letter:
                return None
        return None

    def _pair(self, gate: LowGate) -> tuple[int, list[tuple[int, tuple[LowGate, ...]]]] | None:
        """The equal gate that ``gate`` can be moved to, and where it leaves which gates on the way."""
        left: list[tuple[int, tuple[LowGate, ...]]] = []
        for index in self._back(gate[1]):
            entry = self.kept[index]
            if len(entry) > 1:
                return None
            earlier = entry[0]
            if _same(earlier, gate):
                return index, left
            if _commute(earlier, gate):
                continue
            extra = _swap_gates(earlier, gate) if self.new_cz or _eighths(earlier) not in {2, 6} else ()
            left.append((index, extra))
            if not extra or sum(len(more[1]) > 1 for _, extras in left for more in extras) > 1:
                return None
        return None

    def _back(self, qubits: tuple[int, ...]) -> Iterator[int]:
        """Indices on both lines from the latest, each once."""
        first, second = (self.lines.get(q, []) for q in qubits)
        i, j = len(first) - 1, len(second) - 1
        ends = max(-1, i - REACH), max(-1, j - REACH)
        while i > ends[0] or j > ends[1]:
            one, other = first[i] if i >= 0 else -1, second[j] if j >= 0 else -1
            yield max(one, other)
            i, j = i - (one >= other), j - (other >= one)


def _commute(first: LowGate, second: LowGate) -> bool:
    """Whether both have the same letter on every qubit they share."""
    theirs = dict(zip(second[1], pauli_letters(second), strict=True))
    return all(theirs.get(q, letter) == letter for q, letter in zip(first[1], pauli_letters(first), strict=True))


def _letter_on(gate: LowGate, qubit: int) -> str:
    return pauli_letters(gate)[gate[1].index(qubit)]


def _same(first: LowGate, second: LowGate) -> bool:
    if first[0] != second[0]:
        return False
    return first[1] == second[1] or (first[0] == "cz" and first[1] == second[1][::-1])


def _merge(earlier: LowGate, later: LowGate) -> tuple[LowGate, ...]:
    """The gate both make together; nothing when they cancel."""
    if later[0] not in EIGHTHS:
        return ()
    total = (_eighths(earlier) + EIGHTHS[later[0]]) % 8
    return (("phase", later[1], float(total)),) if total else ()


def _eighths(gate: LowGate) -> int:
    """A phase in multiples of pi/4, 0 for other gates."""
    return round(gate[2]) if gate[0] == "phase" else EIGHTHS.get(gate[0], 0)


def _swap_gates(earlier: LowGate, gate: LowGate) -> tuple[LowGate, ...]:
    """What more it takes for ``gate`` to go before ``earlier``; nothing where that is more than one CX.

    ``earlier`` shares one qubit with ``gate``, on which they do not commute.
    """
    shared = set(earlier[1]) & set(gate[1])
    if len(shared) != 1:
        return ()
    qubit = shared.pop()
    other = gate[1][1 - gate[1].index(qubit)]
    # Conjugated by ``earlier``, the letter on the shared qubit spreads to the partner there.
    letter, far = _letter_on(gate, qubit), _letter_on(gate, other)
    if earlier[0] in {"x", "z"}:
        return (("x" if far == "x" else "z", (other,), 0.0),)
    if letter == "x" and _eighths(earlier) in {2, 6}:
        # The phase i of a parity is i for each of its bits and -1 where both are 1.
        return ("cz", (other, qubit), 0.0), *phase_gates((other,), _eighths(earlier))
    if earlier[0] != "cx":
        return ()
    partner = earlier[1][1 - earlier[1].index(qubit)]
    if letter == "z":
        return (("cx" if far == "x" else "cz", (partner, other), 0.0),)
    return (("cx", (other, partner), 0.0),)
