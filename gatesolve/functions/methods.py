"""The ways to build one function's oracle, each as a candidate to be lowered and measured.

Expressions, decision diagrams, exclusive sums of products (a phase for each cube), and rotations.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import And, Op, Ops, Parity, PhaseFlip, Xor, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.gates import LowGate
from gatesolve.errors import AncillaBudgetError
from gatesolve.functions.expression import conditions
from gatesolve.functions.function import Function
from gatesolve.oracle.assemble import assemble
from gatesolve.oracle.condition import Condition, Flag
from gatesolve.oracle.window import pack

MOST_QUBITS = 12
"""Above this a circuit of 2^n gates is never the cheapest."""
MOST_NODES = 400
Literals = frozenset[Parity]
RESERVED = 1
"""Ancillas left to the flips themselves: with one, each is still linear in CX."""
Cube = tuple[int, int]
"""(mask of the variables that occur, their values)."""
BUDGET = 60_000
"""Different cofactors looked at before the fixed-polarity form must do."""
Bools = NDArray[np.bool_]
AFFINE_BITS = (6, 12)
"""Widths at which CX gates that simplify the cubes are searched for, where ancillas are limited."""
TRIES = 300
"""Covers looked at for that, times the effort."""
ORDERS = 160
"""Variable orders tried for a decision diagram."""


def fourier(numbers: NDArray[Any]) -> NDArray[np.float64]:
    """Coefficients of the signs of parities; entry m belongs to the XOR of the bits in m."""
    # The Walsh-Hadamard transform: for each place, sums and differences of the entries that differ there alone.
    series = numbers.astype(float)
    for place in range(series.size.bit_length() - 1):
        view = series.reshape(-1, 2, 1 << place)
        series = np.stack([view[:, 0] + view[:, 1], view[:, 0] - view[:, 1]], axis=1).reshape(-1)
    return series / series.size


def angles(table: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Coefficient of each parity in the phase ``pi * table``; entry m belongs to the XOR of the qubits in m."""
    # A parity p is (1 - chi) / 2, so its coefficient is minus twice that of the character.
    result: NDArray[np.float64] = -2 * math.pi * fourier(table)
    # The empty parity is constant, so its coefficient is a global phase.
    result[0] = 0.0
    return result


def rotations(table: NDArray[np.bool_]) -> list[LowGate]:
    """Gates ``cx`` and ``p`` with phase -1 exactly where ``table`` is true, up to a global phase.

    Cost: at most 2^n - 2 CX. Source: Welch, Greenbaum, Mostame and Aspuru-Guzik, arXiv:1306.3991.
    """
    coefficient = angles(table)
    gates: list[LowGate] = []
    for target in range(table.size.bit_length() - 1):
        held = 0
        for k in range(1 << target):
            # Each parity is made on its highest qubit. In Gray-code order neighbouring parities differ by one CX.
            gray = k ^ (k >> 1)
            angle = float(coefficient[1 << target | gray])
            # Angles are multiples of 2 pi / 2^n, so a smaller one is a rounding error.
            if abs(math.remainder(angle, 2 * math.pi)) < 1e-12:
                continue
            gates += [("cx", (q, target), 0.0) for q in range(target) if (held ^ gray) >> q & 1]
            gates.append(("p", (target,), angle))
            held = gray
        # The qubit must hold its own bit again, because parities of higher targets read it.
        gates += [("cx", (q, target), 0.0) for q in range(target) if held >> q & 1]
    return gates


def diagram(table: NDArray[np.bool_], order: Sequence[int]) -> Condition | None:
    """A function as flags: node = low XOR x AND (low XOR high); None past `MOST_NODES` nodes.

    ``table`` has length 2^n, little-endian, and ``order`` the variables, the one at the root last.
    """
    # Reordered so that the root's variable is the highest bit: then the halves of the table are its two cofactors.
    axes = [len(order) - 1 - variable for variable in reversed(order)]
    whole = pack(np.ascontiguousarray(table.reshape((2,) * len(order)).transpose(axes)).reshape(-1))
    known: dict[tuple[int, int], Parity] = {}
    flags: list[Flag] = []

    def parity(level: int, function: int) -> Parity | None:
        ones = (1 << (1 << level)) - 1
        if function in (0, ones):
            return Parity((), bool(function))
        # Of a function and its complement, the one that is 0 at input 0 is made, and both share its flag.
        negated = bool(function & 1)
        key = (level, function ^ ones if negated else function)
        if key not in known:
            made = make(level, key[1])
            if made is None:
                return None
            known[key] = made
        return known[key].negated() if negated else known[key]

    def make(level: int, function: int) -> Parity | None:
        half = 1 << (level - 1)
        low, high = function & ((1 << half) - 1), function >> half
        if low == high:
            return parity(level - 1, low)
        first, second = parity(level - 1, low), parity(level - 1, high)
        if first is None or second is None or len(flags) > MOST_NODES:
            return None
        return add(Parity((order[level - 1],)), first ^ second, first)

    def add(variable: Parity, difference: Parity, rest: Parity) -> Parity:
        # Branches that are equal or complementary need no AND.
        if not difference.wires:
            return rest ^ variable if difference.constant else rest
        flags.append(Flag(((difference, variable),), rest))
        return Parity((-len(flags),))

    root = parity(len(order), whole)
    return None if root is None else Condition(tuple(flags), (root,), method="diagram")


def factor_cubes(cubes: Sequence[Literals], clean: tuple[int, ...]) -> Ops:
    """Phase -1 for each cube; the pair of literals in most cubes goes onto an ancilla for as long as they last.

    A cube is a product of parities; ``clean`` are zero ancillas, zero again afterwards.

    Cost: one AND and its erasure for each pair taken out, which every further cube with that pair saves.
    """
    ops: list[Op] = []
    rest = list(cubes)
    while rest:
        pair, times = _commonest(rest)
        if pair is None or times < 2 or len(clean) <= RESERVED:
            return (*ops, *(PhaseFlip(_ordered(cube), clean) for cube in rest))
        # ``goal`` holds the product while ``inside`` is flipped, so the recursion has one ancilla less.
        goal, free = clean[0], clean[1:]
        product = And(pair[0], pair[1], goal)
        inside = [cube - set(pair) | {Parity((goal,))} for cube in rest if pair[0] in cube and pair[1] in cube]
        rest = [cube for cube in rest if not (pair[0] in cube and pair[1] in cube)]
        # The product is erased before the rest, which may need the ancilla for another pair.
        ops += [product, *factor_cubes(inside, free), And(product.left, product.right, goal, True)]
    return tuple(ops)


def _ordered(cube: Literals) -> tuple[Parity, ...]:
    return tuple(sorted(cube, key=lambda p: p.wires))


def _commonest(cubes: Sequence[Literals]) -> tuple[tuple[Parity, Parity] | None, int]:
    """The pair of literals in most cubes of three or more literals, and in how many."""
    counts: Counter[tuple[Parity, Parity]] = Counter()
    for cube in cubes:
        # A flip of two literals is one CZ, cheaper than any AND.
        if len(cube) > 2:
            counts.update(combinations(_ordered(cube), 2))
    if not counts:
        return None, 0
    # Ties are broken by the pair: sets have no order, and the same function must give the same circuit.
    pair = max(counts, key=lambda p: (counts[p], p))
    return pair, counts[pair]


def flips_of(cover: Sequence[Cube], clean: tuple[int, ...], places: Sequence[int]) -> Ops:
    """One flip a cube, common products of literals made once; bit k is on qubit ``places[k]``."""
    literals = [
        frozenset(Parity((places[k],), not values >> k & 1) for k in range(mask.bit_length()) if mask >> k & 1)
        for mask, values in cover
    ]
    return factor_cubes(literals, clean)


def cubes(table: NDArray[np.bool_]) -> list[Cube]:
    """The cheaper of two covers: each cofactor expanded its own way, or one polarity for all.

    Source: pseudo-Kronecker and fixed-polarity Reed-Muller forms, Sasao, "Switching Theory for Logic Synthesis"
    (1999), chapter 16.
    """
    fixed = fixed_polarity(table)
    free = pseudo_kronecker(table)
    # Both searches add 1 per cube to favour few cubes, but the final choice is by CX.
    return fixed if free is None else min(free, fixed, key=lambda cover: sum(_weight(mask) - 1 for mask, _ in cover))


def reed_muller(table: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Coefficients of the polynomial over GF(2): entry m belongs to the product of the variables in m."""
    result = table.copy()
    for place in range(table.size.bit_length() - 1):
        view = result.reshape(-1, 2, 1 << place)
        view[:, 1] ^= view[:, 0]
    return result


def fixed_polarity(table: NDArray[np.bool_]) -> list[Cube]:
    """Products of literals, each variable with one polarity throughout; polarities by descent."""
    size = table.size
    inputs = np.arange(size)
    # The price of a product depends only on its number of variables.
    price = np.array([_weight((1 << n) - 1) for n in range(size.bit_length())])[np.bitwise_count(inputs)]

    def cost(polarity: int) -> int:
        return int(price[reed_muller(table[inputs ^ polarity])].sum())

    polarity, best = 0, cost(0)
    improved = True
    while improved:
        improved = False
        for k in range(size.bit_length() - 1):
            other = cost(polarity ^ (1 << k))
            if other < best:
                polarity, best, improved = polarity ^ (1 << k), other, True
    # The polynomial is in the complemented variables, so a factor with polarity 1 is a negative literal.
    chosen = np.flatnonzero(reed_muller(table[inputs ^ polarity]))
    return [(int(m), int(m) & ~polarity) for m in chosen]


def pseudo_kronecker(table: NDArray[np.bool_]) -> list[Cube] | None:
    """At every cofactor the cheapest of Shannon, positive and negative Davio; None past `BUDGET` cofactors."""
    seen = 0

    @cache
    def best(level: int, function: int) -> tuple[int, tuple[Cube, ...]]:
        nonlocal seen
        seen += 1
        if seen > BUDGET:
            # This leaves all levels of the recursion at once.
            raise OverflowError
        if not function:
            return 0, ()
        if level == 0:
            return 1, ((0, 0),)
        bit = half = 1 << (level - 1)
        low, high = function & ((1 << half) - 1), function >> half
        # Any two of low, high and their sum determine the function, so the dearest is left out.
        parts = sorted(
            ((best(level - 1, f), kind) for f, kind in ((low, "low"), (high, "high"), (low ^ high, "both"))),
            key=lambda p: p[0][0],
        )[:2]
        kinds = {kind for _, kind in parts}
        cover: list[Cube] = []
        for (_, found), kind in parts:
            # f = low' x' + high x = low + both x = high + both x'
            mask = 0 if "both" in kinds and kind != "both" else bit
            value = mask if kind == "high" or (kind == "both" and "low" in kinds) else 0
            cover += [(m | mask, v | value) for m, v in found]
        return sum(_weight(m) for m, _ in cover), tuple(cover)

    try:
        return list(best(table.size.bit_length() - 1, pack(table))[1])
    except OverflowError:
        return None


def _weight(mask: int) -> int:
    """One more than the CX of the flip: 6 n - 12 for n factors."""
    return 1 + max(6 * (mask.bit_count() - 2), mask.bit_count() - 1, 0)


def affine_cube_ops(table: NDArray[np.bool_], clean: tuple[int, ...], tries: int, seed: int) -> Ops | None:
    """Phase -1 where ``table`` is true: CX gates, one flip a cube, the CX gates undone.

    ``table`` is little-endian, the flips may borrow ``clean``, and ``tries`` random changes are tried. None if the
    function is too irregular for such covers.
    """
    rng = np.random.default_rng(seed)
    num_bits = table.size.bit_length() - 1
    inputs = np.arange(table.size)
    cover = pseudo_kronecker(table)
    if cover is None or num_bits < 2:
        return None
    current, best = table, count_cx(flips_of(cover, clean, range(num_bits)))
    # Bit k of ``current`` is on qubit ``order[k]``, because exchanges rename qubits instead of moving bits.
    order = list(range(num_bits))
    steps: list[tuple[int, int]] = []
    for _ in range(tries):
        first, second = (int(v) for v in rng.choice(num_bits, 2, replace=False))
        swap = bool(rng.random() < 0.3)
        differ = (inputs >> first ^ inputs >> second) & 1
        # The input that comes to stand at each place: two bits are exchanged, or one is added to the other.
        source = inputs ^ ((differ << first | differ << second) if swap else (inputs >> first & 1) << second)
        cover = pseudo_kronecker(current[source])
        price = best + 1 if cover is None else count_cx(flips_of(cover, clean, range(num_bits)))
        # Each CX occurs before the flips and again after them; an exchange takes none.
        price += 2 * (len(steps) + (not swap))
        # Changes of equal price are kept as well, to cross plateaus.
        if price > best:
            continue
        best, current = price, current[source]
        if swap:
            order[first], order[second] = order[second], order[first]
        else:
            steps.append((order[first], order[second]))
    network: list[Op] = [Xor(Parity((control,)), target) for control, target in steps]
    return (*network, *flips_of(pseudo_kronecker(current) or [], clean, order), *inverse(network))


@dataclass(frozen=True)
class PhaseCandidate:
    """One way to build the oracle: reversible operations, or gates ``cx`` and ``p`` without ancillas, the rotations."""

    method: str
    num_ancillas: int
    ops: Ops | None = None
    rotations: tuple[LowGate, ...] = ()

    @property
    def estimate(self) -> int:
        """CX before lowering's passes."""
        return count_cx(self.ops) if self.ops is not None else sum(name == "cx" for name, _, _ in self.rotations)


def make_candidates(
    function: Function, ancillas: int | None, effort: int = 1, seed: int = 1, absorbing: bool = False
) -> Iterator[PhaseCandidate]:
    """Every method that fits: ``expression``, ``diagram``, ``cubes``, ``affine cubes``, ``rotations``, ``constant``.

    Args:
        function: what to mark.
        ancillas: most clean ancillas; None for as many as help.
        effort: how many times as long to look for CX gates that simplify the cubes.
        seed: of that search.
        absorbing: as for `gatesolve.oracle.assemble`.
    """
    if function.tree is not None and function.care is None:
        yield from _assembled("expression", conditions(function.tree), function, ancillas, absorbing)
    for table in _fills(function):
        if not table.any():
            yield PhaseCandidate("constant", 0, ())
            continue
        yield from _assembled("diagram", best_diagram(table), function, ancillas, absorbing)
        clean = function.num_bits - 3 if ancillas is None else ancillas
        # A flip of n factors is a Z with n - 1 controls, for which n - 3 ancillas suffice.
        lent = tuple(range(function.num_bits, function.num_bits + max(min(clean, function.num_bits - 3), 0)))
        yield PhaseCandidate("cubes", len(lent), flips_of(cubes(table), lent, range(function.num_bits)))
        if ancillas is not None and AFFINE_BITS[0] <= function.num_bits <= AFFINE_BITS[1]:
            ops = affine_cube_ops(table, lent, effort * TRIES, seed)
            if ops is not None:
                yield PhaseCandidate("affine cubes", len(lent), ops)
        if function.num_bits <= MOST_QUBITS:
            yield PhaseCandidate("rotations", 0, None, tuple(rotations(table)))


def _assembled(
    method: str, parts: Sequence[Condition] | None, function: Function, ancillas: int | None, absorbing: bool
) -> Iterator[PhaseCandidate]:
    if parts is None:
        return
    try:
        oracle = assemble(parts, function.num_bits, ancillas, absorbing=absorbing)
    except AncillaBudgetError:
        return
    yield PhaseCandidate(method, oracle.num_ancillas, oracle.ops)


def _fills(function: Function) -> list[Bools]:
    """Truth tables to try: without don't-cares just one, else the rest false, true, or as most neighbours are."""
    if function.care is None:
        return [function.table]
    care, known = function.care.copy(), function.table.copy()
    inputs = np.arange(known.size)
    # Each round fills the inputs beside known ones. If no input matters, nothing could ever be filled.
    while not care.all() and care.any():
        votes = np.zeros(known.size, dtype=np.int64)
        for k in range(function.num_bits):
            near = inputs ^ (1 << k)
            votes += np.where(care[near], np.where(known[near], 1, -1), 0)
        reached = ~care & np.any([care[inputs ^ (1 << k)] for k in range(function.num_bits)], axis=0)
        known = np.where(reached, votes > 0, known)
        care |= reached
    options = [function.table, function.table | ~function.care, known]
    return [table for i, table in enumerate(options) if not any(np.array_equal(table, o) for o in options[:i])]


def best_diagram(table: Bools) -> list[Condition] | None:
    """The diagram of fewest ANDs over orders found by moving one variable at a time; None if all are too large."""
    num_bits = table.size.bit_length() - 1
    order = list(range(num_bits))
    best, tries, improved = diagram(table, order), 0, True
    while improved and tries < ORDERS:
        improved = False
        # Sifting: each variable is tried at every place of the best order so far (Rudell, ICCAD 1993).
        for variable, place in islice(product(range(num_bits), repeat=2), ORDERS - tries):
            moved = [v for v in order if v != variable]
            moved.insert(place, variable)
            tries += 1
            found = diagram(table, moved)
            if found is not None and (best is None or found.num_ands < best.num_ands):
                best, order, improved = found, moved, True
    return None if best is None else [best]
