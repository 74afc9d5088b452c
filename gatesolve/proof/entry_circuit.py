"""Anyone's circuit made plain: gates with a definition, measurements, and gates conditioned on measured bits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qiskit import QuantumCircuit
from qiskit.circuit import (
    AnnotatedOperation,
    Barrier,
    BoxOp,
    Clbit,
    Delay,
    ForLoopOp,
    Gate,
    IfElseOp,
    Instruction,
    Measure,
    Operation,
    Qubit,
    Reset,
)
from qiskit.circuit.library import XGate
from qiskit.exceptions import QiskitError

from gatesolve.errors import DoesNotFitError
from gatesolve.proof.entry_gates import FOLLOWED, GateReader, UnfollowedError, check_wires, find_definition, refuse
from gatesolve.proof.entry_words import QubitLayout

OTHER_CONDITION = f"a condition other than a bit or register against a number: {FOLLOWED}"


def make_plain(circuit: QuantumCircuit, layout: QubitLayout) -> tuple[QuantumCircuit, int]:
    """Return a circuit without what changes nothing, on the same qubits, and the number of its final measurements.

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


class _Plain:
    def __init__(self, circuit: QuantumCircuit, layout: QubitLayout) -> None:
        self._circuit = circuit.copy_empty_like()
        self._circuit.global_phase = 0.0
        self._touched = {circuit.qubits[qubit] for qubit in layout.qubits}
        # Each gate is counted here and again by the reader.
        self._reader = GateReader(2 * len(circuit.data))

    def take(self, circuit: QuantumCircuit, qubits: Sequence[Qubit], clbits: Sequence[Clbit]) -> None:
        """Add the instructions of a circuit on some qubits and bits."""
        wires = dict(zip([*circuit.qubits, *circuit.clbits], [*qubits, *clbits], strict=True))
        for instruction in circuit.data:
            self._reader.count(1)
            operation = instruction.operation
            check_wires(operation, instruction.qubits, instruction.clbits)
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
                self._circuit.measure(qubits, clbits)
            case IfElseOp():
                self._add_choice(operation, qubits, clbits)
            case ForLoopOp():
                self._unroll(operation, qubits, clbits)
            case BoxOp():
                self.take(operation.blocks[0], qubits, clbits)
            case AnnotatedOperation():
                self._reader.add_all(self._reader.read(operation), self._circuit, qubits)
            case Gate() if (leaves := self._reader.read_known(operation)) is not None:
                self._reader.add_all(leaves, self._circuit, qubits)
            case Instruction():
                self.take(find_definition(operation), qubits, clbits)
            case _ if hasattr(operation, "to_instruction"):
                self._add(operation.to_instruction(), qubits, clbits)
            case _:
                raise refuse(operation)
        self._touched.update(qubits)

    def _reset(self, qubit: Qubit) -> None:
        # An ancilla that no gate has touched is zero already.
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
        # Qiskit's own readers differ on a bit that is compared with another number.
        if isinstance(tested, Clbit) and value not in (0, 1):
            raise UnfollowedError(f"a bit is compared with {value}: give 0 or 1", "if")
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
                self._reader.count(1)
                check_wires(one.operation, one.qubits, one.clbits)
                if not isinstance(one.operation, Gate | AnnotatedOperation | Barrier | Delay):
                    raise UnfollowedError(f"{one.operation.name} inside an if: {FOLLOWED}", "if")
                self._reader.add_all(self._reader.read(one.operation), plain, one.qubits)
            blocks.append(plain)
        self._circuit.append(IfElseOp(condition, *blocks), qubits, clbits)

    def _unroll(self, operation: ForLoopOp, qubits: list[Qubit], clbits: list[Clbit]) -> None:
        values, parameter, body = operation.params
        for value in values:
            # Loops with an empty body take time too.
            self._reader.count(1)
            is_used = parameter in body.parameters
            try:
                bound = body.assign_parameters({parameter: value}) if is_used else body
            except (ZeroDivisionError, RuntimeError, QiskitError) as error:
                raise UnfollowedError(f"an angle in a loop has no value where it counts {value}", "for") from error
            self.take(bound, qubits, clbits)

    def finish(self) -> tuple[QuantumCircuit, int]:
        """Return the circuit without its final measurements, and how many there were."""
        used, read, kept, dropped = set[Qubit](), set[Clbit](), [], 0
        # From the end: a measurement is final if nothing later uses its qubit or its bit.
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


def _tested(condition: tuple[object, int]) -> Iterator[Clbit]:
    tested, _ = condition
    if isinstance(tested, Clbit):
        yield tested
    else:
        yield from tested  # type: ignore[misc]  # a register
