"""Convert a model and a space to its Qubo: penalties for constraints and codewords, weights, objective.

Weights are those that the user sets, or proved to suffice. Every part has its satisfied value in each solution, is at
least a gap above it where its constraint is broken, and is never below it on codewords.

The three bounds below have their proofs beside them. All are strict: a weight is above its bound, so no broken state
ties with the best.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings import block as blocks
from gatesolve.encodings import make_spaces
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.model.constraints import Constraint
from gatesolve.model.model import Model, Objective, Variable
from gatesolve.qubo.auxiliary import auxiliary_names, quadratize, qubit_names
from gatesolve.qubo.literals import Literals, is_full
from gatesolve.qubo.numerals import as_written, shortest_number
from gatesolve.qubo.penalties import Penalties, Requirement, list_requirements, penalise_other_states
from gatesolve.qubo.penalty import Penalty, least_value, simplify
from gatesolve.qubo.polynomial import Monomial, Number, Terms, add, scale
from gatesolve.qubo.qubo import Qubo

Weights = Number | Mapping[str, Number] | None
"""One weight for all, or by the beginning of a part's label; None selects the proved one."""
REPAIR_QUBITS = 10
"""Most qubits of a block for which repairs are compared state by state."""
REPAIR_WORK = 1 << 24
"""Most numbers compared for one block."""


@dataclass(frozen=True)
class EnergyPart:
    """One constraint, or the non-codewords of one block, in the energy.

    Attributes:
        label: the constraint in words, or the pattern that the block's qubits must have.
        weight: the factor of the penalty.
        sufficient: a weight that is proved to suffice, given the other parts' weights.
        constraints: the constraints behind it; empty for a block's own part.
    """

    label: str
    penalty: Penalty
    weight: Number
    sufficient: Number
    constraints: tuple[Constraint, ...] = ()


class Chosen:
    """The weights that a user gave, and which of them no part has used yet."""

    def __init__(self, given: Weights) -> None:
        self._by_beginning = given if isinstance(given, Mapping) else {} if given is None else {"": given}
        self.unused = set(self._by_beginning) - {""}
        for weight in self._by_beginning.values():
            if not isinstance(weight, (int, float, Rational)) or not math.isfinite(weight) or weight <= 0:
                raise InputError(f"a penalty weight is {weight}: give a positive number")

    def make_part(
        self, label: str, penalty: Penalty, bounds: Sequence[int | None], constraints: tuple[Constraint, ...] = ()
    ) -> EnergyPart:
        """Return the part with the user's weight (the greatest if several fit), else with the least proved weight."""
        texts = [label, *map(str, constraints)]
        fitting = [key for key in self._by_beginning if any(text.startswith(key) for text in texts)]
        self.unused.difference_update(fitting)
        given = [self._by_beginning[key] for key in fitting]
        sufficient = min(bound for bound in bounds if bound is not None)
        return EnergyPart(label, penalty, max(given, default=sufficient), sufficient, constraints)

    def check_all_used(self) -> None:
        """Refuse names that belong to no part."""
        if self.unused:
            raise InputError(f"a penalty is given for '{min(self.unused)}', but no constraint begins with that text")


def make_constraint_parts(
    found: Sequence[tuple[Requirement, Penalty]], objective: Terms, space: Space, chosen: Chosen
) -> list[EnergyPart]:
    """Return the constraints' parts, each with the smallest proved weight that applies."""
    low, high = find_range(objective, space)
    # The packing bound holds only if clearing a variable can break no penalty at all: one misfit rules it out for all.
    has_bits = all(is_full(b) and b.num_qubits <= 1 for b in space.blocks)
    packing = [bound_by_packing(objective, penalty.terms) if has_bits else None for _, penalty in found]
    if None in packing:
        packing = [None] * len(found)
    return [
        chosen.make_part(
            str(requirement), penalty, [bound_by_range(low, high, penalty.gap), tight], requirement.constraints
        )
        for (requirement, penalty), tight in zip(found, packing, strict=True)
    ]


def make_block_parts(parts: Sequence[EnergyPart], objective: Terms, space: Space, chosen: Chosen) -> list[EnergyPart]:
    """Return the blocks' own parts, each with the smaller of two proved weights."""
    low, high = find_range(objective, space)
    # Outside of the codewords the parts together can be this far below the ground.
    below = sum((p.weight * max(0, p.penalty.satisfied - p.penalty.floor) for p in parts), start=0)
    rest = add([objective, *(scale(p.penalty.terms, p.weight) for p in parts)])
    made = []
    for number, block in enumerate(space.blocks):
        penalty = penalise_other_states(block, space.offsets[number])
        if penalty is None:
            continue
        label = f"{', '.join(block.variables)}: {penalty.form}"
        bounds: list[int | None] = [bound_by_range(min(low, least_value(objective)) - below, high, penalty.gap)]
        # 1 is the smallest weight there is, so the repair bound, which takes longer, could not improve on it.
        if bounds != [1] and block.num_qubits <= REPAIR_QUBITS:
            own = _values_at(range(1 << block.num_qubits), penalty.terms, space.offsets[number])
            bounds.append(bound_by_repair(rest, space, number, own))
        made.append(chosen.make_part(label, penalty, bounds))
    return made


def _values_at(states: Iterable[int], terms: Terms, offset: int) -> list[Number]:
    """Return the values of a polynomial of one block's qubits at some states of it; the first qubit is ``offset``."""
    masks = [(sum(1 << (q - offset) for q in m), c) for m, c in terms.items()]
    return [sum(c for mask, c in masks if s & mask == mask) for s in states]


def weight_above(bound: Number) -> int:
    """Return the smallest whole weight, at least 1, that is greater than ``bound``."""
    return max(1, math.floor(bound) + 1)


def bound_by_range(low: Number, high: Number, gap: Number) -> int:
    """Return the general weight: ``weight * gap > high - low``."""
    # Proof: a codeword that breaks the constraint costs at least ground + low + weight * gap > ground + high, and no
    # solution costs that much.
    return weight_above(Fraction(high - low) / Fraction(gap))


def find_range(objective: Terms, space: Space) -> tuple[Number, Number]:
    """Return bounds of a polynomial over the codewords: exact inside a block, products across blocks at their worst."""
    shares: dict[int, dict[Monomial, Number]] = {}
    owner = [k for k, b in enumerate(space.blocks) for _ in range(b.num_qubits)]
    low = high = objective.get((), 0)
    for monomial, coefficient in objective.items():
        owners = {owner[q] for q in monomial}
        if len(owners) == 1:
            shares.setdefault(owners.pop(), {})[monomial] = coefficient
        elif owners:
            low, high = low + min(0, coefficient), high + max(0, coefficient)
    for number, terms in shares.items():
        values = _values_at(space.blocks[number].codewords, terms, space.offsets[number])
        low, high = low + min(values), high + max(values)
    return low, high


def bound_by_packing(objective: Terms, part: Terms) -> int | None:
    """Return a weight for one conflict penalty where clearing a variable never breaks anything.

    It applies to an objective that is linear in the variables and to penalties whose coefficients, except for the
    constant, are all positive. For a pair it is ``min(w_i, w_j)``. None where the forms are different, or the penalty
    has a constant. Every penalty of the energy must be of this kind.
    """
    if any(len(m) > 1 for m in objective) or any(c < 0 for m, c in part.items() if m) or part.get((), 0):
        return None
    # Proof: where a monomial of coefficient c is 1, clear its variable of least gain w (how much setting it lowers the
    # objective). The energy falls by at least weight * c - w > 0, as no other penalty grows. So no minimum breaks
    # anything.
    needed: list[Number] = [min(-objective.get((q,), 0) for q in m) / Fraction(c) for m, c in part.items()]
    return weight_above(max([0, *needed]))


def bound_by_repair(rest: Terms, space: Space, number: int, excess: Sequence[Number]) -> int | None:
    """Return a weight for a block's own penalty, by repairing that block alone; None for too many states to compare.

    ``rest`` is the energy without the block's own penalty; ``excess`` is that penalty on each state of the block.
    """
    block, offset = space.blocks[number], space.offsets[number]
    width, states = block.num_qubits, np.arange(1 << block.num_qubits)
    # The factor of each product of other qubits at each state of the block; row 0 is the share without other qubits.
    rows: dict[Monomial, NDArray[np.float64]] = {(): np.zeros(1 << width)}
    for monomial, coefficient in rest.items():
        inner = [q - offset for q in monomial if offset <= q < offset + width]
        if inner:
            mask = sum(1 << q for q in inner)
            row = rows.setdefault(tuple(q for q in monomial if q - offset not in inner), np.zeros(1 << width))
            row += np.where(states & mask == mask, float(coefficient), 0.0)
    table = np.stack(list(rows.values()))
    others = [s for s in states.tolist() if s not in block.index]
    if table.size * block.size > REPAIR_WORK:
        return None
    words = np.array(block.codewords)
    # Proof: let weight * excess(s), for each state s that is no codeword, exceed the rise of the rest from s to some
    # codeword c, every term at its worst over the other qubits. Then c is always cheaper, so no minimum contains s.
    needed = 0.0
    for state in others:
        rise = table[:, words] - table[:, [state]]
        worst = rise[0] + np.clip(rise[1:], 0, None).sum(axis=0)
        needed = max(needed, float(worst.min()) / float(excess[state]))
    # Floats add whole and dyadic numbers exactly. For other weights of the user's the factor covers the rounding.
    return weight_above(needed * (1 + 1e-12) if needed != int(needed) else int(needed))


@dataclass(frozen=True)
class Formulation:
    """A Qubo and its parts.

    Attributes:
        qubo: the energy: the objective plus each part's weight times its penalty.
        objective: the objective's share (negated where it is maximised).
        parts: the constraints and the blocks, except those that nothing can break.
        ground: the energy of a solution, less its objective. Without an objective no state is lower, and a state
            reaches it if there is a solution and the weights suffice.
        sign: -1 where the objective is maximised, else 1: a solution's energy is ``ground + sign * objective``.
        auxiliary: names of variables that are not the model's: slack bits, selectors and products.
    """

    qubo: Qubo
    objective: Terms
    parts: tuple[EnergyPart, ...]
    ground: Number
    sign: int
    auxiliary: tuple[str, ...] = ()

    @property
    def proved(self) -> bool:
        """Whether every weight is at least the proved one."""
        return all(part.weight >= part.sufficient for part in self.parts)


def qubo_space(model: Model, encoding: str = "auto") -> Space:
    """Return the space that a model's quadratic form is written in.

    The encoding ``auto`` follows the literature: fixed variables take no qubit, two-valued ones one qubit (1 is the
    greater value), others one qubit a value.
    """
    if encoding != "auto":
        # Tables come numbered in binary or with a qubit a tuple; the second, which is last, has the lower degree.
        return make_spaces(model, encoding)[-1]
    return Space(
        tuple(blocks.make_binary(v) if len(v.domain) <= 2 else blocks.make_one_hot(v) for v in model.variables)
    )


def formulate_model(
    model: Model,
    space: Space | None = None,
    *,
    penalties: Weights = None,
    codewords_only: bool = False,
    quadratic: bool = False,
) -> Formulation:
    """Write a model as an energy to minimise.

    Args:
        model: any model.
        space: where its variables live; None for `qubo_space`. Constraints that its blocks enforce need no penalty.
            Terms of more than two variables arise where values are digits.
        penalties: weights of the parts: None for proved ones; a number for all; or a mapping from the beginning of
            labels (the constraint as ``str`` prints it) to numbers.
        codewords_only: energies need be right on the space's codewords only, for searches that never leave it.
            Otherwise other states of each block are penalised too, so that the lowest of all states is a solution.
        quadratic: no term of more than two variables. Auxiliary variables come after the space's qubits, and as 0/1
            variables in the Qubo's space; energies hold once these are at their best.

    Returns:
        The formulation; with weights at least the proved ones its lowest states are exactly the (best) solutions.

    Raises:
        InputError: a weight is not a positive number or belongs to no part; the space lacks a variable.
        DoesNotFitError: a constraint over too many combinations of values, with no closed form, or a permutation block.
    """
    where = qubo_space(model) if space is None else space
    if where.apart is not where:
        raise DoesNotFitError("permutation blocks have no penalties: use encoding='one-hot' or 'binary'")
    if missing := [name for name in model.domains if name not in where.home]:
        raise InputError(f"the space has no variable {missing[0]}: make it from the same model")
    literals = Literals(where)
    goal = model.objective
    sign = -1 if goal is not None and goal.sense == "max" else 1
    objective = {} if goal is None else scale(_goal_polynomial(goal, literals), sign)
    maker = Penalties(literals, codewords_only, quadratic)
    made = ((requirement, maker.of(requirement)) for requirement in list_requirements(model))
    found = [(requirement, penalty) for requirement, penalty in made if penalty is not None]
    chosen = Chosen(penalties)
    parts = make_constraint_parts(found, objective, where, chosen)
    if not codewords_only:
        parts += make_block_parts(parts, objective, where, chosen)
    chosen.check_all_used()
    terms = simplify(add([objective, *(scale(p.penalty.terms, p.weight) for p in parts)]))
    ground = simplify({(): sum((p.weight * p.penalty.satisfied for p in parts), start=0)}).get((), 0)
    names, meanings = qubit_names(where)
    extra = maker.auxiliaries
    if quadratic:
        terms, products = quadratize(terms, len(names) + len(extra))
        known = [*names, *(f"auxiliary {k}" for k in range(len(extra)))]
        extra = [*extra, *(" * ".join(known[q] for q in m) for m in products.values())]
    added = auxiliary_names({*names, *where.variables}, len(extra))
    wider = Space((*where.blocks, *(blocks.make_binary(Variable(name, (0, 1))) for name in added)))
    qubo = Qubo.of([*names, *added], terms, [*meanings, *extra], wider)
    return Formulation(qubo, objective, tuple(parts), ground, sign, tuple(added))


def _goal_polynomial(goal: Objective, literals: Literals) -> Terms:
    parts = [scale(literals.term(part), weight) for weight, part in goal.parts]
    return simplify(add([literals.total(goal.terms, goal.constant), *parts]))


def add_objective(made: Formulation, objective: Qubo, proven: bool = True) -> tuple[Qubo, int]:
    """Return the objective plus the constraints' penalties, which are zero on solutions, and the penalties' factor.

    Args:
        made: of a model without objective, where every 0/1 variable is one qubit of the same name.
        objective: a Qubo over variables of the model; the energy of a solution is its objective.
        proven: multiply the penalties by a factor that suffices; else keep them (factor 1).

    Raises:
        UnsupportedError: a variable of the objective has no qubit of its own name.
    """
    numbers = {name: k for k, name in enumerate(made.qubo.names)}
    blocks = () if made.qubo.space is None else made.qubo.space.blocks
    fixed = {b.variables[0]: b.tuples[0][0] for b in blocks if b.size == 1 and len(b.variables) == 1}
    if unknown := [name for name in objective.names if name not in numbers and name not in fixed]:
        raise UnsupportedError(f"variable {unknown[0]} has no bit of its own in this encoding: choose encoding='auto'")
    penalties = {m: as_written(c) for m, c in made.qubo.polynomial.items()}
    penalties[()] = penalties.get((), Fraction(0)) - as_written(made.ground)
    # Proof: penalties are multiples of 1 / finest, so a state that is no solution is at least factor / finest above the
    # ground. That exceeds the gain, the most that the objective can change: the sum of the sizes of its coefficients.
    gain = sum((abs(as_written(c)) for c in objective.terms.values()), start=Fraction(0))
    finest = math.lcm(*(c.denominator for c in penalties.values()))
    factor = math.floor(gain * finest) + 1 if proven else 1
    total: dict[Monomial, Fraction] = {m: factor * c for m, c in penalties.items()}
    for monomial, coefficient in objective.polynomial.items():
        names = [objective.names[k] for k in monomial]
        # A fixed 0 removes the product, a fixed 1 its own factor.
        if all(fixed.get(name, 1) for name in names):
            key = tuple(sorted(numbers[name] for name in names if name in numbers))
            total[key] = total.get(key, Fraction(0)) + as_written(coefficient)
    terms = {m: shortest_number(c) for m, c in total.items()}
    return Qubo.of(made.qubo.names, terms, made.qubo.meanings, made.qubo.space), factor
