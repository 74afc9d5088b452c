"""A part of a program with a name, and what its parts were lowered to."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from gatesolve.circuit import Ops
from gatesolve.oracle.assemble import Oracle

Made = TypeVar("Made")
SECTIONS = ("preparation", "early", "iteration", "layer", "decoding")
"""Names of sections that a program may have, in this order."""


@dataclass(frozen=True)
class Section:
    """Operations on all qubits of a program with a name, done some times in a row; ancillas are zero before and after.

    The name is one of `SECTIONS`, or one of the pipeline's own. Sections of one name cost about the same. The oracle is
    the phase oracle that the operations begin with, if they do.
    """

    name: str
    ops: Ops
    times: int = 1
    oracle: Oracle | None = None


@dataclass(frozen=True, repr=False)
class LoweredParts:
    """Lowered operations by identity and lowering, shared by programs that differ in iterations or provenance alone."""

    made: dict[tuple[object, ...], tuple[Ops, object]] = field(default_factory=dict)

    def get(self, ops: Ops, how: tuple[object, ...], make: Callable[[], Made]) -> Made:
        """Return what ``make`` gives for these operations; it is called once."""
        # Hashing long operations is slow, so the key is their identity. Storing them keeps it from being used again.
        key = (id(ops), *how)
        # After unpickling, another object may have that identity.
        if key not in self.made or self.made[key][0] is not ops:
            self.made[key] = (ops, make())
        return cast("Made", self.made[key][1])

    def __reduce__(self) -> tuple[type[LoweredParts], tuple[()]]:
        """Leave the lowered parts out of a pickle: making them again is quicker than sending them."""
        return LoweredParts, ()


def describe_size(number: int) -> str:
    """Format a number: as it is, or as a power of two if it has more than ten digits."""
    return str(number) if number < 10**10 else f"2^{math.log2(number):.1f}"
