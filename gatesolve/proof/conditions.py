"""Proof that a condition is 1 on exactly the codewords on which some constraints hold.

All combinations of codewords of the blocks that either reads are compared. Few combinations are listed, 64 to a
machine word. For many, the condition becomes a decision diagram, and a sum or an all-different constraint an automaton.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.encodings import Block, Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Constraint, Linear, NotEqual
from gatesolve.oracle.condition import Condition
from gatesolve.proof.values import ONE, Value, read_parity

MOST_BITS = 16
"""Bits left over, up to which their combinations are listed."""
MOST_TOTAL = 1 << 62
"""Size of a sum up to which it is computed in machine words."""
Bits = NDArray[np.bool_]
Node = int
FALSE: Node = 0
TRUE: Node = 1
MOST_NODES = 1 << 20
"""Nodes above which a proof is given up."""
S = TypeVar("S", bound=Hashable)
LISTED = 1 << 20
"""Combinations of codewords up to which they are listed."""
Words = NDArray[np.uint64]
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
Shape = tuple[tuple[tuple[int, ...], int], ...]
V = TypeVar("V")


def check_carries(condition: Condition, constraint: Linear, space: Space, blocks: list[int]) -> bool:
    """Return whether a condition is seen to be a sum's, over values that are bits."""
    total = _read_total(condition, constraint, space, blocks)
    if total is None:
        return False
    least, most = total.bounds
    # The condition's adders replace three bits of the total by their parity and a carry. Few values are left after
    # that, and their combinations can be listed.
    held = _add_up(condition, total, space.num_qubits)
    entries = total.list_entries()
    # Flags of a certificate may add a value to itself again and again, which doubles its weight each time.
    if len(entries) > MOST_BITS or abs(total.base) + sum(abs(weight) for _, weight in entries) > MOST_TOTAL:
        return False
    combinations = np.arange(1 << len(entries))
    bits = [(combinations >> k & 1).astype(bool) for k in range(len(entries))]
    known = {value: bit for (value, _), bit in zip(entries, bits, strict=True)}
    found = _evaluate(condition, held, known, np.ones(len(combinations), dtype=bool))
    number = sum((bit * weight for bit, (_, weight) in zip(bits, entries, strict=True)), total.base + 0 * combinations)
    # The bounds are those of the bits before the adders. Combinations of the values left outside of them never occur.
    inside = (least <= number) & (number <= most)
    return found is not None and bool((found == constraint.compare(number))[inside].all())


@dataclass
class _Total:
    """``base`` and the sum of all ``columns[c][value] * 2 ** c`` where the value, one without a constant, is 1."""

    base: int
    columns: dict[int, dict[Value, int]]

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number that the values can give."""
        weights = [weight for _, weight in self.list_entries()]
        return self.base + sum(w for w in weights if w < 0), self.base + sum(w for w in weights if w > 0)

    def list_entries(self) -> list[tuple[Value, int]]:
        """The values and their weights."""
        found = dict[Value, int]()
        for column, entries in self.columns.items():
            for value, number in entries.items():
                found[value] = found.get(value, 0) + (number << column)
        return [(value, weight) for value, weight in found.items() if weight]

    def add(self, column: int, literal: Value, sign: int) -> None:
        """Add a value, which may have a constant, to a column, or take it off."""
        entries = self.columns.setdefault(column, {})
        # A complement 1 - v adds its weight to the base, and the value with the other sign.
        if literal & ONE:
            self.base += sign << column
            sign = -sign
        if literal > ONE:
            entries[literal & ~ONE] = entries.get(literal & ~ONE, 0) + sign

    def find(self, literals: list[Value]) -> tuple[int, int] | None:
        """Return a column that has all of some values with one sign, and that sign; None if there is none."""
        for column, entries in self.columns.items():
            signs = [entries.get(one & ~ONE, 0) * (-1 if one & ONE else 1) for one in literals if one > ONE]
            if min(signs) > 0 or max(signs) < 0:
                return column, 1 if min(signs) > 0 else -1
        return None


def _read_total(condition: Condition, constraint: Linear, space: Space, blocks: list[int]) -> _Total | None:
    weights = {name: weight for weight, name in constraint.terms}
    total = _Total(0, {})
    for number in blocks:
        block = space.blocks[number]
        qubits = [qubit for qubit in space.block_qubits(number) if qubit in condition.qubits]
        if block.size != 2 or len(block.variables) != 1 or not qubits:
            return None
        place = qubits[0] - space.offsets[number]
        # The value where the qubit is 0, and where it is 1; a single one where it never changes.
        values = {word >> place & 1: row[0] for word, row in zip(block.codewords, block.tuples, strict=True)}
        if len(values) < 2:
            return None
        zero, one = values[0], values[1]
        weight = weights.get(block.variables[0], 0)
        total.base += weight * zero
        step = weight * (one - zero)
        # The weight enters bit by bit, as the adders of the circuit work column by column.
        for column in range(abs(step).bit_length()):
            if abs(step) >> column & 1:
                total.add(column, 2 << qubits[0], 1 if step > 0 else -1)
    return total


def _add_up(condition: Condition, total: _Total, num_qubits: int) -> dict[int, Value]:
    """Use all adders on a total; return what each wire holds, with flag j as atom ``num_qubits + j``."""
    held: dict[int, Value] = {qubit: 2 << qubit for qubit in condition.qubits}
    for number, flag in enumerate(condition.flags):
        held[-1 - number] = atom = 2 << num_qubits + number
        if len(flag.products) != 1:
            continue
        # A carry is the majority of three bits, ``(a ^ c) & (b ^ c) ^ c``; a constant c makes it the AND or OR of two.
        first, second = (read_parity(side, held) for side in flag.products[0])
        third = read_parity(flag.parity, held)
        literals = [first ^ third, second ^ third, third]
        found = total.find(literals) if max(literals) > ONE else None
        if found is not None:
            column, sign = found
            for literal in literals:
                total.add(column, literal, -sign)
            total.add(column, first ^ second ^ third, sign)
            total.add(column + 1, atom, sign)
    return held


def _evaluate(condition: Condition, held: Mapping[int, Value], basis: Mapping[Value, Bits], one: Bits) -> Bits | None:
    """Evaluate the condition for bits of the values that are left; None if it reads more than these."""
    rows = _Echelon(basis)
    product = one
    for number, flag in enumerate(condition.flags):
        atom = held[-1 - number]
        sides = [rows.read(read_parity(side, held), one) for pair in flag.products for side in pair]
        parity = rows.read(read_parity(flag.parity, held), one)
        # What adders did not use up is computed from what it reads, if that is known.
        if rows.read(atom, one) is None and parity is not None and not any(side is None for side in sides):
            known = [side for side in sides if side is not None]
            for left, right in zip(known[::2], known[1::2], strict=True):
                parity = parity ^ (left & right)
            rows.add(atom, parity)
    for factor in condition.factors:
        value = rows.read(read_parity(factor, held), one)
        if value is None:
            return None
        product = product & value
    return product


class _Echelon:
    """Values whose bits are known, and XORs of them: rows by their highest atom, so that reading is elimination."""

    def __init__(self, known: Mapping[Value, Bits]) -> None:
        self._rows: dict[int, tuple[Value, Bits]] = {}
        for value, bits in known.items():
            self.add(value, bits)

    def add(self, value: Value, bits: Bits) -> None:
        while (row := self._rows.get(value.bit_length())) is not None and value > ONE:
            value, bits = value ^ row[0], bits ^ row[1]
        if value > ONE:
            # The bits are stored without the constant, which `read` adds again.
            self._rows[value.bit_length()] = value, bits ^ bool(value & ONE)

    def read(self, value: Value, one: Bits) -> Bits | None:
        bits = one if value & ONE else ~one
        value &= ~ONE
        while value:
            row = self._rows.get(value.bit_length())
            if row is None:
                return None
            value, bits = value ^ (row[0] & ~ONE), bits ^ row[1]
        return bits


class Diagrams:
    """Functions over the same blocks.

    Nodes are numbered as they are made; `FALSE` and `TRUE` are the constants.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        # The constants lie below all blocks, so that the least level of two nodes is always a block's.
        self._levels = [len(sizes), len(sizes)]
        self._children: list[tuple[Node, ...]] = [(), ()]
        self._known: dict[tuple[int, tuple[Node, ...]], Node] = {}
        self._joined: dict[tuple[bool, Node, Node], Node] = {}

    def branch(self, level: int, children: Iterable[Node]) -> Node:
        """Return the function that is one of its children, by the codeword of a block.

        Raises:
            DoesNotFitError: there are more than `MOST_NODES` nodes.
        """
        # A block that decides nothing gets no node, and equal nodes are one: so equal functions have the same number.
        chosen = tuple(children)
        if all(child == chosen[0] for child in chosen):
            return chosen[0]
        key = level, chosen
        if key not in self._known:
            # Checked only for a new node: a diagram at the limit can still be used.
            if len(self._levels) >= MOST_NODES:
                raise DoesNotFitError(f"a decision diagram has more than {MOST_NODES} nodes")
            self._known[key] = len(self._levels)
            self._levels.append(level)
            self._children.append(chosen)
        return self._known[key]

    def xor(self, left: Node, right: Node) -> Node:
        """Return the XOR of two functions."""
        return self._join(False, left, right)

    def conjoin(self, left: Node, right: Node) -> Node:
        """Return the AND of two functions."""
        return self._join(True, left, right)

    def _join(self, is_and: bool, left: Node, right: Node) -> Node:
        # A stack of its own: a condition may read more blocks than Python has frames.
        stack = [(left, right)]
        while (found := self._find_joined(is_and, left, right)) is None:
            pair = stack[-1]
            level = min(self._levels[node] for node in pair)
            pairs = list(zip(*(self._follow(node, level) for node in pair), strict=True))
            nodes = [self._find_joined(is_and, *one) for one in pairs]
            known = [node for node in nodes if node is not None]
            if len(known) == len(nodes):
                # AND and XOR are symmetric, so both orders share an entry.
                self._joined[is_and, min(pair), max(pair)] = self.branch(level, known)
                stack.pop()
            else:
                stack += [one for one, node in zip(pairs, nodes, strict=True) if node is None]
        return found

    def _find_joined(self, is_and: bool, left: Node, right: Node) -> Node | None:
        """Return the AND or XOR of two functions where it is known."""
        if left == right:
            return left if is_and else FALSE
        # FALSE is the least number, and TRUE the next.
        low, high = min(left, right), max(left, right)
        if low == FALSE:
            return FALSE if is_and else high
        return high if is_and and low == TRUE else self._joined.get((is_and, low, high))

    def _follow(self, node: Node, level: int) -> tuple[Node, ...]:
        return self._children[node] if self._levels[node] == level else (node,) * self.sizes[level]

    def accept(self, start: S, step: Callable[[int, int, S], S | None], ends: Callable[[S], bool]) -> Node:
        """Return the function of an automaton that reads codeword after codeword.

        Args:
            start: its first state.
            step: from a level, a codeword's place and a state to the next state; None where it refuses.
            ends: whether a state after the last codeword accepts.
        """
        # Forwards, each layer collects the states that are reached; backwards, each state becomes a function.
        layers = [dict[S, list[S | None]]()]
        layers[0][start] = []
        before = 1
        for level, size in enumerate(self.sizes):
            following = dict[S, list[S | None]]()
            for state, found in layers[-1].items():
                found += [step(level, word, state) for word in range(size)]
                following |= {new: [] for new in found if new is not None}
                # States are counted as they come, since there may be exponentially many.
                if before + len(following) > MOST_NODES:
                    raise DoesNotFitError(f"an automaton has more than {MOST_NODES} states")
            before += len(following)
            layers.append(following)
        nodes: dict[S, Node] = {state: TRUE if ends(state) else FALSE for state in layers[-1]}
        for level in range(len(self.sizes) - 1, -1, -1):
            nodes = {
                state: self.branch(level, (FALSE if new is None else nodes[new] for new in found))
                for state, found in layers[level].items()
            }
        return nodes[start]


def compare_condition(condition: Condition, constraints: Sequence[Constraint], space: Space) -> tuple[str, int] | None:
    """Compare a condition with the conjunction of constraints.

    Returns:
        ``listing``, ``carries`` or ``diagram``, with the number of combinations; None where the two differ.

    Raises:
        DoesNotFitError: too many combinations for constraints of these kinds.
    """
    homes = {space.home[name][0] for constraint in constraints for name in constraint.scope}
    homes |= {number for number in range(len(space.blocks)) if condition.qubits & set(space.block_qubits(number))}
    blocks = sorted(homes)
    rows = math.prod(space.blocks[number].size for number in blocks)
    if rows <= LISTED:
        return ("listing", rows) if _compare_rows(condition, constraints, space, blocks) else None
    alone = constraints[0] if len(constraints) == 1 else None
    if isinstance(alone, Linear) and check_carries(condition, alone, space, blocks):
        return "carries", rows
    diagrams = Diagrams([space.blocks[number].size for number in blocks])
    wanted = TRUE
    for constraint in constraints:
        wanted = diagrams.conjoin(wanted, _read_constraint(constraint, space, blocks, diagrams))
    found = _read_condition(condition, space, blocks, diagrams)
    return ("diagram", rows) if found == wanted else None


def evaluate(condition: Condition, held: dict[int, V], one: V, conjoin: Callable[[V, V], V]) -> V:
    """Evaluate a condition, given what data qubits hold; the values of its flags are added to that.

    Values have an XOR by ``^``, ``one`` is the constant 1, and ``conjoin`` the AND of two values.
    """

    def read(parity: Parity) -> V:
        return parity.value(held.__getitem__, one)

    for number, flag in enumerate(condition.flags):
        value = read(flag.parity)
        for left, right in flag.products:
            value = value ^ conjoin(read(left), read(right))  # type: ignore[operator]
        held[-1 - number] = value
    product = one
    for factor in condition.factors:
        product = conjoin(product, read(factor))
    return product


def _compare_rows(condition: Condition, constraints: Sequence[Constraint], space: Space, blocks: list[int]) -> bool:
    members = [space.blocks[number] for number in blocks]
    words = _list_bits(tuple((block.codewords, block.num_qubits) for block in members))
    qubits = [qubit for number in blocks for qubit in space.block_qubits(number)]
    held = dict(zip(qubits, words, strict=True))
    rows = math.prod(block.size for block in members)
    one = np.full((rows + 63) // 64, FULL)
    # The last machine word may have bits of no row.
    found = np.unpackbits(evaluate(condition, held, one, np.bitwise_and).view(np.uint8), bitorder="little")[:rows]
    columns = _list_values(members)
    wanted = np.ones(rows, dtype=bool)
    for constraint in constraints:
        wanted &= constraint.holds({name: columns[name] for name in constraint.scope})
    return bool((found.view(bool) == wanted).all())


@lru_cache(maxsize=8)
def _list_bits(blocks: Shape) -> tuple[Words, ...]:
    """Return the bits of each qubit in all combinations of codewords, the first block's the fastest."""
    rows, step, found = math.prod(len(words) for words, _ in blocks), 1, list[Words]()
    for words, num_qubits in blocks:
        places = np.arange(rows) // step % len(words)
        for qubit in range(num_qubits):
            column = np.array([word >> qubit & 1 for word in words], dtype=np.uint8)[places]
            padded = np.zeros((rows + 63) // 64 * 64, dtype=np.uint8)
            padded[:rows] = column
            found.append(np.packbits(padded, bitorder="little").view(np.uint64))
        step *= len(words)
    return tuple(found)


def _list_values(blocks: Sequence[Block]) -> dict[str, NDArray[np.int64]]:
    rows, step = math.prod(block.size for block in blocks), 1
    columns = dict[str, NDArray[np.int64]]()
    for block in blocks:
        places = np.arange(rows) // step % block.size
        columns |= {name: block.values[places, k] for k, name in enumerate(block.variables)}
        step *= block.size
    return columns


class _Function:
    """A function with ``^``, as `evaluate` wants it."""

    def __init__(self, node: Node, diagrams: Diagrams) -> None:
        self.node, self._diagrams = node, diagrams

    def __xor__(self, other: _Function) -> _Function:
        return _Function(self._diagrams.xor(self.node, other.node), self._diagrams)

    def conjoin(self, other: _Function) -> _Function:
        return _Function(self._diagrams.conjoin(self.node, other.node), self._diagrams)


def _read_condition(condition: Condition, space: Space, blocks: list[int], diagrams: Diagrams) -> Node:
    held = {}
    for level, number in enumerate(blocks):
        for place, qubit in enumerate(space.block_qubits(number)):
            bits = (word >> place & 1 for word in space.blocks[number].codewords)
            held[qubit] = _Function(diagrams.branch(level, bits), diagrams)
    return evaluate(condition, held, _Function(TRUE, diagrams), _Function.conjoin).node


def _read_constraint(constraint: Constraint, space: Space, blocks: list[int], diagrams: Diagrams) -> Node:
    if isinstance(constraint, NotEqual):
        constraint = constraint.as_linear
    if isinstance(constraint, Linear):
        terms, compare = list(constraint.terms), constraint.compare
        sums = [_sum_words(space.blocks[number], terms) for number in blocks]
        return diagrams.accept(0, lambda k, word, total: total + sums[k][word], lambda total: bool(compare(total)))
    if isinstance(constraint, AllDifferent):
        taken = [_list_taken(space.blocks[number], constraint) for number in blocks]

        def step(level: int, word: int, used: frozenset[int]) -> frozenset[int] | None:
            new = taken[level][word]
            return None if len(set(new)) < len(new) or used & set(new) else used | set(new)

        return diagrams.accept(frozenset[int](), step, lambda used: True)
    rows = math.prod(diagrams.sizes)
    raise DoesNotFitError(f"'{constraint}' is read from {rows} combinations of codewords, up to {LISTED} are listed")


def _sum_words(block: Block, terms: list[tuple[int, str]]) -> list[int]:
    """Return the summand of each codeword of a block."""
    weights = Counter[str]()
    for weight, name in terms:
        weights[name] += weight
    return [sum(weights[n] * v for n, v in zip(block.variables, row, strict=True)) for row in block.tuples]


def _list_taken(block: Block, constraint: AllDifferent) -> list[tuple[int, ...]]:
    """The values that each codeword of a block takes from the others."""
    shifts = dict(constraint.shifted)
    return [
        tuple(v + shifts[n] for n, v in zip(block.variables, row, strict=True) if n in shifts) for row in block.tuples
    ]
