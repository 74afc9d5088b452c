"""Cancelling and merging gates without changing their order.

Keeping the order matters: gates stay in the order of construction, in which
only a few logical ANDs are open at a time, so that exact sparse simulators
(ours and others') carry few terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gatesolve.lowering.emit import LowGate

EIGHTHS = {"t": 1, "s": 2, "z": 4, "sdg": 6, "tdg": 7}
"""Diagonal gates as multiples of a phase of pi/4."""
EXPANDED: tuple[tuple[str, ...], ...] = ((), ("t",), ("s",), ("s", "t"), ("z",), ("z", "t"), ("sdg",), ("tdg",))
"""The gates for each multiple."""
REACH = 64
"""Gates looked back over on a qubit: bounds the work, and partners are near."""


def cancelled(gates: Iterable[LowGate]) -> list[LowGate]:
    """Cancel inverse pairs and merge phases across gates that commute with them.

    CX commutes with diagonal gates and CX controls on its control, and with X and CX targets on its
    target; phases move across CX controls, X across CX targets. Repeats until nothing changes.

    Cost: linear in the number of gates, `REACH` gates looked back over at most.
    """
    current = list(gates)
    while True:
        after = _one_sweep(current)
        if len(after) == len(current):
            return after
        current = after


def _one_sweep(gates: list[LowGate]) -> list[LowGate]:
    kept: list[LowGate | None] = []
    wires: dict[int, list[int]] = {}
    for gate in gates:
        partner = _partner(gate, kept, wires)
        if partner is None:
            for qubit in gate[1]:
                wires.setdefault(qubit, []).append(len(kept))
            kept.append(gate)
            continue
        merged = _merge(kept[partner], gate)
        kept[partner] = merged
        if merged is None:
            for qubit in gate[1]:
                wires[qubit].remove(partner)
    return list(_expanded(kept))


def _expanded(gates: Iterable[LowGate | None]) -> Iterator[LowGate]:
    for gate in gates:
        if gate is None:
            continue
        if gate[0] == "phase":
            for name in EXPANDED[round(gate[2])]:
                yield name, gate[1], 0.0
        else:
            yield gate


def _merge(earlier: LowGate | None, later: LowGate) -> LowGate | None:
    """The gate both make together; None when they cancel."""
    assert earlier is not None
    if later[0] not in EIGHTHS:
        return None
    total = (_eighths(earlier) + EIGHTHS[later[0]]) % 8
    return ("phase", later[1], float(total)) if total else None


def _eighths(gate: LowGate) -> int:
    return round(gate[2]) if gate[0] == "phase" else EIGHTHS[gate[0]]


def _partner(gate: LowGate, kept: list[LowGate | None], wires: dict[int, list[int]]) -> int | None:
    """Index of the earlier gate that ``gate`` merges with, across gates it commutes with."""
    name, qubits, _ = gate
    if name == "cx":
        return _cx_partner(qubits, kept, wires)
    qubit = qubits[0]
    line = wires.get(qubit, [])
    if name in EIGHTHS:
        return _search(line, kept, lambda g: g[0] in EIGHTHS or g[0] == "phase", lambda g: _is_control(g, qubit))
    if name == "x":
        return _search(line, kept, lambda g: g[0] == "x", lambda g: _is_target(g, qubit))
    if name == "h":
        return _search(line, kept, lambda g: g[0] == "h", lambda _: False)
    return None


def _cx_partner(qubits: tuple[int, ...], kept: list[LowGate | None], wires: dict[int, list[int]]) -> int | None:
    """An equal CX that this one can be moved to along both of its qubits."""
    control, target = qubits

    def same(gate: LowGate) -> bool:
        return gate[0] == "cx" and gate[1] == qubits

    on_control = _search(wires.get(control, []), kept, same, lambda g: _is_control(g, control))
    if on_control is None:
        return None
    on_target = _search(wires.get(target, []), kept, same, lambda g: _is_target(g, target))
    return on_control if on_control == on_target else None


def _search(
    line: list[int], kept: list[LowGate | None], wanted: Callable[[LowGate], bool], passes: Callable[[LowGate], bool]
) -> int | None:
    for index in line[: -REACH - 1 : -1]:
        gate = kept[index]
        assert gate is not None
        if wanted(gate):
            return index
        if not passes(gate):
            return None
    return None


def _is_control(gate: LowGate, qubit: int) -> bool:
    """Whether ``gate`` is diagonal on ``qubit``."""
    return gate[0] in EIGHTHS or gate[0] == "phase" or (gate[0] == "cx" and gate[1][0] == qubit)


def _is_target(gate: LowGate, qubit: int) -> bool:
    """Whether ``gate`` commutes with X on ``qubit``."""
    return gate[0] == "x" or (gate[0] == "cx" and gate[1][1] == qubit)
