"""The origin of a circuit, without which a count means nothing, and facts about its search."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from gatesolve.encodings.space import Space
from gatesolve.model import Level
from gatesolve.model.presolve import PresolveSetting
from gatesolve.programs.early_check import EarlyCheck
from gatesolve.programs.unread import UnreadFill

RungName: TypeAlias = PresolveSetting | Literal["partial", "unknown"]
"""How far presolve went: to the end of a setting, only until a space fitted, or ``unknown`` from a file."""


@dataclass(frozen=True)
class Deductions:
    """The first deductions of presolve, no more than a space needed to fit: ``number`` out of ``of``.

    The smallest space after them has ``size`` states, and ``before`` states one deduction earlier, which is more than
    fit, or 0 where every space takes too many qubits. ``probes`` are the values tried to find them.
    """

    number: int
    of: int
    size: int
    before: int
    probes: int = 0

    def describe(self) -> str:
        """In a sentence."""
        made = f"presolve made {self.number} of {self.of} possible deductions"
        if not self.before:
            return f"{made}; with one fewer, no search space fits on so few qubits"
        now, then = (f"2^{math.log2(size):.1f}" for size in (self.size, self.before))
        return f"{made}, which leave {now} states; one fewer would leave {then}, which is too many"


@dataclass(frozen=True)
class Provenance:
    """The origin of a circuit; layout, program, certificate and reports refer to the one value.

    Attributes:
        presolve: the setting used, or ``partial``.
        encoding: the encodings used.
        level: of the space and the oracle; None where there is no oracle.
        ancillas: the budget of everything that is made for the space; None for as many as help.
        notes: decisions made on the way.
        deductions: how many were made, where presolve is ``partial``.
    """

    presolve: RungName
    encoding: str
    level: Level | None
    ancillas: int | None = None
    notes: tuple[str, ...] = ()
    deductions: Deductions | None = None

    def note(self, *said: str) -> Provenance:
        """Return it with further notes, each once."""
        return replace(self, notes=tuple(dict.fromkeys((*self.notes, *said))))


@dataclass(frozen=True)
class SearchFacts:
    """Facts about the search that a program implements.

    Attributes:
        space: the space without the qubits that the oracle never reads, which stay zero; None for all of it.
        fills: the words of those qubits.
        provenance: how far presolve went, the encoding and the level; None for a program made by hand.
        needed_iterations: those of the whole search, where known; the program may have others, or one.
        early_check: amplified before and inside the iterations, by the section ``early``; None for a plain search.
    """

    space: Space | None = None
    fills: tuple[UnreadFill, ...] = ()
    provenance: Provenance | None = field(default=None, compare=False)
    needed_iterations: int | None = field(default=None, compare=False)
    early_check: EarlyCheck | None = field(default=None, compare=False)

    @property
    def level(self) -> Level | None:
        """How much was worked out classically; None without an oracle."""
        return None if self.provenance is None else self.provenance.level
