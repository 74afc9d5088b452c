"""How much one constraint may know of the others: the level that every count is published with.

`find_level` looks at what a circuit was made from, not at what was asked for: a block that lists the tuples of several
constraints makes it ``classical``, whoever chose the block.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import get_args

from gatesolve.circuit.cost import count_cx
from gatesolve.encodings import Block, Space, is_enforced, unenforced_constraints
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Constraint, Level, Model, Table, tuples_of
from gatesolve.model.merge import MERGED_TUPLES
from gatesolve.oracle.assemble import assemble
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.minimise import minimise, qubits_fit
from gatesolve.oracle.partition import share_out
from gatesolve.oracle.sharing import add_shared
from gatesolve.oracle.synthesise import synthesise

LEVELS: tuple[Level, ...] = get_args(Level)
"""The least classical work first."""
BLOCK_WORK = 1 << 17
"""Most partial tuples tried to see whether a block's tuples are those of one constraint."""


def literal_conditions(model: Model, space: Space) -> list[Condition]:
    """Each constraint compiled alone, as the model states it; only those that a block's codewords all satisfy left out.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    constraints = unenforced_constraints(model, space, "literal")
    return add_shared([synthesise(c, space) for c in constraints], constraints, space)


def merged_conditions(model: Model, space: Space) -> list[Condition]:
    """Return conditions, constraints merged where one scope holds the others and that is cheaper than one by one.

    Scopes: see `gatesolve.model.merge_constraints`. Compared are the CX of conditions by themselves, added up.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    return _take_apart(_compile_merged(model, space), model, space)


def _compile_merged(model: Model, space: Space) -> dict[Constraint, Condition]:
    """Each constraint as merged, or in its place those it was made from where it is too large to compile."""
    compiled = dict[Constraint, Condition]()
    for constraint in unenforced_constraints(model, space):
        try:
            compiled[constraint] = synthesise(constraint, space)
        except DoesNotFitError:
            if constraint in model.constraints:
                raise
            compiled |= {c: synthesise(c, space) for c in _list_members(constraint, model, space)}
    return compiled


def _list_members(merged: Constraint, model: Model, space: Space) -> list[Constraint]:
    scope = set(merged.scope)
    return [c for c in dict.fromkeys(model.constraints) if set(c.scope) <= scope and not is_enforced(c, space)]


def _take_apart(compiled: Mapping[Constraint, Condition], model: Model, space: Space) -> list[Condition]:
    """Split merged constraints where one by one is cheaper."""
    kept, apart, joined = dict[Constraint, Condition](), dict[Constraint, Condition](), list[set[str]]()
    for constraint, condition in compiled.items():
        if constraint in model.constraints:
            kept[constraint] = condition
            continue
        each = _synthesise_below(_list_members(constraint, model, space), space, condition.cost)
        apart |= each
        if not each:
            kept[constraint] = condition
            joined.append(set(constraint.scope))
    kept |= {rule: c for rule, c in apart.items() if not any(set(rule.scope) <= one for one in joined)}
    return add_shared(list(kept.values()), list(kept), space)


def _synthesise_below(constraints: Sequence[Constraint], space: Space, most: int) -> dict[Constraint, Condition]:
    """Each constraint alone, where all of them cost less than ``most``; else nothing."""
    found = dict[Constraint, Condition]()
    for constraint in constraints:
        try:
            found[constraint] = synthesise(constraint, space)
        except DoesNotFitError:
            return {}
        most -= found[constraint].cost
        if most <= 0:
            return {}
    return found


def minimised_conditions(model: Model, space: Space, window: int) -> list[Condition]:
    """`merged_conditions` simplified by each other in windows, sums that share a total as parities; the cheapest found.

    Args:
        model: the model.
        space: the search space.
        window: most qubits looked at together.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    shared, others = share_out(model.constraints, space)
    rest = Model(model.variables, tuple(others))
    compiled = _compile_merged(rest, space)
    joined, chosen = list(compiled.values()), _take_apart(compiled, rest, space)
    found = [minimise([*shared, *joined], space, window)]
    if chosen != joined:  # from constraints that are cheaper alone windows get to more, or to less
        found.append(minimise([*shared, *chosen], space, window))
    # What was minimised has lost flags that the constraints could share.
    found.append(merged_conditions(model, space) if shared else chosen)
    return min(found, key=lambda conditions: count_cx(assemble(conditions, space.num_qubits).ops))


def conditions_at(level: Level, model: Model, space: Space, window: int) -> list[Condition]:
    """The conditions of an oracle of constraints at a level.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    if level == "minimised":
        return minimised_conditions(model, space, window)
    return literal_conditions(model, space) if level == "literal" else merged_conditions(model, space)


def find_level(
    asked: Level, model: Model, space: Space, conditions: Sequence[Condition] = (), window: int = 0
) -> tuple[Level, tuple[str, ...]]:
    """The level of a circuit, and a note for each thing that takes it beyond the one asked for.

    Args:
        asked: the level at which the oracle was compiled.
        model: what is searched, after presolve.
        space: its blocks are looked at.
        conditions: of the oracle.
        window: at which it was minimised.
    """
    blocks = [block_level(block, model) for block in space.blocks]
    rules = unenforced_constraints(model, space, asked)
    compiled = {condition.label for condition in conditions}
    # What was compiled by itself is told by itself, also where it could have been joined to others.
    alone = [rule for rule in model.constraints if str(rule) in compiled and rule not in rules]
    stated = [constraint_level(rule, model) for rule in (*rules, *alone)]
    found, notes = max([asked, *blocks, *stated], key=LEVELS.index), list[str]()
    listed = [b for b, level in zip(space.blocks, blocks, strict=True) if LEVELS.index(level) > LEVELS.index(asked)]
    if listed:
        kind = "joint table" if all(block.kind == "joint-table" for block in listed) else "table"
        tuples, holds = sum(block.size for block in listed), "holds" if len(listed) == 1 else "hold"
        notes.append(f"{_number(len(listed), kind)} of the encoding {holds} {tuples} tuples")
    joined = sum(LEVELS.index(level) > LEVELS.index(asked) for level in stated)
    if joined:
        notes.append(f"{_number(joined, 'condition')} of the oracle came from tables")
    notes = [f"{note} that satisfy several constraints at once: the level is {found}" for note in notes]
    if asked == "minimised" and conditions and len(rules) > 1 and qubits_fit(conditions, space, window):
        found = "classical"
        notes.append(f"a window of {window} qubits holds the whole model, its solutions listed: the level is {found}")
    return found, tuple(notes)


def constraint_level(constraint: Constraint, model: Model) -> Level:
    """``literal`` for one constraint; of a table made from several how far they were joined."""
    if not (isinstance(constraint, Table) and constraint.joins):
        return "literal"
    nested = len(constraint.parts) > 1 and _may_merge(constraint.parts, constraint.scope, len(constraint.tuples), model)
    return "merged" if nested else "classical"


def space_level(space: Space, model: Model) -> Level:
    """The least level of circuits on a space: that of its blocks."""
    return max((block_level(block, model) for block in space.blocks), key=LEVELS.index, default="literal")


def block_level(block: Block, model: Model) -> Level:
    """The least level at which its tuples can be listed: they are compared, whatever the block was made from."""
    domains = [model.domains[name] for name in block.variables]
    if math.prod(map(len, domains)) <= block.size and set(product(*domains)) <= set(block.tuples):
        return "literal"
    names = set(block.variables)
    inside = [c for c in dict.fromkeys(model.constraints) if set(c.scope) <= names]
    alone = [constraint_level(c, model) for c in inside if _lists_no_less(block, model, [c])]
    if alone:
        return min(alone, key=LEVELS.index)
    parts = [part for c in inside for part in (c.parts if isinstance(c, Table) else (c,))]
    nested = _may_merge(parts, block.variables, block.size, model) and _lists_no_less(block, model, inside)
    return "merged" if nested else "classical"


def _may_merge(parts: Sequence[Constraint], scope: Collection[str], tuples: int, model: Model) -> bool:
    """Whether one of the constraints holds the others, is no wider than half of the model, and they are few to list."""
    scopes = [set(part.scope) for part in parts]
    widest = max(scopes, key=len, default=set())
    nested = all(one <= widest for one in scopes) and set(scope) <= widest
    return nested and 2 * len(widest) <= len(model.variables) and tuples <= MERGED_TUPLES


def _lists_no_less(block: Block, model: Model, constraints: Sequence[Constraint]) -> bool:
    """Whether the block lists every tuple that satisfies these constraints."""
    found = tuples_of(block.variables, model.domains, constraints, block.size, BLOCK_WORK)
    return found is not None and set(found) <= set(block.tuples)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
