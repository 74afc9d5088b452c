"""How drawings show each operation: one table for the web page, the picture in README.md and any other drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gatesolve.circuit.ops import And, AndNot, Gate, Mcx, Op, Parity, PhaseFlip, Xor, read_parities


@dataclass(frozen=True, slots=True)
class Glyph:
    """An operation as it is drawn: a dot on each wire that it reads, a sign on the wire that it changes.

    Attributes:
        kind: the group that a drawing may give a colour.
        sign: one or two characters, or the name of a gate.
        inputs: the parities that are read; a drawing that shows negations takes them from here.
        target: the wire that is changed; None where only a phase changes.
    """

    kind: Literal["and", "undo", "xor", "phase", "gate"]
    sign: str
    inputs: tuple[Parity, ...]
    target: int | None

    @property
    def dots(self) -> tuple[int, ...]:
        """The wires that are read, each once."""
        return tuple(dict.fromkeys(wire for parity in self.inputs for wire in parity.wires))


_NAMES = {"sdg": "S†", "tdg": "T†", "ry": "RY", "rz": "RZ", "p": "P", **{name: name.upper() for name in "hxzst"}}
"""Gates on one wire, and what is written in their box."""


def draw_op(op: Op) -> Glyph:
    """Return how an operation is drawn.

    Raises:
        ValueError: no drawing of this operation is known.
    """
    match op:
        case And():
            return Glyph("undo" if op.undo else "and", "†" if op.undo else "∧", read_parities(op), op.target)
        case AndNot():
            return Glyph("and", "∧¬", read_parities(op), op.target)
        case Xor():
            return Glyph("xor", "+", read_parities(op), op.target)
        case Mcx():
            return Glyph("and", "+", read_parities(op), op.target)
        case PhaseFlip():
            return Glyph("phase", "Z", read_parities(op), None)
        case Gate("cx", (control, target)):
            return Glyph("xor", "+", (Parity((control,)),), target)
        case Gate("cz", qubits):
            return Glyph("phase", "Z", tuple(Parity((qubit,)) for qubit in qubits), None)
        case Gate(name, (qubit,)) if name in _NAMES:
            return Glyph("gate", _NAMES[name], (), qubit)
    what = f"gate {op.name} on {len(op.qubits)} qubits" if isinstance(op, Gate) else f"operation {type(op).__name__}"
    raise ValueError(f"no drawing is known for the {what}: add it to {__name__}.draw_op")
