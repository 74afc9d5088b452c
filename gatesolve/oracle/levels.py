"""Conditions at each level: how much one constraint may use of the others, which every published count states.

`conditions_at` makes the conditions of the level that was asked for. `find_level` judges what a circuit was made from.
A block that lists the tuples of several constraints makes it ``classical``, even if the user chose the block.

Shared parts: constraints are compiled again from parts that several of them can have in common, dearer alone and
cheaper together.

Minimising: all conditions are ANDed, so a condition need only be right where the others hold. Windows of a few qubits
are tabulated. The conditions that read nothing outside a window are compiled again, as one conjunction, or one of them
with the others as don't-cares. The cheaper form stays. The conjunction of all items is the same on every codeword
before and after each step. Nothing wider than a window is ever listed.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.encodings import Block, Space, drop_held, is_enforced, unenforced_constraints
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Clause, Constraint, Level, Linear, Model, NotEqual, Table, tuples_of
from gatesolve.model.affine import disjoint_groups, is_sum_to_one
from gatesolve.model.merge import MERGED_TUPLES
from gatesolve.model.trees import Distinct, Tree
from gatesolve.oracle.algebraic import find_conjunction
from gatesolve.oracle.assemble import assemble
from gatesolve.oracle.condition import ONE, ZERO, Condition
from gatesolve.oracle.sums import compile_sum, compile_unequal
from gatesolve.oracle.synthesise import LEAF_ROWS, compile_by_values, synthesise
from gatesolve.oracle.tree import compile_tree
from gatesolve.oracle.view import project_all
from gatesolve.oracle.window import TruthTable, choose_projections, pack
from gatesolve.qubo.numerals import count_noun

MOST_WINDOWS = 300
"""Windows compiled again in all: bounds the work on large boards."""
PARITIES = 32
"""Parities tried as factors of products in a window; what was made alone tried more."""
Bits = NDArray[np.bool_]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The least classical work first."""
BLOCK_WORK = 1 << 17
"""Most partial tuples tried to see whether a block's tuples are those of one constraint."""


def minimise(conditions: Sequence[Condition], space: Space, window: int = 6) -> list[Condition]:
    """Simplify conditions over a space by each other, in windows of qubits that hold at most 2^window codewords.

    Returns:
        Conditions of one factor each whose conjunction is the same on every codeword, their costs added up no greater;
        the given ones where they would be.
    """
    items = [item for condition in conditions for item in _split(condition)]
    # A constant is either always true and not worth an item, or no codeword is a solution.
    items = [item for item in items if item.factors != (ONE,)]
    words = _Words(space)
    tried: set[frozenset[Condition]] = set()
    changed = True
    while changed and len(tried) < MOST_WINDOWS:
        changed = False
        for qubits in list(_windows(items, words, window)):
            inside = [item for item in items if item.qubits <= qubits]
            key = frozenset(inside)
            if len(inside) < 2 or key in tried or len(tried) >= MOST_WINDOWS:
                continue
            tried.add(key)
            better = _simplify(inside, sorted(qubits), words.rows(qubits))
            if better is not None:
                items = [item for item in items if item not in inside] + better
                changed = True
    # Parts of one condition may have flags in common, so that apart they are dearer.
    return items if _cost(items) <= _cost(conditions) else list(conditions)


def _split(condition: Condition) -> list[Condition]:
    """One item a factor, with only the flags that it needs."""
    return [replace(condition, factors=(factor,)).pruned() for factor in condition.factors]


def _windows(items: Sequence[Condition], words: _Words, limit: int) -> Iterator[frozenset[int]]:
    """Each pair of items that share a qubit or a block, grown by the items that add fewest codewords."""
    blocks = {item: frozenset(words.home[q] for q in item.qubits) for item in items}
    seen: set[frozenset[int]] = set()
    for first, second in combinations(items, 2):
        wider = {first.qubits | second.qubits} if blocks[first] & blocks[second] else set()
        qubits = frozenset[int]()
        while fitting := [w for w in wider if words.bits(w) <= limit]:
            qubits = min(fitting, key=lambda w: (words.bits(w), sorted(w)))
            wider = {qubits | item.qubits for item in items if item.qubits & qubits and not item.qubits <= qubits}
        if qubits and qubits not in seen:
            seen.add(qubits)
            yield qubits


class _Words:
    """The different words that sets of qubits can hold; listed once a block and subset."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.home = {q: k for k in range(len(space.blocks)) for q in space.block_qubits(k)}
        self._listed: dict[tuple[int, ...], Bits] = {}
        self._known: dict[frozenset[int], float] = {}

    def bits(self, qubits: frozenset[int]) -> float:
        """Return the binary logarithm of their number."""
        # Slightly less, so that rounding does not refuse what fits exactly.
        if qubits not in self._known:
            self._known[qubits] = sum(math.log2(len(words)) for words in self._by_block(qubits)) - 1e-9
        return self._known[qubits]

    def rows(self, qubits: frozenset[int]) -> Bits:
        """Shape (words, qubits): all of them, the qubits in rising order."""
        rows = np.zeros((1, 0), dtype=bool)
        for words in self._by_block(qubits):
            rows = np.hstack([np.repeat(rows, len(words), axis=0), np.tile(words, (len(rows), 1))])
        return rows

    def _by_block(self, qubits: frozenset[int]) -> list[Bits]:
        own: dict[int, list[int]] = {}
        for qubit in sorted(qubits):
            own.setdefault(self.home[qubit], []).append(qubit - self.space.offsets[self.home[qubit]])
        for number, places in own.items():
            if (number, *places) not in self._listed:
                self._listed[number, *places] = np.unique(self.space.blocks[number].bits[:, places], axis=0)
        return [self._listed[number, *places] for number, places in own.items()]


def _simplify(inside: Sequence[Condition], qubits: Sequence[int], rows: Bits) -> list[Condition] | None:
    """Cheaper items for those ``inside`` the window, or None."""
    values = [_value(item, rows, qubits) for item in inside]
    before = sum(item.cost for item in inside)
    together = _compile_items(rows, np.ones(len(rows), dtype=bool), _all(values, len(rows)), qubits)
    if together is not None and _cost(together) < before:
        return together
    # Each item is compiled again where the others hold, the dearest first.
    left = list(zip(inside, values, strict=True))
    result: list[Condition] = []
    done: list[Bits] = []
    changed = False
    while left:
        left.sort(key=lambda pair: pair[0].cost)
        item, value = left.pop()
        # Where another item fails, this one may be anything.
        again = _compile_items(rows, _all([*(v for _, v in left), *done], len(rows)), value, qubits)
        if again is not None and _cost(again) < item.cost:
            changed = True
        else:
            again = [item]
        result += again
        done += [_value(new, rows, qubits) for new in again]
    return result if changed else None


def _compile_items(rows: Bits, care: Bits, good: Bits, qubits: Sequence[int]) -> list[Condition] | None:
    """``good`` as a conjunction of items, anything where not ``care``."""
    kept = rows[care]
    if not len(kept):
        return None
    # The items contradict one another.
    if not good[care].any():
        return [Condition((), (ZERO,))]
    columns = tuple(pack(kept[:, k]) for k in range(len(qubits)))
    condition = find_conjunction(TruthTable(columns, pack(good[care]), (1 << len(kept)) - 1, PARITIES))
    if condition is None:
        return None
    return _split(condition.over([Parity((q,)) for q in qubits]))


def _cost(items: Sequence[Condition]) -> int:
    return sum(item.cost for item in items)


def _value(condition: Condition, rows: Bits, qubits: Sequence[int]) -> Bits:
    known = {q: rows[:, k] for k, q in enumerate(qubits)}
    return condition.holds(known.__getitem__, np.ones(len(rows), dtype=bool))


def _all(values: Sequence[Bits], rows: int) -> Bits:
    every: Bits = np.logical_and.reduce([np.ones(rows, dtype=bool), *values])
    return every


def add_shared(conditions: Sequence[Condition], constraints: Sequence[Constraint], space: Space) -> list[Condition]:
    """Return conditions, each with another form where constraints can have parts in common.

    A comparison of two variables, and terms that are all different, read digits that are each on their own wire.
    Clauses and trees, and all-different variables beside them, read values that are each a parity.
    """
    rules = [c.rule if isinstance(c, Table) and c.rule is not None else c for c in constraints]
    by_value = any(isinstance(rule, Clause | Tree) and not isinstance(rule, Distinct) for rule in rules)
    found: list[Condition] = []
    for condition, rule in zip(conditions, rules, strict=True):
        shared = _share(rule, space, by_value)
        found.append(replace(condition, shared=shared and replace(shared, label=condition.label)))
    return found


def _share(constraint: Constraint, space: Space, by_value: bool) -> Condition | None:
    views = choose_projections(constraint, space)
    homes = {name: view for view in views for name in view.names}
    match constraint:
        case NotEqual():
            return compile_unequal(constraint, homes, keeps=True)
        case Linear() if len(constraint.terms) <= 2:
            return compile_sum(constraint, homes, keeps=True)
        case Distinct():

            def leaf(part: Constraint) -> Condition:
                return _share(part, space, False) or synthesise(part, space, LEAF_ROWS)

            try:
                return compile_tree(constraint, homes, leaf, shared=True)
            except DoesNotFitError:
                # By itself it was made from its tuples.
                return None
        case Tree() | Clause():
            return compile_by_values(constraint, views)
        case AllDifferent() if by_value:
            return compile_by_values(constraint, views)
    return None


def literal_conditions(model: Model, space: Space) -> list[Condition]:
    """Return each constraint compiled alone, as the model states it, unless a block's codewords all satisfy it.

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
    compiled = dict[Constraint, Condition]()
    for constraint in unenforced_constraints(model, space):
        try:
            compiled[constraint] = synthesise(constraint, space)
        except DoesNotFitError:
            if constraint in model.constraints:
                raise
            # Too large to compile as merged: those that it was made from take its place.
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
        each, left = dict[Constraint, Condition](), condition.cost
        try:
            for member in _list_members(constraint, model, space):
                each[member] = synthesise(member, space)
                left -= each[member].cost
                if left <= 0:
                    break
        except DoesNotFitError:
            left = 0
        if each and left > 0:
            apart |= each
        else:
            kept[constraint] = condition
            joined.append(set(constraint.scope))
    kept |= {rule: c for rule, c in apart.items() if not any(set(rule.scope) <= one for one in joined)}
    return add_shared(list(kept.values()), list(kept), space)


def minimised_conditions(model: Model, space: Space, window: int) -> list[Condition]:
    """`merged_conditions` simplified as in `minimise`, with and without parities of shared totals; the cheapest.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    shared, others = share_out(model.constraints, space)
    rest = Model(model.variables, tuple(others))
    compiled = _compile_merged(rest, space)
    joined, chosen = list(compiled.values()), _take_apart(compiled, rest, space)
    found = [minimise([*shared, *joined], space, window)]
    # Constraints that are cheaper alone give windows other items, which may end up cheaper or dearer.
    if chosen != joined:
        found.append(minimise([*shared, *chosen], space, window))
    # What was minimised has lost flags that the constraints could share.
    if not shared:
        found.append(chosen)
    else:
        whole = _compile_merged(model, space)
        found.append(_take_apart(whole, model, space))
        # Shared totals have many variables, and a window that lacks one of them cannot simplify them.
        found.append(minimise(list(whole.values()), space, window))
    return min(found, key=lambda conditions: assemble(conditions, space.num_qubits).cx)


def conditions_at(level: Level, model: Model, space: Space, window: int) -> list[Condition]:
    """Return the conditions of an oracle of constraints at a level.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    model, space = drop_held(model, space), space.apart
    if level == "minimised":
        return minimised_conditions(model, space, window)
    return literal_conditions(model, space) if level == "literal" else merged_conditions(model, space)


def find_level(
    asked: Level, model: Model, space: Space, conditions: Sequence[Condition] = (), window: int = 0
) -> tuple[Level, tuple[str, ...]]:
    """Return the level of an oracle's conditions, and a note for each thing that takes it beyond the one ``asked`` for.

    The model is the one searched, after presolve; ``window`` is the one at which the conditions were minimised.
    """
    blocks = [block_level(block, model) for block in space.blocks]
    rules = unenforced_constraints(model, space, asked)
    compiled = {condition.label for condition in conditions}
    # A constraint that was compiled alone counts alone, even where it could have been merged.
    alone = [rule for rule in model.constraints if str(rule) in compiled and rule not in rules]
    stated = [constraint_level(rule, model) for rule in (*rules, *alone)]
    found, notes = max([asked, *blocks, *stated], key=LEVELS.index), list[str]()
    listed = [b for b, level in zip(space.blocks, blocks, strict=True) if LEVELS.index(level) > LEVELS.index(asked)]
    if listed:
        kind = "joint table" if all(block.kind == "joint-table" for block in listed) else "table"
        tuples, holds = sum(block.size for block in listed), "holds" if len(listed) == 1 else "hold"
        notes.append(f"{count_noun(len(listed), kind)} of the encoding {holds} {tuples} tuples")
    joined = sum(LEVELS.index(level) > LEVELS.index(asked) for level in stated)
    if joined:
        notes.append(f"{count_noun(joined, 'condition')} of the oracle came from tables")
    notes = [f"{note} that satisfy several constraints at once: the level is {found}" for note in notes]
    read = frozenset(qubit for condition in conditions for qubit in condition.qubits)
    if asked == "minimised" and conditions and len(rules) > 1 and _Words(space).bits(read) <= window:
        found = "classical"
        notes.append(
            f"a window of up to {window} qubits holds the whole model and lists its solutions: the level is {found}"
        )
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
    """Return the least level at which a block's tuples can be listed, judged by the tuples alone."""
    domains = [model.domains[name] for name in block.variables]
    # A block with parts holds one constraint, which makes it.
    if block.parts:
        return "literal"
    # All combinations are there, so nothing was deduced.
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


def share_out(constraints: Sequence[Constraint], space: Space) -> tuple[list[Condition], list[Constraint]]:
    """Return conditions for the exactly-one constraints that share out a total, and the other constraints.

    Take disjoint sets of 0/1 variables, each to hold exactly one 1, whose total is the number of sets on every
    codeword. If every set's parity is odd, every set holds at least one, so by the total each holds exactly one. The
    columns of a queens board laid out row by row are such sets, and so are its regions. The parity of the last set
    follows from the total.

    The total is also known if as many other disjoint sets cover the same variables and are checked one by one. With the
    rows of a board checked so, its columns and its regions need a parity each.
    """
    left = list(constraints)
    conditions = []
    checked: set[tuple[int, frozenset[str]]] = set()
    for group in disjoint_groups([c for c in left if is_sum_to_one(c) and _spans_blocks(c, space)]):
        cover = len(group), frozenset(name for c in group for name in c.scope)
        # A single set shares nothing. A total is known from the space, or from sets of one cover that are checked
        # already.
        shared = len(group) > 1 and (cover in checked or _total_is_known(group, space))
        # The parity of the last set follows from the total.
        factors = [_parity_of(one, space) for one in group[:-1]] if shared else [None]
        # None where some variable is no parity of its block's qubits.
        if None in factors:
            checked.add(cover)
        else:
            label = f"{len(group)} disjoint sums == 1, among them {group[0]}"
            conditions.append(Condition((), tuple(one for one in factors if one is not None), label, "parities"))
            left = [c for c in left if not any(c is member for member in group)]
    return conditions, left


def _spans_blocks(constraint: Linear, space: Space) -> bool:
    """Whether the variables are 0/1 and of several blocks."""
    homes = {space.home[name] for name in constraint.scope}
    binary = all(set(np.unique(space.blocks[k].values[:, j])) <= {0, 1} for k, j in homes)
    return binary and len({k for k, _ in homes}) > 1


def _total_is_known(group: Sequence[Linear], space: Space) -> bool:
    """Whether the variables of the group sum to the number of its sets on every codeword."""
    names = {name for constraint in group for name in constraint.scope}
    total = 0
    for block in space.blocks:
        columns = [j for j, name in enumerate(block.variables) if name in names]
        sums = np.unique(block.values[:, columns].sum(axis=1))
        if len(sums) > 1:
            return False
        total += int(sums[0])
    return total == len(group)


def _parity_of(constraint: Linear, space: Space) -> Parity | None:
    literals = [project_all(space, space.home[name][0]).where(name, {1}) for name in constraint.scope]
    return None if None in literals else Parity.xor_all(one for one in literals if one is not None)
