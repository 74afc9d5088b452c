"""CX between two H as CZ, which commutes with phases and controls on both qubits, and back; CCX as CCZ alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gatesolve.circuit.gates import LowGate

_BETWEEN = {"cx": "cz", "ccx": "ccz", "x": "z"}
"""What gates are between two H on their last qubit."""
_BACK = {"cz": "cx", "ccz": "ccx"}


def replace_by_cz(gates: Iterable[LowGate]) -> list[LowGate]:
    """H, CX onto a qubit and X on it, H: as CZ and Z, without the H."""
    given = list(gates)
    result: list[LowGate | None] = list(given)
    opened: dict[int, list[int]] = {}
    for index, (name, qubits, _) in enumerate(given):
        goal = qubits[-1]
        if name == "h":
            inside = opened.pop(goal, None)
            if inside is None or len(inside) == 1:
                opened[goal] = [index]
                continue
            result[inside[0]] = result[index] = None
            for between in inside[1:]:
                changed = result[between]
                assert changed is not None
                result[between] = (_BETWEEN[changed[0]], changed[1], 0.0)
        elif name in _BETWEEN:
            if goal in opened:
                opened[goal].append(index)
            for qubit in qubits[:-1]:
                opened.pop(qubit, None)
        else:
            for qubit in qubits:
                opened.pop(qubit, None)
    return [gate for gate in result if gate is not None]


def replace_cz(gates: Sequence[LowGate]) -> list[LowGate]:
    """CZ as CX between two H, on the qubit where more of the H meet others and so cancel."""
    hubs = _hubs(gates)
    result: list[LowGate] = []
    for index, (name, qubits, angle) in enumerate(gates):
        if name not in _BACK:
            result.append((name, qubits, angle))
            continue
        hub = hubs[index]
        others = (qubit for qubit in qubits if qubit != hub)
        result += [("h", (hub,), 0.0), (_BACK[name], (*others, hub), 0.0), ("h", (hub,), 0.0)]
    return result


def _hubs(gates: Sequence[LowGate]) -> dict[int, int]:
    """The target chosen for each CZ, by index."""
    before, after = _neighbours(gates), _neighbours(gates[::-1])
    last = len(gates) - 1
    hubs = {index: gate[1][1] for index, gate in enumerate(gates) if gate[0] in _BACK}
    for promise in (1, 0, 0):
        for index, hub in hubs.items():
            met = dict.fromkeys(gates[index][1], 0)
            for qubit in met:
                for side in (before[index].get(qubit, -1), last - after[last - index].get(qubit, last + 1)):
                    if side >= 0 and (gates[side][0] == "h" or hubs.get(side) == qubit):
                        met[qubit] += 2
                    elif side in hubs:
                        # At first a neighbour that could still come over counts half.
                        met[qubit] += promise
            hubs[index] = max(met, key=lambda q: (met[q], q == hub))
    return hubs


def _neighbours(gates: Sequence[LowGate]) -> list[dict[int, int]]:
    """For each CZ and qubit, the index of the gate before it on that qubit; nothing for other gates."""
    last: dict[int, int] = {}
    found: list[dict[int, int]] = []
    for index, (name, qubits, _) in enumerate(gates):
        found.append({q: last[q] for q in qubits if q in last} if name in _BACK else {})
        last.update(dict.fromkeys(qubits, index))
    return found
