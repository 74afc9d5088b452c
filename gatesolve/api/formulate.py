"""`formulate`: from any input of the user's to a Qubo, and the report of ``gatesolve qubo``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from gatesolve.api.options import FIELDS
from gatesolve.encodings import encoding_label
from gatesolve.errors import InputError, refuses_renamed
from gatesolve.formats.problem import Problem
from gatesolve.formats.sources import Source, as_problem
from gatesolve.model.presolve import PresolveSetting
from gatesolve.model.presolve import presolve as presolve_model
from gatesolve.pipelines.options import AS_PRINTED, Encoding, check_option, refuse_idle
from gatesolve.planning import SETTINGS
from gatesolve.qubo import Qubo
from gatesolve.qubo.auxiliary import quadratize_qubo
from gatesolve.qubo.build import Chosen, Formulation, add_objective, formulate_model, qubo_space
from gatesolve.qubo.numerals import count_noun, nearest_number
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.qubo import ExactEnergies

FormulationName = Literal["model", "published"]
FORMULATIONS: tuple[str, ...] = get_args(FormulationName)
LISTED = 1 << 26
"""Most terms times states for which all states are listed for the lowest energy."""
Penalties = Number | Mapping[str, Number] | None


@dataclass(frozen=True)
class FormulationRequest:
    """How to make a Qubo of a problem: the arguments of `formulate`."""

    formulation: str = "model"
    encoding: str = "auto"
    presolve: str = "none"
    penalty: Penalties = None
    codewords_only: bool = False
    quadratic: bool = False

    def __post_init__(self) -> None:
        for name, offered in (("formulation", FORMULATIONS), ("presolve", SETTINGS)):
            if getattr(self, name) not in offered:
                raise InputError(f"unknown {name} '{getattr(self, name)}': choose one of {', '.join(offered)}")
        check_option(FIELDS["encoding"], self.encoding)
        # Refuses invalid weights.
        Chosen(self.penalty)

    def require_plain(self, why: str) -> None:
        """Refuse options that would be ignored."""
        refuse_idle(self, why, *(one.name for one in fields(self) if one.name != "formulation"))


@dataclass(frozen=True)
class QuboReport:
    """A Qubo and how it was made.

    Attributes:
        facts: one line each: formulation, encoding, weights.
        ground: the energy of solutions, less their objective; None for a Qubo of the user's own, or unknown.
        proved: True if the weights are known to suffice; None where there are none.
        beside: a further remark on a solution's energy.
    """

    title: str
    qubo: Qubo
    facts: tuple[str, ...] = ()
    ground: Number | None = None
    proved: bool | None = None
    beside: str = ""

    def lowest(self) -> tuple[Number, int] | None:
        """Return the lowest energy of all states and the number of states with it; None for too many states."""
        size = self.qubo.num_variables
        # The first test avoids a huge shift.
        if size > 20 or (len(self.qubo.terms) + 1) << size > LISTED:
            return None
        # Row k has bit k of all states.
        bits = (np.arange(1 << size) >> np.arange(size)[:, None] & 1).astype(bool)
        exact = ExactEnergies.of(self.qubo)
        # In whole multiples of a unit, so that equal energies are exactly equal and can be counted.
        energies = exact.in_units(bits)
        least = int(energies.min())
        return nearest_number(least * exact.unit), int((energies == least).sum())

    def as_dict(self) -> dict[str, Any]:
        """Return everything except the terms, for JSON."""
        lowest = self.lowest()
        return {
            "title": self.title,
            "made": list(self.facts),
            "variables": self.qubo.num_variables,
            "terms": len(self.qubo.terms),
            "couplings": sum(len(m) > 1 for m in self.qubo.terms),
            "degree": self.qubo.degree,
            "offset": float(self.qubo.offset),
            "solution_energy": None if self.ground is None else float(self.ground),
            "weights_proved": self.proved,
            "lowest_energy": None if lowest is None else float(lowest[0]),
            "lowest_states": None if lowest is None else lowest[1],
        }


@refuses_renamed
def formulate(
    problem: Source,
    *,
    family: str | None = None,
    formulation: FormulationName = "model",
    encoding: Encoding = "auto",
    presolve: PresolveSetting = "none",
    penalty: Penalties = None,
    codewords_only: bool = False,
    quadratic: bool = False,
) -> Qubo:
    """Write a problem as a Qubo, an energy that is lowest at the solutions, or at the best ones.

    Args:
        problem: path of a puzzle, or of a ``.qubo``, COO, LP, JSON, CSV or NumPy file (``"-"`` for standard input); a
            `Puzzle`, a ``cpmpy.Model``, a `Model`, or a `Qubo`, which only ``quadratic`` changes.
        family: puzzle family of a file; None detects it from the text.
        formulation: ``model`` for ours, ``published`` for the formula that a paper or blog prints for the family.
        encoding: of the variables: ``one-hot``, ``binary``, ``domain-wall``, ``table``, or ``auto`` for one bit for a
            two-valued variable and else one bit a value.
        presolve: ``none``, ``propagate`` or ``affine``; applied before.
        penalty: one weight for all constraints, or a mapping from the beginning of constraints' texts to weights; None
            for weights that are proved to suffice.
        codewords_only: penalise nothing that the encoding's own blocks enforce.
        quadratic: add auxiliary variables where a term would have more than two.

    Returns:
        The Qubo; bit k belongs to variable ``.names[k]``, and ``.decode(bits)`` returns the values of the problem's
        variables.

    Raises:
        InputError: a faulty file or option; or options for a problem that is a Qubo already.
        UnsupportedError: no published formula.
        InfeasibleError: presolve proves that there is no solution.
        DoesNotFitError: a constraint over too many combinations of values, with no closed form.
    """
    asked = FormulationRequest(formulation, encoding, presolve, penalty, codewords_only, quadratic)
    return report_formulation(problem, family, asked).qubo


def report_formulation(problem: Source, family: str | None, asked: FormulationRequest) -> QuboReport:
    """Return the Qubo of `formulate`, with the report of the command line."""
    found = as_problem(problem, family)
    called = problem if isinstance(problem, str | Path) else "the problem"
    if asked.formulation == "published":
        asked.require_plain(AS_PRINTED)
        if found.puzzle is None:
            raise InputError(f"{called} is not a puzzle: leave out formulation='published'")
        printed = found.published_qubo()
        facts = [f"published: {printed.source}", *([f"but: {printed.caveat}"] if printed.caveat else [])]
        return QuboReport(found.puzzle.title, printed.qubo, tuple(facts), printed.ground)
    if found.qubo is not None and not found.model.constraints:
        replace(asked, quadratic=False).require_plain(f"{called} is a Qubo already")
        own = replace(found.qubo, space=found.space)
        return QuboReport(found.title, quadratize_qubo(own) if asked.quadratic else own)
    return _report_model(found, asked)


def _report_model(problem: Problem, asked: FormulationRequest) -> QuboReport:
    setting = next(setting for setting in SETTINGS if setting == asked.presolve)
    penalty, inside = asked.penalty, asked.codewords_only
    if problem.qubo is not None and setting != "none":
        raise InputError("presolve cannot use the quadratic objective: leave out presolve")
    model = problem.model if setting == "none" else presolve_model(problem.model, setting)[0]
    space = qubo_space(model, asked.encoding)
    made = formulate_model(model, space, penalties=penalty, codewords_only=inside, quadratic=asked.quadratic)
    terms = count_noun(len(made.parts), "penalty term")
    facts = [f"encoding {encoding_label(space)}, presolve {setting}, {terms}{_describe_weights(made)}"]
    qubo, ground, proved = made.qubo, made.ground, made.proved
    if problem.qubo is not None:
        qubo, factor = add_objective(made, problem.qubo, penalty is None)
        # The penalties are shifted to 0 at solutions, so that a solution's energy is its objective.
        ground, proved = 0, penalty is None
        facts.append(f"penalties times {factor}, beside the objective")
    if made.auxiliary:
        facts.append(count_noun(len(made.auxiliary), "auxiliary variable"))
    return QuboReport(problem.title, qubo, tuple(facts), ground, proved, _describe_objective(problem, proved, inside))


def _describe_objective(problem: Problem, proved: bool, inside: bool) -> str:
    """Return whether a solution's objective is added to its energy, and which states can be lower."""
    goal = problem.model.objective
    what = "codeword" if inside else "state"
    if goal is None and problem.qubo is None:
        return f", and no {what} has less" if proved else f"; with weights this small a {what} may have less"
    objective = " minus its objective" if goal is not None and goal.sense == "max" else " plus its objective"
    if proved:
        return f"{objective}; the lowest {what}s are the best solutions"
    return f"{objective}; with weights this small a {what} that is not a solution may have less"


def _describe_weights(made: Formulation) -> str:
    weights = sorted({part.weight for part in made.parts})
    if not weights:
        return ""
    return f", weight {weights[0]}" if len(weights) == 1 else f", weights {weights[0]} to {weights[-1]}"
