"""How long a layer of QAOA takes in the space, beside simulators of all qubits.

    python benchmarks/qaoa_speed.py [--peer-python PATH] [--qokit-python PATH] [--small]

Everything runs on one thread and is the best of several runs; a *pass* is one in-place multiplication of the vector.
The peers get the same ansatz at 16 qubits: a path of four nodes in four colours, one-hot, cost the number of broken
edges (12 couplings), XY rings, start uniform. Aer and lightning.qubit must give our energy to 1e-9. Theirs is the
time of more layers less that of fewer, so that preparation and read-out do not count. ``--peer-python`` has PennyLane,
``--qokit-python`` has QOKit with its C simulator compiled; it mixes one ring of all qubits, so only
its time is shown.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
NODES = COLOURS = 4
QUBITS = NODES * COLOURS
EDGES = [(n * COLOURS + c, (n + 1) * COLOURS + c) for n in range(NODES - 1) for c in range(COLOURS)]
HOPS = [(n * COLOURS + a, n * COLOURS + b) for n in range(NODES) for a, b in ((0, 1), (2, 3), (1, 2), (3, 0))]
GAMMA, BETA = 0.4, 0.3
FEW, MANY = 5, 45
LAYERS = 4
CHECKED = 3
"""Layers at which energies are compared."""


def best(call: Callable[[], Any], seconds: float = 2.0, least: int = 3) -> float:
    """The shortest of as many runs as fit in the time, the first not counted."""
    call()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < least or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def costs() -> NDArray[np.float64]:
    """Broken edges of every state of the 16 qubits."""
    bits = np.arange(1 << QUBITS)[:, None] >> np.arange(QUBITS) & 1
    return np.sum([bits[:, a] & bits[:, b] for a, b in EDGES], axis=0).astype(float)


def started() -> NDArray[np.complex128]:
    """The uniform superposition of the one-hot words, qubit 0 the lowest bit."""
    word = np.zeros(1 << COLOURS, dtype=complex)
    word[1 << np.arange(COLOURS)] = COLOURS**-0.5
    state = np.ones(1, dtype=complex)
    for _ in range(NODES):
        state = np.kron(word, state)
    return state


def measured(run: Callable[[int], Any], energy: float | None, version: str) -> dict[str, Any]:
    """Milliseconds a layer."""
    few, many = best(lambda: run(FEW)), best(lambda: run(MANY), seconds=6)
    return {"ms": (many - few) / (MANY - FEW) * 1e3, "energy": energy, "version": version}


def aer() -> dict[str, Any]:
    """Aer, gates it knows itself, its fusion left on."""
    import qiskit_aer
    from qiskit import QuantumCircuit

    simulator = qiskit_aer.AerSimulator(method="statevector", max_parallel_threads=1)

    def circuit(layers: int) -> QuantumCircuit:
        made = QuantumCircuit(QUBITS)
        made.set_statevector(started())
        for _ in range(layers):
            for a, b in EDGES:
                made.cp(-GAMMA, a, b)
            for a, b in HOPS:
                made.rxx(BETA, a, b)
                made.ryy(BETA, a, b)
        made.save_expectation_value(_diagonal(), range(QUBITS))
        return made

    def _diagonal() -> Any:
        from qiskit.quantum_info import SparsePauliOp

        terms = [(name, list(edge)[: len(name)], x) for edge in EDGES for name, x in (("", 0.25), ("ZZ", 0.25))]
        terms += [("Z", [q], -0.25) for edge in EDGES for q in edge]
        return SparsePauliOp.from_sparse_list(terms, QUBITS).simplify()

    circuits = {layers: circuit(layers) for layers in (CHECKED, FEW, MANY)}
    run = lambda layers: simulator.run(circuits[layers]).result()  # noqa: E731
    energy = run(CHECKED).data(0)["expectation_value"]
    return measured(run, float(np.real(energy)), qiskit_aer.__version__)


def lightning() -> dict[str, Any]:
    """lightning.qubit, by gates it has kernels for."""
    import pennylane as qml

    device = qml.device("lightning.qubit", wires=QUBITS)
    # PennyLane's wire 0 is the highest bit.
    wire = [QUBITS - 1 - q for q in range(QUBITS)]

    def tape(layers: int, observed: list[Any]) -> Any:
        operations: list[Any] = [qml.StatePrep(started(), range(QUBITS))]
        for _ in range(layers):
            operations += [qml.ControlledPhaseShift(-GAMMA, [wire[a], wire[b]]) for a, b in EDGES]
            # IsingXY(phi) is exp(i phi/4 (XX + YY)).
            operations += [qml.IsingXY(-2 * BETA, [wire[a], wire[b]]) for a, b in HOPS]
        return qml.tape.QuantumScript(operations, observed)

    found = device.execute(tape(CHECKED, [qml.probs(wires=range(QUBITS))]))
    tapes = {layers: tape(layers, [qml.expval(qml.PauliZ(0))]) for layers in (FEW, MANY)}
    return measured(lambda layers: device.execute(tapes[layers]), float(found @ costs()), qml.__version__)


def qokit() -> dict[str, Any]:
    """QOKit's C simulator: its ring of all qubits is as many hops."""
    from importlib import metadata

    from qokit.fur import QAOAFURXYRingSimulatorC

    simulator = QAOAFURXYRingSimulatorC(QUBITS, costs=costs())
    start = started()
    run = lambda layers: simulator.simulate_qaoa([GAMMA] * layers, [BETA] * layers, sv0=start)  # noqa: E731
    return measured(run, None, metadata.version("qokit"))


def peer(name: str, python: str) -> dict[str, Any] | str:
    """A peer's answer from an interpreter of its own on one thread, or why there is none."""
    environment = os.environ | dict.fromkeys(ONE_THREAD, "1")
    command = [python, "-W", "ignore", __file__, "--as", name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr.strip() or "no message").splitlines()[-1]
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def peers(arguments: argparse.Namespace) -> None:
    """The table of one layer at 16 qubits."""
    from gatesolve.encodings.mixer import ring_mixer
    from gatesolve.simulate.qaoa import make_qaoa

    word = np.arange(COLOURS**NODES)
    colours = [word // COLOURS**n % COLOURS for n in range(NODES)]
    costs = sum((colours[n] == colours[n + 1]).astype(int) for n in range(NODES - 1))
    ansatz = make_qaoa(costs, [COLOURS] * NODES, [ring_mixer(COLOURS)] * NODES)
    energy = ansatz.value([GAMMA] * CHECKED, [BETA] * CHECKED)
    few, many = (np.full(count, 0.3) for count in (100, 2100))
    mine = (best(lambda: ansatz.run(many, many)) - best(lambda: ansatz.run(few, few))) / 2000 * 1e3
    print(f"\nOne layer, {QUBITS} qubits one-hot ({COLOURS**NODES} codewords), {len(EDGES)} couplings, 4 XY rings of 4")
    print(f"{'simulator':24}{'ms a layer':>12}{'times ours':>12}  energy at p={CHECKED}")
    print(f"{'gatesolve':24}{mine:12.5f}{1:12.0f}  {energy:.12f}")
    pythons = {"aer": sys.executable, "lightning": arguments.peer_python, "qokit": arguments.qokit_python}
    ratios = []
    for name, python in pythons.items():
        answer = peer(name, python) if python else "no interpreter given"
        if isinstance(answer, str):
            print(f"{name:24}{'-':>12}{'-':>12}  {answer}")
            continue
        theirs = answer["energy"]
        if theirs is not None and abs(theirs - energy) > 1e-9:
            raise SystemExit(f"{name} has energy {theirs}, not {energy}")
        shown = f"{theirs:.12f}" if theirs is not None else "another mixer"
        ratios.append(answer["ms"] / mine)
        print(f"{name + ' ' + answer['version']:24}{answer['ms']:12.3f}{ratios[-1]:12.0f}  {shown}")
    if ratios:
        print(f"The fastest peer takes {min(ratios):.0f} times as long as we do (bar: 300).")


def pass_seconds(size: int) -> float:
    """One in-place multiplication of a vector by a number."""
    import numba

    @numba.njit
    def multiply(vector: NDArray[np.float64], factor: float) -> None:
        for k in range(len(vector)):
            vector[k] *= factor

    vector = np.ones(2 * size)
    return best(lambda: multiply(vector, 1.0000001), seconds=1.0)


def ours(blocks: int) -> None:
    """Rows of one size: every mixer, and the gradient."""
    from gatesolve.encodings.mixer import Mixer, complete_mixer, ring_mixer

    size = 4**blocks
    costs = np.random.default_rng(0).integers(0, 50, size)
    print(
        f"\n4^{blocks} = {size} codewords ({4 * blocks} qubits one-hot); a pass takes {pass_seconds(size) * 1e3:.4f} ms"
    )
    print(f"{'mixer':28}{'ms a layer':>12}{'passes':>8}{'gradient, runs':>16}")
    rings = {"XY ring": ring_mixer(4), "XY complete": complete_mixer(4), "Grover of each block": Mixer("grover")}
    cases: dict[str, list[Mixer]] = {name: [mixer] * blocks for name, mixer in rings.items()}
    for name, mixers in ({"global Grover": [Mixer("grover-global")]} | cases).items():
        row(name, mixers, costs, [4] * blocks)


def row(name: str, mixers: list[Any], costs: NDArray[np.int64], sizes: list[int]) -> None:
    """Times of one mixer; the global one from a given start, for without one it needs no vector at all."""
    from gatesolve.simulate.qaoa import make_qaoa

    size, layers = len(costs), LAYERS
    angles = np.full(layers, 0.3)
    ansatz = make_qaoa(costs, sizes, mixers)
    start = np.full(size, size**-0.5, dtype=complex) if name == "global Grover" else None
    less = best(lambda: ansatz.run(angles[:0], angles[:0], start))
    run = best(lambda: ansatz.run(angles, angles, start))
    unit = pass_seconds(size)
    slope = best(lambda: ansatz.slope(angles, angles, start=start))
    layer = (run - less) / layers
    numbers = f"{layer * 1e3:12.4f}{layer / unit:8.1f}{slope / run:16.2f}"
    print(f"{name:28}{numbers}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", metavar="PATH", help="interpreter that has PennyLane")
    parser.add_argument("--qokit-python", metavar="PATH", help="interpreter that has QOKit, its C simulator compiled")
    parser.add_argument("--small", action="store_true", help="leave out the space of 4^12")
    parser.add_argument("--as", dest="role", choices=["aer", "lightning", "qokit"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.role:
        print(json.dumps({"aer": aer, "lightning": lightning, "qokit": qokit}[arguments.role]()))
        return
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    peers(arguments)
    for blocks in (8, 10) if arguments.small else (8, 10, 12):
        ours(blocks)


if __name__ == "__main__":
    main()
