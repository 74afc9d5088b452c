"""What tuning QAOA's angles on a device is worth: a grid of scales of all gammas and all betas, against no tuning.

    python -m benchmarks tuning [--device NAME ...] [--seeds N]

A device gives each circuit's distribution, from which shots are drawn: the small Kakuro on fake devices with their own
noise, the same where all gammas and betas are off by a factor too, and in one-hot on an exact simulator whose angles
are off. A search spends equal shots on each circuit: nine scales, the start and the best of them compared, and the
better one judged. Prints one Markdown row a device and depth: P by exact simulation, the share of accepted shots at
the simulated angles, and for two numbers of shots in all the share at the tuned angles, the mean over seeds with its
standard error, and how many of the judged shots are accepted, beside as many as all of them would be without tuning.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit_aer import AerSimulator
from qiskit_aer.noise import NoiseModel
from qiskit_aer.noise.device import basic_device_gate_errors, basic_device_readout_errors

import gatesolve
from gatesolve.devices.isa import compile_isa
from gatesolve.devices.providers import fake_backend
from gatesolve.pipelines.postprocess import shorten_program
from gatesolve.pipelines.qaoa.angles import Angles, Schedule, Units
from gatesolve.pipelines.qaoa.compile import Ansatz, aim_factor
from gatesolve.pipelines.qaoa.program import qaoa_plan
from gatesolve.pipelines.ranking import count_costs
from gatesolve.simulate.qaoa import make_qaoa
from gatesolve.simulate.qaoa_objective import aim_at

BOARD = "examples/kakuro/small.txt"
TOTALS, EXACT = (4096, 32768), 200_000
LAYERS = (1, 2)
SCALES = tuple(product((1.0, 1.25, 0.8), repeat=2))
"""Factors tried on all gammas and on all betas, the angles as they are first."""
CIRCUITS = len(SCALES) + 3
"""Of a search: the grid, the start and the best of it compared, and the one that is judged."""
OFF = (0.8, 1.1)
"""Factors of all gammas and of all betas."""


@dataclass(frozen=True)
class Measured:
    """What a circuit gives: shares of shots by cost, and the share of accepted ones."""

    costs: dict[int, float]
    accepted: float


@dataclass
class Device:
    """Circuits of one ansatz at any angles; what each gives is kept."""

    ansatz: Ansatz
    off: tuple[float, float]
    known: dict[tuple[float, float], Measured] = field(default_factory=dict)

    def give(self, scale: tuple[float, float]) -> Measured:
        """What the circuit of the simulated angles gives, all gammas and all betas scaled."""
        if scale not in self.known:
            schedule: Schedule = self.ansatz.outcome.schedule * (scale[0] * self.off[0], scale[1] * self.off[1])
            self.known[scale] = self.measure(self.units.angles(schedule))
        return self.known[scale]

    @property
    def units(self) -> Units:
        """Of the ansatz's angles."""
        ranked = self.ansatz.ranked
        return Units.of(ranked.costs, [block.size for block in ranked.space.blocks], self.ansatz.mixers)

    def measure(self, angles: Angles) -> Measured:
        """By exact simulation, without noise."""
        ranked = self.ansatz.ranked
        simulator = make_qaoa(ranked.costs, [block.size for block in ranked.space.blocks], self.ansatz.mixers)
        weights = np.abs(simulator.run(angles.gammas, angles.betas)) ** 2
        costs = {int(cost): float(weights[ranked.costs == cost].sum()) for cost in np.unique(ranked.costs)}
        return Measured(costs, float(weights[self.ansatz.best].sum()))


@dataclass
class Fake(Device):
    """A fake device of the IBM SDK with its own noise."""

    name: str = ""

    def measure(self, angles: Angles) -> Measured:
        """By many shots."""
        ranked = self.ansatz.ranked
        program = qaoa_plan(ranked.space, ranked.cost, self.ansatz.mixers, layers=len(angles.gammas)).program(
            angles.gammas, angles.betas
        )
        short = shorten_program(program)
        isa = compile_isa(short.circuits, backend_of(self.name), seeds=[0])
        states = short.postprocessing.states(run_noisy(isa.circuit, self.name))
        accepted = sum(n for state, n in states.items() if self.is_best(state))
        return Measured({c: n / EXACT for c, n in count_costs(ranked, states).items()}, accepted / EXACT)

    def is_best(self, state: int) -> bool:
        """Whether a basis state stands for one of the best codewords."""
        space = self.ansatz.ranked.space
        found = space.decode(state)
        return found is not None and bool(self.ansatz.best[space.number(found)])


@cache
def backend_of(name: str) -> Any:
    return fake_backend(name)


@cache
def errors_of(name: str) -> tuple[list[Any], list[Any]]:
    """A device's errors of gates and of readout, by qubits."""
    target = backend_of(name).target
    return basic_device_gate_errors(target=target), basic_device_readout_errors(target=target)


def run_noisy(circuit: QuantumCircuit, name: str) -> dict[str, int]:
    """Counts with the noise of the qubits that the circuit touches."""
    used = sorted({circuit.find_bit(q).index for i in circuit.data if i.name != "barrier" for q in i.qubits})
    place = {qubit: k for k, qubit in enumerate(used)}
    small = QuantumCircuit(len(used), circuit.num_clbits)
    for step in circuit.data:
        wires = [place[k] for q in step.qubits if (k := circuit.find_bit(q).index) in place]
        if step.name != "barrier":
            small.append(step.operation, wires, [circuit.find_bit(c).index for c in step.clbits])
    noise = NoiseModel(basis_gates=sorted(backend_of(name).operation_names))
    gates, readout = errors_of(name)
    for gate, qubits, error in gates:
        if set(qubits) <= place.keys():
            noise.add_quantum_error(error, gate, [place[q] for q in qubits])
    for qubits, error in readout:
        if set(qubits) <= place.keys():
            noise.add_readout_error(error, [place[q] for q in qubits])
    simulator = AerSimulator(method="density_matrix", noise_model=noise, max_parallel_threads=1)
    counts: dict[str, int] = simulator.run(small, shots=EXACT, seed_simulator=1).result().get_counts()
    return counts


def tune(device: Device, shots: int, seed: int) -> tuple[float, float]:
    """The scale that a search of so many shots a circuit ends at."""
    rng = np.random.default_rng(seed)
    values = {scale: aim_of(device, scale, shots, rng) for scale in SCALES}
    best = min(values, key=values.__getitem__)
    compared = {scale: aim_of(device, scale, shots, rng) for scale in (SCALES[0], best)}
    return min(compared, key=compared.__getitem__)


def aim_of(device: Device, scale: tuple[float, float], shots: int, rng: np.random.Generator) -> float:
    """The Gibbs objective of drawn shots; those without a codeword are left out."""
    found = device.give(scale).costs
    shares = [*found.values(), max(0.0, 1 - sum(found.values()))]
    drawn = rng.multinomial(shots, np.array(shares) / sum(shares))[:-1]
    objective = aim_at("gibbs", aim_factor("gibbs", device.ansatz.ranked))
    return objective(np.array([*found], dtype=float), drawn / drawn.sum())[0] if drawn.sum() else math.inf


def row(label: str, layers: int, device: Device, seeds: int) -> str:
    """One row of the table."""
    start = device.give(SCALES[0]).accepted
    cells = [label, str(layers), f"{device.ansatz.success_probability:.3f}", f"{start:.3f}"]
    for total in TOTALS:
        shots = total // CIRCUITS
        shares = [device.give(tune(device, shots, seed)).accepted for seed in range(seeds)]
        mean, error = statistics.mean(shares), statistics.stdev(shares) / math.sqrt(seeds)
        cells.append(f"{mean:.3f} +- {error:.3f}: {mean * shots:.0f} of {total}, not {start * total:.0f}")
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", nargs="*", default=["fake_manila", "fake_torino"])
    parser.add_argument("--seeds", type=int, default=20)
    asked = parser.parse_args(arguments)
    for layers in LAYERS:
        found = gatesolve.compile(BOARD, pipeline="qaoa", presolve="none", encoding="one-hot", layers=layers)
        print(row(f"exact, off by {OFF}", layers, Device(found.details, OFF), asked.seeds), flush=True)
    for layers in LAYERS:
        details = gatesolve.compile(BOARD, pipeline="qaoa", presolve="none", layers=layers).details
        for name in asked.device:
            for off in ((1.0, 1.0), OFF):
                label = name if off == (1.0, 1.0) else f"{name}, off by {off}"
                print(row(label, layers, Fake(details, off, name=name), asked.seeds), flush=True)
