"""XOR oracles for any functions of bits: their values onto target qubits, exactly or up to a phase of each input.

Wires are the bits, a target for each function, then ancillas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from math import cos, isclose, pi

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.circuit import And, Gate, Mux, Op, Ops, Parity, PhaseFlip, Xor, independent_parities, inverse
from gatesolve.circuit.gf2 import list_bits
from gatesolve.circuit.lowering import GateSet
from gatesolve.circuit.ops import make_in_place
from gatesolve.errors import DoesNotFitError, InputError, refuses_renamed
from gatesolve.functions.expression import Node, join_outputs
from gatesolve.functions.function import MOST_VARIABLES, Function, bits_of, read_outputs
from gatesolve.functions.methods import PhaseCandidate, best_diagram, diagram, fourier, make_candidates
from gatesolve.functions.phase_oracle import (
    FunctionMetric,
    FunctionOracle,
    Measured,
    check_numbers,
    choose,
    measure_candidates,
    need_candidates,
    settle_metric,
)
from gatesolve.gate_sets import GATE_SETS
from gatesolve.oracle.condition import ZERO, Condition, Flag
from gatesolve.oracle.network import Network, add_columns
from gatesolve.simulate.certificate import Certificate, CertificateError
from gatesolve.simulate.product import follow_states

MOST_BITS = 12
"""Most bits of a function whose parities are walked: there may be 2^n of them."""
MOST_EXACT = 9
"""Most parities for which the shortest walk is found; for more, each step goes to the nearest."""
TIES = 4
"""Walks of equal length and end that are kept, because one may be shallower."""
MOST_PAIRED = 5
"""Most bits for which the XOR of two wires is tried on one of them."""
MOST_NEAREST = 256
"""Most parities for which each step goes to the nearest; more are walked in Gray-code order."""
HELD = 1e-9
Bools = NDArray[np.bool_]
MOST_DIAGRAM = 12
"""Bits of functions for which decision diagrams are made."""
CHECKED = 1 << 16
"""Most inputs on which the lowered circuit is run; of more, a sample of this size is drawn."""
CHUNK = 1 << 12
"""Inputs that are simulated together."""
NEAR = 1e-6


def walk_ops(table: NDArray[np.bool_], target: int) -> Ops:
    """Return one function: a rotation of the target for each parity of its Fourier series, in sequence.

    Cost: at most 2^n - 1 CX, 3 for an AND, 6 for a majority of three.
    Source: uniformly controlled rotations, Mottonen and others, quant-ph/0404089.
    """
    num_bits = table.size.bit_length() - 1
    ones = np.bitwise_count(np.arange(table.size)).astype(np.int64)
    # The total angle, in units of pi, may be any integer that is odd exactly where the function is true.
    choices = [table.astype(np.int64)]
    if np.array_equal(table, ones >> 1 & 1):
        # For the digit of 2 of a popcount c, this series has n + 2 parities instead of up to 2^n.
        choices.append(ones >> 1)
    walks = [(path, series) for series in map(fourier, choices) for path in _walk(np.flatnonzero(abs(series) > HELD))]
    least = min(_count_steps(path) for path, _ in walks)
    pairs = list(permutations(range(num_bits), 2)) if num_bits <= MOST_PAIRED else []
    made = [
        _turn_along(path, series, pair, target)
        for path, series in walks
        if _count_steps(path) == least
        for pair in [(0, 0), *pairs]
    ]
    return min(made, key=lambda ops: (sum(op.counts.cx for op in ops), _count_layers(ops)))


def _turn_along(path: Sequence[int], series: NDArray[np.float64], pair: tuple[int, int], target: int) -> Ops:
    """Return the rotations along a walk, with the XOR of a pair of wires on its second wire meanwhile."""
    # A sign that is a parity is allowed and XORs all parities with it, so a walk may start anywhere.
    first, last = path[0], path[-1] ^ path[0]
    ops, turns = list[Op](), {place ^ first: pi * series[place] for place in path}
    # The last parity stays on the target, which is one more half turn where it is odd.
    if last:
        turns[last] -= pi / 2
        turns[0] += pi / 2
    both, second = (1 << pair[0]) ^ (1 << pair[1]), 1 << pair[1]
    steps = [0, *(before ^ after for before, after in pairwise(path))]
    paired = [k for k, step in enumerate(steps) if both and step & both == both]
    for k, (step, place) in enumerate(zip(steps, path, strict=True)):
        if paired and k == paired[0]:
            ops.append(_flip(*pair))
        if paired and paired[0] <= k <= paired[-1] and step & second:
            step ^= both ^ second
        ops += [_flip(wire, target) for wire in list_bits(step)]
        if paired and k == paired[-1]:
            ops.append(_flip(*pair))
        ops.append(Gate("ry", (target,), (turns[place ^ first],)))
    return tuple(ops)


def _walk(found: NDArray[np.intp]) -> list[list[int]]:
    """Orders of all places of few steps, each the flip of a bit; some of the shortest where there are few places.

    Source: Held and Karp, doi:10.1137/0110015.
    """
    places = [int(place) for place in found] or [0]
    wanted = set(places)
    gray = (k ^ k >> 1 for k in range(2 * max(places)))
    # Up to 2^n places: even choosing the nearest one each time would be quadratic in them.
    if len(places) > MOST_NEAREST:
        return [[place for place in gray if place in wanted]]
    if len(places) > MOST_EXACT:
        left, path = wanted - {places[0]}, [places[0]]
        while left:
            path.append(min(left, key=lambda place: ((place ^ path[-1]).bit_count(), place)))
            left.remove(path[-1])
        return [path, [place for place in gray if place in wanted]]
    paths = [[place] for place in places]
    for _ in places[1:]:
        longer = [[*path, place] for path in paths for place in places if place not in path]
        # Only the set of places and the last one matter for what follows, so few walks per pair are kept.
        kept = dict[tuple[frozenset[int], int], list[list[int]]]()
        for path in sorted(longer, key=_count_steps):
            same = kept.setdefault((frozenset(path), path[-1]), [path])
            if path is not same[0] and len(same) < TIES and _count_steps(path) == _count_steps(same[0]):
                same.append(path)
        paths = [path for same in kept.values() for path in same]
    return paths


def _count_steps(path: Sequence[int]) -> int:
    return sum((a ^ b).bit_count() for a, b in pairwise(path))


def popcount_ops(num_bits: int, digits: int) -> Ops:
    """Return the lowest digits of the popcount of all bits, two or more of each, on the wires after them.

    Cost: 2 n - 2 CX for the sums, n for the lowest digit and n - 1 + k for that of 2^k. It is one less if the first
    turn is a right angle. The shallowest of the orders of the sums is returned.
    """
    return min((_count_from(root, num_bits, digits) for root in range(num_bits)), key=_count_layers)


def _count_layers(ops: Ops) -> int:
    layers = dict[int, int]()
    for op in ops:
        if len(op.wires) > 1:
            layers |= dict.fromkeys(op.wires, 1 + max(layers.get(wire, 0) for wire in op.wires))
    return max(layers.values(), default=0)


def _count_from(root: int, num_bits: int, digits: int) -> Ops:
    """Return the digits by sums for which one bit, ``root``, stays on its wire.

    Wires before it hold their XOR with the next one meanwhile, wires after it with the one before.
    """
    ones, targets = num_bits, range(num_bits + 1, num_bits + digits)
    # The digit of 2^k is (c - y0 - 2 y1 - ...) / 2^k mod 2 for c ones and lower digits y0, y1, ...
    # So each bit turns the digit's wire by pi / 2^k, and each lower digit turns it back.
    # Wires hold sums x0 + x1, x1 + x2, ..., so that one CX leads from a bit to the next, for all digits in a pipeline.
    edges = [(place + 1, place) if place < root else (place, place + 1) for place in range(num_bits - 1)]
    sums = [_flip(*edge) for edge in [*edges[:root], *reversed(edges[root:])]]
    ops = [*_first_turns(num_bits, targets), *sums]
    # The wire of the ones gathers all bits but the last, two at a time, from wires that the other digits have not
    # reached yet or have left.
    gathered = [place for place in range(num_bits - 1) if (num_bits - place) % 2]
    ops += [_flip(edges[place][1], ones) for place in gathered if place >= root]
    for place, (_, held) in enumerate(edges):
        ops += [op for target in targets for op in _step(held, target, _unit(num_bits, target))]
        if place < root and place in gathered:
            ops.append(_flip(held, ones))
    ops += reversed(sums)
    # The wire of the ones lacks the last bit, where the parities are; that of any other digit but the last holds the
    # digit before it too, as its own parities end there. Each is just what leads from one parity to the next.
    for target in targets:
        for lower, angle in enumerate(_digit_turns(num_bits, target, targets[-1]), start=num_bits):
            ops += _step(lower, target, angle)
    return (*ops, _flip(num_bits - 1, ones), *(_flip(digit, digit + 1) for digit in range(ones, targets[-1] - 1)))


def _flip(source: int, target: int) -> Xor:
    return Xor(Parity((source,)), target)


def _unit(num_bits: int, target: int) -> float:
    """Return the rotation of a digit's wire for one bit."""
    return pi / (1 << target - num_bits)


def _step(wire: int, target: int, angle: float) -> tuple[Op, Op]:
    """XOR a wire onto the target, then rotate it by ``angle`` if its parity is odd; half of that was applied before."""
    return _flip(wire, target), Gate("ry", (target,), (-angle / 2,))


def _first_turns(num_bits: int, targets: Sequence[int]) -> Iterator[Op]:
    """Yield the halves of all later turns, which do not depend on a parity, then the turn of the first bit."""
    # An even number of bits needs the first one on the wire of the ones too, which then passes it on.
    ones = num_bits
    source = 0 if num_bits % 2 else ones
    if source == ones:
        yield _flip(0, ones)
    for place, target in enumerate(targets):
        unit = _unit(num_bits, target)
        half = (num_bits * unit + sum(_digit_turns(num_bits, target, targets[-1]))) / 2
        yield Gate("ry", (target,), (half,))
        # At a right angle X gives only a phase, so the CX from the first bit is left out.
        if not isclose(cos(half), 0, abs_tol=HELD):
            yield _flip(source if place else 0, target)
        yield Gate("ry", (target,), (-unit / 2,))


def _digit_turns(num_bits: int, target: int, last: int) -> list[float]:
    """Return the turns by lower digits; for the last digit the highest one is inverted."""
    angles = [-_unit(num_bits, target) * (1 << lower) for lower in range(target - num_bits)]
    # That cancels the parity left on the wire of the highest digit.
    if target == last:
        angles[-1] *= -1
    return angles


def product_ops(wires: Sequence[int], target: int) -> Ops:
    """Return the AND of three or four wires, XORed onto the target.

    Cost: 6 and 10 CX. Source: for three Maslov, arXiv:1508.03273, figure 4.
    """
    first, second, *last = wires
    around = last if len(last) == 1 else [last[1], last[0], last[1]]
    # The last wires turn the target by a quarter where they are all 1, and the turn is undone at the end. Between them
    # the first wire flips the target, with a sign where the second wire is 0. Without the quarter turn the sign has no
    # effect and the last CX undoes the flip. With it, flip and sign are exchanged.
    quarter = _turn_between("ry", around, target, [pi / 4 / len(last) * sign for sign in (1, -1, 1, -1)])
    sign = _turn_between("rz", [second, first, second], target, [pi / 4, pi / 4, -pi / 4, -pi / 4])
    return (*quarter, *sign, *inverse(quarter), _flip(first, target))


def _turn_between(gate: str, wires: Sequence[int], target: int, angles: Sequence[float]) -> Ops:
    """Return rotations of the target before the first of some CX and after each."""
    turns = [Gate(gate, (target,), (angle,)) for angle in angles[: len(wires) + 1]]
    return (turns[0], *(op for wire, turn in zip(wires, turns[1:], strict=True) for op in (_flip(wire, target), turn)))


def join_phase(outputs: Sequence[Function]) -> Function:
    """Return the phase that is an XOR of each function onto its target, between two H on every target."""
    bits = outputs[0].num_bits
    table, tree = np.zeros(1 << bits + len(outputs), dtype=bool), None
    for values, target in zip(outputs, bits_of(bits + len(outputs))[bits:], strict=True):
        table ^= target & np.tile(values.table, 1 << len(outputs))
    trees = [one.tree for one in outputs]
    if len(outputs) == 1 and trees[0] is not None:
        tree = Node("and", (trees[0], Node("var", value=bits)))
    return Function(table, None, (*outputs[0].names, *(f"target{k}" for k in range(len(outputs)))), tree)


def exact_candidates(outputs: Sequence[Function], ancillas: int | None) -> Iterator[PhaseCandidate]:
    """Yield phases of the joined function by every method, unless it is too wide, and by shared networks."""
    if outputs[0].num_bits + len(outputs) <= MOST_VARIABLES:
        yield from make_candidates(join_phase(outputs), ancillas)
    for network in _list_networks(outputs):
        ops, used = _Placed(network, outputs[0].num_bits).mark(ancillas)
        if ancillas is None or used <= ancillas:
            yield PhaseCandidate(network.method, used, ops)


def relative_candidates(
    outputs: Sequence[Function], ancillas: int | None, gates: str
) -> Iterator[list[PhaseCandidate]]:
    """Yield families of operations that compute the functions onto zeroed targets, up to a phase of each input."""
    bits, facts = outputs[0].num_bits, GATE_SETS[gates]
    leaves = 4 if facts.has_rotations else 3 if facts.has_t else 2  # of an AND made on its target, up to a phase
    placed = [_Placed(network, bits, leaves) for network in _list_networks(outputs)]
    # A choice between two parities is one Toffoli gate either way, so it can save only CX.
    for choosing in (False,) if facts.has_toffoli else (False, True):  # fewer CX, and sometimes more layers
        made = [(one.network.method, *one.compute(choosing)) for one in placed]
        yield [PhaseCandidate(name, used, ops) for name, ops, used in made if ancillas is None or used <= ancillas]
    if not facts.has_rotations:
        return
    levels = _list_levels(outputs) or ()
    # The functions are the lowest digits of the popcount.
    if len(levels) > 1 and all(np.array_equal(at, np.arange(len(at)) >> k & 1) for k, at in enumerate(levels)):
        yield [PhaseCandidate("popcount turns", 0, popcount_ops(bits, len(outputs)))]
    if bits <= MOST_BITS:
        walks = [op for k, one in enumerate(outputs) for op in walk_ops(one.table, bits + k)]
        yield [PhaseCandidate("turns", 0, tuple(walks))]


def _list_levels(outputs: Sequence[Function]) -> list[Bools] | None:
    """Return each function's value by how many bits are 1; None where that does not settle one of them."""
    bits, ones = outputs[0].num_bits, np.bitwise_count(np.arange(outputs[0].table.size))
    # Input 2^c - 1 has c ones and stands for all inputs with as many.
    levels = [one.table[(1 << np.arange(bits + 1)) - 1] for one in outputs]
    settled = all(np.array_equal(f.table, level[ones]) for f, level in zip(outputs, levels, strict=True))
    return levels if settled else None


def _list_networks(outputs: Sequence[Function]) -> Iterator[Condition]:
    """The functions as factors of ANDs: as they were written, by the digits of a popcount, as decision diagrams."""
    trees = [one.tree for one in outputs if one.tree is not None]
    if len(trees) == len(outputs):
        yield join_outputs(trees)
    bits, levels = outputs[0].num_bits, _list_levels(outputs)
    column = [Parity((bit,)) for bit in range(bits)]
    if levels is not None:
        parts = [_read_digits(level, bits.bit_length()) for level in levels]
        for copies, keeps in product((False, True), repeat=2):
            network = Network(copies)
            sums = add_columns(network, {0: column}, 0, bits.bit_length())
            digits = [network.keep(one) for one in sums] if keeps else sums
            yield _join_conditions("adders", parts, digits, network.flags)
    if bits <= MOST_DIAGRAM:
        made = [best_diagram(one.table) for one in outputs]
        if None not in made:
            yield _join_conditions("diagram", [one[0] for one in made if one is not None], column)


def _read_digits(level: Bools, width: int) -> Condition:
    """A function of a number by its digits; of numbers that do not occur the cheapest that was found."""
    numbers = np.arange(1 << width)
    # Numbers above the number of bits never occur: all false, all true, or equal to one of the digits.
    fills = [numbers < 0, numbers >= 0, *(numbers >> k & 1 == 1 for k in range(width))]
    tables = [np.where(numbers < len(level), level[np.minimum(numbers, len(level) - 1)], fill) for fill in fills]
    found = [one for one in (diagram(table, range(width)) for table in tables) if one is not None]
    return min(found, key=lambda one: one.num_ands)


def _join_conditions(
    method: str, parts: Sequence[Condition], wires: Sequence[Parity], before: Sequence[Flag] = ()
) -> Condition:
    """The factors of all parts, their data wires replaced by parities of bits and of the flags before."""
    flags, factors = list(before), list[Parity]()
    for part in parts:
        moved = part.shifted(len(flags)).over(wires)
        flags += moved.flags
        factors += moved.factors
    return Condition(tuple(flags), tuple(factors), method=method)


class _Placed:
    """A network with its flags on wires: on ancillas, or where only one target reads it, on none."""

    def __init__(self, network: Condition, num_bits: int, most: int = 1 << 30) -> None:
        network = network.pruned()
        self.network, self.num_bits, self.most = network, num_bits, most
        reads = [wire for flag in network.flags for wire in flag.wires] + [w for f in network.factors for w in f.wires]
        # A flag that is read once needs no ancilla: its products go straight onto the target that reads it.
        self.once = {wire for wire, times in Counter(reads).items() if wire < 0 and times == 1}
        own = [wire for factor in network.factors for wire in factor.wires if wire in self.once]
        # For each flag of a target's own the factors of its product, or its products.
        self.products = {wire: self._open(wire) for wire in own}
        opened = set(own).union(*(hidden for _, hidden in self.products.values()))
        self.left = [-1 - k for k in range(len(network.flags)) if -1 - k not in opened]

    def _open(self, wire: int) -> tuple[list[list[Parity]], set[int]]:
        """The products of a flag, a single one with more factors where these are flags that nothing else reads."""
        flag, hidden = self.network.flags[-1 - wire], set[int]()
        products = [list(product) for product in flag.products]
        todo = list(products[0]) if len(products) == 1 else []
        while todo and len(products[0]) < self.most:
            factor = todo.pop(0)
            inner = factor.wires[0] if factor.wires else 0
            if factor != Parity((inner,)) or inner not in self.once:
                continue
            below = self.network.flags[-1 - inner]
            if len(below.products) == 1 and below.parity == ZERO:
                hidden.add(inner)
                place = products[0].index(factor)
                products[0][place : place + 1] = below.products[0]
                todo += below.products[0]
        return products, hidden

    def mark(self, ancillas: int | None) -> tuple[Ops, int]:
        """The phase of all targets, exactly; and how many ancillas."""
        wires = {wire: self._first + k for k, wire in enumerate(self.left)}
        longest = max((len(p) for products, _ in self.products.values() for p in products), default=0)
        # The target is one more factor of each flip, and a flip of n factors has no use for more than n - 3 ancillas.
        wanted = max(longest - 2, 0)
        lent = wanted if ancillas is None else max(min(wanted, ancillas - len(wires)), 0)
        clean = tuple(range(self._first + len(wires), self._first + len(wires) + lent))
        compute = [op for wire in self.left for op in self._load(wire, wires)]
        phases = list[Op]()
        for target, factor in enumerate(self.network.factors, self.num_bits):
            products, rest = self._split(factor, wires)
            phases += [PhaseFlip((*product, Parity((target,))), clean) for product in products]
            phases += [PhaseFlip((rest, Parity((target,))))] if rest != ZERO else []
        # Between H on the targets, the phase of a target and its function is the XOR of the function onto it.
        return (*compute, *phases, *inverse(compute)), len(wires) + lent

    def compute(self, choosing: bool) -> tuple[Ops, int]:
        """The values of all targets, which are zero before, up to phases; and how many ancillas.

        ``choosing`` says whether an AND and what is added to it may be one `Mux`.
        """
        factors = self.network.factors
        # A factor that is one flag is computed on its target and stays there.
        kept = {f.wires[0]: self.num_bits + place for place, f in enumerate(factors) if len(f.wires) == 1}
        wires = {wire: kept[wire] for wire in self.left if wire in kept}
        free = [wire for wire in self.left if wire not in kept]
        wires |= {wire: self._first + k for k, wire in enumerate(free)}
        shorten = _choose if choosing else list[Op]
        parts = {wire: shorten(self._load(wire, wires)) for wire in self.left}
        ops, signs = [op for part in parts.values() for op in part], list[Op]()
        for target, factor in enumerate(factors, self.num_bits):
            if factor.wires and wires.get(factor.wires[0]) == target:  # others may read it as it is
                # The complement comes last, because later flags read the target without it.
                signs += [Xor(Parity((), True), target)] if factor.constant else []
                continue
            products, rest = self._split(factor, wires)
            made = [op for product in products for op in _conjoin(product, target)]
            ops += shorten([*made, *([Xor(rest, target)] if rest != ZERO else [])])
        return (*ops, *inverse(op for wire in free for op in parts[wire]), *signs), len(free)

    @property
    def _first(self) -> int:
        return self.num_bits + len(self.network.factors)

    def _load(self, wire: int, wires: dict[int, int]) -> list[Op]:
        flag, target = self.network.flags[-1 - wire], wires[wire]
        ops = [op for pair in flag.products for op in _conjoin([_moved(side, wires) for side in pair], target)]
        return [*ops, *([] if flag.parity == ZERO else [Xor(_moved(flag.parity, wires), target)])]

    def _split(self, factor: Parity, wires: dict[int, int]) -> tuple[list[list[Parity]], Parity]:
        """The products that are made on the target, and a parity of wires beside them."""
        own = [wire for wire in factor.wires if wire in self.products]
        beside = [self.network.flags[-1 - wire].parity for wire in own]
        rest = Parity.xor_all([factor, *(Parity((wire,)) for wire in own), *beside])
        products = [product for wire in own for product in self.products[wire][0]]
        return [[_moved(one, wires) for one in product] for product in products], _moved(rest, wires)


def _moved(parity: Parity, wires: dict[int, int]) -> Parity:
    return parity.renamed({wire: wires.get(wire, wire) for wire in parity.wires})


def _conjoin(product: Sequence[Parity], target: int) -> list[Op]:
    """An AND of two to four parities onto the target, up to a phase."""
    if len(product) > 2:
        single = independent_parities(tuple(product))
        if single is None:
            return []
        if len(single) > 2:
            make = make_in_place(single)
            return [*make, *product_ops([one.wires[0] for one in single], target), *reversed(make)]
        product = single
    if len(product) == 1:
        return [Xor(product[0], target)]
    # The left operand of an AND costs one CX per wire, the right one two.
    right, left = sorted(product, key=lambda one: len(one.wires))
    return [And(left, right, target)]


def _choose(ops: list[Op]) -> list[Op]:
    """Return an AND and a parity added to it as one choice between two, where that takes fewer CX."""
    if [len(op.product) for op in ops] != [2, 1]:
        return ops
    sides, (rest,), (target,) = ops[0].product, ops[1].product, ops[0].changed
    made = [Mux(side, other ^ rest, rest, target) for side, other in (sides, sides[::-1])]
    best = min(made, key=lambda mux: mux.counts.cx)
    return [best] if best.counts.cx < sum(op.counts.cx for op in ops) else ops


@dataclass(frozen=True)
class XorOracle(FunctionOracle):
    """A verified XOR oracle; ``num_targets`` are the digits of the function's value."""

    num_targets: int


@refuses_renamed
def xor_oracle(
    function: object,
    *,
    num_qubits: int | None = None,
    relative_phase: bool = False,
    ancillas: int | None = None,
    optimize: FunctionMetric = "cx",
    gates: GateSet = "cx+u",
) -> XorOracle:
    """Build a circuit that takes ``|x>|y>|0>`` to ``|x>|y XOR f(x)>|0>``.

    Args:
        function: what `phase_oracle` takes, of one target; or a table of whole numbers from 0, or a Python function
            that gives one, such as ``int.bit_count``, or a tuple of bits: a target for each digit, lowest first.
            Exceptions of its own pass through.
        num_qubits: bits of the input, for a callable of one integer; checked otherwise.
        relative_phase: the targets are zero before, and each input may gain a phase of its own. Fewer gates, and the
            inverse of the circuit takes the phases back: for values that are computed, read and uncomputed.
        ancillas: most clean ancillas; None for as many as help.
        optimize: what is compared after lowering: ``cx``, ``t`` (or Toffoli gates, by the gate set) or ``depth``.
        gates: the gate set, one of `GATE_SETS`.

    Returns:
        The circuit, up to a global phase, and its certificate: the lowered circuit was run on every input (and every
        value of the targets); where these are more than 2^16, on a drawn sample of 2^16 alone.

    Raises:
        InputError: not a function in one of these forms, or an option that is not offered.
        DoesNotFitError: more than 20 bits or 20 targets, or of both together where no network of ANDs is known.
        AncillaBudgetError: no method does with so few ancillas in this gate set.

    Cost: methods and their bounds in docs/functions.md; a truth table of 2^n is always built.
    """
    metric = settle_metric(optimize, gates)
    check_numbers({"ancillas": ancillas})
    if not isinstance(relative_phase, bool):
        raise InputError(f"relative_phase is {relative_phase!r}: give True or False")
    outputs = read_outputs(function, num_qubits)
    bits, width = outputs[0].num_bits, outputs[0].num_bits + len(outputs)
    found = list[Measured]()
    for some in relative_candidates(outputs, ancillas, gates) if relative_phase else ():
        found += measure_candidates(width, some, metric, gates)
    offers = list(exact_candidates(outputs, ancillas))  # they do for a relative phase too, and may be cheaper
    found += measure_candidates(width, offers, metric, gates, range(bits, width))
    if not found and width > MOST_VARIABLES:
        targets, mend = "1 target", "take fewer bits"
        if len(outputs) > 1:
            targets, mend = f"{len(outputs)} targets", f"{mend}, or split the targets over several calls"
        raise DoesNotFitError(f"{bits} bits and {targets} are too many: at most {MOST_VARIABLES} fit together; {mend}")
    need_candidates(found, ancillas, gates)
    candidate, circuit, resources = choose(found, metric)
    certificate = _certify(circuit, outputs, relative_phase)
    made = candidate.method, outputs[0].names, candidate.num_ancillas
    return XorOracle(circuit, resources, certificate, *made, len(outputs))


def _certify(circuit: QuantumCircuit, outputs: tuple[Function, ...], relative_phase: bool) -> Certificate:
    """Run the circuit on every input, or on drawn ones."""
    bits, width = outputs[0].num_bits, outputs[0].num_bits + len(outputs)
    size = 1 << (bits if relative_phase else width)
    chosen = np.arange(size) if size <= CHECKED else np.random.default_rng(0).choice(size, CHECKED, replace=False)
    # Between H on the targets, an exact oracle is diagonal: its simulation needs one amplitude per input.
    around = QuantumCircuit(circuit.num_qubits)
    if not relative_phase:
        around.h(range(bits, width))
    whole = around.compose(circuit).compose(around)
    first: complex | None = None
    for numbers in np.array_split(chosen, -(-len(chosen) // CHUNK)):
        before = np.zeros((circuit.num_qubits, len(numbers)), dtype=bool)
        before[:width] = numbers >> np.arange(width)[:, None] & 1
        values = np.array([one.table[numbers & (1 << bits) - 1] for one in outputs])
        after, signs = before.copy(), 1 - 2.0 * np.logical_xor.reduce(values & before[bits:width])
        if relative_phase:
            after[bits:width] ^= values
        phases = follow_states(whole, before, after, NEAR)
        # The first chunk sets the global phase, with which all later chunks are compared.
        first = first if phases is None or first is not None else complex(phases[0] * signs[0])
        if phases is None or not (relative_phase or np.allclose(phases * signs, first or 0, rtol=0, atol=NEAR)):
            raise CertificateError("the XOR oracle differs from the function: please report this as a bug")
    method = "every input" if len(chosen) == size else "sample, seed 0"
    return Certificate(len(chosen), size, True, method, None, len(chosen))
