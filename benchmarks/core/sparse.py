"""Exact simulation of lowered oracles on all codewords at once, keeping only amplitudes that are not zero.

An oracle leaves every codeword where it is, and in between only a few ancillas
are in superposition. So a circuit of CX and one-qubit gates is followed on the
sum of all codewords as a list of basis states (one 64-bit word each) with
amplitudes: no 2^n array, whoever made the circuit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Clbit, Qubit

Step = tuple[NDArray[np.complex128] | None, tuple[int, ...]]
"""A one-qubit gate's matrix and its qubit, or None for a CX and its control and target."""
NOTHING: Step = (np.eye(2, dtype=complex), (0,))


def in_order(num_qubits: int, steps: list[Step], play: Callable[[Step], int]) -> Iterator[Step]:
    """The gates in an order that keeps few basis states in superposition.

    Gates that do not branch go first. When none is ready, only what a next closing of a qubit in superposition
    waits for, where the fewest other branching gates come before it.

    Args:
        num_qubits: width.
        steps: the gates.
        play: applies a gate to a few trial states; returns how many basis states they are then.
    """
    before, after = _order(num_qubits, steps)
    missing = [0] * len(steps)
    for number in (n for later in after for n in later):
        missing[number] += 1
    branching = _union(1 << n for n, (matrix, _) in enumerate(steps) if _branches(matrix))
    turns: list[deque[int]] = [deque() for _ in range(num_qubits)]
    for number, (matrix, qubits) in enumerate(steps):
        if _branches(matrix):
            turns[qubits[0]].append(number)
    size = play(NOTHING)
    done, opened = 0, set[int]()
    ready = {n for n, count in enumerate(missing) if not count}

    def waits(goal: int) -> int:
        return (before[goal] | 1 << goal) & ~done

    while ready:
        chosen = sorted(n for n in ready if not branching >> n & 1)
        if not chosen:
            qubits = sorted({q for q in opened if turns[q]} or {steps[n][1][0] for n in ready})
            goals = [turns[q][0] if q in opened or len(turns[q]) < 2 else turns[q][1] for q in qubits]
            goal = min(goals, key=lambda g: (waits(g) & branching).bit_count())
            useful = [n for n in ready if waits(goal) >> n & 1]
            chosen = [min(useful, key=lambda n: (steps[n][1][0] not in opened, n))]
        for number in chosen:
            qubit, last = steps[number][1][0], size
            size = play(steps[number])
            if size != last:
                (opened.add if size > last else opened.discard)(qubit)
            if branching >> number & 1:
                turns[qubit].popleft()
            done |= 1 << number
            ready.discard(number)
            for later in after[number]:
                missing[later] -= 1
                if not missing[later]:
                    ready.add(later)
            yield steps[number]


def _order(num_qubits: int, steps: list[Step]) -> tuple[list[int], list[list[int]]]:
    """For each gate, all that must come before it (one bit a gate), and those that wait for it directly.

    On one qubit, diagonal gates and controls commute, and so do flips and targets.
    """
    before: list[int] = []
    after: list[list[int]] = [[] for _ in steps]
    groups: list[tuple[str, list[int], list[int]]] = [("", [], []) for _ in range(num_qubits)]
    for number, (matrix, qubits) in enumerate(steps):
        found: set[int] = set()
        for place, qubit in enumerate(qubits):
            kind, current, earlier = groups[qubit]
            own = _kind(matrix, place)
            if own != kind or not own:
                current, earlier = [], current
            groups[qubit] = (own, [*current, number], earlier)
            found.update(earlier)
        before.append(_union(before[n] | 1 << n for n in found))
        for earlier_number in found:
            after[earlier_number].append(number)
    return before, after


def _kind(matrix: NDArray[np.complex128] | None, place: int) -> str:
    """How a gate acts on a qubit: by phases (``z``), by flips that do not look (``x``), or otherwise."""
    if matrix is None:
        return "xz"[place == 0]
    return "z" if abs(matrix[0, 1]) + abs(matrix[1, 0]) < 1e-12 else ""


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def _branches(matrix: NDArray[np.complex128] | None) -> bool:
    return matrix is not None and bool(np.all(np.abs(matrix) > 1e-12))


Keys = NDArray[np.uint64]
"""One basis state a row, 64 qubits a column, qubit 0 the lowest bit of the first."""
MOST_STATES = 1 << 18
"""Support from which a simulation is given up: a fraction of a second a gate."""
PROBES = 8
"""Basis states by which the order of the gates is chosen."""


def marked(
    circuit: QuantumCircuit, bits: NDArray[np.bool_], seed: int = 0, *, as_written: bool = False
) -> NDArray[np.bool_]:
    """Which basis states a phase oracle turns by -1.

    The states are followed together, each with a random phase of its own (seeded), so that a circuit which only
    moves them among each other is caught too.

    Args:
        circuit: CX and one-qubit gates, and where ancillas are erased by measurement also measurements and gates
            that depend on their outcomes.
        bits: different basis states to try, one a column; the circuit's further qubits are ancillas at zero.
        seed: of the measurements' outcomes, each drawn with probability one half.
        as_written: whether the gates are played in the circuit's own order. Looking for a better one takes time and
            memory quadratic in their number.

    Returns:
        One truth value a state. The phase of most states counts as +1: an oracle is right up to a global phase.

    Raises:
        ValueError: the circuit does not bring the states back to themselves with phases +1 and -1.
        OverflowError: it cannot be followed within `MOST_STATES`.
    """
    states = _packed(bits, circuit.num_qubits)
    steps = list(_steps(circuit, np.random.default_rng(seed)))
    if as_written:
        return signs(_phases(steps, states))
    few = _Followed(states[:: -(-len(states) // PROBES)])
    ordered = list(in_order(circuit.num_qubits, steps, few.play))
    if few.most * len(states) > MOST_STATES * len(few.start):
        raise OverflowError(f"more than {MOST_STATES} basis states in superposition, too many to check")
    return signs(_phases(ordered, states))


def _packed(bits: NDArray[np.bool_], num_qubits: int) -> Keys:
    keys = np.zeros((bits.shape[1], max(-(-num_qubits // 64), 1)), dtype=np.uint64)
    for qubit, row in enumerate(bits):
        keys[:, qubit // 64] |= row.astype(np.uint64) << np.uint64(qubit % 64)
    return keys


def signs(phases: NDArray[np.complex128]) -> NDArray[np.bool_]:
    """Which phases are -1, the phase of most counting as +1.

    Raises:
        ValueError: some phase is neither +1 nor -1 beside the first.
    """
    beside = phases / phases[0]
    if np.abs(np.abs(beside.real) - 1).max() > 1e-9 or np.abs(beside.imag).max() > 1e-9:
        raise ValueError("phases other than +1 and -1")
    negative = beside.real < 0
    return np.asarray(~negative if 2 * negative.sum() > len(phases) else negative)


def _phases(steps: list[Step], states: Keys) -> NDArray[np.complex128]:
    """The phase each state gains."""
    followed = _Followed(states)
    for step in steps:
        followed.play(step)
    before, after = _sorted(states), _sorted(followed.keys)
    if len(followed.keys) != len(states) or not np.array_equal(followed.keys[after], states[before]):
        raise ValueError("ancillas are not clean or codewords move")
    gained = np.empty(len(states), dtype=complex)
    gained[before] = followed.amplitudes[after] / followed.start[before]
    if np.abs(np.abs(gained) - 1).max() > 1e-9:
        raise ValueError("codewords move")
    return gained


def _sorted(keys: Keys) -> NDArray[np.intp]:
    return np.argsort(keys[:, 0]) if keys.shape[1] == 1 else np.lexsort(keys.T)


class _Followed:
    """Basis states in superposition, gate by gate."""

    def __init__(self, keys: Keys) -> None:
        self.start = np.exp(2j * np.pi * np.random.default_rng(len(keys)).random(len(keys)))
        self.keys, self.amplitudes = keys.copy(), self.start.copy()
        self.most = len(keys)

    def play(self, step: Step) -> int:
        """Apply a gate; returns the number of basis states."""
        matrix, qubits = step
        if matrix is None:
            control, target = qubits
            self.keys[:, target // 64] ^= self._bit(control) << np.uint64(target % 64)
            return len(self.keys)
        bit = self._bit(qubits[0]).astype(np.intp)
        stay, move = self.amplitudes * matrix[bit, bit], self.amplitudes * matrix[1 - bit, bit]
        if not np.any(np.abs(matrix[[0, 1], [1, 0]]) > 1e-12):
            self._keep(self.keys, stay)
            return len(self.keys)
        flipped = self.keys.copy()
        flipped[:, qubits[0] // 64] ^= np.uint64(1) << np.uint64(qubits[0] % 64)
        if not np.any(np.abs(np.diag(matrix)) > 1e-12):
            self.keys, self.amplitudes = flipped, move
            return len(self.keys)
        self._add(np.concatenate([self.keys, flipped]), np.concatenate([stay, move]))
        self.most = max(self.most, len(self.keys))
        if len(self.keys) > MOST_STATES:
            raise OverflowError(f"more than {MOST_STATES} basis states in superposition, too many to check")
        return len(self.keys)

    def _bit(self, qubit: int) -> NDArray[np.uint64]:
        return self.keys[:, qubit // 64] >> np.uint64(qubit % 64) & np.uint64(1)

    def _add(self, keys: Keys, amplitudes: NDArray[np.complex128]) -> None:
        """Amplitudes of equal basis states added."""
        order = _sorted(keys)
        ordered = keys[order]
        first = np.ones(len(keys), dtype=bool)
        first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        self._keep(ordered[first], np.add.reduceat(amplitudes[order], np.flatnonzero(first)))

    def _keep(self, keys: Keys, amplitudes: NDArray[np.complex128]) -> None:
        kept = np.abs(amplitudes) > 1e-10
        self.keys, self.amplitudes = (keys, amplitudes) if kept.all() else (keys[kept], amplitudes[kept])


def _steps(circuit: QuantumCircuit, draw: np.random.Generator) -> Iterator[Step]:
    """The gates for drawn outcomes, a measurement as the projection that makes its outcome certain."""
    places = {qubit: index for index, qubit in enumerate(circuit.qubits)}
    outcomes: dict[Clbit, int] = {}
    for instruction in circuit.data:
        yield from _played(instruction, places, outcomes, draw)


def _played(
    instruction: CircuitInstruction, places: dict[Qubit, int], outcomes: dict[Clbit, int], draw: np.random.Generator
) -> Iterator[Step]:
    name, operation = instruction.operation.name, instruction.operation
    qubits = tuple(places[q] for q in instruction.qubits)
    if name == "if_else":
        bit, value = operation.condition
        chosen = operation.blocks[:1] if outcomes[bit] == int(value) else operation.blocks[1:]
        for block in chosen:
            inner = dict(zip(block.qubits, qubits, strict=True))
            for part in block.data:
                yield from _played(part, inner, outcomes, draw)
    elif name == "measure":
        outcomes[instruction.clbits[0]] = outcome = int(draw.integers(2))
        yield np.diag([np.sqrt(2) * (outcome == 0), np.sqrt(2) * (outcome == 1)]).astype(complex), qubits
    elif name == "cx":
        yield None, qubits
    elif len(qubits) == 1:
        yield from ((part, qubits) for part in _parted(operation.to_matrix()))
    elif name != "barrier":
        raise ValueError(f"{name} is neither CX nor a one-qubit gate")


def _parted(matrix: NDArray[np.complex128]) -> Iterator[NDArray[np.complex128]]:
    """A gate that branches as phases, a real rotation, and phases, first to last: phases commute with controls."""
    if np.abs(matrix).min() < 1e-12:
        yield matrix
        return
    first, second = matrix[:, 0] / np.abs(matrix[:, 0])
    other = -matrix[0, 1] / np.abs(matrix[0, 1]) / first
    yield np.diag([1, other])
    yield np.abs(matrix) * np.array([[1, -1], [1, 1]])
    yield np.diag([first, second])
