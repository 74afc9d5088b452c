"""Exact simulation of oracles on very many codewords: 64 per machine word, each qubit in a separate state.

A qubit is a bit, or it is open: a superposition of 0 and 1 with a phase between them. Oracles of ANDs, relative-phase
Toffolis and controlled phases preserve that, because a CX has a control that is a bit, or a target in an eigenstate of
X.

Otherwise the open qubit is split into a branch where it is 0 and one where it is 1. The two are merged once they differ
in that qubit alone. Phases are multiples of a turn divided by a power of two, kept as binary digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from gatesolve.circuit.simulate import Plane
from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.simulate.steps import FINEST, MOST_ROUNDED, NEAR, Step

BRANCHES = 64
"""Most branches that are followed side by side."""


@dataclass(frozen=True)
class PlanesOutcome:
    """The outputs, phases and flags of a circuit run on some codewords: a plane for each qubit.

    The phase is given by binary digits, in turns divided by 2 to their number, lowest first.
    """

    bits: tuple[Plane, ...]
    phase: tuple[Plane, ...]


def find_precision(steps: Sequence[Step]) -> int:
    """Return the least number of binary digits, at least three, that writes the phases of all steps in turns.

    Raises:
        UnsupportedError: a phase is not a multiple of a turn divided by 2^10.
    """
    for digits in range(3, FINEST + 1):
        apart = [abs(step.turn - round(step.turn * 2**digits) / 2**digits) for step in steps]
        if max(apart, default=0.0) < NEAR and sum(apart) <= MOST_ROUNDED:
            return digits
    raise UnsupportedError(f"an angle is no multiple of a turn divided by {2**FINEST}")


def run_planes(
    steps: Sequence[Step], digits: int, bits: Sequence[Plane], watch: Callable[[Plane], None] | None = None
) -> PlanesOutcome:
    """Run steps of `list_steps`, with as many digits as `find_precision` returns, on a plane for each qubit.

    ``watch`` is called with each plane that a qubit comes to hold as a bit.

    Raises:
        DoesNotFitError: some qubits are entangled in superposition, or end there.

    Cost: one to about ten word operations a step and 64 codewords.
    """
    state = _Branches(
        [_PlanesState([_Qubit(plane) for plane in bits], [np.zeros_like(bits[0]) for _ in range(digits)])]
    )
    for step in steps:
        try:
            state.apply(step)
        except DoesNotFitError as error:
            raise DoesNotFitError(f"gate {step.gate + 1} {error}") from error
        if watch is not None and step.kind in {"h", "x"} and not step.framed:
            first, *others = (branch.qubits[step.qubits[-1]] for branch in state.branches)
            if first.turns is None and all(first.equals(other) for other in others):
                watch(first.bit)
    return state.close()


@dataclass
class _Branches:
    """A sum of states of equal weight: two for each qubit in superposition that was entangled with others."""

    branches: list[_PlanesState]

    def apply(self, step: Step) -> None:
        """Apply one step to all branches; split a branch if the step would entangle an open qubit."""
        # Branches that differ in this qubit alone must be joined first: H needs the superposition as one open qubit.
        if step.kind == "h" and len(self.branches) > 1:
            self._merge(step.qubits[0])
        # A stack, so that the parts of a split branch follow in its place and the order stays the same.
        waiting, done = self.branches[::-1], list[_PlanesState]()
        while waiting:
            branch = waiting.pop()
            try:
                branch.apply(step)
                done.append(branch)
            except _EntangledError as error:
                waiting += branch.split(error.qubit)[::-1]
            if len(waiting) + len(done) > BRANCHES:
                raise DoesNotFitError(f"makes more than {BRANCHES} branches of superposition")
        self.branches = done

    def close(self) -> PlanesOutcome:
        """Return the outcome of the only branch left, in which no qubit is open."""
        for number in range(len(self.branches[0].qubits)):
            if len(self.branches) > 1:
                self._merge(number)
        if len(self.branches) > 1:
            raise DoesNotFitError("the circuit ends in superposition")
        (state,) = self.branches
        for number, qubit in enumerate(state.qubits):
            if qubit.turns is not None and qubit.open.any():
                raise DoesNotFitError(f"qubit {number} ends in superposition")
        return PlanesOutcome(tuple(qubit.bit for qubit in state.qubits), tuple(state.phase))

    def _merge(self, qubit: int) -> None:
        """Merge pairs of branches that are equal except for a qubit that is 0 in one and 1 in the other."""
        left, merged = list(self.branches), list[_PlanesState]()
        while left:
            branch = left.pop(0)
            for other in left:
                if branch.differs_in(other, qubit):
                    left.remove(other)
                    branch.join(other, qubit)
                    break
            merged.append(branch)
        self.branches = merged


class _EntangledError(Exception):
    """A step would entangle its target with a control that is in superposition."""

    def __init__(self, qubit: int) -> None:
        super().__init__(qubit)
        self.qubit = qubit


@dataclass
class _Qubit:
    """A bit where it is not open; where it is, |0> + |1> with ``turns`` between them, and the bit is 0 there.

    ``turns`` is None where the qubit is open nowhere.
    """

    bit: Plane
    turns: list[Plane] | None = None
    mask: Plane | None = None

    def equals(self, other: _Qubit) -> bool:
        """Return whether both are in the same state; mostly they share the same planes, which is a quick test."""
        if self is other:
            return True
        if (self.turns is None) != (other.turns is None) or not _equal(self.bit, other.bit):
            return False
        if self.turns is None or other.turns is None:
            return True
        return _equal(self.open, other.open) and all(map(_equal, self.turns, other.turns))

    @property
    def open(self) -> Plane:
        return np.zeros_like(self.bit) if self.mask is None else self.mask


@dataclass(eq=False)
class _PlanesState:
    """A product of qubits, with a phase; the amplitude of this branch is 2 to the power of minus half its splits."""

    qubits: list[_Qubit]
    phase: list[Plane]
    splits: int = 0

    def split(self, number: int) -> list[_PlanesState]:
        """Return the branches in which a qubit is 0 and 1; one open for some codewords alone does not fit."""
        qubit = self.qubits[number]
        if qubit.turns is None or (~qubit.open).any():
            raise DoesNotFitError("entangles a qubit that is in superposition for some codewords only")
        zero = np.zeros_like(qubit.bit)
        parts = []
        for bit in (zero, ~zero):
            # Lists are copied, because `apply` writes to them; planes are shared, because it only replaces them.
            qubits = [_Qubit(q.bit, None if q.turns is None else list(q.turns), q.mask) for q in self.qubits]
            qubits[number] = _Qubit(bit)
            parts.append(_PlanesState(qubits, list(self.phase), self.splits + 1))
        # The phase between 0 and 1 becomes a phase of the branch where the qubit is 1.
        for digit, plane in enumerate(qubit.turns):
            _add(parts[1].phase, 1 << digit, plane)
        return parts

    def differs_in(self, other: _PlanesState, number: int) -> bool:
        """Whether a qubit is a bit in both, never the same, and all others are equal, as are the amplitudes."""
        if self.splits != other.splits:
            return False
        mine, theirs = self.qubits[number], other.qubits[number]
        if mine.turns is not None or theirs.turns is not None or not _equal(mine.bit, ~theirs.bit):
            return False
        others = [k for k in range(len(self.qubits)) if k != number]
        return all(self.qubits[k].equals(other.qubits[k]) for k in others)

    def join(self, other: _PlanesState, number: int) -> None:
        """Join another branch to this one: the qubit in which they differ becomes open."""
        swapped = self.qubits[number].bit
        zero, ones = np.zeros_like(swapped), ~np.zeros_like(swapped)
        # Either branch may hold the 0 of a codeword: collect the phases at 0 and at 1. Their difference is the open
        # qubit's turns.
        first = [(mine & ~swapped) | (theirs & swapped) for mine, theirs in zip(self.phase, other.phase, strict=True)]
        second = [(mine & swapped) | (theirs & ~swapped) for mine, theirs in zip(self.phase, other.phase, strict=True)]
        turns, self.phase = second, list(first)
        _negate(first, ones)
        for digit, plane in enumerate(first):
            _add(turns, 1 << digit, plane)
        self.qubits[number] = _Qubit(zero, turns, ones)
        self.splits -= 1

    def apply(self, step: Step) -> None:
        """Apply one step."""
        if step.kind == "swap":
            first, second = step.qubits
            self.qubits[first], self.qubits[second] = self.qubits[second], self.qubits[first]
        elif step.kind == "h":
            self._turn_over(self.qubits[step.qubits[0]])
        elif step.kind == "x":
            self._flip(step.qubits[:-1], self.qubits[step.qubits[-1]])
        else:
            self._shift(step.qubits, round(step.turn * 2 ** len(self.phase)) % 2 ** len(self.phase), None)

    def _shift(self, qubits: Sequence[int], amount: int, where: Plane | None) -> None:
        """Add a phase where all of some qubits are 1, and ``where`` too."""
        on, opened = self._meet(qubits, where)
        alone = on
        # Where a qubit is open, the phase applies to its 1 alone, so it goes into its turns. Elsewhere it is a phase of
        # the codeword.
        for number in opened:
            qubit = self.qubits[number]
            assert qubit.turns is not None
            _add(qubit.turns, amount, on & qubit.open)
            alone = alone & ~qubit.open
        _add(self.phase, amount, alone)

    def _meet(self, qubits: Sequence[int], where: Plane | None) -> tuple[Plane, list[int]]:
        """Where all of some qubits are 1 or open, and those that are open somewhere; never two of them at once."""
        members = [self.qubits[q] for q in qubits]
        planes = [qubit.bit | qubit.open if qubit.turns is not None else qubit.bit for qubit in members]
        planes += [] if where is None else [where]
        on = reduce(np.bitwise_and, planes) if planes else ~np.zeros_like(self.phase[0])
        opened = [q for q, qubit in zip(qubits, members, strict=True) if qubit.turns is not None]
        # A phase under two open qubits at once would entangle them.
        seen = np.zeros_like(on)
        for number in opened:
            there = self.qubits[number].open
            if (on & seen & there).any():
                raise _EntangledError(number)
            seen = seen | there
        return on, opened

    def _flip(self, controls: Sequence[int], target: _Qubit) -> None:
        """Apply X where all controls are 1; under an open control, the target must be an eigenstate of X."""
        on, opened = self._meet(controls, None)
        if opened:
            # The eigenstates of X have a turn of 0 or 1/2 between 0 and 1, so no digit but the highest is set. For 1/2
            # the X is a sign, which is a half turn on the controls.
            steady = np.zeros_like(on)
            if target.turns is not None:
                steady = target.open & ~reduce(np.bitwise_or, target.turns[:-1])
            for number in opened:
                if (on & self.qubits[number].open & ~steady).any():
                    raise _EntangledError(number)
            if target.turns is not None:
                self._shift(controls, 1 << (len(self.phase) - 1), steady & target.turns[-1])
            on = on & ~steady
        if target.turns is None:
            target.bit = target.bit ^ on
            return
        # X on |0> + w |1> is w (|0> + w^-1 |1>): the turns become a phase and are negated.
        here = on & target.open
        target.bit = target.bit ^ (on & ~target.open)
        for digit, plane in enumerate(target.turns):
            _add(self.phase, 1 << digit, plane & here)
        _negate(target.turns, here)

    def _turn_over(self, qubit: _Qubit) -> None:
        """Apply H: a bit opens; an open qubit becomes a bit, or stays open at a quarter turn."""
        digits = len(self.phase)
        zero = np.zeros_like(qubit.bit)
        if qubit.turns is None:
            qubit.turns = [zero] * (digits - 1) + [qubit.bit]
            qubit.bit, qubit.mask = zero, ~zero
            return
        opened, turns = qubit.open, qubit.turns
        # H of a state with another turn has amplitudes of unequal size, which planes cannot hold.
        if (reduce(np.bitwise_or, turns[:-2]) & opened).any():
            raise DoesNotFitError("leaves a qubit between 0 and 1")
        quarter = turns[-2] & opened
        closed = opened & ~quarter
        before = qubit.bit & ~opened
        qubit.bit = turns[-1] & closed
        mask = ~closed
        if not mask.any():
            qubit.turns, qubit.mask = None, None
            return
        # A quarter turn forward or back changes sides, and leaves an eighth of a turn.
        _add(self.phase, 1 << (digits - 3), quarter)
        _add(self.phase, 3 << (digits - 2), quarter & turns[-1])
        qubit.turns = [zero] * (digits - 2) + [quarter, (quarter & ~turns[-1]) | before]
        qubit.mask = mask


def _equal(one: Plane, other: Plane) -> bool:
    return one is other or bool(np.array_equal(one, other))


def _add(total: list[Plane], amount: int, where: Plane) -> None:
    """Add a number to binary digits, modulo a whole turn, where the plane ``where`` is set."""
    # Ripple-carry addition on planes; a carry beyond the highest digit is a whole turn.
    for low in range(len(total)):
        if amount >> low & 1:
            carry = where
            for digit in range(low, len(total)):
                total[digit], carry = total[digit] ^ carry, total[digit] & carry


def _negate(total: list[Plane], where: Plane) -> None:
    """Negate a number of binary digits where the plane ``where`` is set."""
    # Two's complement.
    total[:] = [plane ^ where for plane in total]
    _add(total, 1, where)
