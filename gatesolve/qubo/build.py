"""From a model and a space to its Qubo: penalties for constraints and codewords, weights, objective."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gatesolve.encodings import block as blocks
from gatesolve.encodings import make_spaces
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.model.constraints import Constraint
from gatesolve.model.model import Model, Objective, Variable
from gatesolve.qubo.auxiliary import auxiliary_names, quadratize, qubit_names
from gatesolve.qubo.literals import Literals
from gatesolve.qubo.numerals import as_written, shortest_number
from gatesolve.qubo.penalties import Penalties, Requirement, list_requirements
from gatesolve.qubo.penalty import Penalty, simplify
from gatesolve.qubo.polynomial import Monomial, Number, Terms, add, degree, scale
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.weights import Chosen, EnergyPart, Weights, make_block_parts, make_constraint_parts


@dataclass(frozen=True)
class Formulation:
    """A Qubo and what it is made of.

    Attributes:
        qubo: the energy: the objective plus each part's weight times its penalty.
        objective: the objective's share (negated where it is to be large).
        parts: the constraints and the blocks, those that nothing can break left out.
        ground: the energy of a solution, less its objective: for a model without objective no state is lower, and
            it is reached where there is a solution and the weights suffice.
        sign: -1 where the objective is to be large, so that a solution's energy is
            ``ground + sign * objective``; else 1.
        auxiliary: names of variables that are none of the model's: slack bits, selectors and products.
        left_out: constraints that are in no part, because the caller asked for low degrees.
    """

    qubo: Qubo
    objective: Terms
    parts: tuple[EnergyPart, ...]
    ground: Number
    sign: int
    auxiliary: tuple[str, ...] = ()
    left_out: tuple[Constraint, ...] = ()

    @property
    def proved(self) -> bool:
        """Whether every weight is at least the proved one."""
        return all(part.weight >= part.sufficient for part in self.parts)


def qubo_space(model: Model, encoding: str = "auto") -> Space:
    """The space that a model's quadratic form is written in.

    Args:
        model: any model.
        encoding: the name of one; ``auto`` for what the literature takes: fixed variables take no qubit, two-valued
            ones one qubit (1 is the greater value), others one qubit a value.
    """
    if encoding != "auto":
        # Of tables numbered in binary and tables with a qubit a tuple, the second has the lower degree.
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
    leave_out_above: int | None = None,
) -> Formulation:
    """Write a model as an energy to be made small.

    Args:
        model: any model.
        space: where its variables live; None for `qubo_space`. A space whose blocks enforce constraints leaves
            less to penalise. Terms of more than two variables arise where values are digits.
        penalties: weights of the parts: None for proved ones; a number for all; a mapping from the beginning of
            labels (the constraint as ``str`` prints it) to numbers; or a function of the constraint that gives a
            number or None.
        codewords_only: energies need be right on the space's codewords only, as for searches that never leave it.
            Otherwise the other states of each block are penalised too, so that the lowest of all states is a solution.
        quadratic: no term of more than two variables: auxiliary variables (slack bits of sums, selectors of boxes,
            products) come after the space's qubits, and as 0/1 variables of their own in the Qubo's space. Energies
            are then as said once these are at their best.
        leave_out_above: constraints with no penalty of at most this degree are left out and reported, for answers
            that are checked afterwards (the literature leaves out that Takuzu's lines differ); None for none.

    Returns:
        The formulation; with weights at least the proved ones its lowest states are exactly the (best) solutions.

    Raises:
        InputError: a weight that is not a positive number, or that no part asks for; a space without some variable.
        DoesNotFitError: a constraint over too many combinations of values, with no closed form.
    """
    where = qubo_space(model) if space is None else space
    if missing := [name for name in model.domains if name not in where.home]:
        raise InputError(f"the space has no variable {missing[0]}: make it from the same model")
    literals = Literals(where)
    goal = model.objective
    sign = -1 if goal is not None and goal.sense == "max" else 1
    objective = {} if goal is None else scale(_goal_polynomial(goal, literals), sign)
    maker = Penalties(literals, codewords_only, quadratic)
    found, left_out = _make_penalties(model, maker, leave_out_above)
    chosen = Chosen(penalties)
    parts = make_constraint_parts(found, objective, where, chosen)
    if not codewords_only:
        parts += make_block_parts(parts, objective, where, chosen)
    chosen.check_all_used()
    terms = simplify(add([objective, *(scale(p.penalty.terms, p.weight) for p in parts)]))
    ground = sum((p.weight * p.penalty.satisfied for p in parts), start=0)
    names, meanings = qubit_names(where)
    extra = maker.auxiliaries
    if quadratic:
        terms, products = quadratize(terms, len(names) + len(extra))
        known = [*names, *(f"auxiliary {k}" for k in range(len(extra)))]
        extra = [*extra, *(" * ".join(known[q] for q in m) for m in products.values())]
    qubo = _with_auxiliary(where, names, meanings, extra, terms)
    auxiliary = qubo.names[where.num_qubits :]
    return Formulation(qubo, objective, tuple(parts), simplify({(): ground}).get((), 0), sign, auxiliary, left_out)


def _goal_polynomial(goal: Objective, literals: Literals) -> Terms:
    parts = [scale(literals.term(part), weight) for weight, part in goal.parts]
    return simplify(add([literals.total(goal.terms, goal.constant), *parts]))


def _make_penalties(
    model: Model, maker: Penalties, most_degree: int | None
) -> tuple[list[tuple[Requirement, Penalty]], tuple[Constraint, ...]]:
    """Make the penalties of all constraints that a codeword can break; return them and the constraints left out."""
    found: list[tuple[Requirement, Penalty]] = []
    left_out: list[Constraint] = []
    for requirement in list_requirements(model):
        try:
            penalty = maker.of(requirement)
        except DoesNotFitError:
            if most_degree is None:
                raise
            left_out += requirement.constraints
            continue
        if penalty is not None and most_degree is not None and degree(penalty.terms) > most_degree:
            left_out += requirement.constraints
        elif penalty is not None:
            found.append((requirement, penalty))
    return found, tuple(left_out)


def _with_auxiliary(
    space: Space, names: Sequence[str], meanings: Sequence[str], extra: Sequence[str], terms: Terms
) -> Qubo:
    """The Qubo with one more 0/1 variable for each meaning in ``extra``, in its space as well."""
    added_names = auxiliary_names({*names, *space.variables}, len(extra))
    wider = Space((*space.blocks, *(blocks.make_binary(Variable(name, (0, 1))) for name in added_names)))
    return Qubo.of([*names, *added_names], terms, [*meanings, *extra], wider)


def add_objective(made: Formulation, objective: Qubo, proven: bool = True) -> tuple[Qubo, int]:
    """The objective plus the constraints' penalties, which are zero on solutions.

    Proof that the factor suffices: the energies of the penalties are multiples of 1/D, D the least common
    denominator of their coefficients, and every state that is no solution is above the ground. So it is at least
    ``factor / D`` above, which is more than the objective can gain anywhere: the sum of its coefficients' sizes.

    ``made`` is of a model without objective, every 0/1 variable one qubit of its own name; unless ``proven`` the
    penalties stay as they are. Returned are the Qubo, in which a solution's energy is its objective, and the factor.

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
    gain = sum((abs(as_written(c)) for c in objective.terms.values()), start=Fraction(0))
    finest = math.lcm(*(c.denominator for c in penalties.values()))
    factor = math.floor(gain * finest) + 1 if proven else 1
    total: dict[Monomial, Fraction] = {m: factor * c for m, c in penalties.items()}
    for monomial, coefficient in objective.polynomial.items():
        names = [objective.names[k] for k in monomial]
        if all(fixed.get(name, 1) for name in names):
            key = tuple(sorted(numbers[name] for name in names if name in numbers))
            total[key] = total.get(key, Fraction(0)) + as_written(coefficient)
    terms = {m: shortest_number(c) for m, c in total.items()}
    return Qubo.of(made.qubo.names, terms, made.qubo.meanings, made.qubo.space), factor
