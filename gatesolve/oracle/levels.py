"""How much one constraint may know of the others: the level that every count is published with."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gatesolve.encodings import is_enforced, unenforced_constraints
from gatesolve.encodings.space import Space
from gatesolve.model import Constraint, Model, Table
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.minimise import minimise
from gatesolve.oracle.partition import share_out
from gatesolve.oracle.synthesise import synthesise


def literal_conditions(model: Model, space: Space) -> list[Condition]:
    """Each constraint compiled alone, as the model states it; only those that a block's codewords all satisfy left out.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    return [synthesise(c, space) for c in model.constraints if not is_enforced(c, space)]


def minimised_conditions(model: Model, space: Space, window: int) -> list[Condition]:
    """Constraints of one scope merged, sums that share a total as parities, then `minimise` in windows.

    Args:
        model: the model.
        space: the search space.
        window: most qubits looked at together.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    shared, merged = minimised_rules(model, space)
    return minimise([*shared, *(synthesise(c, space) for c in merged)], space, window)


def minimised_rules(model: Model, space: Space) -> tuple[list[Condition], tuple[Constraint, ...]]:
    """What `minimised_conditions` starts from: sums that share a total, and the other constraints, merged."""
    shared, rest = share_out(model.constraints, space)
    return shared, unenforced_constraints(Model(model.variables, tuple(rest)), space)


def joint_tables(model: Model, space: Space, compiled: Sequence[Constraint]) -> tuple[str, ...]:
    """A note for each kind of table that covers several constraints; with any of them the level is ``classical``.

    Listing the tuples that satisfy several constraints of different scopes is a part of the search, and so is listing
    those that satisfy all constraints of the model. ``compiled`` are the constraints that the oracle computes, merged
    where it merges them.
    """
    blocks = [b for b in space.blocks if b.kind == "joint-table" or _covers_several(b.variables, model)]
    merged = [c for c in compiled if _joins(c) or (c not in model.constraints and _covers_several(c.scope, model))]
    notes = []
    if blocks:
        tuples = sum(block.size for block in blocks)
        kind = "joint table" if all(block.kind == "joint-table" for block in blocks) else "table"
        notes.append(f"{_number(len(blocks), kind)} of the encoding hold{'s' * (len(blocks) == 1)} {tuples} tuples")
    if merged:
        notes.append(f"{_number(len(merged), 'condition')} of the oracle came from tables")
    return tuple(
        f"{note} that satisfy several constraints at once: that part of the search was classical" for note in notes
    )


def _covers_several(names: Collection[str], model: Model) -> bool:
    """Whether constraints of different scopes, or two or more and all of the model's, lie within ``names``."""
    inside = [c for c in set(model.constraints) if len(set(c.scope)) > 1 and set(c.scope) <= set(names)]
    scopes = len({frozenset(c.scope) for c in inside})
    return scopes > 1 or 1 < len(inside) == len(set(model.constraints)) or any(map(_joins, inside))


def _joins(constraint: Constraint) -> bool:
    """Whether presolve made it from several constraints."""
    return isinstance(constraint, Table) and constraint.joins


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
