"""Models are evaluated in 64-bit integers; what could leave them is refused before it wraps around or fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gatesolve.errors import InputError
from gatesolve.model.constraints import Constraint

LARGEST = 1 << 62
"""Nothing a model computes goes beyond, which leaves room for a difference of two such numbers."""
_MEND = "at most 2^62 is computed with; divide its numbers by a common one, or round them"


def check_magnitudes(domains: Mapping[str, tuple[int, ...]], constraints: Iterable[Constraint]) -> None:
    """Refuse values, sums and bounds beyond `LARGEST`; objectives are for the pipelines, as annealing takes any.

    Raises:
        InputError: with the variable or the constraint.
    """
    most = {name: max(abs(domain[0]), abs(domain[-1])) for name, domain in domains.items()}
    for name, value in most.items():
        if value > LARGEST:
            raise InputError(f"variable {name} takes values of {_digits(value)}: {_MEND}")
    for constraint in constraints:
        value = constraint.reach(most)
        if value > LARGEST:
            named = ", ".join(constraint.scope[:4])
            raise InputError(f"the constraint on {named} reaches numbers of {_digits(value)}: {_MEND}")


def _digits(value: int) -> str:
    return f"{len(str(value))} digits" if value.bit_length() < 10_000 else "thousands of digits"
