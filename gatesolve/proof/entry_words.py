"""Where a foreign circuit keeps what, and what is said of the codewords on which it is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gatesolve.encodings import Space
from gatesolve.proof.claim import Claim, refuse


@dataclass(frozen=True)
class QubitLayout:
    """The circuit's qubit that holds each qubit of the space, and the output, flipped where the model holds.

    Without an output the sign is flipped there.
    """

    data: tuple[int, ...]
    output: int | None = None

    @property
    def qubits(self) -> tuple[int, ...]:
        """Those of the data, then the output if there is one."""
        return self.data if self.output is None else (*self.data, self.output)


def tell_phase(turn: float, holds: bool, by_sign: bool) -> str:
    """Describe a wrong phase, in parts of a turn from that of codewords that are not to be marked."""
    turn %= 1
    if by_sign and turn in {0.0, 0.5}:
        return "it is not marked, although it is a solution" if holds else "it is marked, although it is no solution"
    wanted = 0.5 if holds and by_sign else 0.0
    off = (turn - wanted) % 1
    return f"its phase is off by {off if off < 0.99 else off - 1:g} of a turn"


def tell_output(output: bool) -> str:
    """Return the words before a fault where the output enters as 1."""
    return "with the output entering as 1: " if output else ""


def refuse_at(where: str, assignment: Mapping[str, int], what: str) -> Claim:
    """A refusal that names a codeword and its values."""
    shown = ", ".join(f"{name}={value}" for name, value in assignment.items())
    return refuse("oracle", f"wrong first at {where} ({shown}): {what}")


def tell_marked(marked: int, space: Space) -> str:
    """Say how many codewords a right oracle marks."""
    return f"{marked} of {space.size} codewords {'is' if marked == 1 else 'are'} marked"


def tell_sample(count: int, space: Space, seed: int, more: str = "") -> Claim:
    """A claim about codewords that were drawn; ``more`` is said beside it."""
    detail = f"right on {count} of {space.size}" + (f"; {more}" if more else "")
    return Claim("oracle", "sampled", f"codewords drawn with seed {seed}", detail)
