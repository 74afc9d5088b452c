"""The parts of an energy with their weights: as the user sets them, or as proved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.model.constraints import Constraint
from gatesolve.qubo import bounds
from gatesolve.qubo.codeword_penalties import of_codewords
from gatesolve.qubo.literals import is_full
from gatesolve.qubo.penalty import Penalty
from gatesolve.qubo.polynomial import Number, Terms, added, scaled
from gatesolve.qubo.requirements import Requirement

Weights = Number | Mapping[str, Number] | Callable[[Constraint], Number | None] | None
"""One weight for all, by the beginning of a part's label, or by constraint; the proved one where nothing is given."""


@dataclass(frozen=True)
class Part:
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
        self.given = given
        self.unused = set(given) if isinstance(given, Mapping) else set()
        if isinstance(given, Mapping):
            for number in given.values():
                _positive(number)
        elif given is not None and not callable(given):
            _positive(given)

    def weight(self, label: str, constraints: Sequence[Constraint]) -> Number | None:
        """The user's weight of a part, the greatest where several fit; None for the proved one."""
        if self.given is None:
            return None
        if isinstance(self.given, Mapping):
            texts = [label, *map(str, constraints)]
            fitting = [key for key in self.given if any(text.startswith(key) for text in texts)]
            self.unused -= set(fitting)
            return max((self.given[key] for key in fitting), default=None)
        if callable(self.given):
            answers = [a for c in constraints if (a := self.given(c)) is not None]
            return max(map(_positive, answers), default=None)
        return self.given

    def check_all_used(self) -> None:
        """Refuse names that no part has."""
        if self.unused:
            raise InputError(f"a penalty is given for '{min(self.unused)}', and no constraint's text begins so")


def _is_number(given: object) -> bool:
    return isinstance(given, (int, float)) or hasattr(given, "numerator")


def _positive(weight: Number) -> Number:
    if not _is_number(weight) or not math.isfinite(weight) or weight <= 0:
        raise InputError(f"a penalty weight is {weight}: give a positive number")
    return weight


def constraint_parts(
    found: Sequence[tuple[Requirement, Penalty]], objective: Terms, space: Space, chosen: Chosen
) -> list[Part]:
    """The constraints' parts, each by the smaller of the proved weights that apply."""
    low, high = bounds.block_range(objective, space)
    packing = _packing(found, objective, space)
    parts = []
    for (requirement, penalty), tight in zip(found, packing, strict=True):
        needed = bounds.range_bound(low, high, penalty.gap)
        needed = needed if tight is None else min(needed, tight)
        weight = chosen.weight(str(requirement), requirement.constraints)
        parts.append(
            Part(str(requirement), penalty, needed if weight is None else weight, needed, requirement.constraints)
        )
    return parts


def _packing(found: Sequence[tuple[Requirement, Penalty]], objective: Terms, space: Space) -> list[int | None]:
    """The bound by clearing a variable for every penalty, if all of them and the objective allow it."""
    if not all(is_full(b) and b.num_qubits <= 1 for b in space.blocks):
        return [None] * len(found)
    made = [bounds.packing_bound(objective, penalty.terms) for _, penalty in found]
    return made if None not in made else [None] * len(found)


def block_parts(parts: Sequence[Part], objective: Terms, space: Space, chosen: Chosen) -> list[Part]:
    """The blocks' own parts, each by the smaller of two proved weights."""
    low = min(bounds.lowest(objective), bounds.block_range(objective, space)[0])
    high = bounds.block_range(objective, space)[1]
    below = bounds.deficit((p.weight, p.penalty.satisfied - p.penalty.floor) for p in parts)
    rest = added([objective, *(scaled(p.penalty.terms, p.weight) for p in parts)])
    made = []
    for number, block in enumerate(space.blocks):
        penalty = of_codewords(block, space.offsets[number])
        if penalty is None:
            continue
        label = f"{', '.join(block.variables)}: {penalty.form}"
        needed = bounds.range_bound(low - below, high, penalty.gap)
        if needed > 1:
            own = _on_states(penalty.terms, space.offsets[number], block.num_qubits)
            repair = bounds.repair_bound(rest, space, number, own) if own is not None else None
            needed = needed if repair is None else min(needed, repair)
        weight = chosen.weight(label, ())
        made.append(Part(label, penalty, needed if weight is None else weight, needed))
    return made


def _on_states(terms: Terms, offset: int, width: int) -> list[Number] | None:
    """A block's own penalty on each of its states."""
    if width > bounds.REPAIR_QUBITS:
        return None
    masks = [(sum(1 << (q - offset) for q in m), c) for m, c in terms.items()]
    return [sum(c for mask, c in masks if s & mask == mask) for s in range(1 << width)]
