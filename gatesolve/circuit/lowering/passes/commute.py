"""One sweep of cancelling and merging across gates that commute, or that can be passed for one gate more.

On each of its qubits a gate is diagonal (``z``), a function of X (``x``) or neither (``-``); gates with the same letter
on every qubit they share commute. A gate looks back along its qubits for its own inverse.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gatesolve.circuit.gates import CONTROLLED, EIGHTHS, LETTERS, LowGate
from gatesolve.circuit.lowering.passes.phase_folding import phase_gates

REACH = 64
"""Gates looked back over on a qubit: bounds the work, and partners are near."""
_LETTERS = LETTERS | {"phase": "z"}

_CODES = {"ccx": b"zzx", "ccz": b"zzz", "cx": b"zx", "cz": b"zz", "x": b"X", "h": b"h", "p": b"z", "rz": b"z"}
_CODES |= dict.fromkeys(EIGHTHS, b"d")
_TWO = ord("2")
_PASSED = {"z": b"zd", "x": b"xX"}
_PARTNERS = {"x": (b"x", b"X"), "h": (b"", b"h")} | dict.fromkeys(EIGHTHS, (b"z", b"d"))


def pauli_letters(gate: LowGate) -> str:
    """One letter for each of the gate's qubits: how it acts there."""
    return _LETTERS.get(gate[0]) or "-" * len(gate[1])


def sweep_rotations(gates: Iterable[LowGate], new_cz: bool = True) -> list[LowGate]:
    """Cancel inverse pairs and merge phases across gates that commute with them; other gates keep their order.

    Two equal CX or CZ are also removed if passing the non-commuting gates between them takes at most one CX in all:

    - CX(a,b) CX(b,c) CX(a,b) is CX(a,c) CX(b,c).
    - CX(a,b) CX(d,a) CX(a,b) is CX(d,b) CX(d,a).
    - CX(a,b) S(b) CX(a,b) is S(a) S(b) CZ(a,b).
    - An X on a control or a Z on a target is copied to the other qubit.

    Phases that are multiples of pi/4 are merged, others are kept. New CZ are introduced only with ``new_cz``. The
    result is equal up to a global phase and has no more CX (CZ counted as one) or T.

    Cost: `REACH` earlier gates are examined for each gate and qubit.
    """
    sweep = _Sweep(new_cz)
    for gate in gates:
        sweep.add(gate)
    return list(sweep.result())


@dataclass
class _Line:
    """The entries on one qubit: their indices, in order, and a byte of `_CODES` for each that says how it acts there.

    Bytes are searched much faster than gates, and most gates have nothing to look for.
    """

    indices: list[int] = field(default_factory=list)
    codes: bytearray = field(default_factory=bytearray)

    def drop(self, index: int) -> None:
        place = bisect_left(self.indices, index)
        del self.indices[place], self.codes[place]

    def mark(self, index: int) -> None:
        """An entry is now two gates, here for the first time or not."""
        place = bisect_left(self.indices, index)
        if place == len(self.indices) or self.indices[place] != index:
            self.indices.insert(place, index)
            self.codes.insert(place, _TWO)
        self.codes[place] = _TWO

    def blocking(self, place: int, letter: str) -> list[int] | None:
        """The entries from a place on that do not commute with ``letter``; None where they surely cannot be passed."""
        codes = self.codes[place:]
        others = codes.translate(None, _PASSED[letter])
        if not others:
            return []
        # One CX may be passed, besides any X and phases.
        dear = others.translate(None, b"dX")
        if len(dear) > 1 or dear.translate(None, b"zx"):
            return None
        return [self.indices[place + k] for k, code in enumerate(codes) if code not in _PASSED[letter]]


@dataclass
class _Sweep:
    """The gates kept so far, the lines of all qubits, and for each CX and CZ the indices where it is kept.

    An entry is one gate, or two that stand side by side and are passed by none until the next sweep.
    """

    new_cz: bool
    kept: list[tuple[LowGate, ...]] = field(default_factory=list)
    lines: defaultdict[int, _Line] = field(default_factory=lambda: defaultdict(_Line))
    pairs: defaultdict[tuple[str, tuple[int, ...]], list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, gate: LowGate) -> None:
        """Keep a gate, or what is left of it and an earlier one."""
        name, qubits, _ = gate
        if name in CONTROLLED:
            # Controls are symmetric and so are all qubits of a CZ, so they are sorted for the key.
            targets = qubits[-1:] if name.endswith("x") else ()
            equal = self.pairs[name, (*sorted(qubits[: len(qubits) - len(targets)]), *targets)]
            left = self._pass_back(gate, equal[-1]) if equal else None
            if left is not None:
                self._drop(equal.pop())
                for index, extra in left:
                    self.kept[index] = (*extra, *self.kept[index])
                    for qubit in {q for one in self.kept[index] for q in one[1]}:
                        self.lines[qubit].mark(index)
                return
            equal.append(len(self.kept))
        elif len(qubits) == 1:
            partner = self._single(gate)
            if partner is not None:
                merged = _merge(self.kept[partner][0], gate)
                if merged:
                    self.kept[partner] = merged
                else:
                    self._drop(partner)
                return
        place, lines = len(self.kept), self.lines
        for qubit, code in zip(qubits, _CODES.get(name) or b"-" * len(qubits), strict=True):
            line = lines[qubit]
            line.indices.append(place)
            line.codes.append(code)
        self.kept.append((gate,))

    def result(self) -> Iterator[LowGate]:
        for entry in self.kept:
            for gate in entry:
                if gate[0] == "phase":
                    yield from phase_gates(gate[1], gate[2])
                else:
                    yield gate

    def _drop(self, index: int) -> None:
        for qubit in self.kept[index][0][1]:
            self.lines[qubit].drop(index)
        self.kept[index] = ()

    def _single(self, gate: LowGate) -> int | None:
        """Index of the earlier gate that a one-qubit gate merges with."""
        name, (qubit,), _ = gate
        if name not in _PARTNERS:
            return None
        passed, partner = _PARTNERS[name]
        line = self.lines[qubit]
        # Stripping the bytes of gates that commute leaves the first one that does not, which must be the partner.
        near = line.codes[-REACH:].rstrip(passed)
        if not near.endswith(partner):
            return None
        return line.indices[len(near) - min(REACH, len(line.codes)) - 1]

    def _pass_back(self, gate: LowGate, partner: int) -> list[tuple[int, tuple[LowGate, ...]]] | None:
        """Where ``gate`` leaves which gates on the way to an equal one; None where it cannot go there."""
        # Two gates side by side are not separated before the next sweep.
        if len(self.kept[partner]) > 1:
            return None
        blocking: list[int] = []
        is_near = False
        for qubit, letter in zip(gate[1], pauli_letters(gate), strict=True):
            line = self.lines[qubit]
            place = bisect_left(line.indices, partner) + 1
            found = line.blocking(place, letter)
            if found is None:
                return None
            is_near = is_near or len(line.indices) - place < REACH
            blocking += found
        if not is_near or (blocking and len(gate[1]) > 2):
            return None
        extras = [_swap_gates(self.kept[index], gate, self.new_cz) for index in blocking]
        # Removing a pair saves two CX, so one more CX is still a gain.
        if not all(extras) or sum(len(more[1]) > 1 for extra in extras for more in extra) > 1:
            return None
        return list(zip(blocking, extras, strict=True))


def _merge(earlier: LowGate, later: LowGate) -> tuple[LowGate, ...]:
    """The gate both make together; nothing when they cancel."""
    if later[0] not in EIGHTHS:
        return ()
    total = (_eighths(earlier) + EIGHTHS[later[0]]) % 8
    return (("phase", later[1], float(total)),) if total else ()


def _eighths(gate: LowGate) -> int:
    """A phase in multiples of pi/4, 0 for other gates."""
    return round(gate[2]) if gate[0] == "phase" else EIGHTHS.get(gate[0], 0)


def _swap_gates(entry: tuple[LowGate, ...], gate: LowGate, new_cz: bool) -> tuple[LowGate, ...]:
    """Return the gates to add so that ``gate`` may go before an entry that does not commute; none if over one CX."""
    earlier = entry[0]
    # Passing an S makes a CZ, which is introduced only with ``new_cz``.
    if len(entry) > 1 or (not new_cz and _eighths(earlier) in {2, 6}):
        return ()
    shared = set(earlier[1]) & set(gate[1])
    if len(shared) != 1:
        return ()
    qubit = shared.pop()
    place, letters = gate[1].index(qubit), pauli_letters(gate)
    other = gate[1][1 - place]
    # Conjugated by ``earlier``, the letter on the shared qubit spreads to the partner there.
    letter, far = letters[place], letters[1 - place]
    # X on a control or Z on a target is copied to the other qubit, without a CX.
    if earlier[0] in {"x", "z"}:
        return (("x" if far == "x" else "z", (other,), 0.0),)
    if letter == "x" and _eighths(earlier) in {2, 6}:
        # The phase i of a parity is i for each of its bits and -1 where both are 1.
        return ("cz", (other, qubit), 0.0), *phase_gates((other,), _eighths(earlier))
    if earlier[0] != "cx":
        return ()
    partner = earlier[1][1 - earlier[1].index(qubit)]
    # The letter spreads through the CX: Z on its target also acts on its control, X on its control also on its target.
    if letter == "z":
        return (("cx" if far == "x" else "cz", (partner, other), 0.0),)
    return (("cx", (other, partner), 0.0),)
