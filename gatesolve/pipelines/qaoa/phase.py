"""The phase layer of QAOA: exp(-i gamma L) for the cost L of a codeword, right on the codewords.

There are two ways to write it, chosen by the CX of the whole layer. The cost may be a sum of few signs of parities of
data wires, whose rotations share one parity network. Or each constraint has flags on ancillas, one phase where all
factors hold, and the flags undone. Soft constraints that read the same blocks are one function, so that common parts
cost nothing. A function of one block of one qubit a value takes rotations alone.

Only the codewords count, so there is a choice of sums. In one-hot every sign of a subset of wires is one of eight
functions of four values, and a function of two blocks is many such sums. Linear programming finds one of least weight.
Its weights are lowered where a coefficient is large, so that few coefficients are left.
Source of the reweighting: Candes, Wakin, Boyd, arXiv:0711.1612, section 2.2; its use on codewords is ours.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import accumulate, chain, combinations, count, product

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import And, Op, Ops, Parity, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.encodings.space import Space
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.oracle.condition import Product
from gatesolve.oracle.parity_network import Steps, joint_phase_network, num_flips, phase_network, turned_network
from gatesolve.oracle.phase import phase_ops
from gatesolve.oracle.phase_polynomial import wires_of
from gatesolve.oracle.synthesise import synthesise
from gatesolve.qubo.cost import Cost, SoftConstraint

Floats = NDArray[np.float64]
MOST_COLUMNS, MOST_ROWS = 1_200, 2_048
"""Most products of signs, and most combinations of codewords."""
MOST_CELLS = 130_000
"""Rows times columns up to which few terms are looked for; above, those of least squares are taken."""
MOST_SIGNS = 300
"""Most functions of one block that are tried."""
ROUNDS = 4
"""Times the weights are changed."""
EXACT = 1e-9
"""Error up to which a sum counts as the function, relative to its largest value."""
Polynomial = dict[int, float]
"""Coefficients of signs of parities, by mask of data wires; 0 is the constant."""
Shape = tuple[tuple[int, ...], int]
"""A block's codewords and its number of qubits."""
Sign = tuple[int, tuple[int, ...]]
"""A mask of a block's wires and ``(-1)`` to their parity on each codeword."""
STYLES = ("each", "narrow", "wide")
"""How the sums of a layer are chosen: the cheapest of each, all narrow, all wide."""
Report = Callable[[int, int], None]
"""A function that is called with (done, total)."""


@dataclass(frozen=True, eq=False)
class Local:
    """A function of the codewords of a few blocks, which ascend; the first block's position is the fastest."""

    numbers: tuple[int, ...]
    values: Floats


def fit_polynomials(local: Local, space: Space) -> Iterator[Polynomial]:
    """Yield sums of signs equal to ``local`` on the codewords, without the constant: one for each promising width.

    With parities of at most w wires a block, for the least w that is enough and for greater ones as long as there
    are few of them. Parities of one wire cost nothing.
    """
    blocks = [space.blocks[k] for k in local.numbers]
    shapes = tuple((block.codewords, block.num_qubits) for block in blocks)
    starts = list(accumulate((block.num_qubits for block in blocks), initial=0))
    for found in _fit_values(shapes, tuple(local.values.tolist())):
        polynomial: Polynomial = {}
        for mask, coefficient in found:
            parts = (
                (mask >> start & (1 << block.num_qubits) - 1) << space.offsets[k]
                for k, block, start in zip(local.numbers, blocks, starts, strict=False)
            )
            polynomial[sum(parts)] = coefficient
        yield polynomial


@lru_cache(maxsize=1024)
def _fit_values(shapes: tuple[Shape, ...], values: tuple[float, ...]) -> tuple[tuple[tuple[int, float], ...], ...]:
    # Over the blocks' qubits side by side, so that blocks of equal codewords share the work.
    wanted = np.array(values)
    # A constant function is a global phase.
    if not np.ptp(wanted):
        return ((),)
    results: list[tuple[tuple[int, float], ...]] = []
    tried = 0
    for most in range(1, max(width for _, width in shapes) + 1 if len(values) <= MOST_ROWS else 1):
        signs = [_signs(shape, most) for shape in shapes]
        columns = math.prod(len(s) for s in signs)
        if columns > MOST_COLUMNS:
            break
        # A greater width that adds no sign gives the same sum again.
        if columns > tried:
            tried = columns
            found = _sparse(wanted, signs, [width for _, width in shapes])
            if found is not None:
                results.append(tuple(found.items()))
    return tuple(results)


@lru_cache(maxsize=256)
def _signs(shape: Shape, most: int) -> tuple[Sign, ...]:
    """Different functions of a block's codewords, up to sign, each with its lightest parity; the constant first."""
    words, num_qubits = shape
    found: dict[tuple[int, ...], Sign] = {}
    for width in range(most + 1):
        for wires in combinations(range(num_qubits), width):
            mask = sum(1 << w for w in wires)
            row = tuple((-1) ** (word & mask).bit_count() for word in words)
            # Functions that differ by a sign are one: the first entry is made 1.
            found.setdefault(tuple(sign * row[0] for sign in row), (mask, row))
        if len(found) >= MOST_SIGNS:
            break
    return tuple(found.values())


def _sparse(values: Floats, signs: Sequence[Sequence[Sign]], widths: Sequence[int]) -> Polynomial | None:
    """Return a sum of few products of the blocks' signs, or None if they do not span the function."""
    parts = [np.array([row for _, row in block], dtype=float).T for block in signs]
    coefficients = _by_axes(parts, values)
    if coefficients is None:
        return None
    offsets = accumulate(widths[:-1], initial=0)
    shifted = [[mask << offset for mask, _ in block] for block, offset in zip(signs, offsets, strict=True)]
    masks = [sum(chosen) for chosen in product(*shifted)]
    # There is a choice of sums only if some signs depend on others on the codewords.
    several = any(np.linalg.matrix_rank(part) < part.shape[1] for part in parts)
    if several and len(masks) * len(values) <= MOST_CELLS:
        # The first block is the slowest of the columns, and the fastest of the rows.
        matrix = reduce(np.kron, parts)
        rows = np.arange(len(values)).reshape([part.shape[0] for part in parts][::-1]).T.reshape(-1)
        # The constant counts nothing, one wire next to nothing.
        weights = np.array([{0: 0.0, 1: 1e-3}.get(mask.bit_count(), float(mask.bit_count())) for mask in masks])
        coefficients = _fit_reweighted(matrix, values[rows], weights, coefficients)
    return {mask: float(c) for mask, c in zip(masks, coefficients, strict=True) if mask and c}


def _by_axes(parts: Sequence[Floats], values: Floats) -> Floats | None:
    """Return the coefficients of least squares, block by block, where they are exact."""
    wanted = values.reshape([part.shape[0] for part in parts][::-1]).T
    found = wanted
    for axis, part in enumerate(parts):
        # The matrix of all products is a Kronecker product, so its pseudo-inverse is applied axis by axis.
        found = _along(np.asarray(np.linalg.pinv(part), dtype=np.float64), found, axis)
    back = found
    for axis, part in enumerate(parts):
        back = _along(part, back, axis)
    scale = max(1.0, float(np.abs(values).max()))
    if float(np.abs(back - wanted).max()) > EXACT * scale:
        return None
    return np.where(np.abs(found) > EXACT * scale, found, 0.0).reshape(-1)


def _along(matrix: Floats, tensor: Floats, axis: int) -> Floats:
    return np.asarray(np.moveaxis(np.tensordot(matrix, tensor, axes=(1, axis)), 0, axis))


def _fit_reweighted(matrix: Floats, values: Floats, weights: Floats, best: Floats) -> Floats:
    """Return coefficients, most of them 0: the lightest of a few linear programmes, ``best`` where there is none."""
    from scipy.optimize import linprog

    least = math.inf
    scale = max(1.0, float(np.abs(values).max()))
    now = weights
    for _ in range(ROUNDS):
        # A linear programme has no absolute values: positive and negative parts are variables of their own.
        answer = linprog(np.tile(now, 2), A_eq=np.hstack([matrix, -matrix]), b_eq=values, method="highs")
        if answer.x is None:
            break
        raw = np.subtract(*np.split(answer.x, 2))
        kept = np.abs(raw) > 1e-7 * scale
        # The programme is exact only to its tolerance, so the terms that it keeps are fitted again.
        fitted = np.linalg.lstsq(matrix[:, kept], values, rcond=None)[0]
        exact = np.abs(matrix[:, kept] @ fitted - values).max() <= EXACT * scale
        if exact and weights[kept].sum() < least:
            least = float(weights[kept].sum())
            best = np.zeros(len(weights))
            best[kept] = np.where(np.abs(fitted) > EXACT * scale, fitted, 0.0)
        # Reweighting: terms that are small now cost more in the next programme, and so tend to vanish.
        now = weights / (np.abs(raw) / scale + 0.05)
    return best


@dataclass(frozen=True)
class FlaggedTerm:
    """A constraint by its flags: ``weight`` is paid unless every factor is 1 after ``compute``.

    The flags are on ancillas, which are zero before; those in ``clean`` are zero then, too.
    """

    weight: int
    compute: Ops
    factors: tuple[Parity, ...]
    clean: tuple[int, ...]

    def renamed(self, wires: Sequence[int]) -> FlaggedTerm:
        """Return the term with each qubit ``q`` replaced by ``wires[q]``."""
        compute = tuple(op.renamed(wires) for op in self.compute)
        clean = tuple(wires[wire] for wire in self.clean)
        return FlaggedTerm(self.weight, compute, tuple(f.renamed(wires) for f in self.factors), clean)

    def ops(self, gamma: float) -> Ops:
        """``exp(-i gamma weight)`` where the constraint is broken, up to a global phase."""
        turn = phase_ops(self.factors, self.clean, gamma * self.weight)
        return (*self.compute, *turn, *inverse(self.compute))


@dataclass(frozen=True)
class PhaseLayer:
    """The phase layer without its angle.

    Attributes:
        polynomial: coefficients of signs of parities, by mask of data wires.
        steps: a parity network for them.
        flags: constraints that are left to flags.
        num_ancillas: right after the space's qubits; zero before and after.
    """

    polynomial: tuple[tuple[int, float], ...]
    steps: Steps
    flags: tuple[FlaggedTerm, ...]
    num_ancillas: int

    def ops(self, gamma: float) -> Ops:
        """``exp(-i gamma L)`` on codewords, up to a global phase."""
        angles = {mask: gamma * coefficient for mask, coefficient in self.polynomial}
        return (*turned_network(self.steps, angles), *chain.from_iterable(flag.ops(gamma) for flag in self.flags))

    def degree(self, width: int) -> int | None:
        """Return the degree where the sum is over the edges of a regular graph of ``width`` wires, of equal sizes."""
        ends = Counter(chain.from_iterable(wires_of(mask) for mask, _ in self.polynomial))
        degrees, sizes = {*ends.values()}, [abs(c) for _, c in self.polynomial]
        if self.flags or len(ends) != width or len(degrees) != 1 or max(sizes) > min(sizes) * (1 + EXACT):
            return None
        return degrees.pop() if all(mask.bit_count() == 2 for mask, _ in self.polynomial) else None

    @property
    def cx(self) -> int:
        """CX before lowering's passes."""
        return count_cx(self.ops(1.0))

    def spread(self, first: int, ancillas: int) -> PhaseLayer:
        """Return the layer with the flags of each term on other ancillas than the last ones', for less depth.

        Its ``ancillas``, at least `num_ancillas`, begin at ``first``.
        """
        flags, start = list[FlaggedTerm](), 0
        for term in self.flags:
            used = _num_ancillas([term], first)
            start = start if start + used <= ancillas else 0
            flags.append(term.renamed([*range(first), *range(first + start, first + start + used)]))
            start += used
        return replace(self, flags=tuple(flags), num_ancillas=_num_ancillas(flags, first))


def make_phase_layer(
    cost: Cost, space: Space, ancillas: int | None = None, report: Report = lambda *_: None
) -> PhaseLayer:
    """Return the cheapest phase layer found for a cost.

    Its whole number is the phase, so ``base`` and ``unit`` do not matter. Where ``ancillas`` is None it takes as many
    as save CX.

    Raises:
        AncillaBudgetError: a constraint with flags alone needs more ancillas.
        DoesNotFitError: a constraint reads too many combinations of codewords for both.

    Cost: of compiling, some linear programmes and a beam search for each constraint; the result is measured.
    """
    space = space.apart
    scopes, groups, layers = _group_terms(cost, space), list[_ScopeCosts](), list[PhaseLayer]()
    total = len(scopes) + len(STYLES)
    for number, (key, terms) in enumerate(scopes.items()):
        report(number, total)
        groups.append(_make_group(key, terms, space, ancillas))
    for number, style in enumerate(STYLES, len(scopes)):
        report(number, total)
        layers.append(_assemble_layer(groups, style, space))
    return min(layers, key=lambda layer: (layer.cx, layer.num_ancillas))


def _group_terms(cost: Cost, space: Space) -> dict[tuple[int, ...], list[SoftConstraint]]:
    """Group terms by the blocks of several codewords that they read."""
    groups: defaultdict[tuple[int, ...], list[SoftConstraint]] = defaultdict(list)
    for term in cost.terms:
        read = sorted({space.home[name][0] for name in term.constraint.scope})
        groups[tuple(k for k in read if space.blocks[k].size > 1)].append(term)
    return groups


@dataclass(frozen=True)
class _ScopeCosts:
    """The costs of constraints of one scope: sums of signs, narrow parities first, or each constraint by its flags.

    There are no sums where there are too many codewords, and no flags where there is no circuit.
    """

    polynomials: tuple[Polynomial, ...]
    flags: tuple[FlaggedTerm, ...] | None

    def find_polynomial(self, style: str) -> Polynomial | None:
        """Return the polynomial for a style of the whole layer; None for flags, where these are cheaper."""
        most = np.inf if self.flags is None else count_cx(chain.from_iterable(term.ops(1.0) for term in self.flags))
        # Each parity of several wires takes a CX at least, so sums with more of them than the flags' CX cannot win.
        short = [p for p in self.polynomials if sum(mask.bit_count() > 1 for mask in p) < most or most == np.inf]
        if not short:
            return None
        costs = [num_flips(phase_network(p)) for p in short]
        place = {"each": costs.index(min(costs)), "narrow": 0, "wide": len(short) - 1}[style]
        return short[place] if costs[place] <= most else None


def _make_group(
    numbers: tuple[int, ...], terms: list[SoftConstraint], space: Space, ancillas: int | None
) -> _ScopeCosts:
    """List the ways to write the constraints of one scope; raises as `make_phase_layer` where there is none."""
    local = _tabulate_terms(numbers, terms, space)
    polynomials = () if local is None else tuple(fit_polynomials(local, space))
    if polynomials and len(numbers) < 2:
        return _ScopeCosts(polynomials, None)
    try:
        flags = tuple(_flag_term(term, space) for term in terms)
    # A sum alone is then used, if there is one.
    except DoesNotFitError:
        if not polynomials:
            raise
        return _ScopeCosts(polynomials, None)
    needed = _num_ancillas(flags, space.num_qubits)
    if ancillas is None or needed <= ancillas:
        return _ScopeCosts(polynomials, flags)
    if not polynomials:
        raise AncillaBudgetError(f"the phase uses {needed} ancillas, {ancillas} are allowed", least=needed)
    return _ScopeCosts(polynomials, None)


def _tabulate_terms(numbers: tuple[int, ...], terms: Sequence[SoftConstraint], space: Space) -> Local | None:
    """Tabulate the cost of every combination of codewords; None where these are too many."""
    # Blocks of one codeword are read as well, and take no part in the numbering.
    fixed = [k for k, block in enumerate(space.blocks) if block.size == 1]
    part = Space(tuple(space.blocks[k] for k in (*numbers, *fixed)))
    if part.size > MOST_ROWS:
        return None
    rows = np.arange(part.size)
    columns = part.values(rows)
    paid = np.zeros(part.size)
    for term in terms:
        paid += np.where(np.broadcast_to(term.constraint.holds(columns), paid.shape), 0.0, float(term.weight))
    return Local(numbers, paid)


def _flag_term(term: SoftConstraint, space: Space) -> FlaggedTerm:
    """Put the flags of a constraint's condition on ancillas right after the space's qubits, with its factors."""
    condition, first = synthesise(term.constraint, space), space.num_qubits
    ops: list[Op] = []
    wires = count(first)

    def put(pairs: list[Product], own: Parity) -> Parity:
        wire = next(wires)
        for pair in pairs:
            # The further wires of the right parity cost twice those of the left one.
            left, right = sorted(pair, key=lambda parity: -len(parity.wires))
            ops.append(And(left, right, wire))
        # A flag's own parity need not be put onto its ancilla.
        return Parity((wire,)) ^ own

    factors = tuple(condition.place_flags(put))
    used = first + len(condition.flags)
    return FlaggedTerm(term.weight, tuple(ops), factors, tuple(range(used, used + len(factors) - 3)))


def _assemble_layer(groups: Sequence[_ScopeCosts], style: str, space: Space) -> PhaseLayer:
    total: Polynomial = {}
    flags: list[FlaggedTerm] = []
    parts: list[Polynomial] = []
    for group in groups:
        polynomial = group.find_polynomial(style)
        if polynomial is None:
            flags += group.flags or ()
            continue
        parts.append(polynomial)
        # Equal parities of different constraints are one rotation.
        for mask, coefficient in polynomial.items():
            total[mask] = total.get(mask, 0.0) + coefficient
    # Terms of several constraints may cancel up to rounding.
    kept = tuple(sorted((mask, c) for mask, c in total.items() if abs(c) > 1e-12))
    left = {mask for mask, _ in kept}
    steps = joint_phase_network([left & part.keys() for part in parts])
    return PhaseLayer(kept, steps, tuple(flags), _num_ancillas(flags, space.num_qubits))


def _num_ancillas(flags: Sequence[FlaggedTerm], first: int) -> int:
    """Count the ancillas from ``first`` on that some constraint uses."""
    used = (wire for term in flags for op in term.compute for wire in op.changed)
    return max(wire + 1 - first for wire in (first - 1, *used, *(w for term in flags for w in term.clean)))
