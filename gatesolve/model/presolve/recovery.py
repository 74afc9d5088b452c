"""From a presolved model's assignment back to all the variables there were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gatesolve.errors import InputError


@dataclass(frozen=True)
class Fixed:
    """Variable ``name`` has one value in every solution."""

    name: str
    constant: int

    def value(self, values: Mapping[str, int]) -> int:
        """The variable's value; ``values`` plays no part."""
        return self.constant


@dataclass(frozen=True)
class Weighted:
    """Variable ``name`` is ``sum(coefficient * variable) + constant``; ``joins`` as in `Looked`."""

    name: str
    terms: tuple[tuple[int, str], ...]
    constant: int
    joins: bool = field(default=False, compare=False)

    def value(self, values: Mapping[str, int]) -> int:
        """The variable's value, from those of the variables it depends on."""
        return sum(c * values[name] for c, name in self.terms) + self.constant


@dataclass(frozen=True)
class Looked:
    """Variable ``name`` is looked up: ``rows`` pairs the values of ``inputs`` with its own.

    ``joins`` says that this was found by listing what satisfies several constraints together.
    """

    name: str
    inputs: tuple[str, ...]
    rows: tuple[tuple[tuple[int, ...], int], ...]
    joins: bool = field(default=False, compare=False)

    @cached_property
    def _table(self) -> dict[tuple[int, ...], int]:
        return dict(self.rows)

    def value(self, values: Mapping[str, int]) -> int:
        """The variable's value, from those of the variables it depends on.

        Raises:
            InputError: the inputs are at values no solution has.
        """
        key = tuple(values[name] for name in self.inputs)
        if key not in self._table:
            at = ", ".join(f"{name}={v}" for name, v in zip(self.inputs, key, strict=True))
            raise InputError(f"{at} breaks a constraint of the presolved model, so {self.name} has no value")
        return self._table[key]


Step = Fixed | Weighted | Looked


@dataclass(frozen=True)
class Recovery:
    """Undoes presolve.

    Args:
        names: the original variables, in order.
        steps: removed variables in turn; each depends only on variables that were still there when it was removed.
    """

    names: tuple[str, ...]
    steps: tuple[Step, ...] = ()

    def recover(self, assignment: Mapping[str, int]) -> dict[str, int]:
        """Values of all original variables, in original order; entries of others are ignored.

        Raises:
            InputError: a value is missing, or breaks a constraint of the presolved model.
        """
        removed = {step.name for step in self.steps}
        if missing := [name for name in self.names if name not in removed and name not in assignment]:
            raise InputError(f"no value for {', '.join(missing)}")
        values = {name: assignment[name] for name in self.names if name not in removed}
        for step in reversed(self.steps):
            values[step.name] = step.value(values)
        return {name: values[name] for name in self.names}

    @property
    def joins(self) -> bool:
        """Whether a variable was removed by listing what satisfies several constraints together."""
        return any(not isinstance(step, Fixed) and step.joins for step in self.steps)

    def then(self, later: Recovery) -> Recovery:
        """The recovery of two passes in turn, ``later`` the second."""
        return Recovery(self.names, self.steps + later.steps)
