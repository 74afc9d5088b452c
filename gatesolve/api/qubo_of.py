"""From whatever a user hands in to a Qubo: what ``gatesolve qubo`` prints and writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gatesolve.api.options import FIELDS
from gatesolve.api.problem import Problem, as_problem
from gatesolve.encodings import Space, label
from gatesolve.errors import InputError
from gatesolve.model.presolve import Level, presolve
from gatesolve.pipelines.options import check_option
from gatesolve.puzzles import Puzzle
from gatesolve.qubo import Qubo
from gatesolve.qubo.build import formulate, qubo_space
from gatesolve.qubo.exact import ExactEnergies, lowest_first, same
from gatesolve.qubo.numerals import counted, rounded
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.read import is_qubo_path, read_problem
from gatesolve.qubo.with_objective import with_objective

FORMS = ("model", "published")
LEVELS: tuple[Level, ...] = ("none", "propagate", "affine")
LISTED = 1 << 26
"""Terms times states up to which all states are listed for the lowest energy."""
Penalties = Number | Mapping[str, Number] | None


@dataclass(frozen=True)
class MadeQubo:
    """A Qubo and how it came about.

    Attributes:
        title: what it is of.
        qubo: the energy.
        made: one line a fact: form, encoding, weights.
        ground: the energy of solutions, less their objective; None for a Qubo of the user's own, or unknown.
        proved: whether the weights are known to suffice; None where there are none.
        beside: what more there is to say of a solution's energy.
    """

    title: str
    qubo: Qubo
    made: tuple[str, ...] = ()
    ground: Number | None = None
    proved: bool | None = None
    beside: str = ""

    def lowest(self) -> tuple[Number, int] | None:
        """The lowest energy of all states and how many have it; None where there are too many to list."""
        size = self.qubo.num_variables
        if size > 20 or (len(self.qubo.terms) + 1) << size > LISTED:
            return None
        bits = (np.arange(1 << size) >> np.arange(size)[:, None] & 1).astype(bool)
        energies = ExactEnergies.of(self.qubo)
        digits = energies.digits(bits)
        least = digits[:, lowest_first(digits)[0]]
        return rounded(energies.energy(least)), int(same(digits, least).sum())

    def as_dict(self) -> dict[str, Any]:
        """All of it for JSON, but for the terms."""
        lowest = self.lowest()
        return {
            "title": self.title,
            "made": list(self.made),
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


def qubo_of(
    file: str,
    family: str | None = None,
    *,
    form: str = "model",
    encoding: str = "auto",
    presolve: str = "none",
    penalties: Penalties = None,
    inside: bool = False,
    quadratic: bool = False,
) -> MadeQubo:
    """The Qubo of a puzzle file, or of a file that holds one.

    Args:
        file: path of a puzzle, or of a ``.qubo``, COO, LP, JSON, CSV or NumPy file; ``"-"`` for standard input.
        family: of a puzzle; found from its text when None.
        form: ``model`` for ours, ``published`` for the formula that a paper or blog prints for the family.
        encoding: of the variables: ``auto`` for one bit a two-valued variable and one a value else.
        presolve: applied before.
        penalties: weights; proved ones where None.
        inside: penalise nothing that the encoding's own blocks enforce.
        quadratic: auxiliary variables where a term would have more than two.

    Raises:
        InputError: a faulty file or option; or options for a file that is a Qubo already.
        UnsupportedError: no published formula.
        InfeasibleError: presolve proves that there is no solution.
    """
    if form not in FORMS:
        raise InputError(f"unknown form '{form}': choose one of {', '.join(FORMS)}")
    check_option(FIELDS["encoding"], encoding)
    if presolve not in LEVELS:
        raise InputError(f"unknown presolve '{presolve}': choose one of {', '.join(LEVELS)}")
    options = {"encoding": encoding, "presolve": presolve, "penalties": penalties, "inside": inside}
    problem, decodes = _read(file, family)
    if form == "published":
        return _published(problem.puzzle, {**options, "quadratic": quadratic}, file)
    if problem.qubo is not None and not problem.model.constraints:
        _check_plain(options, f"{file} is a Qubo already")
        if not quadratic:
            return MadeQubo(problem.title, replace(problem.qubo, space=decodes))
        return MadeQubo(problem.title, _reduced(problem.qubo))
    return _formulated(problem, options, quadratic)


def _read(file: str, family: str | None) -> tuple[Problem, Space | None]:
    """The problem, and what decodes a Qubo that was made from another."""
    if family is None and file != "-" and is_qubo_path(file):
        own = read_problem(file)
        return Problem(own.model, qubo=own.qubo, name=own.title, sense=own.sense, scale=own.scale), own.space
    return as_problem(file, family), None


def _formulated(problem: Problem, options: dict[str, Any], quadratic: bool) -> MadeQubo:
    if problem.qubo is not None and options["presolve"] != "none":
        raise InputError("presolve does not know the quadratic objective: leave out presolve")
    model, level = problem.model, options["presolve"]
    model = presolve(model, level)[0] if level != "none" else model
    space = qubo_space(model, options["encoding"])
    made = formulate(model, space, penalties=options["penalties"], inside=options["inside"], quadratic=quadratic)
    lines = [f"encoding {label(space)}, presolve {level}, {counted(len(made.parts), 'penalty term')}{_weights(made)}"]
    qubo, ground = made.qubo, made.ground
    if problem.qubo is not None:
        qubo, factor = with_objective(made, problem.qubo, options["penalties"] is None)
        ground = 0
        lines.append(f"penalties times {factor}, beside the objective")
    if made.auxiliary:
        lines.append(f"{counted(len(made.auxiliary), 'auxiliary variable')}")
    proved = made.proved if problem.qubo is None else options["penalties"] is None
    return MadeQubo(problem.title, qubo, tuple(lines), ground, proved, _beside(problem, proved, options["inside"]))


def _beside(problem: Problem, proved: bool, inside: bool) -> str:
    """Whether a solution's objective is added to its energy, and what has less."""
    goal = problem.model.objective
    what = "codeword" if inside else "state"
    if goal is None and problem.qubo is None:
        return f", and no {what} has less" if proved else f"; with weights this small a {what} may have less"
    objective = " minus its objective" if goal is not None and goal.sense == "max" else " plus its objective"
    if proved:
        return f"{objective}; the lowest {what}s are the best solutions"
    return f"{objective}; with weights this small a {what} that is no solution may have less"


def _weights(made: Any) -> str:
    weights = sorted({part.weight for part in made.parts})
    if not weights:
        return ""
    return f", weight {weights[0]}" if len(weights) == 1 else f", weights {weights[0]} to {weights[-1]}"


def _published(puzzle: Puzzle | None, options: dict[str, Any], file: str) -> MadeQubo:
    from gatesolve.qubo.published import published_qubo

    if puzzle is None:
        raise InputError(f"{file} is no puzzle: published formulas are of puzzle families")
    _check_plain(options, "a published formula is as it is printed")
    found = published_qubo(puzzle)
    lines = [f"published: {found.source}"] + ([f"but: {found.caveat}"] if found.caveat else [])
    return MadeQubo(puzzle.title, found.qubo, tuple(lines), found.ground)


def _check_plain(options: Mapping[str, Any], why: str) -> None:
    plain = {"encoding": "auto", "presolve": "none", "penalties": None, "inside": False, "quadratic": False}
    for name, value in options.items():
        if value != plain[name]:
            raise InputError(f"{why}: leave out {name}")


def _reduced(qubo: Qubo) -> Qubo:
    """With auxiliary variables, so that no term has more than two."""
    from gatesolve.qubo.quadratize import quadratized

    terms, products = quadratized(qubo.polynomial, qubo.num_variables)
    taken = set(qubo.names)
    free = (name for k in range(len(products) + len(taken)) if (name := f"aux{k}") not in taken)
    extra = [name for name, _ in zip(free, products, strict=False)]
    names = [*qubo.names, *extra]
    meanings = [qubo.meaning(k) for k in range(qubo.num_variables)]
    meanings += [" * ".join(names[k] for k in product) for product in products.values()]
    return Qubo.of(names, terms, meanings) if products else qubo
