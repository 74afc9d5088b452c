"""Claims: what is said of a circuit, layer by layer, and how well that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["proved", "sampled", "unchecked", "refused"]
Layer = Literal["space", "conditions", "structure", "rules", "text", "blocks"]


@dataclass(frozen=True)
class Claim:
    """A claim about one layer of a circuit, and how well it is known.

    Attributes:
        layer: which.
        status: ``proved`` for every state, ``sampled`` for some or at random, ``unchecked``, or ``refused`` as wrong.
        method: how it was checked; empty where it was not.
        detail: how much was looked at, or what is wrong, in words.
    """

    layer: str
    status: Status
    method: str
    detail: str

    def __str__(self) -> str:
        """One line for a report."""
        by = f" by {self.method}" if self.method else ""
        return f"{self.layer}: {self.status}{by}: {self.detail}"


def prove(layer: str, method: str, detail: str) -> Claim:
    """A claim that holds for every state."""
    return Claim(layer, "proved", method, detail)


def refuse(layer: str, detail: str) -> Claim:
    """A claim that is wrong."""
    return Claim(layer, "refused", "", detail)


def leave(layer: str, detail: str) -> Claim:
    """A claim that was not checked, and why."""
    return Claim(layer, "unchecked", "", detail)
