"""A user's quadratic objective and the penalties of a model's constraints, in one Qubo."""

from __future__ import annotations

import math
from fractions import Fraction

from gatesolve.errors import UnsupportedError
from gatesolve.qubo.build import Formulation
from gatesolve.qubo.numerals import as_written, unrounded
from gatesolve.qubo.polynomial import Monomial
from gatesolve.qubo.qubo import Qubo


def with_objective(made: Formulation, objective: Qubo, proven: bool = True) -> tuple[Qubo, int]:
    """The objective plus the constraints' penalties, which are zero on solutions.

    Proof that the factor suffices: the energies of the penalties are multiples of 1/D, D the least common
    denominator of their coefficients, and every state that is no solution is above the ground. So it is at least
    ``factor / D`` above, which is more than the objective can gain anywhere: the sum of its coefficients' sizes.

    Args:
        made: the penalties of a model without objective, every 0/1 variable one qubit of its own name.
        objective: over some of those variables.
        proven: multiply the penalties by that factor; else leave them as they are.

    Returns:
        The Qubo, in which a solution's energy is its objective; and the factor.

    Raises:
        UnsupportedError: a variable of the objective has no qubit of its own name.
    """
    numbers = {name: k for k, name in enumerate(made.qubo.names)}
    fixed = {name: domain[0] for name, domain in _fixed(made).items()}
    unknown = next((name for name in objective.names if name not in numbers and name not in fixed), None)
    if unknown is not None:
        raise UnsupportedError(f"variable {unknown} has no bit of its own in this encoding: choose encoding='auto'")
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
    terms = {m: unrounded(c) for m, c in total.items()}
    return Qubo.of(made.qubo.names, terms, made.qubo.meanings, made.qubo.space), factor


def _fixed(made: Formulation) -> dict[str, tuple[int, ...]]:
    """Variables of one value, which take no qubit."""
    space = made.qubo.space
    blocks = space.blocks if space is not None else ()
    return {b.variables[0]: b.tuples[0] for b in blocks if b.size == 1 and len(b.variables) == 1}
