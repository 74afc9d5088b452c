"""Anyone's circuit made plain: gates with a definition, measurements, and gates conditioned on measured bits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import (
    AnnotatedOperation,
    Barrier,
    BoxOp,
    Clbit,
    ControlFlowOp,
    ControlledGate,
    ControlModifier,
    Delay,
    ForLoopOp,
    Gate,
    IfElseOp,
    Instruction,
    InverseModifier,
    Measure,
    Operation,
    ParameterExpression,
    PowerModifier,
    Qubit,
    Reset,
)
from qiskit.circuit.library import HamiltonianGate, UnitaryGate, XGate, get_standard_gate_name_mapping
from qiskit.exceptions import QiskitError
from qiskit.quantum_info import Operator

from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.proof.entry_words import QubitLayout
from gatesolve.simulate.steps import KNOWN

MOST_PARTS = 1 << 19
"""Most gates that definitions and loops are opened to, beside those of the file itself."""
MOST_TURNS = 1 << 10
"""Angles are at most so many turns: a larger one is rounded by more than the tolerance."""
_STANDARD = "qiskit.circuit.library.standard_gates."
MOST_OFF = 1e-8
"""How far the matrices of a circuit may be from unitary ones, in norm and together."""
MOST_EXPONENT = 16
"""A Hamiltonian times its time is at most so many turns: more is rounded."""
MOST_POWERS = 1 << 12
"""Most gates that a power is made of."""
MOST_SYNTHESISED = 8
"""Qubits of a gate that is given as a matrix."""
OWN = "_defined_here"
"""The end of the names of gates that a file defines: Qiskit goes by the name of a gate, whatever its definition is."""
FOLLOWED = "gates with a definition, measure, reset, barrier, delay, and if on a measured bit or register are judged"

OTHER_CONDITION = f"a condition other than a bit or register against a number: {FOLLOWED}"


class UnfollowedError(UnsupportedError):
    """An operation that is not judged; ``word`` is how it is written in a text."""

    def __init__(self, message: str, word: str) -> None:
        super().__init__(message.replace(OWN, ""))
        self.word = word.removesuffix(OWN)


def make_plain(circuit: QuantumCircuit, layout: QubitLayout) -> tuple[QuantumCircuit, int]:
    """A circuit without what changes nothing, on the same qubits, and how many final measurements it had.

    Barriers, delays, final measurements and resets of ancillas that no gate has touched are left out. Another reset
    becomes a measurement and a flip, loops are unrolled, and instructions that hold more than gates are opened.

    Raises:
        UnfollowedError: an operation that is not judged.
        DoesNotFitError: over `MOST_PARTS` more gates than the circuit's own.
    """
    plain = _Plain(circuit, layout)
    try:
        plain.take(circuit, circuit.qubits, circuit.clbits)
    except RecursionError:
        raise DoesNotFitError("gates are defined by others, too deeply: write the inner ones out") from None
    return plain.finish()


def name_own_gates(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit in which no gate that is defined by its maker has the name of one of Qiskit's.

    Raises:
        DoesNotFitError: over `MOST_PARTS` gates, once definitions are opened.
    """
    try:
        return _name_parts(circuit, [len(circuit.data) + MOST_PARTS])
    except RecursionError:
        raise DoesNotFitError("gates are defined by others, too deeply: write the inner ones out") from None


def _name_parts(circuit: QuantumCircuit, left: list[int]) -> QuantumCircuit:
    named = circuit.copy_empty_like()
    for one in circuit.data:
        left[0] -= 1
        if left[0] < 0:
            raise DoesNotFitError(f"over {MOST_PARTS} gates, once definitions are opened: judge smaller circuits")
        named.append(_name_own(one.operation, left), one.qubits, one.clbits, copy=False)
    return named


def _name_own(operation: Operation, left: list[int]) -> Operation:
    if isinstance(operation, ControlFlowOp):
        return operation.replace_blocks([_name_parts(block, left) for block in operation.blocks])
    if isinstance(operation, AnnotatedOperation):
        return AnnotatedOperation(_name_own(operation.base_op, left), operation.modifiers)
    if isinstance(operation, UnitaryGate):
        return UnitaryGate(operation.to_matrix(), check_input=False)
    if isinstance(operation, HamiltonianGate):
        _check_exponent(operation)
    base = getattr(operation, "base_gate", None)
    if _is_library(operation) and base is not None and not _is_library(base):
        message = f"{operation.name} of a gate that is not one of Qiskit's own: give the gates that it is made of"
        raise UnfollowedError(message, operation.name)
    if not isinstance(operation, Instruction) or (_is_library(operation) and not isinstance(operation, Gate)):
        return operation
    if operation.base_class.__module__.startswith(_STANDARD):
        return _check_name(operation)
    name, definition = operation.name.removesuffix(OWN) + OWN, operation.definition
    if not isinstance(operation, Gate):
        own = Instruction(name, operation.num_qubits, operation.num_clbits, [])
    elif definition is None and hasattr(operation, "__array__") and operation.num_qubits <= MOST_SYNTHESISED:
        return UnitaryGate(operation.to_matrix(), check_input=False)
    else:
        own = Gate(
            name, operation.num_qubits, [one for one in operation.params if isinstance(one, ParameterExpression)]
        )
    own.definition = None if definition is None else _name_parts(definition, left)
    return own


def _check_exponent(gate: HamiltonianGate) -> None:
    matrix, time = gate.params
    if not np.linalg.norm(matrix) * abs(complex(time)) <= 2 * math.pi * MOST_EXPONENT:
        raise UnfollowedError("a Hamiltonian of large numbers, whose exponential is rounded: give gates", gate.name)


def _check_name(gate: Gate) -> Gate:
    """A standard gate, under its own name: transpiling goes by that."""
    own = get_standard_gate_name_mapping().get(re.sub(r"_o[0-9]+$", "", gate.name))
    known = getattr(gate, "_standard_gate", None)
    if gate.name.startswith("mc") if known is None else own is not None and own._standard_gate == known:
        return gate
    raise UnfollowedError(f"a {gate.base_class.__name__} is called {gate.name}: give it its own name", gate.name)


def _is_library(operation: Operation) -> bool:
    """Return whether an operation is of a class of Qiskit's own that says what it does."""
    made_by = getattr(operation, "base_class", type(operation))
    return made_by.__module__.startswith("qiskit.circuit.") and made_by not in (Gate, Instruction, ControlledGate)


class _Plain:
    def __init__(self, circuit: QuantumCircuit, layout: QubitLayout) -> None:
        self._circuit = circuit.copy_empty_like()
        self._touched = {circuit.qubits[qubit] for qubit in layout.qubits}
        self._off = 0.0
        self._distances: dict[bytes, float] = {}
        self._parts = -2 * len(circuit.data)  # each of its own gates is counted as an instruction and as a gate

    def take(self, circuit: QuantumCircuit, qubits: Sequence[Qubit], clbits: Sequence[Clbit]) -> None:
        """Add the instructions of a circuit on some qubits and bits."""
        wires = dict(zip([*circuit.qubits, *circuit.clbits], [*qubits, *clbits], strict=True))
        for instruction in circuit.data:
            self._count(1)
            operation = instruction.operation
            if isinstance(operation, IfElseOp):
                operation = self._map_condition(operation, wires)
            self._add(operation, [wires[one] for one in instruction.qubits], [wires[one] for one in instruction.clbits])

    def _add(self, operation: Operation, qubits: list[Qubit], clbits: list[Clbit]) -> None:
        match operation:
            case Barrier() | Delay():
                return
            case Reset():
                self._reset(qubits[0])
            case Measure():
                self._circuit.append(operation, qubits, clbits)
            case IfElseOp():
                self._add_choice(operation, qubits, clbits)
            case ForLoopOp():
                self._unroll(operation, qubits, clbits)
            case BoxOp():
                self.take(operation.blocks[0], qubits, clbits)
            case Gate() | AnnotatedOperation():
                gate = _plain_gate(operation)
                if self._is_of_gates(gate):
                    self._circuit.append(gate, qubits)
                else:
                    self.take(gate.definition, qubits, [])
            case Instruction() if operation.definition is not None:
                self.take(operation.definition, qubits, clbits)
            case _ if hasattr(operation, "to_instruction"):
                self._add(operation.to_instruction(), qubits, clbits)
            case _:
                raise _refuse(operation)
        self._touched.update(qubits)

    def _reset(self, qubit: Qubit) -> None:
        if qubit not in self._touched:
            return
        outcome = Clbit()
        self._circuit.add_bits([outcome])
        self._circuit.measure(qubit, outcome)
        with self._circuit.if_test((outcome, True)):
            self._circuit.append(XGate(), [qubit])

    def _map_condition(self, operation: IfElseOp, wires: Mapping[Qubit | Clbit, Qubit | Clbit]) -> IfElseOp:
        """Return a choice on the outer bits that the bits of its own circuit stand for."""
        condition = operation.condition
        if not isinstance(condition, tuple) or not {*_tested(condition)} <= wires.keys():
            raise UnfollowedError(OTHER_CONDITION, "if")
        tested, value = condition
        bits = [wires[one] for one in _tested(condition)]
        found = bits[0] if isinstance(tested, Clbit) else next((r for r in self._circuit.cregs if [*r] == bits), None)
        if found is None:
            raise UnfollowedError(OTHER_CONDITION, "if")
        return IfElseOp((found, value), *operation.blocks)

    def _add_choice(self, operation: IfElseOp, qubits: list[Qubit], clbits: list[Clbit]) -> None:
        condition = operation.condition
        if {*_tested(condition)} - {*clbits} or {*clbits} - {*self._circuit.clbits}:
            raise UnfollowedError(OTHER_CONDITION, "if")
        blocks = []
        for block in operation.blocks:
            plain = block.copy_empty_like()
            for one in block.data:
                self._count(1)
                if isinstance(one.operation, Barrier | Delay):
                    continue
                if not isinstance(one.operation, Gate | AnnotatedOperation):
                    raise UnfollowedError(f"{one.operation.name} inside an if: {FOLLOWED}", "if")
                gate = _plain_gate(one.operation)
                if not self._is_of_gates(gate):
                    raise UnfollowedError(f"{gate.name} inside an if: {FOLLOWED}", "if")
                plain.append(gate, one.qubits)
            blocks.append(plain)
        self._circuit.append(IfElseOp(condition, *blocks), qubits, clbits)

    def _unroll(self, operation: ForLoopOp, qubits: list[Qubit], clbits: list[Clbit]) -> None:
        values, parameter, body = operation.params
        for value in values:
            self._count(1)  # an empty body takes its time too
            is_used = parameter in body.parameters
            try:
                bound = body.assign_parameters({parameter: value}) if is_used else body
            except (ZeroDivisionError, RuntimeError, QiskitError) as error:
                raise UnfollowedError(f"an angle in a loop has no value where it counts {value}", "for") from error
            self.take(bound, qubits, clbits)

    def _is_of_gates(self, gate: Gate) -> bool:
        """Return whether gates alone define a gate; False where they stand in an instruction with a definition.

        Raises:
            UnfollowedError: an angle is no number, or a part has neither a definition nor a matrix.
        """
        self._count(1)
        for angle in gate.params:
            _check_angle(gate, angle)
        base = getattr(gate, "base_gate", gate)
        if isinstance(base, UnitaryGate):
            self._check_matrix(base)
        if gate.base_class in KNOWN:
            return True
        if gate.definition is None:
            if gate.num_qubits == 1 and hasattr(gate, "__array__"):
                return True
            raise _refuse(gate)
        of_gates = True
        for part in gate.definition.data:
            if isinstance(part.operation, Barrier | Delay):
                of_gates = False
            elif isinstance(part.operation, Gate):
                of_gates &= self._is_of_gates(part.operation)
            elif (
                isinstance(part.operation, AnnotatedOperation)
                or getattr(part.operation, "definition", None) is not None
            ):
                of_gates = False
            else:
                raise _refuse(part.operation)
        return of_gates

    def _check_matrix(self, gate: UnitaryGate) -> None:
        if gate.num_qubits > MOST_SYNTHESISED:
            raise UnfollowedError(f"a matrix on {gate.num_qubits} qubits: give gates instead", gate.name)
        matrix = gate.to_matrix()
        key = matrix.tobytes()
        if key not in self._distances:
            unitary = float(np.linalg.norm(matrix.conj().T @ matrix - np.eye(len(matrix))))
            # Qiskit's gates for a matrix are near it, and Qiskit fails on one that is not near a unitary.
            taken = unitary if unitary > MOST_OFF else np.linalg.norm(Operator(gate.definition).data - matrix)
            self._distances[key] = max(unitary, float(taken))
        self._off += self._distances[key]
        if not self._off <= MOST_OFF:
            message = f"matrices are off by {self._off:.1e} together from unitaries or from Qiskit's gates: give gates"
            raise UnfollowedError(message, gate.name)

    def _count(self, parts: int) -> None:
        self._parts += parts
        if self._parts > MOST_PARTS:
            raise DoesNotFitError(f"over {MOST_PARTS} gates, once definitions are opened: judge smaller circuits")

    def finish(self) -> tuple[QuantumCircuit, int]:
        """The circuit without its final measurements, and how many there were."""
        used, read, kept, dropped = set[Qubit](), set[Clbit](), [], 0
        for instruction in reversed(self._circuit.data):
            is_final = not used & {*instruction.qubits} and not read & {*instruction.clbits}
            if isinstance(instruction.operation, Measure) and is_final:
                dropped += 1
                continue
            used.update(instruction.qubits)
            read.update(instruction.clbits)
            kept.append(instruction)
        self._circuit.data = kept[::-1]
        return self._circuit, dropped


def _plain_gate(operation: Gate | AnnotatedOperation) -> Gate:
    """A gate without annotations, and as a matrix if it has that alone."""
    if isinstance(operation, UnitaryGate):
        return operation
    if not isinstance(operation, AnnotatedOperation):
        for angle in operation.params:
            _check_angle(operation, angle)
        is_matrix = operation.definition is None and 1 < operation.num_qubits <= MOST_SYNTHESISED
        is_known = operation.base_class in KNOWN or not hasattr(operation, "__array__")
        return UnitaryGate(operation.to_matrix()) if is_matrix and not is_known else operation
    if not isinstance(operation.base_op, Gate | AnnotatedOperation):
        raise UnfollowedError(f"{operation.base_op.name} under a modifier: give the gates instead", "ctrl")
    gate = _plain_gate(operation.base_op)
    for modifier in operation.modifiers:
        if not isinstance(modifier, ControlModifier) and _holds_controlled_cu(gate):
            raise UnfollowedError("the inverse of gate cu under a control, of which Qiskit loses a phase", "inv")
        try:
            gate = _modify(gate, modifier)
        except (QiskitError, ValueError) as error:
            message = f"gate {gate.name} under a modifier is not taken apart by Qiskit: give the gates instead"
            raise UnfollowedError(message, gate.name) from error
    return gate


def _modify_matrix(gate: UnitaryGate, modifier: object) -> UnitaryGate:
    """A matrix for a matrix: of Qiskit's gates for one, a control would have other phases."""
    matrix = gate.to_matrix()
    if isinstance(modifier, InverseModifier):
        matrix = matrix.conj().T
    elif isinstance(modifier, ControlModifier):
        size = len(matrix) << modifier.num_ctrl_qubits
        if size > 1 << MOST_SYNTHESISED:
            raise UnfollowedError(f"a matrix on {size.bit_length() - 1} qubits: give gates instead", gate.name)
        whole = np.eye(size, dtype=complex)
        rows = slice(modifier.ctrl_state, None, 1 << modifier.num_ctrl_qubits)
        whole[rows, rows] = matrix
        matrix = whole
    return UnitaryGate(matrix, check_input=False)


def _modify(gate: Gate, modifier: object) -> Gate:
    if isinstance(gate, UnitaryGate) and isinstance(modifier, InverseModifier | ControlModifier):
        return _modify_matrix(gate, modifier)
    if isinstance(modifier, InverseModifier):
        return gate.inverse(annotated=False)
    if isinstance(modifier, PowerModifier):
        return _raise_gate(gate, modifier.power)
    if isinstance(modifier, ControlModifier):
        return gate.control(modifier.num_ctrl_qubits, ctrl_state=modifier.ctrl_state, annotated=False)
    raise UnfollowedError(f"a modifier of gate {gate.name} is not judged: give the gates instead", gate.name)


def _holds_controlled_cu(gate: Instruction) -> bool:
    """Return whether a gate is cu under more controls, or is made of such."""
    if isinstance(gate, ControlledGate) and gate.num_ctrl_qubits > 1 and len(gate.params) > 3:
        return True
    parts = () if gate.base_class in KNOWN or gate.definition is None else gate.definition.data
    return any(isinstance(part.operation, Instruction) and _holds_controlled_cu(part.operation) for part in parts)


def _raise_gate(gate: Gate, power: float) -> Gate:
    """A gate to a whole power, as that many gates.

    Qiskit rounds the power of a matrix, and has two readings of a fractional one.
    """
    if isinstance(power, ParameterExpression) or not float(power).is_integer():
        raise UnfollowedError(f"gate {gate.name} to the power {power}: give a whole power, or the gates", "pow")
    times = abs(int(power))
    if times * _count_parts(gate) > MOST_POWERS:
        raise UnfollowedError(
            f"gate {gate.name} to the power {power:g} is over {MOST_POWERS} gates: write fewer", "pow"
        )
    raised = Gate(f"{gate.name}_{int(power)}", gate.num_qubits, [])
    raised.definition = QuantumCircuit(gate.num_qubits)
    for _ in range(times):
        raised.definition.append(gate if power > 0 else gate.inverse(annotated=False), range(gate.num_qubits))
    return raised


def _count_parts(gate: Operation) -> int:
    """How many gates a gate is made of, once it is opened; `MOST_POWERS` stands for more."""
    definition = None if gate.base_class in KNOWN else getattr(gate, "definition", None)
    total = 0
    for part in () if definition is None else definition.data:
        total += _count_parts(part.operation)
        if total >= MOST_POWERS:
            break
    return max(1, total)


def _tested(condition: tuple[object, int]) -> Iterator[Clbit]:
    tested, _ = condition
    if isinstance(tested, Clbit):
        yield tested
    else:
        yield from tested  # type: ignore[misc]  # a register


def _check_angle(gate: Gate, angle: object) -> None:
    if getattr(angle, "parameters", None):
        name = min(str(one) for one in angle.parameters)  # type: ignore[attr-defined]
        raise UnfollowedError(f"parameter {name} has no value: bind it, and judge the circuit then", name)
    if angle is None or isinstance(angle, np.ndarray | str | bytes):
        return
    number = complex(angle)  # type: ignore[call-overload]
    if number.imag and gate.base_class in KNOWN:
        raise UnfollowedError(f"gate {gate.name} has the angle {number:g}: give a real one", gate.name)
    value = abs(number)
    if not math.isfinite(value) or value > 2 * math.pi * MOST_TURNS:
        raise UnfollowedError(f"gate {gate.name} has the angle {value:g}: give one of at most a few turns", gate.name)


def _refuse(operation: Operation) -> UnfollowedError:
    name = operation.name.removesuffix(OWN)
    if isinstance(operation, Gate):
        return UnfollowedError(f"gate {name} has no definition: {FOLLOWED}", name)
    return UnfollowedError(f"{name} is not judged: {FOLLOWED}", name.removesuffix("_loop"))
