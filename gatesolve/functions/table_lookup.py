"""A table of whole numbers as one circuit (also called QROM): add the entry of an index to a register."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from qiskit import QuantumCircuit, QuantumRegister

from gatesolve.circuit import And, Op, Ops, Parity, Planes, Xor, inverse, run_ops
from gatesolve.circuit.gf2 import AffineSpan
from gatesolve.circuit.lowering import GATE_SETS, GateSet, lower
from gatesolve.errors import DoesNotFitError, InputError

MOST_INDEX_BITS = 10
"""Tables are held as integers of 2**n bits and chains are searched pair by pair."""
WIDER = 0.1
"""Probability that a drawn step has a control of two wires although single wires might do."""
BLIND = 40
"""Steps drawn at random before all are listed."""
Wires = tuple[int, ...]
MOST_DRAWN = 5
"""Index bits up to which chains of ANDs are drawn; a longer table takes all products of index bits."""


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
    """A chain of ANDs on an index register, each over earlier wires.

    Wires 0 ... num_index-1 are the index, wire num_index + k is the target of step k (zero before).
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
    # An AND adds at most one dimension; the index bits and the constant are free.
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
        # In rising order, the product without its highest bit exists already.
        top = 1 << (product.bit_length() - 1)
        steps.append(LookupStep(Parity((place[product ^ top],)), Parity((place[top],))))
        place[product] = num_index + len(steps) - 1
    return LookupChain(num_index, tuple(steps))


def drawn_lookup(
    functions: Sequence[int], num_index: int, rng: random.Random, start: tuple[LookupStep, ...] = ()
) -> LookupChain:
    """Draw a random chain that has every function in its span.

    The chain begins with the steps of ``start``. It may be longer than `ands_needed`: the search is random, and the
    products of ``start`` may lie outside the span of the functions.
    """
    rows = everywhere(num_index)
    steps, columns = list(start), list(columns_of(num_index, start))
    goal = AffineSpan.of((*columns, *functions), rows)
    while True:
        # A useful step is in the span of wires and functions, but not yet in that of the wires: it saves one dimension.
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
        # A complement changes the product only by a wire, so the step stays useful whatever is drawn.
        signed = rng.getrandbits(2)
        step = LookupStep(Parity(left, bool(signed & 1)), Parity(right, bool(signed & 2)))
        steps.append(step)
        columns.append(value_of(step.left, columns, num_index) & value_of(step.right, columns, num_index))


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


def table_lookup(values: Sequence[int], *, gates: GateSet = "cx+u", tries: int = 20, seed: int = 1) -> QuantumCircuit:
    """Build a circuit that takes ``|i>|y>|0>`` to ``|i>|y XOR values[i]>|0>``.

    Args:
        values: whole numbers from 0 on, 2^n of them; entry i belongs to index i.
        gates: the gate set, one of `GATE_SETS`.
        tries: chains of ANDs tried; the one of fewest CX is taken.
        seed: of the draw; the same arguments give the same circuit.

    Returns:
        Registers ``index`` (n qubits), ``value`` (as many as the greatest entry has bits, at least one) and
        ``ancilla`` (zero before and after), each with its lowest bit first. The operations were run on every index.

    Raises:
        InputError: the values are no table, or an option is not offered.
        DoesNotFitError: the table has more than 2^10 entries.
    """
    num_index = _index_bits(values)
    values = [int(value) for value in values]
    if gates not in GATE_SETS:
        raise InputError(f"unknown gate set '{gates}': use {', '.join(GATE_SETS)}")
    if not isinstance(tries, int) or tries < 1:
        raise InputError(f"tries must be a whole number from 1, not {tries!r}")
    num_bits = max(1, max(values).bit_length())
    columns = [sum((value >> bit & 1) << i for i, value in enumerate(values)) for bit in range(num_bits)]
    chains = [monomial_lookup(num_index)]
    if num_index <= MOST_DRAWN:
        draw = random.Random(seed)
        chains = [drawn_lookup(columns, num_index, draw) for _ in range(tries)]
    ops, width = min((_load(chain, columns) for chain in chains), key=lambda made: sum(op.counts.cx for op in made[0]))
    _check(ops, width, num_index, values)
    sizes = {"index": num_index, "value": num_bits, "ancilla": width - num_index - num_bits}
    circuit = QuantumCircuit(*(QuantumRegister(size, name) for name, size in sizes.items() if size))
    return circuit.compose(lower(ops, width, gates))


def _index_bits(values: Sequence[int]) -> int:
    for row, value in enumerate(values):
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 0:
            raise InputError(f"entry {row} of the table is {value!r}: give whole numbers from 0 on")
    num_index = len(values).bit_length() - 1
    if len(values) < 2 or len(values) != 1 << num_index:
        raise InputError(f"the table has {len(values)} entries: fill it up to a power of two, at least 2")
    if num_index > MOST_INDEX_BITS:
        raise DoesNotFitError(f"the table has {len(values)} entries: at most {1 << MOST_INDEX_BITS} are looked up")
    return num_index


def _load(chain: LookupChain, columns: Sequence[int]) -> tuple[Ops, int]:
    """Run the steps of the chain that are read, add each column to its qubit, undo the steps; and the width."""
    parities = [chain.parity(column) for column in columns]
    read = {wire for parity in parities for wire in parity.wires}
    # Backwards, because a step may be read by later steps only.
    for number in range(len(chain.steps) - 1, -1, -1):
        if chain.num_index + number in read:
            read.update(chain.steps[number].left.wires, chain.steps[number].right.wires)
    kept = [number for number in range(len(chain.steps)) if chain.num_index + number in read]
    place = dict(enumerate(range(chain.num_index)))
    first = chain.num_index + len(columns)
    place.update((chain.num_index + number, first + rank) for rank, number in enumerate(kept))
    # Nothing reads a dropped step, so any wire may stand for it.
    wires = [place.get(wire, 0) for wire in range(chain.num_wires)]
    make: list[Op] = []
    for number in kept:
        step = chain.steps[number]
        make.append(And(step.left.renamed(wires), step.right.renamed(wires), wires[chain.num_index + number]))
    adds = [Xor(parity.renamed(wires), chain.num_index + bit) for bit, parity in enumerate(parities)]
    return (*make, *adds, *inverse(tuple(make))), first + len(kept)


def _check(ops: Ops, width: int, num_index: int, values: Sequence[int]) -> None:
    """Run the operations on every index: the entry arrives, everything else is as before."""
    size = len(values)
    bits = np.zeros((width, size), dtype=bool)
    bits[:num_index] = np.arange(size) >> np.arange(num_index)[:, None] & 1
    planes = Planes.from_bits(bits)
    run_ops(ops, planes)
    # Beyond the highest bit of a value this gives the zeros that ancillas must hold at the end.
    entries = [[value >> bit & 1 for value in values] for bit in range(width - num_index)]
    bits[num_index:] = entries
    if not np.array_equal(planes.unpack(planes.bits, size), bits) or planes.unpack(planes.phase, size).any():
        raise AssertionError("the lookup does not load its table: please report this as a bug")
