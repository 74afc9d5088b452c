"""What every judge shares: a contest, its verdict, refusals, and the reading of a circuit."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qiskit import QuantumCircuit, qasm2, qasm3

MOST_BYTES = 20_000_000
THIRD = re.compile(r"OPENQASM\s+3")
_NAMES = "id x y z h s sdg t tdg sx sxdg rx ry rz p u1 u2 u3 u"
ONE_QUBIT = frozenset(_NAMES.split())
NUMERIC = ONE_QUBIT | {"cx", "barrier"}
"""What the judges that simulate amplitudes take: CX and one-qubit gates, spelled out."""


class RefusedError(Exception):
    """An entry that does not stand, in one line that says why."""


class UnfollowedError(RefusedError):
    """An entry that this judge cannot follow: it may be right."""


@dataclass(frozen=True)
class Verdict:
    """What a judge found.

    Attributes:
        score: compared entry by entry, lower is better.
        text: the score as the tables show it.
        qubits: of the circuit.
    """

    score: tuple[float, ...]
    text: str
    qubits: int


@dataclass(frozen=True)
class Contest:
    """One contest.

    Attributes:
        counted: what its score counts.
        classes: by name, what the judge has shown of an entry there; the class that asks most first.
        tasks: what can be entered.
        judge: task, class and files to the verdict; raises `RefusedError`.
        files: what the files of an entry are, by task or class, where it is not one file.
    """

    counted: str
    classes: dict[str, str]
    tasks: tuple[str, ...]
    judge: Callable[[str, str, Sequence[Path]], Verdict]
    files: dict[str, str]


def read_text(path: Path) -> str:
    """The text of a circuit's file, comments blanked.

    Raises:
        RefusedError: it cannot be read, is too long, defines gates of its own, or has annotations.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise RefusedError(f"{path}: longer than {MOST_BYTES:,} bytes")
        text = path.read_bytes().decode().replace("\r\n", "\n")
    except OSError as error:
        raise RefusedError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RefusedError(f"{path}: not a text file") from None
    if "\r" in text:
        raise RefusedError(f"{path}:{text[: text.index(chr(13))].count(chr(10)) + 1}: a carriage return inside a line")

    def blank(found: re.Match[str]) -> str:
        if found["whole"]:  # in OpenQASM 3 it takes its line whole, and no comment starts there
            number = text.count("\n", 0, found.start()) + 1
            raise RefusedError(f"{path}:{number}: annotations and pragmas are not taken; leave them out")
        return "\n" * found[0].count("\n")

    text = re.sub(r"//[^\n]*|/\*.*?\*/|(?P<whole>@[^\W\d]|\bpragma\b)", blank, text, flags=re.DOTALL)
    included = "stdgates" if THIRD.search(text) else "qelib1"  # Qiskit reads any other file from the disk
    # A gate of a known name with another body would be judged by its name.
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\b(gate|opaque|def|defcal|extern|while|for)\b", line):
            raise RefusedError(f"{path}:{number}: definitions and loops are not taken; spell the gates out")
        if re.search(r"\binclude\b", re.sub(rf'\binclude\s+"{included}\.inc"\s*;', "", line)):
            raise RefusedError(f"{path}:{number}: only {included}.inc can be included")
    return text


def parse(text: str, path: Path) -> QuantumCircuit:
    """The circuit of an OpenQASM 2 or 3 text.

    Raises:
        RefusedError: it is not OpenQASM.
    """
    told = io.StringIO()
    try:
        with contextlib.redirect_stderr(told):
            if THIRD.search(text):
                return qasm3.loads(text)
            return qasm2.loads(text, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    # The reader of OpenQASM 3 lets through whatever its parser and Python raise.
    except Exception as error:
        reason = (getattr(error, "message", "") or str(error) or told.getvalue()).strip().splitlines()
        line = re.search(r"(?:<input>:|line |^)(\d+)[,:]", told.getvalue() or str(error).strip('"'))
        place = f"{path}:{line[1]}" if line else str(path)
        raise RefusedError(f"{place}: no OpenQASM that can be read: {reason[0] if reason else error!r}") from None


def read_circuit(path: Path, allowed: frozenset[str]) -> QuantumCircuit:
    """A circuit of allowed gates only.

    Raises:
        RefusedError: it cannot be read or has another gate.
    """
    text = read_text(path)
    circuit = parse(text, path)
    if circuit.parameters:
        raise RefusedError(f"{path}: an angle has no value: {', '.join(one.name for one in circuit.parameters)}")
    names = {step.operation.name for step in every_step(circuit)}
    for name in sorted(names - allowed):
        lines = [number for number, line in enumerate(text.splitlines(), 1) if re.search(rf"\b{name}\b", line)]
        place = f"{path}:{lines[0]}" if lines else str(path)
        raise RefusedError(f"{place}: gate {name} is not allowed here (allowed: {', '.join(sorted(allowed))})")
    return circuit


def every_step(circuit: QuantumCircuit):  # type: ignore[no-untyped-def]
    """Each instruction, those inside of conditions too."""
    for step in circuit.data:
        yield step
        for block in getattr(step.operation, "blocks", ()):
            yield from every_step(block)


def count(circuit: QuantumCircuit) -> dict[str, int]:
    """How many one-qubit gates (``u``), CX and measurements a circuit has."""
    names = [step.operation.name for step in circuit.data]
    return {"u": sum(name in ONE_QUBIT for name in names), "cx": names.count("cx"), "measure": names.count("measure")}


def weigh(circuit: QuantumCircuit) -> int:
    """One-qubit gates and ten for a CX, as IBM's challenges of 2019 and 2020 count."""
    counts = count(circuit)
    return counts["u"] + 10 * counts["cx"]


def need_wires(circuit: QuantumCircuit, path: Path, least: int, most: int | None = None) -> None:
    """Raise `RefusedError` unless the number of wires fits."""
    if circuit.num_qubits < least or (most is not None and circuit.num_qubits > most):
        wanted = f"at least {least}" if most is None else str(least) if least == most else f"{least} to {most}"
        raise RefusedError(f"{path}: {circuit.num_qubits} wires; the contest wants {wanted}")
