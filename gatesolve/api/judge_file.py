"""Anyone's oracle in a file, judged by a problem: a referee for circuits that gatesolve did not make."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier
from qiskit.circuit.library import (
    C3XGate,
    C4XGate,
    MCPhaseGate,
    MCXGate,
    UnitaryGate,
    get_standard_gate_name_mapping,
)

from gatesolve.api.certify_file import read_certificate, tell_aside, tell_problem
from gatesolve.api.problem import Problem, Source, as_problem
from gatesolve.api.problem_record import restore_problem
from gatesolve.api.read_circuit import Text, read_circuit
from gatesolve.encodings import Space, make_spaces
from gatesolve.errors import InputError
from gatesolve.extensions import Registered
from gatesolve.files import as_path, read_bytes, without_repeats
from gatesolve.model import Model
from gatesolve.proof.claim import Claim
from gatesolve.proof.entry import count_alone, prove_circuit
from gatesolve.proof.entry_circuit import make_plain
from gatesolve.proof.entry_gates import OWN, UnfollowedError
from gatesolve.proof.entry_words import Layout

_QUBIT = re.compile(r"(\w+)\[([0-9]{1,6})\]")
CircuitEncoding = Literal["one-hot", "binary", "domain-wall"] | Registered
_MANY = {
    C3XGate: "c3x",
    C4XGate: "c4x",
    MCXGate: "mcx",
    MCPhaseGate: "mcphase",
    UnitaryGate: "unitary",
    Barrier: "barrier",
}
"""Names of classes besides those of Qiskit's own list."""
MOST_BYTES = 1 << 26
"""The largest layout that is read."""


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
        fits = sorted(start) == sorted(end) == numbers == list(range(circuit.num_qubits))
    except (AttributeError, KeyError, TypeError, IndexError) as error:  # a layout in a file may lack anything
        raise InputError("the circuit carries a broken layout: transpile it again") from error
    if not fits:
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


@dataclass(frozen=True)
class Judgement:
    """The judgement of a circuit.

    Attributes:
        claim: whether it is an oracle of the problem, and on which codeword it is wrong first.
        title: the problem.
        codewords: of the encoding.
        qubits: the circuit's width.
        data: how many of them hold the codeword.
        gates: how many of each name of Qiskit's.
        depth: layers of these gates.
        alone: how many constraints stand each on one qubit at some time; None where that is not known.
        constraints: of the problem.
        applied: the layout or output map by which qubits were renamed or brought back, in words; empty where none was.
        aside: what the verdict says nothing of, in words: an objective, measurements at the end.
    """

    claim: Claim
    title: str
    codewords: int
    qubits: int
    data: int
    gates: Mapping[str, int]
    depth: int
    alone: int | None
    constraints: int
    applied: str = ""
    aside: str = ""

    @property
    def status(self) -> str:
        """``proved``, ``refused``, ``sampled`` where it was run on some codewords, ``unchecked`` where on none."""
        return self.claim.status

    @property
    def seen(self) -> str:
        """Which constraints were seen on qubits, in words: whether the circuit uses them is not known."""
        if self.alone is None:
            return "which constraints it computes was not looked at"
        return f"{self.alone} of {self.constraints} constraints were seen alone on a qubit"


def judge(
    circuit: str | Path | QuantumCircuit,
    problem: Source,
    *,
    encoding: CircuitEncoding = "binary",
    layout: Mapping[str, Any] | str | Path | None = None,
    output_map: Sequence[Any] | Mapping[Any, Any] | str | Path | None = None,
    family: str | None = None,
    seed: int = 0,
) -> Judgement:
    """Judge anyone's oracle: does it flip the sign of the problem's solutions and leave all else as it was?

    Nothing is deduced from the problem first. Ancillas enter as zeros; signs are compared up to one phase for all
    codewords; inputs that are no codeword may do anything. Up to 2^28 codewords all are run, 64 a machine word and
    exactly. A circuit that this cannot follow is run with rounding: docs/proofs.md says how, and up to which tolerance.

    Args:
        circuit: one oracle call: OpenQASM 2 or 3, QPY, or a circuit. One that carries Qiskit's ``TranspileLayout``
            counts as it was before it was transpiled: its qubits have their numbers and names of then.
        problem: puzzle file, certificate (``.cert.json``), `Puzzle`, ``cpmpy.Model`` or `Model`.
        encoding: one-hot, binary or domain-wall: how the circuit's data qubits hold the variables.
        layout: which qubits are the data, as a JSON file or a mapping: ``{"data": [0, 1, 4]}`` in the order of the
            variables, lowest bit first, or ``{"data": {"x": [0, 1], "y": [4]}}``; the first qubits if None.
            ``"output": 7`` names a qubit that is flipped instead of the sign, whether it enters as 0 or as 1. A qubit
            is its number or ``"q[3]"``.
        output_map: where qubits end that a transpiler moved, as a JSON file, a list with one place for each qubit, or
            a mapping such as ``{0: 2, "q[2]": 0}``; all others stay.
        family: puzzle family of a file; found from its text when None.
        seed: of the codewords drawn, where there are too many to run all.

    Raises:
        InputError: a file cannot be read, an operation is not judged, or the layout does not fit.
    """
    given, text = _read_given(circuit)
    source, title = _read_problem(problem, family)
    model = source.model
    if encoding == "table":
        message = "encoding 'table' is laid out differently for each problem: give one-hot, binary or domain-wall"
        raise InputError(message)
    space = make_spaces(model, encoding)[0]
    routed, ends = take_back(given, output_map)
    found = _read_layout(layout, routed, model, space)
    if output_map is not None:
        ends = read_ends(*_read_json(output_map, "output map"), routed, found)
    whole, measured = _make_plain(routed, found, text)
    plain = restore_wires(whole, ends)
    return Judgement(
        prove_circuit(model, space, plain, found, seed),
        title,
        space.size,
        given.num_qubits,
        space.num_qubits,
        _count_gates(given),
        given.depth(),
        count_alone(model, space, plain, found),
        len(model.constraints),
        _tell_applied(given, output_map, ends),
        _tell_left_out(source, measured),
    )


def _read_given(circuit: str | Path | QuantumCircuit) -> tuple[QuantumCircuit, Text | None]:
    read = (circuit, None) if isinstance(circuit, QuantumCircuit) else read_circuit(as_path(circuit, "circuit"))
    if not read[0].num_qubits:
        raise InputError("the circuit has no qubits: there is nothing to judge")
    return read


def _count_gates(circuit: QuantumCircuit) -> dict[str, int]:
    """How many gates there are of each name of Qiskit's; others, whose names are their maker's, are ``defined``."""
    names = {kind.base_class: name for name, kind in get_standard_gate_name_mapping().items()} | _MANY
    found = Counter[str]()
    for one in circuit.data:
        known = names.get(getattr(one.operation, "base_class", None))
        given = re.sub(r"\W", "?", one.operation.name.removesuffix(OWN))
        found[known or f"{given} (defined)"] += 1
    return dict(found)


def _tell_left_out(problem: Problem, measured: int) -> str:
    many = "1 measurement at the end is" if measured == 1 else f"{measured} measurements at the end are"
    return "; ".join(filter(None, [tell_aside(problem), f"{many} left out of the judgement" if measured else ""]))


def _tell_applied(given: QuantumCircuit, output_map: object, ends: Sequence[int]) -> str:
    if output_map is None and given.layout is None:
        return ""
    moved = sum(place != qubit for qubit, place in enumerate(ends))
    back = f"{moved} of {len(ends)} qubits end in another place and are brought back"
    if output_map is not None:
        return f"the output map is applied: {back}"
    return f"the TranspileLayout in the circuit is applied: qubits have their names of before; {back}"


def _make_plain(circuit: QuantumCircuit, layout: Layout, text: Text | None) -> tuple[QuantumCircuit, int]:
    try:
        return make_plain(circuit, layout)
    except UnfollowedError as error:
        if text is None:
            raise
        raise InputError(str(error), source=text.source, **text.find(error.word)) from error


def _read_json(given: Any, what: str) -> tuple[Any, str | None]:
    """An argument, or what the JSON file holds that it names, and the file's name."""
    if not isinstance(given, str | Path):
        return given, None
    try:
        data = read_bytes(as_path(given, what), MOST_BYTES, "give a smaller one")
        return json.loads(data, object_pairs_hook=without_repeats), str(given)
    except InputError as error:
        raise InputError(str(error), source=str(given)) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"no {what}: it is no JSON", source=str(given)) from error


def _read_problem(problem: Source, family: str | None) -> tuple[Problem, str]:
    """The problem, and what it is called: a name in a certificate is its maker's word."""
    if isinstance(problem, str | Path) and str(problem).endswith(".cert.json"):
        restored = restore_problem(read_certificate(as_path(problem, "problem"))["problem"])
        return restored, tell_problem(restored)
    read = as_problem(problem, family)
    return read, read.title


def _read_layout(given: Any, circuit: QuantumCircuit, model: Model, space: Space) -> Layout:
    """The layout of a circuit.

    Raises:
        InputError: it is no layout, or does not fit.
    """
    given, source = _read_json(given, "layout")
    if given is None:
        given = {}
    if not isinstance(given, Mapping) or set(given) - {"data", "output"}:
        raise InputError('a layout is {"data": [qubits], "output": qubit}', source=source)
    data = given.get("data", list(range(min(space.num_qubits, circuit.num_qubits))))
    if isinstance(data, Mapping):
        data = _order_data(data, space, source)
    if not isinstance(data, list | tuple):
        raise InputError('"data" is a list of qubits, or a list for each variable', source=source)
    qubits = tuple(find_qubit(one, circuit, source) for one in data)
    output = given.get("output")
    found = Layout(qubits, None if output is None else find_qubit(output, circuit, source))
    if len(qubits) != space.num_qubits:
        many = f"{len(model.variables)} variables take {space.num_qubits} data qubits in this encoding"
        raise InputError(f"{many}, and {len(qubits)} are there: name them in a layout", source=source)
    if len({*qubits, found.output}) <= len(qubits):
        raise InputError("a qubit is named twice in the layout", source=source)
    return found


def _order_data(data: Mapping[str, Any], space: Space, source: str | None) -> list[Any]:
    result = list[Any]()
    for block in space.blocks:
        (name,) = block.variables
        qubits = data.get(name, [])
        if not isinstance(qubits, list | tuple) or len(qubits) != block.num_qubits:
            raise InputError(
                f"variable {name} takes a list of {block.num_qubits} qubits in this encoding", source=source
            )
        result += qubits
    for name in sorted(set(data) - set(space.variables), key=str)[:1]:
        raise InputError(f"the problem has no variable {name}", source=source)
    return result
