"""A program and its model as plain data for a certificate, and back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from gatesolve.circuit import Ops
from gatesolve.encodings import Space, encoding_label
from gatesolve.encodings.converter import structure, unstructure
from gatesolve.errors import InputError, one_line
from gatesolve.gate_sets import METRICS, GateSet, Lowering
from gatesolve.model import Model
from gatesolve.oracle import Condition, Oracle
from gatesolve.oracle.condition import Flag
from gatesolve.oracle.levels import LEVELS
from gatesolve.programs.program import Program
from gatesolve.programs.provenance import Provenance, SearchFacts
from gatesolve.programs.section import SECTIONS, Section
from gatesolve.programs.unread import UnreadFill
from gatesolve.proof.op_lines import read_ops, read_parity, write_op, write_parity

Name = TypeVar("Name", bound=str)
FAULT = "the certificate cannot be read ({}): it was damaged, or is of another version"
MOST_QUBITS = 100_000
"""Qubits of a program that is read."""
MOST_BITS = 1 << 25
"""Qubits times codewords of a block that is read."""


@dataclass(frozen=True)
class ConditionRecord:
    """A condition: its flags' products and parity as words, and its factors."""

    label: str
    flags: tuple[tuple[str, ...], ...]
    factors: tuple[str, ...]


@dataclass(frozen=True)
class OracleRecord:
    """An oracle without its operations, which are the first ``length`` of its section's."""

    length: int
    num_ancillas: int
    style: str
    conditions: tuple[ConditionRecord, ...]


@dataclass(frozen=True)
class SectionRecord:
    """A section of a program, an operation a line."""

    name: str
    times: int
    ops: tuple[str, ...]
    oracle: OracleRecord | None


@dataclass(frozen=True)
class ProgramRecord:
    """A program and what it searches."""

    model: Model
    space: Space
    sections: tuple[SectionRecord, ...]
    num_ancillas: int
    gates: str
    metric: str
    measured: bool
    level: str | None
    needed_iterations: str | None
    fills: tuple[UnreadFill, ...]
    rotation_error: float | None = None


def record_program(model: Model, program: Program) -> dict[str, Any]:
    """Return a program as data that JSON holds.

    Raises:
        UnsupportedError: a constraint is of a kind that no record can hold.
    """
    sections = tuple(
        SectionRecord(one.name, one.times, tuple(map(write_op, one.ops)), _record_oracle(one.oracle))
        for one in program.sections
    )
    kept = ProgramRecord(
        model,
        program.space,
        sections,
        program.num_ancillas,
        program.lowering.gates,
        program.lowering.metric,
        program.lowering.measured,
        program.search.level,
        None if program.search.needed_iterations is None else str(program.search.needed_iterations),
        program.search.fills,
        program.lowering.rotation_error,
    )
    data: dict[str, Any] = unstructure(kept)
    if program.lowering.rotation_error is None:
        # Older certificates have no such field, and stay the same.
        del data["rotation_error"]
    return data


def restore_program(data: Any) -> tuple[Model, Program]:
    """Return the model and the program that `record_program` wrote; blocks come without their preparations.

    Raises:
        InputError: the data is of another format.
    """
    kept = structure(data, ProgramRecord, FAULT)
    try:
        return kept.model, _restore(kept)
    except ValueError as error:
        raise InputError(FAULT.format(one_line(str(error)))) from error


def _restore(kept: ProgramRecord) -> Program:
    sizes = [block.num_qubits for block in kept.space.blocks]
    # A record may come from anywhere, so its sizes are bounded before anything is built.
    if min(*sizes, kept.num_ancillas, 0) < 0 or sum(sizes) + kept.num_ancillas > MOST_QUBITS:
        raise ValueError(f"the number of qubits is not in 0..{MOST_QUBITS}")
    if any(block.num_qubits * block.size > MOST_BITS for block in kept.space.blocks):
        raise ValueError(f"a block has more than {MOST_BITS} bits in its codewords")
    if not all(re.fullmatch("[A-Za-z0-9_.-]{1,40}", block.kind) for block in kept.space.blocks):
        raise ValueError("a block's kind is no encoding's name")
    filled = [qubit for fill in kept.fills for qubit in (*fill.read, *fill.unread)]
    if len({*filled}) < len(filled) or not all(fill.fits(kept.space.num_qubits) for fill in kept.fills):
        raise ValueError("what is filled in does not fit the space")
    if kept.needed_iterations is not None and not re.fullmatch("[0-9]{1,4000}", kept.needed_iterations):
        raise ValueError("the iterations needed are no number")
    if kept.rotation_error is not None and not 0 < kept.rotation_error < 1:
        raise ValueError("the error of rotations is not between 0 and 1")
    return Program(
        kept.space,
        tuple(_restore_section(one, kept.space.num_qubits, kept.num_ancillas) for one in kept.sections),
        kept.num_ancillas,
        Lowering(_pick(kept.gates, get_args(GateSet)), _pick(kept.metric, METRICS), kept.measured, kept.rotation_error),
        SearchFacts(
            fills=kept.fills,
            provenance=None
            if kept.level is None
            else Provenance("unknown", encoding_label(kept.space), _pick(kept.level, LEVELS)),
            needed_iterations=None if kept.needed_iterations is None else int(kept.needed_iterations),
        ),
    )


def _pick(name: str, known: Sequence[Name]) -> Name:
    """Return the known name that a string is; raises `ValueError` if it is none."""
    for one in known:
        if one == name:
            return one
    raise ValueError(f"'{name[:40]}' is none of {', '.join(known)}")


def _record_oracle(oracle: Oracle | None) -> OracleRecord | None:
    if oracle is None:
        return None
    conditions = tuple(
        ConditionRecord(
            one.label,
            tuple((write_parity(f.parity), *(write_parity(s) for pair in f.products for s in pair)) for f in one.flags),
            tuple(map(write_parity, one.factors)),
        )
        for one in oracle.conditions
    )
    return OracleRecord(len(oracle.ops), oracle.num_ancillas, oracle.style, conditions)


def _restore_section(record: SectionRecord, num_data: int, num_ancillas: int) -> Section:
    kept = record.oracle
    name = _pick(record.name, SECTIONS)
    # A section that is not in the circuit is not recorded, except for iterations, which may be none.
    if record.times < (name != "iteration") or (record.times > 1 and not record.ops):
        raise ValueError(f"the section '{name}' is done {record.times} times")
    ops = read_ops(record.ops, num_data + num_ancillas)
    if kept is None:
        return Section(name, ops, record.times)
    if not 0 <= kept.length <= len(ops) or not 0 <= kept.num_ancillas <= num_ancillas:
        raise ValueError("an oracle does not fit its section")
    conditions = tuple(_restore_condition(one, num_data) for one in kept.conditions)
    # Read on fewer qubits, so that an oracle that uses more ancillas than it declares is refused.
    first: Ops = read_ops(record.ops[: kept.length], num_data + kept.num_ancillas)
    return Section(name, ops, record.times, Oracle(first, num_data, kept.num_ancillas, conditions, kept.style))


def _restore_condition(record: ConditionRecord, num_data: int) -> Condition:
    flags = list[Flag]()
    for parity, *sides in record.flags:
        read = [read_parity(side, num_data, len(flags)) for side in (parity, *sides)]
        flags.append(Flag(tuple(zip(read[1::2], read[2::2], strict=True)), read[0]))
    factors = tuple(read_parity(word, num_data, len(flags)) for word in record.factors)
    return Condition(tuple(flags), factors, record.label)
