"""The parts of an energy with their weights: as the user sets them, or as proved to suffice.

Every part of an energy is at its satisfied value in each solution, at least a gap above it where its constraint is
broken, and (inside the codewords) never below it. Three bounds follow, each with its proof in its docstring. All are
strict: the weight returned is above the bound, so broken states are never tied with the best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.model.constraints import Constraint
from gatesolve.qubo.literals import is_full
from gatesolve.qubo.penalties import Requirement, penalise_other_states
from gatesolve.qubo.penalty import Penalty, least_value
from gatesolve.qubo.polynomial import Monomial, Number, Terms, add, scale

Weights = Number | Mapping[str, Number] | Callable[[Constraint], Number | None] | None
"""One weight for all, by the beginning of a part's label, or by constraint; the proved one where nothing is given."""


@dataclass(frozen=True)
class EnergyPart:
    """One constraint, or one block's other states, in the energy.

    Attributes:
        label: the constraint in words, or what the block's qubits must be.
        penalty: the polynomial and what is proved of it.
        weight: what it is multiplied by.
        sufficient: a weight that is proved to suffice, given the other parts' weights.
        constraints: what it is made from; empty for a block's own part.
    """

    label: str
    penalty: Penalty
    weight: Number
    sufficient: Number
    constraints: tuple[Constraint, ...] = ()


class Chosen:
    """The weights a user gave, and which of them were asked for."""

    def __init__(self, given: Weights) -> None:
        self._of_constraint = given if callable(given) else None
        self._by_beginning: Mapping[str, Number] = {}
        self.unused: set[str] = set()
        if isinstance(given, Mapping):
            self._by_beginning, self.unused = given, set(given)
        elif given is not None and not callable(given):
            self._by_beginning = {"": given}
        for number in self._by_beginning.values():
            _positive(number)

    def make_part(
        self, label: str, penalty: Penalty, bounds: Sequence[int | None], constraints: tuple[Constraint, ...] = ()
    ) -> EnergyPart:
        """The part, its weight the user's, the greatest where several fit, or else the least of the proved ones."""
        texts = [label, *map(str, constraints)]
        fitting = [key for key in self._by_beginning if any(text.startswith(key) for text in texts)]
        self.unused.difference_update(fitting)
        given = [self._by_beginning[key] for key in fitting]
        if self._of_constraint is not None:
            given = [_positive(a) for c in constraints if (a := self._of_constraint(c)) is not None]
        sufficient = min(bound for bound in bounds if bound is not None)
        return EnergyPart(label, penalty, max(given, default=sufficient), sufficient, constraints)

    def check_all_used(self) -> None:
        """Refuse names that no part has."""
        if self.unused:
            raise InputError(f"a penalty is given for '{min(self.unused)}', and no constraint's text begins so")


def _positive(weight: Number) -> Number:
    if not isinstance(weight, (int, float, Rational)) or not math.isfinite(weight) or weight <= 0:
        raise InputError(f"a penalty weight is {weight}: give a positive number")
    return weight


def make_constraint_parts(
    found: Sequence[tuple[Requirement, Penalty]], objective: Terms, space: Space, chosen: Chosen
) -> list[EnergyPart]:
    """The constraints' parts, each by the smaller of the proved weights that apply."""
    low, high = find_range(objective, space)
    # clearing a variable bounds the weights only if it does so for every penalty
    has_bits = all(is_full(b) and b.num_qubits <= 1 for b in space.blocks)
    packing = [bound_by_packing(objective, penalty.terms) if has_bits else None for _, penalty in found]
    if None in packing:
        packing = [None] * len(found)
    return [
        chosen.make_part(
            str(requirement), penalty, [bound_by_range(low, high, penalty.gap), tight], requirement.constraints
        )
        for (requirement, penalty), tight in zip(found, packing, strict=True)
    ]


def make_block_parts(parts: Sequence[EnergyPart], objective: Terms, space: Space, chosen: Chosen) -> list[EnergyPart]:
    """The blocks' own parts, each by the smaller of two proved weights."""
    low, high = find_range(objective, space)
    # how far below the ground all parts together can be outside the codewords
    below = sum((p.weight * max(0, p.penalty.satisfied - p.penalty.floor) for p in parts), start=0)
    rest = add([objective, *(scale(p.penalty.terms, p.weight) for p in parts)])
    made = []
    for number, block in enumerate(space.blocks):
        penalty = penalise_other_states(block, space.offsets[number])
        if penalty is None:
            continue
        label = f"{', '.join(block.variables)}: {penalty.form}"
        bounds: list[int | None] = [bound_by_range(min(low, least_value(objective)) - below, high, penalty.gap)]
        if bounds != [1] and block.num_qubits <= REPAIR_QUBITS:
            own = _values_at(range(1 << block.num_qubits), penalty.terms, space.offsets[number])
            bounds.append(bound_by_repair(rest, space, number, own))
        made.append(chosen.make_part(label, penalty, bounds))
    return made


def _values_at(states: Iterable[int], terms: Terms, offset: int) -> list[Number]:
    """A polynomial of one block's qubits, the first of them ``offset``, at some states of the block."""
    masks = [(sum(1 << (q - offset) for q in m), c) for m, c in terms.items()]
    return [sum(c for mask, c in masks if s & mask == mask) for s in states]


REPAIR_QUBITS = 10
"""Most qubits of a block for which repairs are compared state by state."""
REPAIR_WORK = 1 << 24
"""Most numbers looked at for one block."""


def weight_above(bound: Number) -> int:
    """The smallest whole weight, at least 1, that is greater than ``bound``."""
    return max(1, math.floor(bound) + 1)


def bound_by_range(low: Number, high: Number, gap: Number) -> int:
    """The general weight: ``weight * gap > high - low``.

    Proof: a codeword that breaks the constraint costs at least ``ground + low + weight * gap``, which is more than
    ``ground + high``; no solution costs that much.
    """
    return weight_above(Fraction(high - low) / Fraction(gap))


def find_range(objective: Terms, space: Space) -> tuple[Number, Number]:
    """Bounds of a polynomial over the codewords: exact block by block, each product across blocks at its worst."""
    shares: dict[int, dict[Monomial, Number]] = {}
    owner = [k for k, b in enumerate(space.blocks) for _ in range(b.num_qubits)]
    low = high = objective.get((), 0)
    for monomial, coefficient in objective.items():
        owners = {owner[q] for q in monomial}
        if len(owners) == 1:
            shares.setdefault(owners.pop(), {})[monomial] = coefficient
        elif owners:
            low, high = low + min(0, coefficient), high + max(0, coefficient)
    for number, terms in shares.items():
        values = _values_at(space.blocks[number].codewords, terms, space.offsets[number])
        low, high = low + min(values), high + max(values)
    return low, high


def bound_by_packing(objective: Terms, part: Terms) -> int | None:
    """A weight for one conflict penalty where clearing a variable never breaks anything.

    For an objective linear in the variables (to be made small) and penalties all of whose coefficients but the constant
    are positive. Proof: where a monomial of coefficient c is 1, clear its variable of least gain w (by how much
    setting it lowers the objective): the energy falls by at least ``weight * c - w > 0``, since no other penalty
    grows. So no minimum breaks anything, if every penalty is of this kind. For a pair this is ``min(w_i, w_j)``. None
    where the forms are not of this kind.
    """
    if any(len(m) > 1 for m in objective) or any(c < 0 for m, c in part.items() if m) or part.get((), 0):
        return None
    needed: list[Number] = [min(-objective.get((q,), 0) for q in m) / Fraction(c) for m, c in part.items()]
    return weight_above(max([0, *needed]))


def bound_by_repair(rest: Terms, space: Space, number: int, excess: Sequence[Number]) -> int | None:
    """A weight for a block's own penalty, by repairing that block alone.

    Proof: if for every state s of the block that is no codeword some codeword c is cheaper whatever the other
    qubits are, then no minimum has such an s. It is, when ``weight * excess(s)`` is more than the rest of the
    energy can rise from s to c: its terms that read the block, each at its worst.

    ``rest`` is all of the energy but the block's own penalty, and ``excess`` that on each state. None where there are
    too many states to compare.
    """
    block, offset = space.blocks[number], space.offsets[number]
    table = _by_environment(rest, offset, block.num_qubits)
    others = [s for s in range(1 << block.num_qubits) if s not in block.index]
    if table.size * block.size > REPAIR_WORK:
        return None
    words = np.array(block.codewords)
    needed = 0.0
    for state in others:
        rise = table[:, words] - table[:, [state]]
        worst = rise[0] + np.clip(rise[1:], 0, None).sum(axis=0)
        needed = max(needed, float(worst.min()) / float(excess[state]))
    # floats add whole and dyadic numbers exactly; for other weights of the user's this covers the rounding
    return weight_above(needed * (1 + 1e-12) if needed != int(needed) else int(needed))


def _by_environment(rest: Terms, offset: int, width: int) -> NDArray[np.float64]:
    """Shape (products of other qubits, states): what multiplies each such product at each state; row 0 is alone."""
    rows: dict[Monomial, NDArray[np.float64]] = {(): np.zeros(1 << width)}
    states = np.arange(1 << width)
    for monomial, coefficient in rest.items():
        inner = [q - offset for q in monomial if offset <= q < offset + width]
        if inner:
            outer = tuple(q for q in monomial if not offset <= q < offset + width)
            mask = sum(1 << q for q in inner)
            row = rows.setdefault(outer, np.zeros(1 << width))
            row += np.where(states & mask == mask, float(coefficient), 0.0)
    return np.stack(list(rows.values()))
