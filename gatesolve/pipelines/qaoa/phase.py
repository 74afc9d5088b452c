"""The phase layer of QAOA: exp(-i gamma L) for the cost L of a codeword, right on the codewords.

There are two ways to write it, chosen by the CX of the whole layer: the cost as a sum of few signs of parities of data
wires, whose rotations share one parity network; or, constraint by constraint, flags on ancillas, one phase where all
factors hold, and the flags undone. Soft constraints that read the same blocks are one function, so that what they have
in common costs nothing; what reads one block of one qubit a value is rotations alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np

from gatesolve.circuit import And, Op, Ops, Parity, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.encodings.space import Space
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.oracle.condition import Product
from gatesolve.oracle.parity_network import (
    Steps,
    joint_phase_network,
    num_flips,
    phase_network,
    turned_network,
)
from gatesolve.oracle.phase import phase_ops
from gatesolve.oracle.synthesise import synthesise
from gatesolve.pipelines.qaoa.fit import MOST_ROWS, Local, Polynomial, fit_polynomials
from gatesolve.qubo.cost import Cost, SoftConstraint

STYLES = ("each", "narrow", "wide")
"""How the sums of a layer are chosen: the cheapest of each, all narrow, all wide."""
Report = Callable[[int, int], None]
"""Is told (done, total)."""


@dataclass(frozen=True)
class FlaggedTerm:
    """A constraint by its flags: ``weight`` is paid unless every factor is 1 after ``compute``.

    The flags are on ancillas, which are zero before; those in ``clean`` are zero then, too.
    """

    weight: int
    compute: Ops
    factors: tuple[Parity, ...]
    clean: tuple[int, ...]

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

    @property
    def cx(self) -> int:
        """CX before lowering's passes."""
        return count_cx(self.ops(1.0))


def make_phase_layer(
    cost: Cost, space: Space, ancillas: int | None = None, report: Report = lambda *_: None
) -> PhaseLayer:
    """The cheapest phase layer found for a cost.

    Its whole number is the phase, so ``base`` and ``unit`` do not matter. Where ``ancillas`` is None it takes as many
    as save CX.

    Raises:
        AncillaBudgetError: a constraint with flags alone needs more ancillas.
        DoesNotFitError: a constraint reads too many combinations of codewords for both.

    Cost: of compiling, some linear programmes and a beam search for each constraint; the result is measured.
    """
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
    """Terms by the blocks of several codewords that they read."""
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
        """The polynomial for a style of the whole layer; None for flags, where these are cheaper by themselves."""
        most = np.inf if self.flags is None else count_cx(chain.from_iterable(term.ops(1.0) for term in self.flags))
        short = [p for p in self.polynomials if sum(mask.bit_count() > 1 for mask in p) < most or most == np.inf]
        if not short:
            return None
        costs = [num_flips(phase_network(p)) for p in short]
        place = {"each": costs.index(min(costs)), "narrow": 0, "wide": len(short) - 1}[style]
        return short[place] if costs[place] <= most else None


def _make_group(
    numbers: tuple[int, ...], terms: list[SoftConstraint], space: Space, ancillas: int | None
) -> _ScopeCosts:
    """All ways to write the constraints of one scope; raises as `make_phase_layer` where there is none."""
    local = _tabulate_terms(numbers, terms, space)
    polynomials = () if local is None else tuple(fit_polynomials(local, space))
    if polynomials and len(numbers) < 2:
        return _ScopeCosts(polynomials, None)
    try:
        flags = tuple(_flag_term(term, space) for term in terms)
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
    """The flags of the constraint's condition on ancillas right after the space's qubits, and its factors over them."""
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
        for mask, coefficient in polynomial.items():
            total[mask] = total.get(mask, 0.0) + coefficient
    kept = tuple(sorted((mask, c) for mask, c in total.items() if abs(c) > 1e-12))
    left = {mask for mask, _ in kept}
    steps = joint_phase_network([left & part.keys() for part in parts])
    return PhaseLayer(kept, steps, tuple(flags), _num_ancillas(flags, space.num_qubits))


def _num_ancillas(flags: Sequence[FlaggedTerm], first: int) -> int:
    """Ancillas from ``first`` on that some constraint uses."""
    used = (wire for term in flags for op in term.compute for wire in op.changed)
    return max(wire + 1 - first for wire in (first - 1, *used, *(w for term in flags for w in term.clean)))
