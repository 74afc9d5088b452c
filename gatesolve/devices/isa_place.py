"""Moving a compiled circuit to the device's best qubits, by the exact estimate of its success."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from qiskit import QuantumCircuit

from gatesolve.devices.fidelity import SILENT, decay, estimate, time_waits

if TYPE_CHECKING:
    from qiskit.transpiler import Target

MOST_PLACES = 20_000
"""Most places that are looked at."""
MOST_LOOKS = 1_000_000
"""Gates looked up in all places together."""
MOST_STEPS = 200_000
"""Steps of the search for places."""
FINAL_ROUND = 5
"""Best places by gate counts alone, which are then estimated exactly."""

Use = tuple[str, tuple[int, ...]]


def place_circuit(circuit: QuantumCircuit, target: Target) -> QuantumCircuit:
    """The circuit on those qubits of the device on which it is likeliest to succeed, gates unchanged.

    It stays where it is where no place is better or the target reports no errors.

    Cost: at most `MOST_PLACES` places and `MOST_LOOKS` pairs and qubits in them.
    """
    now = estimate(circuit, target)
    if now is None or any(hasattr(i.operation, "blocks") for i in circuit.data):
        return circuit
    uses: Counter[Use] = Counter()
    for instruction in circuit.data:
        if instruction.operation.name not in SILENT:
            qubits = tuple(circuit.find_bit(q).index for q in instruction.qubits)
            uses[instruction.operation.name, qubits] += 1
    idle, _ = time_waits(circuit, target)
    known: dict[Use, float] = {}
    scored: list[tuple[float, int, dict[int, int]]] = []
    most = min(MOST_PLACES, MOST_LOOKS // max(1, len(uses)))
    for number, place in enumerate(islice(_find_places(uses, target), most)):
        score = _score_place(uses, place, target, known) + sum(
            math.log(max(decay(target, place[q], wait), 1e-300)) for q, wait in idle.items()
        )
        scored.append((-score, number, place))
    best, value = circuit, now.fidelity
    for _, _, place in sorted(scored)[:FINAL_ROUND]:
        moved = _move_circuit(circuit, place)
        found = estimate(moved, target)
        if found is not None and found.fidelity > value:
            best, value = moved, found.fidelity
    return best


def _find_places(uses: Counter[Use], target: Target) -> Iterator[dict[int, int]]:
    """Ways to lay the circuit's pairs of qubits on the device's."""
    import rustworkx as rx

    names = {name for name, qubits in uses if len(qubits) == 2}
    device = rx.PyDiGraph(multigraph=False)
    device.add_nodes_from(range(target.num_qubits))
    for name in names:
        for pair in target[name]:
            _join(device, pair[0], pair[1], name)
    used = sorted({q for _, qubits in uses for q in qubits})
    node = {q: k for k, q in enumerate(used)}
    pattern = rx.PyDiGraph(multigraph=False)
    pattern.add_nodes_from(used)
    for name, qubits in uses:
        if len(qubits) == 2:
            _join(pattern, node[qubits[0]], node[qubits[1]], name)
    fits = frozenset.issuperset
    found = rx.vf2_mapping(
        device, pattern, edge_matcher=fits, subgraph=True, induced=False, id_order=False, call_limit=MOST_STEPS
    )
    for mapping in found:
        yield {used[small]: big for big, small in mapping.items()}


def _join(graph, first: int, second: int, name: str) -> None:  # type: ignore[no-untyped-def]
    """An edge that lists the gates in its direction."""
    held = graph.get_edge_data(first, second) if graph.has_edge(first, second) else frozenset()
    graph.add_edge(first, second, held | {name})


def _score_place(uses: Counter[Use], place: dict[int, int], target: Target, known: dict[Use, float]) -> float:
    """Logarithm of the chance that no gate or measurement fails there."""
    total = 0.0
    for (name, qubits), times in uses.items():
        use = (name, tuple(place[q] for q in qubits))
        if use not in known:
            properties = target[name].get(use[1], None)
            missing = use[1] not in target[name]
            error = 1.0 if missing else (properties.error or 0.0) if properties is not None else 0.0
            known[use] = math.log(max(1 - error, 1e-300))
        total += times * known[use]
    return total


def _move_circuit(circuit: QuantumCircuit, place: dict[int, int]) -> QuantumCircuit:
    moved = circuit.copy_empty_like()
    moved._layout = None
    for instruction in circuit.data:
        qubits = [circuit.find_bit(q).index for q in instruction.qubits]
        # A barrier or delay may stand on qubits that nothing is done to.
        if all(q in place for q in qubits):
            moved.append(instruction.operation, [place[q] for q in qubits], instruction.clbits)
    return moved
