"""Plain numbers for plots of a run: measurements, energies, and how the best one fell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True)
class MeasuredOutcome:
    """One measured outcome of a circuit, its count, and whether the problem's own rules accept it.

    The values are those of the space's variables, None for what is no codeword.
    """

    values: Mapping[str, int] | None
    shots: int
    accepted: bool


@dataclass(frozen=True)
class Outcomes:
    """All that was measured of one circuit; its ``states`` would be equally likely without a search."""

    measured: tuple[MeasuredOutcome, ...] = field(repr=False)
    states: int


@dataclass(frozen=True)
class Energies:
    """How often each energy came up.

    Attributes:
        name: what the energy is called.
        levels: the best ones first, each with its shots.
        best: whether the level is that of an answer.
        chances: exact probability of each level; None where there is no state.
        guesses: probability of each where all states are equally likely; None as ``chances``.
        unit: what is counted, ``measurements`` or ``reads``.
    """

    name: str
    levels: tuple[float, ...] = field(repr=False)
    shots: tuple[int, ...] = field(repr=False)
    best: tuple[bool, ...] = field(repr=False)
    chances: tuple[float, ...] | None = field(default=None, repr=False)
    guesses: tuple[float, ...] | None = field(default=None, repr=False)
    unit: str = "measurements"


@dataclass(frozen=True)
class Falling:
    """How the best energy, which has a name, fell after numbers of oracle calls, of which ``end`` is all of them.

    An energy is None where it breaks a constraint and the objective says nothing.
    """

    name: str
    calls: tuple[int, ...]
    energies: tuple[float | None, ...]
    end: int


Chart: TypeAlias = Outcomes | Energies | Falling


def plotted(value: Fraction) -> float:
    """An energy on a scale; infinite where no float reaches."""
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)
