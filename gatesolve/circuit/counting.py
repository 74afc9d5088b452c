"""Counting a lowered circuit. One counter for everything gatesolve reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

from qiskit import QuantumCircuit
from qiskit.circuit import Clbit, Qubit

from gatesolve.circuit.notebook import html_table
from gatesolve.gate_sets import GATE_SETS

Wire: TypeAlias = Qubit | Clbit
WHOLE_CIRCUIT = "whole circuit"
"""The method of counts that were not put together."""


@dataclass(frozen=True)
class Resources:
    """Counts of a circuit in a stated gate set, measured on the lowered circuit.

    Gates that depend on a measurement count as if they were always applied, those of both outcomes alike, so
    every count is an upper bound over all outcomes.

    Attributes:
        gates: the gate set.
        qubits: width, ancillas included.
        cx: gates on two qubits: those of `GateSetFacts.two_qubit`, of which a CX takes one.
        t: T and T-dagger gates; None in a gate set without them.
        depth: layers of gates and of measurements whose outcome is used; a gate that depends on an outcome comes
            after the measurement. The final measurement is not counted.
        two_qubit_depth: layers of them.
        total: all gates.
        method: ``whole circuit``, or how a long run was put together.
        measurements: measurements whose outcome is used in the circuit; not the final ones, not part of ``total``.
        t_depth: layers of T and T-dagger gates; None where ``t`` is.
        toffoli: Toffoli gates; None in a gate set without them.
        toffoli_depth: layers of Toffoli gates; None where ``toffoli`` is.
    """

    gates: str
    qubits: int
    cx: int
    t: int | None
    depth: int
    two_qubit_depth: int
    total: int
    method: str = WHOLE_CIRCUIT
    measurements: int = 0
    t_depth: int | None = None
    toffoli: int | None = None
    toffoli_depth: int | None = None

    @property
    def costly(self) -> tuple[str, int | None]:
        """Return the name of the gates that cost most in error-corrected machines, and their number."""
        return ("T", self.t) if self.toffoli is None else ("Toffoli", self.toffoli)

    def as_dict(self) -> dict[str, object]:
        """Return the fields by name."""
        return asdict(self)

    def _repr_html_(self) -> str:
        return html_table("Resources", [(name.replace("_", " "), value) for name, value in self.as_dict().items()])

    def then(self, other: Resources, times: int) -> Resources:
        """Return the counts of this circuit followed ``times`` times by ``other``; depths are added, an upper bound."""
        more = asdict(other)
        added: dict[str, Any] = {
            name: None if count is None or more[name] is None else count + times * more[name]
            for name, count in asdict(self).items()
            if name not in {"gates", "qubits", "method"}
        }
        qubits = max(self.qubits, other.qubits)
        return replace(self, qubits=qubits, method=f"one iteration, times {times}", **added)


def count(circuit: QuantumCircuit, gates: str) -> Resources:
    """Count a circuit that is already in the gate set ``gates``; barriers and final measurements are left out.

    Raises:
        ValueError: the circuit holds a gate that is not in the gate set.
    """
    flat = list(_flat(circuit))
    # Barriers separate layers, so they stay in the list, but they are not gates.
    names = [name for name, _, _ in flat if name != "barrier"]
    facts = GATE_SETS[gates]
    foreign = {*names} - facts.names - {MEASURED}
    if foreign:
        raise ValueError(f"gates outside {gates}: {sorted(foreign)}")
    t = frozenset({"t", "tdg"})
    return Resources(
        gates=gates,
        qubits=circuit.num_qubits,
        cx=names.count(facts.two_qubit),
        t=sum(map(names.count, t)) if facts.has_t else None,
        depth=_layers(flat, lambda name: name != "barrier"),
        two_qubit_depth=_layers(flat, lambda name: name == facts.two_qubit),
        total=sum(name != MEASURED for name in names),
        measurements=names.count(MEASURED),
        t_depth=_layers(flat, t.__contains__) if facts.has_t else None,
        toffoli=names.count("ccx") if facts.has_toffoli else None,
        toffoli_depth=_layers(flat, lambda name: name == "ccx") if facts.has_toffoli else None,
    )


MEASURED = "measured"
"""How a measurement whose outcome is used is written in a flat list."""

Flat = tuple[str, tuple[Wire, ...], tuple[Clbit, ...]]
"""A gate's or barrier's name, the wires it acts on, the classical bits it waits for."""


def _flat(circuit: QuantumCircuit) -> Iterator[Flat]:
    """Gates and barriers in order, those of conditional blocks too, and measurements whose outcome is used."""
    # A measurement that no condition reads is a final one, and is not counted.
    tested = {bit for i in circuit.data if i.operation.name == "if_else" for bit in _condition_bits(i.operation)}
    for instruction in circuit.data:
        name = instruction.operation.name
        if name == "if_else":
            bits = tuple(_condition_bits(instruction.operation))
            # Blocks of both outcomes count: an upper bound that holds for every run.
            for block in instruction.operation.blocks:
                place = dict(zip(block.qubits, instruction.qubits, strict=True))
                for inner, wires, _ in _flat(block):
                    yield inner, tuple(place[w] for w in wires), bits
        elif name == "measure":
            if instruction.clbits[0] in tested:
                yield MEASURED, (*instruction.qubits, *instruction.clbits), ()
        else:
            yield name, tuple(instruction.qubits), ()


def _condition_bits(operation: object) -> list[Clbit]:
    tested = operation.condition[0]  # type: ignore[attr-defined]
    return [tested] if isinstance(tested, Clbit) else list(tested)


def _layers(flat: list[Flat], counted: Callable[[str], bool]) -> int:
    """Longest chain of counted gates along wires, barriers too, and from a measurement to what depends on it."""
    reached: dict[Wire, int] = {}
    for name, wires, bits in flat:
        layer = max([0, *(reached[w] for w in (*wires, *bits) if w in reached)]) + counted(name)
        reached |= dict.fromkeys(wires, layer)
    return max(reached.values(), default=0)
