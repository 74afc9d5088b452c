"""A strict reader of exported OpenQASM 2 and 3: registers, gates by name, and one measurement a bit at the end.

It shares no code with what writes the text, and refuses every line that it does not know.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gatesolve.errors import InputError
from gatesolve.proof.pauli import pauli_of
from gatesolve.proof.rotations import GateSink, add_general, add_product

GATES = {"cx": (2, 0), "h": (1, 0), "x": (1, 0), "z": (1, 0), "s": (1, 0), "sdg": (1, 0), "t": (1, 0), "tdg": (1, 0)}
GATES |= {"cz": (2, 0), "ccx": (3, 0), "u3": (1, 3), "U": (1, 3)}
"""Qubits and angles of each gate that is known: both languages and their includes have all of them."""
PHASES = {"z": 4, "s": 2, "sdg": -2, "t": 1, "tdg": -1}
"""Rotations about Z, in eighths of a turn of the phase."""
_HEADERS = {
    "OPENQASM 2.0;": 'include "qelib1.inc";',
    "OPENQASM 3.0;": 'include "stdgates.inc";',
    "OPENQASM 3;": 'include "stdgates.inc";',
}
_NUMBER = "0|[1-9][0-9]{0,8}"
_PLACE = rf"([a-z]\w*)\[({_NUMBER})\]"
_REGISTER = re.compile(rf"(qreg|creg) {_PLACE}|(qubit|bit)\[({_NUMBER})\] ([a-z]\w*)", re.ASCII)
_MEASURE = re.compile(rf"measure {_PLACE} ?-> ?{_PLACE}|{_PLACE} = measure {_PLACE}", re.ASCII)
_WIRE = re.compile(_PLACE, re.ASCII)
_GATE = re.compile(r"([A-Za-z]\w*)(?:\(([^()]*)\))? ([^()]*)", re.ASCII)
# No fraction of whole numbers: OpenQASM 3 rounds it down.
MOST_ANGLE = 1 << 12
"""Largest angle in radians; exports have a few turns at most."""
_ANGLE = re.compile(rf"(-?)(?:([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)|(?:({_NUMBER})\*)?pi(?:/([1-9][0-9]{{0,8}}))?)")
# A comment goes on behind these in some languages' readers, and ends there in others'.
_OTHER_END = re.compile(r"\r(?!\n)|[\0\x0b\x0c\x1a\x1c-\x1e\x85\u2028\u2029]")
Instruction = tuple[str, tuple[int, ...], tuple[float, ...]]


@dataclass(frozen=True)
class ReadCircuit:
    """The content of a text.

    Attributes:
        registers: names and sizes of the qubit registers, in order; qubits are counted through them.
        bits: names and sizes of the classical registers, in order.
        instructions: name, qubits and angles of each gate.
        lines: the line of each gate.
        measured: for each classical bit the qubit that is measured into it.
        comments: the comment lines, without their slashes.
    """

    registers: tuple[tuple[str, int], ...]
    bits: tuple[tuple[str, int], ...]
    instructions: tuple[Instruction, ...]
    lines: tuple[int, ...]
    measured: dict[int, int]
    comments: tuple[str, ...]

    @property
    def num_qubits(self) -> int:
        """Qubits of all registers."""
        return sum(size for _, size in self.registers)

    def add_to(self, builder: GateSink) -> None:
        """Give all gates to a normal form."""
        for name, qubits, angles in self.instructions:
            match name:
                case "cx":
                    builder.add_cx(*qubits)
                case "h":
                    builder.add_h(*qubits)
                case "cz":
                    builder.add_h(qubits[1])
                    builder.add_cx(*qubits)
                    builder.add_h(qubits[1])
                case "ccx":
                    builder.add_h(qubits[-1])
                    add_product(builder, [pauli_of([qubit]) for qubit in qubits])
                    builder.add_h(qubits[-1])
                case "x":
                    builder.add_rotation(pauli_of(qubits, "X"), math.pi)
                case "u3" | "U":
                    add_general(builder, qubits[0], angles)
                case _:
                    builder.add_rotation(pauli_of(qubits), PHASES[name] * math.pi / 4)


def read_qasm(text: str) -> ReadCircuit:
    """Read an exported circuit in OpenQASM 2 or 3, with gates of `GATES`, measured at the end only.

    Raises:
        InputError: a line is not understood; it is named.
    """
    return _Reader().read(text)


def refuse_other_ends(text: str, source: str | None = None) -> None:
    """Raise where a character ends a line for some programs only: these would see other gates behind a comment."""
    if (found := _OTHER_END.search(text)) is not None:
        what = "a carriage return" if found[0] == "\r" else f"the character {found[0]!r}"
        why = f"{what} inside a line, which ends there for some programs: leave it out"
        row, column = text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start())
        raise InputError(why, source=source, row=row, column=column)


class _Reader:
    def __init__(self) -> None:
        self._is_old = False
        self._qubits = dict[str, tuple[int, int]]()
        self._bits = dict[str, tuple[int, int]]()
        self._measured = dict[int, int]()
        self._gates: list[Instruction] = []
        self._lines: list[int] = []

    def read(self, text: str) -> ReadCircuit:
        comments = list[str]()
        refuse_other_ends(text)
        statements = _split(text, comments)
        _, version = next(statements, (1, ""))
        include = _HEADERS.get(version)
        if include is None:
            raise InputError("no circuit: the first line says neither OPENQASM 2.0; nor OPENQASM 3.0;", row=1)
        self._is_old = version == "OPENQASM 2.0;"
        line, statement = next(statements, (1, ""))
        if statement != include:
            raise InputError(f"no '{include}' after the first line", row=line)
        for line, statement in statements:
            code = statement.removesuffix(";").strip(" \t")
            # A statement without its semicolon would be unchanged here.
            if code == statement or not self._read_statement(line, code):
                raise InputError(f"not understood: '{code[:60]}'", row=line)
        qubits, bits = _sizes(self._qubits), _sizes(self._bits)
        return ReadCircuit(qubits, bits, tuple(self._gates), tuple(self._lines), self._measured, tuple(comments))

    def _read_statement(self, line: int, statement: str) -> bool:
        # The first groups are those of OpenQASM 2: a form of the other language is refused.
        if (found := _MEASURE.fullmatch(statement)) and (found[1] is not None) == self._is_old:
            qubit, place, bit, number = found.group(1, 2, 3, 4) if found[1] else found.group(7, 8, 5, 6)
            where, what = self._find(self._bits, bit, number, line), self._find(self._qubits, qubit, place, line)
            if where in self._measured or what in self._measured.values():
                raise InputError("measured twice", row=line)
            self._measured[where] = what
            return True
        if (found := _REGISTER.fullmatch(statement)) and (found[1] is not None) == self._is_old:
            kind, name, size = found.group(1, 2, 3) if found[1] else found.group(4, 6, 5)
            registers = self._qubits if kind.startswith("q") else self._bits
            if name in self._qubits or name in self._bits or self._gates:
                raise InputError(f"register '{name}' is not new", row=line)
            registers[name] = sum(size for _, size in registers.values()), int(size)
            return True
        return (found := _GATE.fullmatch(statement)) is not None and self._read_gate(line, *found.groups())

    def _read_gate(self, line: int, name: str, angles: str | None, wires: str) -> bool:
        places = [_WIRE.fullmatch(wire.strip(" \t")) for wire in wires.split(",")]
        if None in places:
            return False
        qubits = tuple(self._find(self._qubits, place[1], place[2], line) for place in places if place)
        values = tuple(_read_angle(angle.strip(" \t")) for angle in angles.split(",")) if angles else ()
        if GATES.get(name) != (len(qubits), len(values)) or len(set(qubits)) < len(qubits) or None in values:
            return False
        if any(qubit in self._measured.values() for qubit in qubits):
            raise InputError("a gate after its qubit was measured", row=line)
        self._gates.append((name, qubits, tuple(value for value in values if value is not None)))
        self._lines.append(line)
        return True

    def _find(self, registers: dict[str, tuple[int, int]], name: str, place: str, line: int) -> int:
        start, size = registers.get(name, (0, 0))
        if int(place) >= size:
            raise InputError(f"no such place: {name}[{place}]", row=line)
        return start + int(place)


def _split(text: str, comments: list[str]) -> Iterator[tuple[int, str]]:
    """Statements with their lines, each with its semicolon; comment lines go to ``comments``."""
    for number, line in enumerate(text.split("\n"), 1):
        code, slashes, comment = line.partition("//")
        if slashes:
            comments.append(comment.strip())
        *statements, rest = code.removesuffix("\r").split(";")
        yield from ((number, statement.strip(" \t") + ";") for statement in statements)
        if rest.strip(" \t"):
            yield number, rest.strip(" \t")


def _read_angle(text: str) -> float | None:
    """Read a number or a fraction of pi; None for anything else, and for more turns than other readers keep apart."""
    found = _ANGLE.fullmatch(text)
    if found is None:
        return None
    value = float(found[2]) if found[2] else int(found[3] or 1) * math.pi / int(found[4] or 1)
    # Qiskit adds the angles of a gate as floats, so a large one hides a small one.
    return None if value > MOST_ANGLE else -value if found[1] else value


def _sizes(registers: dict[str, tuple[int, int]]) -> tuple[tuple[str, int], ...]:
    return tuple((name, size) for name, (_, size) in registers.items())
