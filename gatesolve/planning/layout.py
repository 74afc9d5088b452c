"""The limits of planning, and its two outcomes: a layout, or what is too large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gatesolve.circuit import unpack_plane
from gatesolve.encodings import Space, list_slices
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.gate_sets import GateSet, Metric
from gatesolve.model import Level, Model
from gatesolve.model.presolve import Recovery
from gatesolve.oracle import Oracle
from gatesolve.programs.provenance import Provenance
from gatesolve.simulate.space import Marked, list_marked


@dataclass(frozen=True, kw_only=True)
class SpaceLimits:
    """Limits of presolve and the search space.

    Attributes:
        encoding: one encoding, or ``auto`` for all that take the model.
        presolve: one setting, or ``auto`` for the first that is enough.
        most_states: of the largest space to simulate.
        ceiling: the most states that can be asked for.
        max_qubits: most qubits, data and ancillas; None for as many as help.
        ancillas: most ancillas; None for as many as help.
        metric: what spaces are compared by.
        gates: the gate set of the circuit.
        level: highest level of the spaces that ``auto`` offers.
        is_simulated: whether the space must be small enough to simulate.
        is_early: whether to stop at the first deductions that are enough. A circuit that is run whole, on a device or
            its simulator, is better off with all of them: it is narrower.
        divides: whether a problem of which no space fits is divided and searched in parts.
        searches_refuted: whether what propagation refutes is searched all the same, where the deductions before that
            are enough for a space to fit.
    """

    encoding: str = "auto"
    presolve: str = "auto"
    most_states: int = 1 << 20
    ceiling: int = 1 << 24
    max_qubits: int | None = None
    ancillas: int | None = None
    metric: Metric = "cx"
    gates: GateSet = "cx+u"
    level: Level = "merged"
    is_simulated: bool = True
    is_early: bool = True
    divides: bool = False
    searches_refuted: bool = False

    @property
    def is_narrow(self) -> bool:
        """Whether qubits are asked for or limited."""
        return self.metric == "qubits" or self.ancillas is not None or self.max_qubits is not None

    def list_narrow(self, spaces: Sequence[Space]) -> list[Space]:
        """Return the spaces on no more qubits than are allowed, however many states they have."""
        return [space for space in spaces if self.max_qubits is None or space.num_qubits <= self.max_qubits]

    def budget_ancillas(self, space: Space) -> int | None:
        """Return the ancillas that are left for a space; None for as many as help."""
        if self.max_qubits is None:
            return self.ancillas
        left = max(self.max_qubits - space.num_qubits, 0)
        return left if self.ancillas is None else min(left, self.ancillas)


@dataclass(frozen=True)
class Presolved:
    """Event: presolve has come to its end; which of the spaces is cheapest to search is not known yet.

    Attributes:
        before: the model that was handed in.
        model: after presolve.
        recovery: back to the variables of the first.
        provenance: how far presolve went, with the encoding of the first space.
        spaces: those that are tried, the smallest first.
    """

    before: Model
    model: Model
    recovery: Recovery
    provenance: Provenance
    spaces: tuple[Space, ...]

    def mark_solutions(self) -> Marked:
        """Return the solutions in the first space, found classically; cost: as `list_slices`, over the whole space."""
        # They give the amplitudes of a search before any oracle is built.
        parts = [unpack_plane(part.holds, part.length) for part in list_slices(self.model, self.spaces[0])]
        return list_marked(np.concatenate(parts))


@dataclass(frozen=True)
class Layout:
    """A presolved model with its space and oracle, the outcome of planning.

    Attributes:
        model: after presolve.
        recovery: back to the problem's variables.
        space: the search space.
        oracle: the oracle that the space was chosen by.
        provenance: how far presolve went, the encoding, the level of space and oracle, the ancillas left for it.
    """

    model: Model
    recovery: Recovery
    space: Space
    oracle: Oracle
    provenance: Provenance


@dataclass(frozen=True)
class TooLarge:
    """The other outcome of planning: no space and oracle are within the limits.

    Attributes:
        reason: what would be needed, one line.
        by: what is too large: the space's ``states``, the ``qubits``, or the ``oracle``, whatever the space.
        least: the smallest limit that works, of qubits if these are too many, else of ancillas; None if none is known.
        states: of the smallest space at the last rung.
        probes: values tried to deduce what is not enough.
        divides: whether the problem is to be divided and searched in parts.
        bound: follows the number of qubits in the message, where it is a lower bound.
    """

    reason: str
    by: Literal["states", "qubits", "oracle"]
    least: int | None = None
    states: int = 0
    probes: int = 0
    divides: bool = False
    bound: str = ""

    @classmethod
    def of(cls, error: DoesNotFitError) -> TooLarge:
        """Return as a value that an oracle or a circuit cannot be made."""
        return cls(str(error), "oracle", error.least if isinstance(error, AncillaBudgetError) else None)

    @property
    def message(self) -> str:
        """The reason as users read it."""
        if self.by != "qubits":
            return self.reason if self.by == "oracle" else f"does not fit: {self.reason}"
        advice = "leave out max_qubits" if self.least is None else f"use max_qubits={self.least} or more{self.bound}"
        return f"does not fit: {self.reason}: {advice}"

    def error(self, advice: str = "") -> DoesNotFitError:
        """Return the error for a caller that needs a circuit."""
        if self.least is not None:
            return AncillaBudgetError(self.message + advice, least=self.least)
        return DoesNotFitError(self.message + advice)
