"""A term below a threshold as one comparison, with weights of broken conditions added to it: no digit on its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gatesolve.encodings.space import Space
from gatesolve.model import Level, Model
from gatesolve.model.terms import Term, Truth, add_terms
from gatesolve.model.trees import compare, negate
from gatesolve.oracle.assemble import Oracle, assemble
from gatesolve.oracle.synthesise import synthesise
from gatesolve.oracle.threshold import Weighted, compile_rules


def bounded_oracle(
    goal: Term,
    terms: Sequence[Weighted],
    model: Model,
    space: Space,
    threshold: int,
    *,
    ancillas: int | None = None,
    level: Level = "merged",
    window: int = 6,
    cost: Callable[[Oracle], tuple[float, float]] | None = None,
) -> Oracle:
    """Mark the codewords on which ``goal`` and what is paid for broken constraints are less than ``threshold``.

    A constraint whose weight alone reaches the threshold must hold. A greatest value is below a bound where all are,
    so a makespan is compared task by task. Ancillas start and end at zero.

    Args:
        goal: a term that is 0 or more.
        terms: what is paid for what.
        model: its variables are those of the space; its constraints are not looked at.
        space: the search space.
        threshold: what is too much.
        ancillas: most clean ancillas to use; None for as many as help.
        level: at which the constraints that must hold are compiled.
        window: qubits that these are minimised in together at the level ``minimised``.
        cost: what schedules are compared by; CX when None.

    Raises:
        AncillaBudgetError: no schedule stays within ``ancillas``.
        DoesNotFitError: a constraint is too large to compile.
    """
    rules = Model(model.variables, tuple(constraint for weight, constraint in terms if weight >= threshold))
    paid = [(weight, Truth(negate(constraint))) for weight, constraint in terms if weight < threshold]
    bound = compare(add_terms([(1, goal), *paid], -threshold), "<", model.domains)
    conditions = [*compile_rules(level, rules, space, window), synthesise(bound, space)]
    return assemble(conditions, space.num_qubits, ancillas, alone=level == "literal", cost=cost)
