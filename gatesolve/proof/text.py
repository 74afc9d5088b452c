"""Whether an exported text is the program it was made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from gatesolve.circuit import Ops
from gatesolve.circuit.lowering.measured.phases import settle_phases
from gatesolve.circuit.lowering.target import TOFFOLI, LoweringTarget
from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.programs.measured import REGISTER
from gatesolve.programs.program import CircuitPart, Program
from gatesolve.proof.claim import Claim, leave, prove, refuse
from gatesolve.proof.matrix import MatrixBuilder, fits_matrix
from gatesolve.proof.op_lines import write_op
from gatesolve.proof.program_form import add_ops, list_rules
from gatesolve.proof.read_qasm import ReadCircuit, read_qasm
from gatesolve.proof.rotations import FormBuilder, GateSink
from gatesolve.proof.rules import has_phases_of
from gatesolve.proof.words import Words, add_distances, find_words, write_words

Made = TypeVar("Made", bound=GateSink)
MOST_LINES = 1_000_000
"""Lines up to which a text is read back."""


def prove_text(program: Program, text: str, part: CircuitPart = "whole", words: Words | None = None) -> Claim:
    """Read a text back and compare its normal form with that of the program's operations.

    All angles together may differ by 1e-9 radians. Rotations that Clifford+T approximates are compared by their words,
    and the claim says how far all of these are from them. Multi-controlled gates are compared by the smaller operations
    that lowering takes them apart to, by rules that are proved.

    Args:
        program: what the text was made from.
        text: OpenQASM 2 or 3.
        part: the whole measured circuit, or one oracle call.
        words: of a certificate, for rotations; others are found as lowering does.

    Raises:
        InputError: a line of the text is not understood.
    """
    if program.measured:
        return leave("text", "circuits that measure in between are not compared")
    if (number := text.count("\n")) > MOST_LINES:
        return leave("text", f"{number} lines, up to {MOST_LINES} are compared")
    read = read_qasm(text)
    if (reason := _compare_frames(program, read, part)) is not None:
        return refuse("text", reason)
    try:
        ops, aim = _find_ops(program, part)
        settled = settle_phases(ops, program.num_qubits, ()) if aim.gates == TOFFOLI else ops
    except (DoesNotFitError, UnsupportedError) as error:
        return leave("text", str(error))
    if aim.gates == TOFFOLI:
        if not has_phases_of(settled, ops, program.num_qubits):
            return leave("text", "relative phases of ANDs are left out that were not found to cancel")
        ops = settled
    try:
        known = find_words(ops, aim.gates, words)
        found = _compare(read, ops, aim, known, any(section.oracle for section in program.sections))
    except UnsupportedError as error:
        return leave("text", str(error))
    number, distance = add_distances(ops, known)
    more = f"; {number} rotations as words of Clifford+T, {distance:.1e} from them in all" if number else ""
    return replace(found, detail=found.detail + more) if found.status == "proved" else found


def _compare(read: ReadCircuit, ops: Ops, aim: LoweringTarget, words: Words, refuses: bool) -> Claim:
    """Compare normal forms; where they differ, those of gathered gates and the whole matrices, each of them a proof.

    Circuits of oracles have one form in every text that we write. Turns by any angle, as in QAOA, may have several, so
    that without ``refuses`` different forms of circuits that are too wide for a matrix decide nothing.
    """
    reasons = list[str]()
    for gathers in (False, True):
        form, found = (one.finish() for one in _give(read, ops, aim, words, partial(FormBuilder, gathers=gathers)))
        reason = found.find_difference(form)
        if reason is None:
            size = f"{form.num_rotations} rotations in {len(form.layers)} layers"
            return prove("text", "normal form", f"{size} (fingerprint {form.fingerprint})")
        reasons.append(reason)
    if fits_matrix(read.num_qubits, form.num_rotations + 3 * len(read.instructions)):
        wanted, made = _give(read, ops, aim, words, MatrixBuilder)
        if wanted.is_same(made):
            return prove("text", "every amplitude", f"one matrix over {read.num_qubits} qubits")
    elif not refuses:
        return leave("text", f"the normal forms differ, and {read.num_qubits} qubits are too many for matrices")
    return refuse("text", f"not the program's operations: {reasons[0]}")


def _give(
    read: ReadCircuit, ops: Ops, aim: LoweringTarget, words: Words, make: Callable[[int], Made]
) -> tuple[Made, Made]:
    """Return a builder that was given the operations, and one that was given the gates of the text."""
    wanted, found = make(read.num_qubits), make(read.num_qubits)
    add_ops(wanted, ops, aim, words)
    read.add_to(found)
    return wanted, found


def list_words(program: Program, part: CircuitPart = "whole") -> dict[str, str]:
    """The words of Clifford+T that a text's rotations are written with, as lines."""
    try:
        ops, aim = _find_ops(program, part)
        return write_words(find_words(ops, aim.gates))
    except (DoesNotFitError, UnsupportedError):
        return {}


def write_rules(program: Program, part: CircuitPart = "whole") -> dict[str, list[str]] | None:
    """Write the parts of each multi-controlled operation over more than three qubits, as lines.

    `prove_text` compares by these rules, which are proved; None where one is not.
    """
    try:
        ops, aim = _find_ops(program, part)
        return {write_op(op): list(map(write_op, parts)) for op, parts in list_rules(ops, aim).items()}
    except (DoesNotFitError, UnsupportedError):
        return None


def _find_ops(program: Program, part: CircuitPart) -> tuple[Ops, LoweringTarget]:
    """The operations of a text, and what they were lowered for."""
    ops = program.ops if part == "whole" else program.oracle.ops
    return ops, LoweringTarget(program.metric, program.gates, program.num_qubits)


def _compare_frames(program: Program, read: ReadCircuit, part: CircuitPart) -> str | None:
    """Return the fault of the registers and measurements; None if they are the program's."""
    data, others = program.space.num_qubits, program.num_ancillas
    if read.registers != (("data", data), *((("ancilla", others),) if others else ())):
        return "the qubit registers are not the program's"
    measured = range(data) if part == "whole" else range(0)
    bits = [bit for bit in read.bits if bit != (REGISTER, 0)]
    if bits != [(REGISTER, data)] * bool(measured) or read.measured != {bit: bit for bit in measured}:
        return "the measurements are not those of the data qubits in their order"
    if list(read.comments) != program.header(part):
        return "the comments do not say what the qubits stand for"
    return None
