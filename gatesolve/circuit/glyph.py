"""The drawing of an operation, for the web page, the picture in README.md and any other drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gatesolve.circuit.parity import Parity


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
