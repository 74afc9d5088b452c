"""Anyone's oracle as state vectors: for narrow circuits that nothing else follows in full.

All codewords are run where that takes little work. Else they are run as random superpositions.
A wrong codeword shows in the image of a random superposition unless its own random weight is nearly zero. The weights
are drawn anew for every run, so that no file can be made to fit them. A chance of an error remains, so such a claim is
never proved. It is sampled, and states the chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Model
from gatesolve.proof.claim import Claim, prove
from gatesolve.proof.entry_sparse import NEAR, SparseRun, draw_codewords
from gatesolve.proof.entry_words import QubitLayout, tell_marked, tell_phase
from gatesolve.simulate.aer import run_vector

MOST_WORK = 1 << 32
"""Amplitudes times gates of the largest circuit that is run."""
MOST_EXACT = 1 << 36
"""Amplitudes times gates and codewords up to which every codeword is run: about a minute."""
SIDE_BY_SIDE = 1 << 22
"""Amplitudes of codewords that are run at a time."""
MOST_QUBITS = 24
"""Qubits of the widest circuit that is run, in about 1.3 GB."""
MOST_LISTED = 1 << 27
"""Codewords times data qubits and blocks that are listed, in about 2 GB."""
ROUNDED = 1e-12
"""Most distance between the image of a state of norm 1 and the right one that counts as rounding."""
CHANCE = 1e-18
"""Most chance that a codeword further off than the tolerance goes unnoticed."""


def run_vectors(model: Model, space: Space, circuit: QuantumCircuit, layout: QubitLayout) -> Claim:
    """Judge whether a circuit without measurements marks what a model accepts.

    Let E be the difference between the circuit and the right one on codewords, up to the phase of the first. Let r be K
    complex Gaussian weights. If a column of E is longer than d, then ``|E r| <= t`` with a chance of at most (t/d)^2.

    Raises:
        DoesNotFitError: too large, or what is off is neither rounding nor beyond the tolerance.
    """
    circuit, layout = _drop_idle(circuit, layout)
    if circuit.num_qubits > MOST_QUBITS or len(circuit.data) << circuit.num_qubits > MOST_WORK:
        raise DoesNotFitError(f"no state vectors of {circuit.num_qubits} qubits")
    if space.size * max(space.num_qubits, len(space.blocks)) > MOST_LISTED:
        raise DoesNotFitError(f"no state vector over {space.size} codewords")
    run = SparseRun.prepare(circuit, layout, draw_codewords(model, space, 0, space.size))
    if run.circuit.size() << circuit.num_qubits > MOST_WORK:
        raise DoesNotFitError(f"no state vectors of {circuit.num_qubits} qubits for {run.circuit.size()} gates")
    images = _Images.prepare(run)
    images.turn_first()
    entered = len(images.signs)
    # Weights are scaled to norm 1, from about sqrt(K): so t/d is ROUNDED sqrt(K) / NEAR in each run.
    times = int(np.ceil(np.log(CHANCE) / np.log((ROUNDED * np.sqrt(entered) / NEAR) ** 2)))
    if all(images.is_right(entered) for _ in range(times)):
        if entered * run.circuit.size() << circuit.num_qubits <= MOST_EXACT and images.are_right():
            told = f"{tell_marked(run.drawn.marked, space)}; amplitudes to {NEAR:g}"
            return prove("oracle", "state vectors of every codeword", told)
        method = f"{times} random superpositions of all {space.size} codewords"
        return Claim("oracle", "sampled", method, f"an error above {NEAR:g} is missed with a chance below {CHANCE:g}")
    return images.find_fault()


def _drop_idle(circuit: QuantumCircuit, layout: QubitLayout) -> tuple[QuantumCircuit, QubitLayout]:
    # Each qubit doubles the vector, so those that nothing touches are left out, except for data and output.
    kept = {circuit.qubits[qubit] for qubit in layout.qubits}
    kept.update(qubit for instruction in circuit.data for qubit in instruction.qubits)
    qubits = [qubit for qubit in circuit.qubits if qubit in kept]
    number = {circuit.find_bit(qubit).index: k for k, qubit in enumerate(qubits)}
    narrow = QuantumCircuit(qubits)
    for instruction in circuit.data:
        narrow.append(instruction)
    output = None if layout.output is None else number[layout.output]
    return narrow, QubitLayout(tuple(number[qubit] for qubit in layout.data), output)


@dataclass
class _Images:
    """Codewords, the states in which they enter and should leave, their signs, and the phase of the first."""

    run: SparseRun
    entering: NDArray[np.int64]
    leaving: NDArray[np.int64]
    signs: NDArray[np.int64]
    phase: complex = 1.0

    @staticmethod
    def prepare(run: SparseRun) -> _Images:
        before, wanted, signs = run.enter(np.arange(len(run.drawn.holds)))
        weights = 1 << np.arange(run.circuit.num_qubits, dtype=np.int64)
        return _Images(run, weights @ before, weights @ wanted, signs)

    def turn_first(self) -> None:
        """Take the phase of the first codeword for that of all."""
        amplitude = self._image(np.ones(1, dtype=np.complex128))[self.leaving[0]] * self.signs[0]
        self.phase = complex(amplitude / abs(amplitude)) if abs(amplitude) > NEAR else 1.0

    def _image(self, weights: NDArray[np.complex128], start: int = 0) -> NDArray[np.complex128]:
        vector = np.zeros(1 << self.run.circuit.num_qubits, dtype=np.complex128)
        vector[self.entering[start : start + len(weights)]] = weights
        return run_vector(self.run.circuit, vector)

    def is_right(self, count: int) -> bool:
        """Whether a random superposition of the first ``count`` codewords and outputs ends where it should."""
        # Never from a seed: a file could be made to fit weights that are known before.
        parts = np.random.default_rng().normal(size=(2, count))
        weights = (parts[0] + 1j * parts[1]) / np.linalg.norm(parts)
        # The distance between the image of the codewords and the right one.
        image = self._image(weights)
        image[self.leaving[:count]] -= self.phase * weights * self.signs[:count]
        return float(np.linalg.norm(image)) <= ROUNDED

    def are_right(self) -> bool:
        """Whether each codeword, by itself, ends where it should up to the tolerance."""
        size = 1 << self.run.circuit.num_qubits
        batch = max(1, SIDE_BY_SIDE // size)
        for start in range(0, len(self.signs), batch):
            part = slice(start, start + batch)
            rows = np.arange(len(self.signs[part]))
            # Further qubits number the codewords of a batch: together they are one state, which no gate mixes.
            states = np.zeros((1 << (len(rows) - 1).bit_length(), size), dtype=np.complex128)
            states[rows, self.entering[part]] = 1 / np.sqrt(len(rows))
            images = run_vector(self.run.circuit, states.ravel()).reshape(states.shape) * np.sqrt(len(rows))
            images[rows, self.leaving[part]] -= self.phase * self.signs[part]
            if np.linalg.norm(images, axis=1).max() > NEAR:
                return False
        return True

    def find_fault(self) -> Claim:
        """Find the first codeword that is wrong by halving, and run it by itself to describe the fault.

        Raises:
            DoesNotFitError: that one is off by no more than the tolerance.
        """
        right, wrong = 0, len(self.signs)
        while wrong - right > 1:
            middle = (right + wrong) // 2
            right, wrong = (middle, wrong) if self.is_right(middle) else (right, middle)
        image, place = self._image(np.ones(1, dtype=np.complex128), right), self.leaving[right]
        amplitude, image[place] = image[place], 0
        others = float(np.linalg.norm(image))
        error = float(np.hypot(others, abs(amplitude - self.phase * self.signs[right])))
        if error <= NEAR:
            raise DoesNotFitError(f"a codeword is off by {error:.1g}: more than rounding, within the tolerance")
        drawn, by_sign = self.run.drawn, self.run.layout.output is None
        what = "its qubits do not come back as they should"
        if others <= NEAR:
            turn = round(float(np.angle(amplitude / self.phase)) / (2 * np.pi), 9)
            what = tell_phase(turn, bool(drawn.holds[right]), by_sign)
        return drawn.refuse(right, what)
