"""A part of a program with a name."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gatesolve.circuit import Ops
from gatesolve.oracle.assemble import Oracle

SECTIONS = ("preparation", "early", "iteration", "layer", "decoding")
"""Names of sections that a program may have, in this order."""


@dataclass(frozen=True)
class Section:
    """Operations with a name, done some times in a row.

    Attributes:
        name: one of `SECTIONS`, or a name of the pipeline's own. Sections of one name cost about the same.
        ops: on all qubits of the program; ancillas are zero before and after them.
        times: how often they are done.
        oracle: the phase oracle that ``ops`` begin with, if they do.
    """

    name: str
    ops: Ops
    times: int = 1
    oracle: Oracle | None = None


def describe_size(number: int) -> str:
    """A number as it is, of more than ten digits as a power of two."""
    return str(number) if number < 10**10 else f"2^{math.log2(number):.1f}"
