"""Spaces for a model: one encoding for all variables, or tables packed over disjoint constraints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from gatesolve.encodings import block as blocks
from gatesolve.encodings.block import Block, Kind
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.model import Constraint, Model
from gatesolve.model.merge import merge_constraints, tuples_of

KINDS: tuple[Kind, ...] = ("one-hot", "binary", "domain-wall", "table")
TABLE_TUPLES = 512
"""Most tuples of a table block."""


def make_space(model: Model, kind: Kind, rest: Literal["binary", "one-hot"] = "binary") -> Space:
    """The space of ``model`` in one encoding.

    ``table`` packs disjoint constraints as blocks and lays out the variables left over in ``rest``.

    Raises:
        InputError: an unknown encoding.
    """
    single = {"one-hot": blocks.one_hot, "binary": blocks.binary, "domain-wall": blocks.domain_wall}
    if kind in single:
        return Space(tuple(single[kind](v) for v in model.variables))
    if kind != "table":
        raise InputError(f"unknown encoding '{kind}': choose one of {', '.join(KINDS)}")
    return _table_space(model, single[rest])


def unenforced(model: Model, space: Space) -> tuple[Constraint, ...]:
    """The merged constraints that some codeword of a block, or of several together, can break."""
    left = []
    for constraint in merge_constraints(model).constraints:
        homes = {space.home[name][0] for name in constraint.scope}
        if len(homes) == 1:
            home = space.blocks[homes.pop()]
            columns = {name: home.values[:, j] for j, name in enumerate(home.variables)}
            if bool(np.all(constraint.holds(columns))):
                continue
        left.append(constraint)
    return tuple(left)


def _table_space(model: Model, single: object) -> Space:
    """Blocks in the order of their first variable in the model."""
    assert callable(single)
    by_name = {v.name: v for v in model.variables}
    chosen = _packing(model, _candidates(model))
    covered = {name for block in chosen for name in block.variables}
    others: list[Block] = [single(v) for v in model.variables if v.name not in covered]
    place = {name: k for k, name in enumerate(by_name)}
    return Space(tuple(sorted([*chosen, *others], key=lambda b: min(place[name] for name in b.variables))))


def _candidates(model: Model) -> list[Block]:
    """One table block a constraint scope of two variables or more with few enough tuples."""
    found: dict[tuple[str, ...], Block] = {}
    for constraint in merge_constraints(model).constraints:
        scope = constraint.scope
        if len(scope) < 2 or scope in found:
            continue
        tuples = tuples_of(scope, model.domains, [constraint], TABLE_TUPLES)
        if tuples:
            found[scope] = blocks.table(scope, tuples)
    return list(found.values())


def _packing(model: Model, candidates: Sequence[Block]) -> list[Block]:
    """Disjoint blocks that shrink the space most (exact, by OR-Tools); the fewest qubits on a tie."""
    gains = [_gain(model, block) for block in candidates]
    useful = [(block, gain) for block, gain in zip(candidates, gains, strict=True) if gain > 0]
    if not useful:
        return []
    import cpmpy as cp

    take = cp.boolvar(shape=len(useful) + 1)[: len(useful)]
    problem = cp.Model()
    for variable in model.variables:
        sharing = [take[k] for k, (block, _) in enumerate(useful) if variable.name in block.variables]
        if len(sharing) > 1:
            problem += cp.sum(sharing) <= 1
    problem.maximize(cp.sum([take[k] * gain for k, (_, gain) in enumerate(useful)]))
    problem.solve(solver="ortools", num_workers=1, random_seed=0, time_limit=20)
    return [block for k, (block, _) in enumerate(useful) if take[k].value()]


def _gain(model: Model, block: Block) -> int:
    """Thousandths of a bit by which the block shrinks the space; ties go to blocks of fewer qubits."""
    free = sum(math.log2(len(model.domains[name])) for name in block.variables)
    return round(1000 * (free - math.log2(block.size))) * 100 - block.num_qubits


def label(space: Space) -> str:
    """The encodings that occur, most qubits first, as in ``table+binary``."""
    widths: dict[str, int] = {}
    for block in space.blocks:
        widths[block.kind] = widths.get(block.kind, 0) + block.num_qubits
    kinds = sorted((k for k, w in widths.items() if w), key=lambda k: -widths[k])
    return "+".join(kinds) or "none"
