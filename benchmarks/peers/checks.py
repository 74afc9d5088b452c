"""Constraints as a user of a gate library writes them down: one flag a condition, multi-controlled X gates onto it.

The same list of gates goes to Qiskit, PennyLane and Qrisp. Two variables that must differ are compared by XORing one
onto the other in place; of any other constraint each assignment that satisfies it (or each that breaks it, whichever
are fewer) is one multi-controlled X, as they exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gatesolve.encodings import Space
from gatesolve.model import AllDifferent, Constraint, Model, NotEqual

Gate = tuple[tuple[int, ...], tuple[bool, ...], int]
Pattern = tuple[tuple[int, bool], ...]
MOST_ROWS = 1 << 16
"""Assignments of one constraint's variables that are tried."""


@dataclass(frozen=True)
class Condition:
    """One flag.

    Attributes:
        gates: controls, the values they must have, target; target -1 is the flag, zero before.
        patterns: the assignments that satisfy the condition, as qubit and value pairs; for a synthesiser of formulas.
    """

    gates: tuple[Gate, ...]
    patterns: tuple[Pattern, ...]

    @property
    def cost(self) -> int:
        """About how many CX it takes to compute."""
        return sum(1 if len(controls) == 1 else max(6 * len(controls) - 6, 0) for controls, _, _ in self.gates)


@dataclass(frozen=True)
class Checks:
    """All flags of a problem: computed, the phase -1 put where all are 1, undone.

    Attributes:
        data: qubits of the space, in front; flags follow.
        conditions: one a flag.
    """

    data: int
    conditions: tuple[Condition, ...]

    @property
    def flags(self) -> list[int]:
        """The flags' qubits."""
        return list(range(self.data, self.data + len(self.conditions)))

    @property
    def gates(self) -> list[Gate]:
        """The gates of all conditions onto their flags; a gate without controls is an X."""
        pairs = zip(self.flags, self.conditions, strict=True)
        return [(cs, vs, flag if t < 0 else t) for flag, condition in pairs for cs, vs, t in condition.gates]


def checks(models: Sequence[Model], space: Space) -> Checks:
    """The flags of the one of ``models`` (all equivalent) whose conditions take the fewest CX.

    Raises:
        ValueError: a constraint has too many assignments to list.
    """
    found = []
    for model in models:
        conditions = [c for constraint in model.constraints for c in _conditions(constraint, model, space)]
        found.append(tuple(dict.fromkeys(conditions)))
    return Checks(space.num_qubits, min(found, key=lambda cs: sum(c.cost for c in cs)))


def _conditions(constraint: Constraint, model: Model, space: Space) -> Iterator[Condition]:
    if isinstance(constraint, AllDifferent):
        for left, right in combinations(sorted(constraint.variables), 2):
            yield from _conditions(NotEqual(left, right), model, space)
        return
    rows = list(_rows(constraint, model, space))
    kept = tuple(pattern for pattern, holds in rows if holds)
    broken = tuple(pattern for pattern, holds in rows if not holds)
    if not broken:
        return
    if isinstance(constraint, NotEqual) and (gates := _comparison(constraint, model, space)):
        yield Condition(gates, kept)
    elif len(kept) <= len(broken):
        yield Condition(tuple(_onto_flag(pattern) for pattern in kept), kept)
    else:
        yield Condition((*(_onto_flag(pattern) for pattern in broken), _flip()), kept)


def _comparison(constraint: NotEqual, model: Model, space: Space) -> tuple[Gate, ...]:
    """Both variables XORed in place; none unless they have the same values on the same digits."""
    left, right = (_qubits(name, space) for name in constraint.scope)
    domains = [model.domains[name] for name in constraint.scope]
    if constraint.offset or not left or domains[0] != domains[1]:
        return ()
    xors: list[Gate] = [((a,), (True,), b) for a, b in zip(left, right, strict=True)]
    return (*xors, (right, (False,) * len(right), -1), _flip(), *xors)


def _onto_flag(pattern: Pattern) -> Gate:
    return tuple(qubit for qubit, _ in pattern), tuple(value for _, value in pattern), -1


def _flip() -> Gate:
    return (), (), -1


def _rows(constraint: Constraint, model: Model, space: Space) -> Iterator[tuple[Pattern, bool]]:
    """Every assignment of the constraint's variables, as a pattern, with its truth."""
    sizes = [len(model.domains[name]) for name in constraint.scope]
    if np.prod(sizes, dtype=float) > MOST_ROWS:
        raise ValueError(f"a constraint of {np.prod(sizes, dtype=float):.0f} assignments is not listed")
    index = np.indices(sizes).reshape(len(sizes), -1)
    columns = {n: np.array(model.domains[n])[index[k]] for k, n in enumerate(constraint.scope)}
    truth = np.broadcast_to(constraint.holds(columns), index.shape[1:])
    for row in range(index.shape[1]):
        values = [int(columns[name][row]) for name in constraint.scope]
        pairs = zip(constraint.scope, values, strict=True)
        yield tuple(bit for name, value in pairs for bit in _bits(name, value, space)), bool(truth[row])


def _qubits(name: str, space: Space) -> tuple[int, ...]:
    return space.block_qubits(space.home[name][0])


def _bits(name: str, value: int, space: Space) -> list[tuple[int, bool]]:
    block = space.blocks[space.home[name][0]]
    word = block.codewords[block.tuples.index((value,))]
    return [(qubit, bool(word >> k & 1)) for k, qubit in enumerate(_qubits(name, space))]
