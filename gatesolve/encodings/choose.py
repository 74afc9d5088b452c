"""Spaces for a model: one encoding for all variables, or tables packed over disjoint constraints.

Where a space is too large to simulate, two blocks and the constraints between them are joined as one larger table,
without the pairs of tuples that a constraint refuses. Where the binary digits of a constraint's solutions are an
affine set, a block can carry the constraint by its preparation: a layer of H and a few CX.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, combinations

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Gate, Op, Parity, Xor
from gatesolve.circuit.gf2 import reduce_rows
from gatesolve.encodings import block as blocks
from gatesolve.encodings.block import FEWEST, MOST, PERMUTATION, Block, make_binary
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError, InputError, one_line
from gatesolve.extensions import extension_names, load_extension, load_extensions
from gatesolve.model import (
    AllDifferent,
    Constraint,
    Level,
    Linear,
    Model,
    NotEqual,
    Variable,
    state_constraints,
    tuples_of,
)
from gatesolve.model.reference import run_solver

Bounds = tuple[int, int]
"""Least and greatest value of a variable."""
JOINT_TUPLES = 1024
"""Most tuples of a joint table."""
WORST_PAIRS = 1 << 18
"""Most pairs of tuples tried for one join."""
REACH_BITS = 24
"""Bits above the size wanted from which joining is not tried: it would take long and not get there."""
Encoding = Callable[[Variable], Block]
# A new encoding of one variable a block is a line here.
_SINGLE: dict[str, Encoding] = {
    "one-hot": blocks.make_one_hot,
    "binary": blocks.make_binary,
    "domain-wall": blocks.make_domain_wall,
}
_OURS = (*_SINGLE, "table", PERMUTATION)
GROUP = "gatesolve.encodings"
"""The entry points by which other packages add encodings: functions from a variable to its block."""
UNENCODED = "none"
"""The label of a space without qubits."""
TABLE_TUPLES = 512
"""Most tuples of a table block."""
TABLE_WORK = 1 << 17
"""Most partial tuples tried to list them."""


def join_until(chosen: Sequence[Block], constraints: Sequence[Constraint], fits: int) -> list[Block]:
    """Join pairs of blocks, the best first, until the space has at most ``fits`` states or no join helps.

    Joined blocks are table blocks; the solutions are those there were.
    """
    current = list(chosen)
    if sum(math.log2(block.size) for block in current) - math.log2(fits) > REACH_BITS:
        return current
    bounds = {
        name: (int(block.values[:, j].min()), int(block.values[:, j].max()))
        for block in chosen
        for j, name in enumerate(block.variables)
    }
    gains: dict[tuple[int, int], tuple[float, Block] | None] = {}
    while math.prod(block.size for block in current) > fits:
        found = []
        for a, b in combinations(current, 2):
            if (id(a), id(b)) not in gains:
                gains[id(a), id(b)] = _join(a, b, constraints, bounds)
            if (option := gains[id(a), id(b)]) is not None:
                found.append((*option, a, b))
        if not found:
            break
        _, joint, first, second = max(found, key=lambda option: option[0])
        # Only pairs with the new block are joined afresh; the gains of all others are kept.
        current = [joint if b is first else b for b in current if b is not second]
    return current


def _join(
    first: Block, second: Block, constraints: Sequence[Constraint], bounds: Mapping[str, Bounds]
) -> tuple[float, Block] | None:
    """Bits saved and the joint block; None if nothing joins them or the table would be too large."""
    between = [c for c in constraints if _reads(c, first) and _reads(c, second)]
    if not between or first.size * second.size > WORST_PAIRS:
        return None
    names = (*first.variables, *second.variables)
    rows = np.hstack([np.repeat(first.values, second.size, axis=0), np.tile(second.values, (first.size, 1))])
    for constraint in between:
        rows = rows[_possible(constraint, dict(zip(names, rows.T, strict=True)), bounds)]
    if not 0 < len(rows) <= JOINT_TUPLES:
        return None
    saved = math.log2(first.size * second.size / len(rows))
    # A table that saves less is no better for a simulation but dearer to prepare.
    if saved <= 0.1:
        return None
    return saved, blocks.make_table(names, [tuple(row) for row in rows.tolist()], "joint-table")


def _reads(constraint: Constraint, block: Block) -> bool:
    return not set(constraint.scope).isdisjoint(block.variables)


def _possible(
    constraint: Constraint, columns: Mapping[str, NDArray[np.int64]], bounds: Mapping[str, Bounds]
) -> NDArray[np.bool_]:
    """Return the rows that the constraint may still allow, whatever the values of its variables in other blocks."""
    given = {name: columns[name] for name in constraint.scope if name in columns}
    if len(given) == len(constraint.scope):
        return constraint.holds(given)
    if isinstance(constraint, AllDifferent):
        # Two equal values break it already.
        return constraint.among(given).holds(given)
    if isinstance(constraint, Linear) and constraint.relation != "!=":
        # The other variables add at least the sum of the lower ends, and at most that of the upper ones.
        ends = [sorted(c * v for v in bounds[name]) for c, name in constraint.terms if name not in given]
        total = np.sum([c * given[name] for c, name in constraint.terms if name in given], axis=0)
        possible = total + sum(low for low, _ in ends) <= constraint.bound
        if constraint.relation == "==":
            possible &= total + sum(high for _, high in ends) >= constraint.bound
        return np.asarray(possible)
    return np.ones(len(next(iter(columns.values()))), dtype=bool)


def encodings() -> tuple[str, ...]:
    """The names of all encodings: ours, then those of other packages that can be loaded."""
    return (*_OURS, *(name for name in load_extensions(GROUP, _fault) if name not in _OURS))


def make_spaces(model: Model, kind: str, fits: int | None = None, level: Level = "merged") -> list[Space]:
    """Return the spaces of ``model`` in one encoding, to choose from.

    The single-variable encodings give one space. ``table`` packs disjoint constraints as blocks, so that the space
    shrinks most, and gives two spaces. The first numbers tuples in binary, with the remaining variables in ``binary``.
    The second has one qubit per tuple, with the remaining variables in ``one-hot``.

    A table is made from one constraint, or from merged constraints except at ``level`` ``literal``. If more than
    ``fits`` states are left, blocks are joined in pairs until the space fits or nothing is gained: these are
    ``classical``.

    ``permutation`` makes blocks of disjoint all-different constraints that use up their values. The remaining variables
    are in ``binary``, and in ``one-hot`` in a second space.

    Raises:
        InputError: the encoding is unknown, or is faulty and from another package.
        DoesNotFitError: an encoding does not accept some variable, or ``permutation`` finds no constraint.
    """
    if kind in _SINGLE:
        return [Space(tuple(_SINGLE[kind](v) for v in model.variables))]
    if kind == PERMUTATION:
        return _permute(model)
    if kind != "table":
        if kind not in extension_names(GROUP):
            raise InputError(f"unknown encoding '{kind}': choose one of {', '.join(encodings())}")
        encode = load_extension(GROUP, kind, _fault)
        return [Space(tuple(_encode(encode, v, kind) for v in model.variables))]
    stated = state_constraints(model, level)
    # What a merged constraint swallowed stays a candidate: its own tuples may be fewer.
    chosen = _packing(model, _candidates(model, dict.fromkeys([*stated, *model.constraints])))
    numbered = fill_space(model, chosen, blocks.make_binary)
    if fits is not None and numbered.size > fits:
        joined = join_until(numbered.blocks, stated, fits)
        chosen = [block for block in joined if len(block.variables) > 1]
        numbered = fill_space(model, chosen, blocks.make_binary)
    if all(block.size <= 2 for block in chosen):
        return [numbered]
    unary = [blocks.make_unary(block) for block in chosen]
    return [numbered, fill_space(model, unary, blocks.make_one_hot)]


def _permute(model: Model) -> list[Space]:
    """Return spaces with disjoint permutation blocks, of all-different constraints that use up one domain."""
    found, covered = list[Block](), set[str]()
    rules = (c for c in dict.fromkeys(model.constraints) if isinstance(c, AllDifferent) and c.variables)
    groups = [c for c in rules if not any(c.offsets)]
    for group in sorted(groups, key=lambda c: -len(c.variables)):
        names, values = group.variables, model.domains[group.variables[0]]
        same = len(values) == len(names) and all(model.domains[name] == values for name in names)
        if same and FEWEST <= len(names) <= MOST and covered.isdisjoint(names):
            found.append(blocks.make_permutation(names, values))
            covered |= set(names)
    if not found:
        raise DoesNotFitError(
            "encoding 'permutation' needs an all-different constraint of 3 to 9 variables that all have the same "
            "values, as many as variables: use encoding='auto', or another presolve"
        )
    spaces = [fill_space(model, found, make) for make in (make_binary, blocks.make_one_hot)]
    return spaces if spaces[0] != spaces[1] else spaces[:1]


def _is_shuffled(constraint: Constraint, block: Block) -> bool:
    """Return whether every codeword of a permutation block satisfies a constraint, as its values are all different."""
    if not set(constraint.scope) <= set(block.variables) or len(set(constraint.scope)) < len(constraint.scope):
        return False
    if isinstance(constraint, NotEqual):
        return constraint.offset == 0
    if isinstance(constraint, Linear):
        shares = sorted(coefficient for coefficient, _ in constraint.terms)
        return (constraint.relation, constraint.bound, shares) == ("!=", 0, [-1, 1])
    return isinstance(constraint, AllDifferent) and not any(constraint.offsets)


def _fault(found: object) -> str | None:
    return None if callable(found) else "it is no function from a Variable to a Block"


def _encode(encode: Encoding, variable: Variable, kind: str) -> Block:
    """A block of another package's encoding."""
    try:
        block = encode(variable)
    except DoesNotFitError:
        raise
    except Exception as error:  # another package may fail in any way
        said = one_line(f"{type(error).__name__}: {error}")[:200]
        raise InputError(f"the encoding '{kind}' fails on {variable.name}: {said}: correct its package") from error
    fits = (
        isinstance(block, Block)
        and (block.kind, block.variables) == (kind, (variable.name,))
        and sorted(block.tuples) == [(value,) for value in variable.domain]
        and len(set(block.codewords)) == block.size == len(block.tuples)
        and all(0 <= word < 1 << block.num_qubits for word in block.codewords)
    )
    if not fits:
        raise InputError(
            f"the encoding '{kind}' makes no block of that kind with a codeword for each value of {variable.name}: "
            "correct its package"
        )
    return block


def unenforced_constraints(model: Model, space: Space, level: Level = "merged") -> tuple[Constraint, ...]:
    """The constraints, merged unless literal, that some codeword of a block, or of several together, can break."""
    return tuple(c for c in state_constraints(drop_held(model, space), level) if not is_enforced(c, space))


def drop_held(model: Model, space: Space) -> Model:
    """Return the model without the constraints that blocks with parts hold: the others are compiled on the parts."""
    whole = [block for block in space.blocks if block.parts]
    rest = tuple(c for c in model.constraints if not any(_is_shuffled(c, block) for block in whole))
    return replace(model, constraints=rest) if whole else model


def is_enforced(constraint: Constraint, space: Space) -> bool:
    """Whether every codeword of one block alone satisfies the constraint."""
    homes = {space.home[name][0] for name in constraint.scope}
    if len(homes) != 1:
        return False
    home = space.blocks[homes.pop()]
    if home.parts:
        return _is_shuffled(constraint, home)
    return bool(np.all(constraint.holds({name: home.values[:, j] for j, name in enumerate(home.variables)})))


def fill_space(model: Model, chosen: Sequence[Block], single: Callable[[Variable], Block]) -> Space:
    """The chosen blocks and a block for each variable left over, in the order of their first variable."""
    covered = {name for block in chosen for name in block.variables}
    others = [single(v) for v in model.variables if v.name not in covered]
    place = {v.name: k for k, v in enumerate(model.variables)}
    return Space(tuple(sorted([*chosen, *others], key=lambda b: min(place[name] for name in b.variables))))


def _candidates(model: Model, constraints: Iterable[Constraint]) -> list[Block]:
    """One table block a scope of two variables or more: of its constraint with the fewest tuples, if they are few."""
    found: dict[frozenset[str], Block] = {}
    for constraint in constraints:
        names = tuple(dict.fromkeys(constraint.scope))
        if len(names) < 2:
            continue
        tuples = tuples_of(names, model.domains, [constraint], TABLE_TUPLES, TABLE_WORK)
        known = found.get(frozenset(names))
        if tuples and (known is None or len(tuples) < known.size):
            found[frozenset(names)] = blocks.make_table(names, tuples)
    return list(found.values())


def _packing(model: Model, candidates: Sequence[Block]) -> list[Block]:
    """Disjoint blocks that shrink the space most (exact, by OR-Tools); the fewest qubits on a tie."""
    useful = []
    for block in candidates:
        # The bits that the block saves in thousandths, times 100 so that the qubits only break ties.
        free = sum(math.log2(len(model.domains[name])) for name in block.variables)
        gain = round(1000 * (free - math.log2(block.size))) * 100 - block.num_qubits
        useful += [(block, gain)] if gain > 0 else []
    if not useful:
        return []
    import cpmpy as cp

    # One variable more, because CPMpy returns a single variable instead of an array for shape 1.
    take = cp.boolvar(shape=len(useful) + 1)[: len(useful)]
    problem = cp.Model()
    for variable in model.variables:
        sharing = [take[k] for k, (block, _) in enumerate(useful) if variable.name in block.variables]
        if len(sharing) > 1:
            problem += cp.sum(sharing) <= 1
    problem.maximize(cp.sum([take[k] * gain for k, (_, gain) in enumerate(useful)]))
    # A packing's linear relaxation is nearly tight. The limit is on work, not on seconds: the same everywhere.
    work = 2.0
    status = run_solver(problem, num_workers=1, random_seed=0, linearization_level=2, max_deterministic_time=work)
    if status in {"UNKNOWN", "UNSATISFIABLE"}:
        return []
    return [block for k, (block, _) in enumerate(useful) if take[k].value()]


def encoding_label(space: Space) -> str:
    """The encodings that occur, most qubits first, as in ``table+binary``."""
    widths: dict[str, int] = {}
    for block in space.blocks:
        widths[block.kind] = widths.get(block.kind, 0) + block.num_qubits
    kinds = sorted((k for k, w in widths.items() if w), key=lambda k: -widths[k])
    return "+".join(kinds) or UNENCODED


def digit_block(
    variables: Sequence[str], tuples: Sequence[tuple[int, ...]], domains: Sequence[tuple[int, ...]]
) -> Block | None:
    """The tuples, each variable in the binary encoding of its domain; None where the digits form no affine set.

    The first variable is on the lowest qubits, and the roots are the free digits.
    Cost: at most one CX a pair of a free and a dependent digit.
    """
    widths = [(len(domain) - 1).bit_length() for domain in domains]
    places = list(accumulate(widths, initial=0))
    words = [sum(d.index(v) << place for v, d, place in zip(row, domains, places, strict=False)) for row in tuples]
    span = reduce_rows(word ^ words[0] for word in words)
    # The words lie in a coset of the span and are all different: as many as it has means all of it.
    if len(words) != 1 << len(span):
        return None
    # Each basis vector has its pivot in no other, so pivots are free and the other digits their parities.
    pivots = {vector & -vector: vector for vector in span}
    base = words[0]
    # The word of the coset in which all free digits are 0: its ones are the constants of the other digits.
    for pivot, vector in pivots.items():
        if base & pivot:
            base ^= vector
    total = sum(widths)
    ops: list[Op] = [Gate("h", (pivot.bit_length() - 1,)) for pivot in sorted(pivots)]
    for digit in range(total):
        sources = tuple(
            p.bit_length() - 1 for p, v in sorted(pivots.items()) if v >> digit & 1 and v & -v != 1 << digit
        )
        constant = bool(base >> digit & 1)
        if sources or constant:
            ops.append(Xor(Parity(sources, constant), digit))
    roots = tuple(sorted(p.bit_length() - 1 for p in pivots))
    return Block("table", tuple(variables), tuple(tuples), tuple(words), total, tuple(ops), roots)
