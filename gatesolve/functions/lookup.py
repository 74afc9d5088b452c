"""Lookup by an index: functions of a few index qubits as parities of index qubits and logical ANDs.

A function of n index bits is an integer of 2**n bits: bit i is its value at index i. Looking up a table means
computing a few ANDs of parities of what is already there (a *chain*) until every column of the table is a parity
of wires; columns are then never copied anywhere, they are read as parities, or made in place by CX.

Each AND adds at most one dimension to the span of wires and 1, so a table whose columns have dimension d modulo
affine functions needs at least d ANDs. Chains here are drawn inside the span of the table as long as that works,
so they usually meet that bound; the plain table of all monomials takes 2**n - n - 1.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from gatesolve.circuit import And, Ops, Parity
from gatesolve.circuit.gf2 import AffineSpan
from gatesolve.errors import InputError

MOST_INDEX_BITS = 10
"""Tables are held as integers of 2**n bits and chains are searched pair by pair."""
WIDER = 0.1
"""Probability that a drawn step has a control of two wires although single wires might do."""
BLIND = 40
"""Steps drawn at random before all are listed."""


def index_columns(num_index: int) -> tuple[int, ...]:
    """Return the index bits as functions of the index, bit 0 first.

    Raises:
        InputError: fewer than one or more than `MOST_INDEX_BITS` bits.
    """
    if not 1 <= num_index <= MOST_INDEX_BITS:
        raise InputError(f"an index has 1 to {MOST_INDEX_BITS} bits, not {num_index}")
    size = 1 << num_index
    return tuple(sum(1 << i for i in range(size) if i >> k & 1) for k in range(num_index))


@dataclass(frozen=True)
class LookupStep:
    """One AND of a chain: the product of two parities over earlier wires."""

    left: Parity
    right: Parity


@dataclass(frozen=True)
class LookupChain:
    """A chain of ANDs on an index register.

    Wires 0 ... num_index-1 are the index, wire num_index + k is the target of step k (zero before).

    Attributes:
        num_index: index bits.
        steps: the ANDs, each over earlier wires.
    """

    num_index: int
    steps: tuple[LookupStep, ...] = ()

    @property
    def num_wires(self) -> int:
        """Index qubits and AND targets."""
        return self.num_index + len(self.steps)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The function of the index that each wire holds after `ops`."""
        return columns_of(self.num_index, self.steps)

    @cached_property
    def span(self) -> AffineSpan:
        """All parities of wires."""
        return AffineSpan.of(self.columns, everywhere(self.num_index))

    @property
    def ops(self) -> Ops:
        """The ANDs in order; their inverse brings every target back to zero."""
        return tuple(And(s.left, s.right, self.num_index + k) for k, s in enumerate(self.steps))

    def parity(self, function: int) -> Parity:
        """Return ``function`` as a parity of wires.

        Raises:
            ValueError: it is not in the span.
        """
        mask = self.span.express(function)
        if mask is None:
            raise ValueError("the function is no parity of the wires looked up")
        return self.span.parity(mask)

    @property
    def cx(self) -> int:
        """CX of `ops`: one for each wire on the left of an AND, two on its right."""
        return sum(len(s.left.wires) + 2 * len(s.right.wires) for s in self.steps)


def everywhere(num_index: int) -> int:
    """Return the function that is 1 at every index."""
    return (1 << (1 << num_index)) - 1


def columns_of(num_index: int, steps: Iterable[LookupStep]) -> tuple[int, ...]:
    """Return, for each wire, the function of the index that it holds after ``steps``."""
    columns = list(index_columns(num_index))
    for step in steps:
        columns.append(value_of(step.left, columns, num_index) & value_of(step.right, columns, num_index))
    return tuple(columns)


def value_of(parity: Parity, columns: Sequence[int], num_index: int) -> int:
    """Return the function that a parity of wires with the given ``columns`` computes."""
    return parity.value(columns.__getitem__, everywhere(num_index))


def ands_needed(functions: Iterable[int], num_index: int) -> int:
    """Return the dimension of ``functions`` modulo affine functions of the index: a lower bound on ANDs."""
    whole = AffineSpan.of((*index_columns(num_index), *functions), everywhere(num_index))
    return len(whole.basis) - num_index - 1


def monomial_lookup(num_index: int) -> LookupChain:
    """Build all products of index bits, each from the one without its highest bit; any table is a parity of them.

    Cost: 2**n - n - 1 ANDs of single wires.
    Source: the algebraic normal form; unary iteration (Babbush et al., arXiv:1805.03662, section III.A) is the same
    chain with one-hot wires in place of products.
    """
    place = {1 << k: k for k in range(num_index)}
    steps: list[LookupStep] = []
    for product in range(1, 1 << num_index):
        if product in place:
            continue
        top = 1 << (product.bit_length() - 1)
        steps.append(LookupStep(Parity((place[product ^ top],)), Parity((place[top],))))
        place[product] = num_index + len(steps) - 1
    return LookupChain(num_index, tuple(steps))


def drawn_lookup(
    functions: Sequence[int], num_index: int, rng: random.Random, start: tuple[LookupStep, ...] = ()
) -> LookupChain:
    """Draw a chain that has every function in its span.

    Each step is a product of two wires, or of a parity of two wires and a wire, that lies in the span of the
    functions and the wires but not yet in that of the wires; where there is none, any product that is new, so that
    the chain gets longer than `ands_needed`. Complements of controls are drawn freely. The chain begins with the steps
    of ``start``; where their products are outside that span, it is longer than it need be.
    """
    rows = everywhere(num_index)
    steps, columns = list(start), list(columns_of(num_index, start))
    goal = AffineSpan.of((*columns, *functions), rows)
    while True:
        held = AffineSpan.of(columns, rows)
        if len(held.basis) == len(goal.basis):
            return LookupChain(num_index, tuple(steps))
        pair = _drawn_pair(columns, goal, held, rng)
        if pair is None:
            # Wires whose pairwise products were all held would span every function, so there is one outside.
            wires = range(len(columns))
            fresh = [((a,), (b,)) for a in wires for b in range(a) if held.residue(columns[a] & columns[b])]
            pair = rng.choice(fresh)
            goal = AffineSpan.of((*columns, columns[pair[0][0]] & columns[pair[1][0]], *functions), rows)
        left, right = pair
        signed = rng.getrandbits(2)
        step = LookupStep(Parity(left, bool(signed & 1)), Parity(right, bool(signed & 2)))
        steps.append(step)
        columns.append(value_of(step.left, columns, num_index) & value_of(step.right, columns, num_index))


Wires = tuple[int, ...]


def _drawn_pair(
    columns: Sequence[int], goal: AffineSpan, held: AffineSpan, rng: random.Random
) -> tuple[Wires, Wires] | None:
    """Find controls whose product is in ``goal`` and not in ``held``: at random, then from a list of all."""

    def useful(left: Wires, right: Wires) -> bool:
        value = columns[left[0]] if len(left) == 1 else columns[left[0]] ^ columns[left[1]]
        product = value & columns[right[0]]
        return not goal.residue(product) and bool(held.residue(product))

    wires = range(len(columns))
    for _ in range(BLIND):
        width = 2 if rng.random() < WIDER else 1
        *left, right = rng.sample(wires, min(width + 1, len(columns)))
        if left and useful(tuple(sorted(left)), (right,)):
            return tuple(sorted(left)), (right,)
    listed: list[tuple[Wires, Wires]] = [((a,), (b,)) for a in wires for b in range(a) if useful((a,), (b,))]
    if not listed:
        pairs = ((b, a) for a in wires for b in range(a))
        listed = [(pair, (c,)) for pair in pairs for c in wires if c not in pair and useful(pair, (c,))]
    return rng.choice(listed) if listed else None
