"""Circuits whose qubits a transpiler moved: where each enters, and where it ends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from qiskit import QuantumCircuit

from gatesolve.errors import InputError
from gatesolve.proof.entry_words import Layout

_QUBIT = re.compile(r"(\w+)\[([0-9]{1,6})\]")


def take_back(circuit: QuantumCircuit, output_map: object) -> tuple[QuantumCircuit, list[int]]:
    """A circuit on the qubits that it had before it was transpiled, and where each of these ends.

    Raises:
        InputError: it carries a layout, and an output map is given too or the layout is of another circuit.
    """
    layout = getattr(circuit, "layout", None)
    if layout is None:
        return circuit, list(range(circuit.num_qubits))
    if output_map is not None:
        raise InputError("the circuit carries the layout of its transpiler: leave out the output map")
    try:
        start = end = layout.initial_index_layout()
        if layout.final_layout is not None:
            end = layout.final_index_layout(filter_ancillas=False)
        before = sorted(layout.input_qubit_mapping, key=layout.input_qubit_mapping.__getitem__)
        numbers = sorted(layout.input_qubit_mapping.values())
        # In a layout that was in a file the registers are known to their qubits alone.
        owners = [*layout.initial_layout.get_registers(), *(getattr(qubit, "_register", None) for qubit in before)]
    except (AttributeError, KeyError, TypeError, IndexError) as error:  # a layout in a file may lack anything
        raise InputError("the circuit carries a broken layout: transpile it again") from error
    if not sorted(start) == sorted(end) == numbers == list(range(circuit.num_qubits)):
        raise InputError("the circuit carries the layout of a circuit of another width: transpile it again")
    number = {place: qubit for qubit, place in enumerate(start)}
    registers = {one.name: one for one in owners if one is not None and set(one) <= set(before)}
    taken = QuantumCircuit(before, circuit.clbits)
    taken.add_register(*registers.values(), *circuit.cregs)
    taken.compose(circuit, [number[place] for place in range(circuit.num_qubits)], circuit.clbits, inplace=True)
    return taken, [number[place] for place in end]


def read_ends(given: Any, source: str | None, circuit: QuantumCircuit, layout: Layout) -> list[int]:
    """Where each qubit of a circuit ends, by an output map; of the others, all stay that can.

    Raises:
        InputError: it is no map, or two qubits end in one place.
    """
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        if len(given) != circuit.num_qubits:
            many = f"the circuit has {circuit.num_qubits} qubits, and {len(given)} places are there"
            raise InputError(f"an output map that is a list has one place for each qubit: {many}", source=source)
        given = dict(enumerate(given))
    if not isinstance(given, Mapping):
        raise InputError('an output map is a list of places, or {"0": 2, "q[2]": 0}', source=source)
    ends = dict[int, int]()
    for name, place in given.items():
        is_number = isinstance(name, str) and re.fullmatch("[0-9]{1,6}", name) is not None
        qubit = find_qubit(int(name) if is_number else name, circuit, source)
        if qubit in ends:
            raise InputError(f"qubit {qubit} is named twice in the output map", source=source)
        ends[qubit] = find_qubit(place, circuit, source)
    for qubit in layout.qubits:
        ends.setdefault(qubit, qubit)
    if len({*ends.values()}) < len(ends):
        raise InputError("two qubits end in one place: name each place once in the output map", source=source)
    taken = {*ends.values()}
    ends |= {qubit: qubit for qubit in range(circuit.num_qubits) if qubit not in ends and qubit not in taken}
    others = [qubit for qubit in range(circuit.num_qubits) if qubit not in ends]
    free = [place for place in range(circuit.num_qubits) if place not in {*ends.values()}]
    ends |= dict(zip(others, free, strict=True))
    return [ends[qubit] for qubit in range(circuit.num_qubits)]


def restore_wires(circuit: QuantumCircuit, ends: Sequence[int]) -> QuantumCircuit:
    """The circuit, then swaps that bring each qubit back from where it ends."""
    restored, place = circuit.copy(), list(ends)
    for qubit in range(len(place)):
        if place[qubit] != qubit:
            restored.swap(qubit, place[qubit])
            place[place.index(qubit)] = place[qubit]
            place[qubit] = qubit
    return restored


def find_qubit(given: object, circuit: QuantumCircuit, source: str | None) -> int:
    """The number of a qubit that is given as that or as ``"q[3]"``.

    Raises:
        InputError: the circuit has none such.
    """
    if isinstance(given, int | np.integer) and not isinstance(given, bool) and 0 <= given < circuit.num_qubits:
        return int(given)
    if isinstance(given, str) and (found := _QUBIT.fullmatch(given)):
        for register in circuit.qregs:
            if register.name == found[1] and int(found[2]) < register.size:
                return list(circuit.qubits).index(register[int(found[2])])
    raise InputError(f"the circuit has no qubit {given!r:.40}", source=source)
