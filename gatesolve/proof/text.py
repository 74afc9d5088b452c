"""Proof that an exported text is the program that it was made from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

import numpy as np

from gatesolve.circuit import And, AndNot, Gate, Mcx, Mux, Op, Ops, Parity, PhaseFlip, Xor, independent_parities
from gatesolve.circuit.lowering.measured.plan import settle_phases
from gatesolve.circuit.lowering.rules.mcz import expand_mcz
from gatesolve.circuit.lowering.target import TOFFOLI, LoweringTarget
from gatesolve.circuit.ops import make_in_place
from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.programs.measured import REGISTER
from gatesolve.programs.program import CircuitPart, Program, find_words_used, list_ops, write_header
from gatesolve.proof.blocks import measure_start
from gatesolve.proof.claim import Claim, leave, prove, refuse
from gatesolve.proof.op_lines import write_op
from gatesolve.proof.pauli import Pauli, pauli_of
from gatesolve.proof.read_qasm import ReadCircuit, read_qasm
from gatesolve.proof.rotations import FormBuilder, GateSink, add_product
from gatesolve.proof.rules import has_phases_of, is_multi_controlled_z
from gatesolve.proof.words import AXES, EIGHTHS, Words, add_distances, find_words, spell_gate, take_words, write_words

MOST_NUMBERS = 1 << 30
"""Numbers that are changed in all, up to which a matrix is made."""
MOST_ENTRIES = 1 << 24
"""Numbers of the largest matrix that is made, however few change: 256 MB."""
TOLERANCE = 1e-9
"""Most norm of the difference of equal matrices: no state is off by more."""
Made = TypeVar("Made", bound=GateSink)
CLOSE = 0.01
"""Largest operator norm by which all words together may differ from their rotations: probabilities then differ by at
most 0.02."""
MOST_LINES = 1_000_000
"""Lines up to which a text is read back."""
MOST_QUBITS = 20_000
"""Qubits up to which normal forms are made: a form holds two Paulis for each qubit, 100 MB in all."""
MOST_BITS = 1 << 33
"""Qubits times lines up to which normal forms are made: each rotation may have a Pauli over all qubits."""
QUICK_OPS = 20_000
"""Qubits of all operations that are compared with a text of any length, in seconds."""
OPS_PER_LINE = 16
"""The same for each line of a text: an operation is about a gate for each qubit, and passes cancel about half of all
gates."""


def add_ops(builder: GateSink, ops: Iterable[Op], aim: LoweringTarget, words: Words | None = None) -> None:
    """Add operations to a normal form; rotations that have a word in Clifford+T are added as that word.

    A multi-controlled Z over more than three qubits is taken apart by the rule that lowering chooses for ``aim``, which
    is proved first, each shape once. In `TOFFOLI` ANDs have no relative phases.

    Raises:
        UnsupportedError: such a Z found no qubit to spare, or its rule is not proved.
    """
    for op in ops:
        match op:
            case Xor(source, target):
                for wire in source.wires:
                    builder.add_cx(wire, target)
                if source.constant:
                    builder.add_rotation(pauli_of([target], "X"), math.pi)
            case And(left, right, target) if aim.gates == TOFFOLI:
                builder.add_h(target)
                add_product(builder, [_z(left), _z(right), pauli_of([target])])
                builder.add_h(target)
            case And(left, right, target):
                _add_and(builder, _z(left), _z(right), target)
            case AndNot(head, left, right, target):
                _add_and_not(builder, _z(head), _z(left), _z(right), target)
            case Mux(choice, yes, no, target):
                _add_mux(builder, _z(choice), _z(yes), _z(no), target)
            case Mcx(target=target, clean=clean):
                builder.add_h(target)
                add_ops(builder, [PhaseFlip((*op.literals, Parity((target,))), clean)], aim)
                builder.add_h(target)
            case PhaseFlip(factors, clean):
                _add_phase(builder, factors, clean, aim)
            case Gate():
                _add_gate(builder, op, words or {})


def _z(parity: Parity) -> Pauli:
    # The Pauli that is -1 where the parity is 1.
    return pauli_of(parity.wires, "Z", parity.constant)


def _add_and(builder: GateSink, left: Pauli, right: Pauli, target: int) -> None:
    # Eighths of turns about X of the target times its sides, then -1 where left and target are 1.
    x = pauli_of([target], "X")
    for eighths, axis in ((1, x), (-1, x * right), (1, x * right * left), (-1, x * left)):
        builder.add_rotation(axis, eighths * math.pi / 4)
    add_product(builder, [left, pauli_of([target])])


def _add_and_not(builder: GateSink, head: Pauli, left: Pauli, right: Pauli, target: int) -> None:
    # X or -X of the target where the head is 1, between turns that lead to its axis and back.
    x, z = pauli_of([target], "X"), pauli_of([target])
    turns = [(x, 1), (x * right, -1), (z, -1), (z * left, 1)]
    for axis, eighths in turns:
        builder.add_rotation(axis, eighths * math.pi / 4)
    add_product(builder, [head, x * right])
    for axis, eighths in reversed(turns):
        builder.add_rotation(axis, -eighths * math.pi / 4)


def _add_mux(builder: GateSink, choice: Pauli, yes: Pauli, no: Pauli, target: int) -> None:
    # Turns about X of the target times its sides, then -1 where it is 1 and the sides differ.
    x, differ = pauli_of([target], "X"), yes * no
    turns = ((1, x), (-1, x * choice), (2, x * choice * yes), (-1, x * choice * differ), (-1, x * differ))
    for eighths, axis in turns:
        builder.add_rotation(axis, eighths * math.pi / 4)
    add_product(builder, [differ, pauli_of([target])])


def _add_phase(builder: GateSink, factors: tuple[Parity, ...], clean: tuple[int, ...], aim: LoweringTarget) -> None:
    parities = independent_parities(factors)
    if not parities:
        # The flip is never done, or everywhere: a global phase.
        return
    if len(parities) <= 3:
        add_product(builder, [_z(parity) for parity in parities])
        return
    add_ops(builder, _apply_rule(parities, clean, aim), aim)


def _apply_rule(parities: Sequence[Parity], clean: tuple[int, ...], aim: LoweringTarget) -> Ops:
    """Return a Z over more than three parities as smaller operations, by a rule that is proved."""
    make = make_in_place(parities)
    qubits = tuple(parity.wires[0] for parity in parities)
    others = aim.others((*qubits, *clean))
    smaller = expand_mcz(qubits, clean, others, aim)
    if smaller is None:
        raise UnsupportedError(f"a Z over {len(qubits)} qubits without a spare one is not proved")
    # The width is left out: circuits of all widths share what was proved of a shape.
    if not is_rule_right(len(qubits), len(clean), len(others), replace(aim, num_qubits=0)):
        raise UnsupportedError(f"the rule for a Z over {len(qubits)} qubits is not proved")
    return (*make, *smaller, *make[::-1])


def _take_apart(op: Op, aim: LoweringTarget) -> Iterator[Op]:
    match op:
        case Mcx(target=target, clean=clean):
            hadamard = Gate("h", (target,))
            yield hadamard
            yield from _take_apart(PhaseFlip((*op.literals, Parity((target,))), clean), aim)
            yield hadamard
        case PhaseFlip(factors, clean):
            parities = independent_parities(factors) or ()
            if len(parities) <= 3:
                yield op
                return
            for part in _apply_rule(parities, clean, aim):
                yield from _take_apart(part, aim)
        case _:
            yield op


@lru_cache(maxsize=1024)
def is_rule_right(num_qubits: int, clean: int, others: int, aim: LoweringTarget) -> bool:
    """Return whether lowering splits a multi-controlled Z into such a Z, given so many qubits to spare."""
    wires = range(num_qubits + clean + others)
    zeros = wires[num_qubits : num_qubits + clean]
    ops = expand_mcz(wires[:num_qubits], zeros, wires[num_qubits + clean :], aim)
    if ops is not None and aim.gates == TOFFOLI:
        ops = tuple(map(_without_phase, ops))
    return ops is not None and is_multi_controlled_z(ops, wires[:num_qubits], zeros, len(wires))


def _without_phase(op: Op) -> Op:
    if not isinstance(op, And):
        return op
    (left,), (right,) = op.left.wires, op.right.wires
    return Mcx(((left, not op.left.constant), (right, not op.right.constant)), op.target)


def _add_gate(builder: GateSink, gate: Gate, words: Words) -> None:
    match gate.name:
        case "h":
            builder.add_h(*gate.qubits)
        case "cx":
            builder.add_cx(*gate.qubits)
        case "cz":
            add_product(builder, [pauli_of([qubit]) for qubit in gate.qubits])
        case "x":
            builder.add_rotation(pauli_of(gate.qubits, "X"), math.pi)
        case name if name in EIGHTHS:
            builder.add_rotation(pauli_of(gate.qubits), EIGHTHS[name] * math.pi / 4)
        case name if name in AXES:
            if gate.params[0] in words:
                for part in spell_gate(gate, words):
                    _add_gate(builder, part, {})
            else:
                builder.add_rotation(pauli_of(gate.qubits, AXES[name]), gate.params[0])
        case name:
            raise UnsupportedError(f"gate {name} is not proved")


class MatrixBuilder:
    """The matrix of gates given one by one, up to a global phase.

    Cost: ``4 ** num_qubits`` numbers for each gate.
    """

    def __init__(self, num_qubits: int) -> None:
        self.matrix = np.eye(1 << num_qubits, dtype=np.complex128)
        self._rows = np.arange(1 << num_qubits)

    def add_h(self, qubit: int) -> None:
        """A Hadamard gate: half a turn about Z, then a quarter about Y."""
        self.add_rotation(pauli_of([qubit]), math.pi)
        self.add_rotation(pauli_of([qubit], "Y"), math.pi / 2)

    def add_cx(self, control: int, target: int) -> None:
        """A CX."""
        self.matrix = self.matrix[self._rows ^ ((self._rows >> control & 1) << target)]

    def add_rotation(self, axis: Pauli, angle: float) -> None:
        """``exp(-i angle/2 axis)``; raises nothing, the axis is Hermitian."""
        sources = self._rows ^ axis.x
        signs = 1 - 2 * (np.bitwise_count(sources & axis.z).astype(np.int64) & 1)
        # A Pauli permutes the rows and turns their phases, so no matrices are multiplied.
        turned = self.matrix[sources] * (1j**axis.phase * signs)[:, None]
        self.matrix = math.cos(angle / 2) * self.matrix - 1j * math.sin(angle / 2) * turned

    def is_same(self, other: MatrixBuilder) -> bool:
        """Whether two matrices are equal up to one phase."""
        overlap = np.vdot(self.matrix, other.matrix)
        turn = overlap / abs(overlap) if overlap else 1
        return bool(np.linalg.norm(other.matrix - turn * self.matrix) <= TOLERANCE)


def prove_text(program: Program, text: str, part: CircuitPart = "whole", words: Words | None = None) -> Claim:
    """Read a text back, and compare its normal form with that of the operations of the program that it was made from.

    All angles together may differ by 1e-9 radians. Rotations that Clifford+T approximates are compared by their words.
    Words that are not given are found as lowering does. The claim states how far all of these are from the rotations,
    or how they change the success probability. Multi-controlled gates are compared by the smaller operations that
    lowering takes them apart to, by rules that are proved.

    Raises:
        InputError: a line of the text is not understood.
    """
    if program.lowering.measured:
        return leave("text", "circuits that measure in between are not compared")
    if (number := text.count("\n")) > MOST_LINES:
        return leave("text", f"{number} lines, up to {MOST_LINES} are compared")
    read = read_qasm(text)
    if read.num_qubits > MOST_QUBITS or read.num_qubits * number > MOST_BITS:
        return leave("text", f"{number} lines over {read.num_qubits} qubits are too many to be compared")
    if (reason := _compare_frames(program, read, part)) is not None:
        return refuse("text", reason)
    try:
        ops, aim = _find_ops(program, part)
        size = sum(len(op.wires) for op in ops)
        if size > max(QUICK_OPS, OPS_PER_LINE * number):
            return leave("text", f"{number} lines are too few to be compared with operations on {size} qubits in all")
        settled = settle_phases(ops, program.num_qubits, ()) if aim.gates == TOFFOLI else ops
    except (DoesNotFitError, UnsupportedError) as error:
        return leave("text", str(error))
    if aim.gates == TOFFOLI:
        # This gate set leaves relative phases of ANDs out, which is right only where they cancel.
        if not has_phases_of(settled, ops, program.num_qubits):
            return leave("text", "relative phases of ANDs are left out that were not found to cancel")
        ops = settled
    try:
        if words is None:
            known = find_words(ops, aim.gates, find_words_used(program))
        else:
            known = take_words(ops, aim.gates, words)
        gates = sum(len(known.get(op.params[0], "1")) if isinstance(op, Gate) and op.params else 1 for op in ops)
        if gates > max(QUICK_OPS, OPS_PER_LINE * number):
            return leave("text", f"{number} lines are too few to be compared with {gates} gates of words")
        found = _compare(read, ops, aim, known, any(section.oracle for section in program.sections))
    except UnsupportedError as error:
        return leave("text", str(error))
    number, distance = add_distances(ops, known)
    # A certificate states its own rotation_error, so that is no measure of what may be called equal.
    limit = min(program.lowering.rotation_error or CLOSE, CLOSE)
    far = f"{distance:.1e} from them in all"
    if distance > limit:
        change = measure_start(program, known)
        if change is None or change > limit:
            return leave("text", f"words of Clifford+T are {distance:.2g} from their rotations in all")
        # Nothing proves how many solutions there are, and so how many iterations are best.
        planned = program.search.needed_iterations
        far = f"which change the success probability by at most {change:.1e} if {planned} iterations are best"
    more = f"; {number} rotations as words of Clifford+T, {far}" if number else ""
    return replace(found, detail=found.detail + more) if found.status == "proved" else found


def _compare(read: ReadCircuit, ops: Ops, aim: LoweringTarget, words: Words, refuses: bool) -> Claim:
    """Compare normal forms; where they differ, by what cancels and the whole matrices, each of them a proof."""
    form, found = (one.finish() for one in _give(read, ops, aim, words, FormBuilder))
    reason = found.find_difference(form)
    same = True if reason is None else found.cancels(form)
    if same:
        size = f"{form.num_rotations} rotations in {len(form.layers)} layers"
        return prove("text", "normal form", f"{size} (fingerprint {form.fingerprint})")
    entries, rotations = 1 << 2 * read.num_qubits, form.num_rotations + 3 * len(read.instructions)
    if entries <= MOST_ENTRIES and rotations * entries <= MOST_NUMBERS:
        wanted, made = _give(read, ops, aim, words, MatrixBuilder)
        if wanted.is_same(made):
            return prove("text", "every amplitude", f"one matrix over {read.num_qubits} qubits")
    # Circuits of oracles have one form in every text that we write. Turns by any angle, as in QAOA, may have several.
    elif same is None:
        return leave("text", "the normal forms differ, and whether they are equal takes too long to find out")
    elif not refuses:
        return leave("text", f"the normal forms differ, and {read.num_qubits} qubits are too many for matrices")
    return refuse("text", f"not the program's operations: {reason}")


def _give(
    read: ReadCircuit, ops: Ops, aim: LoweringTarget, words: Words, make: Callable[[int], Made]
) -> tuple[Made, Made]:
    """Return a builder that was given the operations, and one that was given the gates of the text."""
    wanted, found = make(read.num_qubits), make(read.num_qubits)
    add_ops(wanted, ops, aim, words)
    read.add_to(found)
    return wanted, found


def list_words(program: Program, part: CircuitPart = "whole") -> dict[str, str]:
    """Return the words of Clifford+T that a text's rotations are written with, as lines."""
    try:
        ops, aim = _find_ops(program, part)
        return write_words(find_words(ops, aim.gates, find_words_used(program)))
    except (DoesNotFitError, UnsupportedError):
        return {}


def write_rules(program: Program, part: CircuitPart = "whole") -> dict[str, list[str]] | None:
    """Write the parts of each multi-controlled operation over more than three qubits, as lines.

    `prove_text` compares by these rules, which are proved; None where one is not.
    """
    try:
        ops, aim = _find_ops(program, part)
        wide = (op for op in dict.fromkeys(ops) if isinstance(op, Mcx | PhaseFlip))
        rules = {op: tuple(_take_apart(op, aim)) for op in wide}
        return {write_op(op): list(map(write_op, parts)) for op, parts in rules.items() if parts != (op,)}
    except (DoesNotFitError, UnsupportedError):
        return None


def _find_ops(program: Program, part: CircuitPart) -> tuple[Ops, LoweringTarget]:
    """Return the operations of a text, and what they were lowered for."""
    ops = list_ops(program) if part == "whole" else program.oracle.ops
    return ops, LoweringTarget(program.lowering.metric, program.lowering.gates, program.num_qubits)


def _compare_frames(program: Program, read: ReadCircuit, part: CircuitPart) -> str | None:
    """Return the fault of the registers and measurements; None if they are the program's."""
    data, others = program.space.num_qubits, program.num_ancillas
    if read.registers != (("data", data), *((("ancilla", others),) if others else ())):
        return "the qubit registers are not the program's"
    measured = range(data) if part == "whole" else range(0)
    bits = [bit for bit in read.bits if bit != (REGISTER, 0)]
    if bits != [(REGISTER, data)] * bool(measured) or read.measured != {bit: bit for bit in measured}:
        return "the measurements are not those of the data qubits in their order"
    if list(read.comments) != write_header(program, part):
        return "the comments do not say what the qubits stand for"
    return None
