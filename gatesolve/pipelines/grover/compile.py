"""Compiling Grover's search: the oracle in the style asked for, certified, at the likeliest number of iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.certificate import CertificateError
from gatesolve.encodings import Space
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InfeasibleError, InputError
from gatesolve.gate_sets import GATE_SETS
from gatesolve.model import Level, Model
from gatesolve.oracle import Oracle, assemble, choose_lowered, classical_oracle
from gatesolve.oracle.levels import conditions_at, find_level
from gatesolve.pipelines.amplification import best_iterations, count_whole, grover_program, refuse_rotations
from gatesolve.pipelines.certify import certify_oracle, check_lowered, phase_check
from gatesolve.pipelines.certify_sample import certify_sample, settle_solutions
from gatesolve.pipelines.exact import exact_program
from gatesolve.pipelines.grover.nest import MOST_COUNTED, add_early_check, certify_early
from gatesolve.pipelines.grover.options import GroverOptions
from gatesolve.pipelines.metric import oracle_key
from gatesolve.pipelines.options import SPACE_LIMIT, refuse_idle
from gatesolve.pipelines.task import Builder, Compiled, Request
from gatesolve.programs.comparison import list_open
from gatesolve.programs.program import Program

ENUMERATION_LIMIT = 4096
"""Most solutions the classical oracle marks."""


def compile_search(request: Request[GroverOptions]) -> Compiled:
    """Compile and certify; raises as `Choose`, and as `certify` and `check_lowered` where a check fails."""
    options, clock = request.options, request.clock
    builder, level_of = lambda model: make_builder(model, options), partial(oracle_level, options)
    found = request.choose(request.task.model, builder, level_of, request.is_run)
    options = replace(options, ancillas=found.ancillas)
    with clock.stage("oracle"):
        found = replace(found, oracle=choose_lowered(found.oracle))
    clock.tell(found)
    marks: NDArray[np.bool_] | None
    if found.space.size > SPACE_LIMIT:
        sampled = certify_sample(found.model, found.space, found.oracle, options.seed, clock)
        check, certificate, marks, sampled_marks = sampled.check, sampled.certificate, None, sampled.marks
        with clock.stage("count"):
            solutions, note = settle_solutions(found.model, found.space, options.solutions, options.count_solutions)
            options = replace(options, solutions=solutions)
        found = replace(found, notes=(*found.notes, note, sampled.note))
    else:
        check = phase_check(found.model, found.space, found.oracle)
        certificate, marks = certify_oracle(check, options.seed, clock)
        sampled_marks = marks
    is_assumed = options.schedule == "assumed"
    if options.solutions is not None and not is_assumed and certificate.marked not in (None, options.solutions):
        raise InputError(
            f"solutions is {options.solutions}, but {certificate.marked} were counted: leave out solutions"
        )
    program = make_program(found.space, found.oracle, options, certificate.marked)
    if options.early_check:
        with clock.stage("early check"):
            program = nest_program(program, options, certificate.marked, marks)
        found = replace(found, notes=(*found.notes, describe_early(program)))
    if request.is_run:
        refuse_rotations(program)
    else:  # a run judges what it measures, and searches on for the best
        left = list_open(program, certificate.marked, request.task.goal is not None)
        found = replace(found, notes=(*left, *found.notes))
    with clock.stage("lowering"):
        compared = check_lowered(check, program.lowered_oracle, sampled_marks, options.seed)
    program = replace(program, level=found.level)
    certificate = replace(certificate, lowered=compared)
    compiled = Compiled(request.task, found, program, certificate, marks, found.level, ancillas=options.ancillas)
    clock.tell(compiled)
    return compiled


def make_builder(model: Model, options: GroverOptions) -> Builder:
    """How to make oracles for a model in the style and at the level asked for; raises as `enumerate_solutions`."""
    solutions = enumerate_solutions(model) if options.oracle == "classical" else []
    return lambda space, ancillas: build_oracle(model, space, replace(options, ancillas=ancillas), solutions)


def oracle_level(options: GroverOptions, model: Model, space: Space, oracle: Oracle) -> tuple[Level, tuple[str, ...]]:
    """The level of an oracle that such a builder made."""
    asked = "classical" if options.oracle == "classical" else options.level
    return find_level(asked, model, space, oracle.conditions, options.window)


def make_program(space: Space, oracle: Oracle, options: GroverOptions, marked: int | None) -> Program:
    """The search with the iterations asked for, or the likeliest number, or matched phases."""
    if options.solutions is not None and options.solutions > space.size and options.schedule != "assumed":
        raise InputError(f"solutions is {options.solutions}, of {space.size} codewords: give at most so many")
    if options.schedule == "assumed":
        marked = min(options.solutions or 1, space.size)
    needed = best_iterations(space.size, (options.solutions or 1) if marked is None else marked)
    iterations = needed if options.iterations is None else options.iterations
    budget, gates, metric = options.ancillas, options.gates, options.optimize
    program = grover_program(space, oracle, iterations, ancillas=budget, gates=gates, metric=metric)
    program = replace(program, measured=options.measured, needed_iterations=needed)
    if options.early_check:
        refuse_idle(options, "an early check goes with a known number of iterations", "exact", "schedule")
        refuse_idle(options, "an early check is one of constraints", "oracle")
    if not options.exact or marked == 0:
        return program
    if marked is None:
        raise DoesNotFitError(
            f"does not fit: exact=True needs the number of solutions, which is counted up to {SPACE_LIMIT} codewords, "
            f"and the space has {space.size}: leave out exact"
        )
    made = exact_program(replace(program, needed_iterations=None), marked, ancillas=options.ancillas)
    if count_whole(made) is None and count_whole(program) is not None:
        raise DoesNotFitError(f"exact turns by angles that {gates} has not: leave out exact, or use gates='clifford+t'")
    return made


def nest_program(
    program: Program, options: GroverOptions, marked: int | None, marks: NDArray[np.bool_] | None
) -> Program:
    """The search with the early check that makes it cheapest, certified; as it is where none does or nothing is marked.

    Raises:
        CertificateError: the early check marks what it should not, or a solution fails it.
    """
    if marked == 0 or not program.iterations:
        return program
    assumed = (options.solutions or 1) if marked is None else marked
    nested = add_early_check(program, assumed, options.iterations, options.ancillas)
    if nested.early_check is None:
        return program
    check, passes = certify_early(nested)
    check_lowered(check, nested.lowered_early, passes, options.seed)
    if marks is not None and not passes[nested.early_check.locate(nested.space, np.flatnonzero(marks))].all():
        raise CertificateError("a solution fails the early check: please report this as a bug")
    return nested


def describe_early(program: Program) -> str:
    """A note on the early check that was asked for."""
    if program.early_check is not None:
        return program.early_check.describe()
    return f"no early check of up to {MOST_COUNTED} codewords makes this search cheaper: it has none"


def build_oracle(
    model: Model, space: Space, options: GroverOptions, solutions: Sequence[dict[str, int]] = ()
) -> Oracle:
    """The oracle in the style asked for; the classical style marks ``solutions``, which are all there are."""
    if options.oracle == "classical":
        numbers = [space.number(solution) for solution in solutions]
        return classical_oracle([n for n in numbers if n is not None], space, options.ancillas)
    conditions, alone = conditions_at(options.level, model, space, options.window), options.level == "literal"
    cost, by_cx = oracle_key(options.optimize, options.gates), options.optimize == "cx"
    # Its T gates are as many, and what is measured away, made shallow or written in Toffoli gates has to stay apart.
    is_apart = options.measured or GATE_SETS[options.gates].has_toffoli
    absorbing = options.optimize in {"cx", "qubits"} and not is_apart
    make = partial(assemble, conditions, space.num_qubits, alone=alone, cost=cost, with_alternative=by_cx)
    make = partial(make, absorbing=absorbing)
    if options.optimize != "qubits" or options.ancillas is not None:
        return make(options.ancillas)
    try:
        # Without a spare qubit a multi-controlled gate has no exact Clifford+T or Toffoli circuit.
        return make(0 if GATE_SETS[options.gates].has_rotations else 1)
    except AncillaBudgetError as error:
        return make(error.least)


def enumerate_solutions(model: Model) -> list[dict[str, int]]:
    """All solutions, by the reference solver.

    Raises:
        DoesNotFitError: too many to mark.
        InfeasibleError: there is none.
    """
    from gatesolve.model.reference import find_solutions

    found = find_solutions(model, limit=ENUMERATION_LIMIT + 1)
    if not found:
        raise InfeasibleError("the reference solver proved that there is no solution")
    if len(found) > ENUMERATION_LIMIT:
        raise DoesNotFitError(f"more than {ENUMERATION_LIMIT} solutions to mark one by one: use oracle='constraints'")
    return found
