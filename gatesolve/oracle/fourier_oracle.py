"""The Fourier value oracle of Grover Adaptive Search: phases add the cost onto a register, whose sign is the mark.

After Gilliam, Woerner, Gonciulea, arXiv:1912.04088, section 3 (phases of the cost on a register in uniform
superposition, an inverse Fourier transform, a look at the sign), with these savings:

- The sign qubit is not there. With z = cost - threshold + 2^m and y its lower m bits, the sign is a phase by itself:
  (-1)^sign = exp(2 pi i (z - y) / 2^(m+1)), one-qubit phases on y and the cost's own phase on the data, once.
- A phase that is a multiple of 2 pi is left out: bit j sees weights modulo 2^(j+1) alone. Bit 0 is a parity.
- Phases on parities are visited by walks that share changes of basis (`parity_tour`), one CX a parity at best,
  where controlled phases need two, and six for a product of two variables.
- A constraint's flag is computed onto an ancilla once for all value qubits, or its phases are spread over parities
  of data, whichever is cheaper; equal flags are computed once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from gatesolve.circuit import And, Gate, Op, Parity, Xor, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.fourier import Transform, fourier_angle
from gatesolve.encodings.space import Space
from gatesolve.model.constraints import tabulate
from gatesolve.oracle.assemble import Oracle
from gatesolve.oracle.condition import Condition, Product
from gatesolve.oracle.parity_tour import Walk, Walks, plan_walks
from gatesolve.oracle.phase_polynomial import (
    HALF,
    ONE,
    Share,
    Signs,
    Total,
    by_products,
    product_of,
    sign_of,
    sum_polynomials,
    violation_polynomial,
    wires_of,
)
from gatesolve.oracle.synthesise import synthesise
from gatesolve.qubo.cost import Cost, SoftConstraint
from gatesolve.qubo.scaling import find_lower_bound, group_axes

JOINT_ROWS = 1 << 14
"""Most combinations of values over which the bounds of a few terms are looked up together."""
SPREAD = 16
"""Most parities over which a term is spread to be bounded together with others."""
SPREAD_LIMITS = (0, 4, 8, 16)
"""Most terms up to which a constraint's phases are spread over parities of data; all of these are tried."""
THOROUGH = 2
"""The cheapest plans for which changes of basis are searched for."""


def bound_cost(cost: Cost, space: Space) -> tuple[int, int]:
    """A proven least and largest cost on the codewords of ``space``.

    The tighter of two: terms on the same variables looked at together and the rest added up (`bound_jointly`); and
    the bounds of the cost as a polynomial (`bound_polynomial`). A search that has found the least cost is done.

    Raises:
        DoesNotFitError: a constraint has no circuit (`synthesise`).
    """
    pairs = (bound_jointly(cost, space), bound_polynomial(cost, space))
    return max(low for low, _ in pairs), min(high for _, high in pairs)


def bound_jointly(cost: Cost, space: Space) -> tuple[int, int]:
    """Terms that read the same variables as another term, or fewer, are looked at with it; then all is added up."""
    order = {name: k for k, name in enumerate(space.variables)}
    groups: dict[frozenset[str], list[SoftConstraint]] = {}
    for term in sorted(cost.terms, key=lambda t: -len(set(t.constraint.scope))):
        scope = frozenset(term.constraint.scope)
        home = next((other for other in groups if scope <= other), scope)
        groups.setdefault(home, []).append(term)
    low = high = 0
    for scope, members in groups.items():
        axes = group_axes(sorted(scope, key=order.__getitem__), space)
        if math.prod(len(axis.tuples) for axis in axes) > JOINT_ROWS:
            high += sum(term.weight for term in members)
            continue
        costs = tabulate(Cost(tuple(members)).evaluate, axes)
        low, high = low + int(costs.min()), high + int(costs.max())
    return low, high


def bound_polynomial(cost: Cost, space: Space) -> tuple[int, int]:
    """The cost as signs of parities, as products of bits, and as the best form of each product found.

    Terms that are too wide are added up on their own.
    """
    shares: list[Share] = []
    wide = 0
    for term in cost.terms:
        spread = violation_polynomial(synthesise(term.constraint, space), SPREAD)
        if spread is None:
            wide += term.weight
        else:
            shares.append((term.weight, spread))
    total = Total(tuple(shares))
    found = [total.bounds]
    multiplied = by_products(shares, space.num_qubits)
    if multiplied is not None:
        found += [multiplied.bounds, (_least(multiplied, 1), -_least(multiplied, -1))]
    return max(low for low, _ in found), min(high for _, high in found) + wide


def _least(total: Total, sign: int) -> int:
    """A lower bound of ``sign`` times a total of products."""
    linear: dict[int, int] = {}
    bonds: list[tuple[int, int, int]] = []
    least = sign * total.constant
    for weight, share in ((sign * weight, share) for weight, share in total.shares):
        mask = max(share, default=0)
        wires = wires_of(mask)
        # A product of n wires has 2^n signs: no others are written out.
        known = 0 < len(wires) <= 2 and share == product_of(mask)
        if known and len(wires) == 2:
            bonds.append((wires[0], wires[1], weight))
        elif known:
            linear[wires[0]] = linear.get(wires[0], 0) + weight
        else:
            least += min(weight, 0)
    return least + math.ceil(find_lower_bound(bonds, linear))


def fourier_oracle(cost: Cost, space: Space, threshold: int) -> Oracle:
    """An oracle that marks the codewords of cost below ``threshold``.

    Data qubits come first, then flags, then the value register.

    Returns:
        Phase -1, up to a global phase, on exactly the marked codewords; all ancillas zero before and after.
        Its ops hold ``h`` and ``p`` gates, so they are no basis-state map; each value qubit is a product state on its
        own throughout (check by `gatesolve.simulate.product`).

    Raises:
        DoesNotFitError: a constraint has no circuit (`synthesise`).

    Cost: with m value qubits and n parities about 2 m n + m^2 CX, at most twice that.
    """
    low, high = bound_cost(cost, space)
    terms = [(term.weight, synthesise(term.constraint, space)) for term in cost.terms]
    if not low < threshold <= high:
        return Oracle((), space.num_qubits, 0, style="fourier")
    plans: list[_ScaledTotal] = []
    sizes = {len(violation_polynomial(condition, max(SPREAD_LIMITS)) or ()) for _, condition in terms}
    # Only the limits that make a difference.
    for limit in sorted({max((s for s in sizes if s <= most), default=0) for most in SPREAD_LIMITS}):
        shares = _shares(terms, space.num_qubits, limit)
        total = Total(tuple(shares.shares))
        plans.append(_narrow_total(shares, total, threshold, low, high))
        products = by_products(shares.shares, space.num_qubits)
        if products is not None and products.step > total.step:
            plans.append(_narrow_total(shares, products, threshold, low, high))
    quick = sorted(plans, key=lambda plan: _price(_oracle(plan, space.num_qubits, thorough=False)))
    return min((_oracle(plan, space.num_qubits, thorough=True) for plan in quick[:THOROUGH]), key=_price)


@dataclass(frozen=True)
class _ScaledTotal:
    """A total in its own steps, the threshold in them, and the bits in which threshold and bounds differ."""

    shares: _Shares
    total: Total
    threshold: int
    width: int


def _price(oracle: Oracle) -> tuple[int, int]:
    return count_cx(oracle.ops), oracle.num_ancillas


def _narrow_total(shares: _Shares, total: Total, threshold: int, low: int, high: int) -> _ScaledTotal:
    step = total.step
    least, below = -(-(low - total.constant) // step), -(-(threshold - total.constant) // step)
    most = (high - total.constant) // step
    return _ScaledTotal(shares, total, below, max((below - 1 - least).bit_length(), (most - below).bit_length(), 0))


@dataclass
class _Shares:
    """Weights and where they are paid, as polynomials over data wires and flags.

    ``next`` is the first ancilla that is free, ``ops`` compute the flags; ``flags`` are ancillas by what they hold, so
    that equal flags are computed once.
    """

    next: int
    ops: list[Op] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)
    flags: dict[tuple[Product, ...], int] = field(default_factory=dict)

    def flag(self, products: Iterable[Product]) -> Parity:
        """The ancilla that holds a XOR of products."""
        key = tuple((left, right) if len(left.wires) >= len(right.wires) else (right, left) for left, right in products)
        if not key:
            return Parity(())
        if key not in self.flags:
            self.flags[key] = self.next
            self.ops += [And(left, right, self.next) for left, right in key]
            self.next += 1
        return Parity((self.flags[key],))

    def holds(self, condition: Condition) -> Parity:
        """Whether a condition holds, as one parity."""
        # A flag's own parity is not put onto its ancilla: the flag may be needed with another one, too.
        factors = condition.place_flags(lambda pairs, own: self.flag(pairs) ^ own)
        left = sorted(factors, key=lambda p: -len(p.wires))
        while len(left) > 1:
            left.insert(0, self.flag([(left.pop(), left.pop())]))
        return left[0] if left else Parity((), True)


def _shares(terms: Sequence[tuple[int, Condition]], num_data: int, limit: int) -> _Shares:
    """Flags for all conditions but those that are parities, or spread over at most ``limit`` of them."""
    result = _Shares(num_data)
    for weight, condition in terms:
        spread = violation_polynomial(condition, max(SPREAD_LIMITS))
        if spread is None or len(spread) > max(limit, 2):
            parity = result.holds(condition)
            spread = sum_polynomials([(HALF, ONE), (HALF, sign_of(parity))])
        result.shares.append((weight, spread))
    return result


def _oracle(plan: _ScaledTotal, num_data: int, *, thorough: bool) -> Oracle:
    """Flags, walks, the Fourier transform, the sign's phase, and all but that undone."""
    shares, total, width = plan.shares, plan.total, plan.width
    values = tuple(range(shares.next, shares.next + width))
    used = shares.next + width
    parity, rest = _lowest(total)
    sums = [total.modulo(j, rest if j == 0 else None) for j in range(width)]
    sign = _SignPhase.of(total.modulo(width))
    walks = plan_walks(tuple(frozenset(m for m in part if m) for part in sums), sign.wide, thorough)
    waiting = not any(sums[:1])
    scratch = values[0] if width and waiting else used
    used += bool(walks.once.steps) and scratch == used
    constant = (1 << width) - plan.threshold
    transform = Transform(
        values=values,
        turns=tuple(part.get(0, Fraction(0)) + Fraction(constant if j else 0, 2 << j) for j, part in enumerate(sums)),
        waiting=waiting,
        parity=parity ^ Parity((), bool(constant % 2)),
        spare=(used, used + 1),
    )
    used += len(transform.spare) * transform.chained
    begin: list[Op] = [*shares.ops, *(Gate("h", (v,)) for v in values[1 if waiting else 0 :])]
    there = [Xor(Parity((control,)), target) for control, target in walks.flips]
    out = [op for v, walk, part in zip(values, walks.walks, sums, strict=True) for op in _steps(v, walk, part)]
    home = [op for v, walk in zip(values, walks.walks, strict=True) for op in _back(v, walk)]
    on_way, on_return = sign.during(walks, scratch)
    ends = transform.ops()
    forth = (*begin, *there, *out, *on_way, *inverse(there), *home, *on_return, *ends)
    phases = transform.phases([Fraction(-1, 2 << (width - j)) for j in range(width)])
    undone = inverse((*begin, *there, *out, *inverse(there), *home, *ends))
    return Oracle((*forth, *phases, *sign.plain(), *undone), num_data, used - num_data, style="fourier")


@dataclass(frozen=True)
class _SignPhase:
    """The total's own part of the sign's phase: for each parity of wires the turn where it is 1.

    Half a turn on a parity, as on those in ``signs``, is half a turn on each of its wires; other parities of several
    wires are ``wide``, and to be made on some wire.
    """

    turns: dict[int, Fraction]
    signs: frozenset[int]
    wide: frozenset[int]

    @staticmethod
    def of(top: Signs) -> _SignPhase:
        turns = {mask: -2 * c for mask, c in top.items() if mask and (2 * c).denominator > 1}
        signs = frozenset(mask for mask, turn in turns.items() if turn.denominator == 2)
        return _SignPhase(turns, signs, frozenset(m for m in turns if m.bit_count() > 1 and m not in signs))

    def during(self, walks: Walks, scratch: int) -> tuple[list[Op], list[Op]]:
        """Phases on wide parities, and the way back of the scratch wire."""
        ops: list[Op] = [Gate("p", (wire,), (fourier_angle(self.turns[mask]),)) for mask, wire in walks.still]
        return [*ops, *_steps(scratch, walks.once, self.turns)], _back(scratch, walks.once)

    def plain(self) -> list[Op]:
        flips = Parity(())
        for mask in self.signs:
            flips ^= Parity(wires_of(mask))
        single = sorted(set(self.turns) - self.wide - self.signs)
        phases = [Gate("p", wires_of(mask), (fourier_angle(self.turns[mask]),)) for mask in single]
        return [*phases, *(Gate("z", (wire,)) for wire in flips.wires)]


def _lowest(total: Total) -> tuple[Parity, Sequence[Share]]:
    """Split the total modulo 2 into a parity and the shares of the rest."""
    parity, rest = Parity(()), []
    for weight, share in total.shares:
        mask = next((m for m in share if m), 0)
        if weight // total.step % 2 and len(share) <= 1 + bool(mask):
            at_zero = sum(share.values())
            parity ^= Parity.of(wires_of(mask), at_zero == 1)
        elif weight // total.step % 2:
            rest.append((weight, share))
    return parity, rest


def _steps(value: int, walk: Walk, phases: Signs) -> list[Op]:
    ops: list[Op] = []
    for mask, wires in walk.steps:
        ops += [Xor(Parity((wire,)), value) for wire in wires]
        ops.append(Gate("p", (value,), (fourier_angle(phases[mask]),)))
    return ops


def _back(value: int, walk: Walk) -> list[Op]:
    return [Xor(Parity((wire,)), value) for wire in walk.back]
