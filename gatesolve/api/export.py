"""Writing a program's circuit to a file: OpenQASM 2, OpenQASM 3, QPY, or an oracle as kickmix."""

from __future__ import annotations

from pathlib import Path

from gatesolve.circuit.kickmix import kickmix_text
from gatesolve.errors import InputError
from gatesolve.files import replace_file
from gatesolve.programs.program import PARTS, CircuitPart, Program, write_header
from gatesolve.proof.claim import Claim, leave
from gatesolve.proof.text import prove_text

KICKMIX = ".kmx"
SUFFIXES = (".qasm", ".qasm3", ".qpy", KICKMIX)
NO_TEXT = leave("text", "QPY is no text: a .qasm or .qasm3 file is read back")
NOT_READ = leave("text", "kickmix is not read back: a .qasm or .qasm3 file is")


def check_suffix(path: Path) -> None:
    """Refuse a file name whose suffix names no format."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"unknown format: end the name in {', '.join(SUFFIXES)}", source=str(path))


def find_part(name: str) -> CircuitPart:
    """Return the part of a program called ``name``."""
    for part in PARTS:
        if part == name:
            return part
    raise InputError(f"unknown part '{name}': choose one of {', '.join(PARTS)}")


def write_circuit(program: Program, path: Path, part: CircuitPart = "whole") -> Claim:
    """Write a lowered circuit; an existing file is replaced only once the new one is complete.

    The suffix determines the format. Text formats are read back and compared with the program's operations
    (`gatesolve.proof.prove_text`), which gives the claim that is returned.

    Raises:
        InputError: unknown suffix, the whole circuit as kickmix, or the place cannot be written to.
        UnsupportedError: OpenQASM 2 for a program with measured erasure.
    """
    check_suffix(path)
    part, suffix = find_part(part), path.suffix.lower()
    if suffix == KICKMIX:
        if part != "oracle":
            raise InputError("kickmix has no superpositions: use part=oracle", source=str(path))
        replace_file(path, write_kickmix(program).encode())
        return NOT_READ
    if suffix == ".qpy":
        replace_file(path, program.qpy(part))
        return NO_TEXT
    text = program.qasm2(part) if suffix == ".qasm" else program.qasm3(part)
    # Proved before it is written: a faulty text never replaces an existing file.
    proof = prove_text(program, text, part)
    replace_file(path, text.encode())
    return proof


def write_kickmix(program: Program) -> str:
    """Return one oracle call as kickmix text; the register ``data`` contains the space's qubits.

    ANDs are erased by measurement.

    Raises:
        UnsupportedError: the program has no oracle, or one that is not a map of basis states.
    """
    oracle = program.oracle
    lines = ["# kickmix, one oracle call", *(f"# {line}" for line in write_header(program, "oracle"))]
    lines += [f"APPEND_TO_REGISTER q{qubit} r0" for qubit in range(oracle.num_data)]
    ops = kickmix_text(oracle.ops, oracle.num_qubits, range(oracle.num_data, oracle.num_qubits))
    return "\n".join([*lines, 'REGISTER r0 "data"', ops])
