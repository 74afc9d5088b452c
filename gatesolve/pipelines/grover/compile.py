"""Compiling Grover's search: the oracle in the style asked for, certified, at the likeliest number of iterations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.formats.problem import Problem
from gatesolve.oracle import Oracle
from gatesolve.oracle.recipe import PhaseRecipe
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.certify import certify_oracle, certify_sample, check_lowered, phase_check, settle_solutions
from gatesolve.pipelines.exact import exact_program
from gatesolve.pipelines.grover.nest import MOST_COUNTED, add_early_check, certify_early
from gatesolve.pipelines.grover.options import GroverOptions
from gatesolve.pipelines.options import SPACE_LIMIT, refuse_idle
from gatesolve.planning import Clock, Layout
from gatesolve.programs.amplification import best_iterations, count_whole, grover_program, refuse_rotations
from gatesolve.programs.comparison import list_open
from gatesolve.programs.program import Program
from gatesolve.simulate.certificate import CertificateError


def make_recipe(problem: Problem, options: GroverOptions) -> PhaseRecipe:
    """Return the recipe of the oracle in the style and at the level asked for."""
    return PhaseRecipe(
        style=options.oracle,
        level=options.level,
        window=options.window,
        metric=options.optimize,
        gates=options.gates,
        measured=options.measured,
    )


def compile_search(problem: Problem, layout: Layout, options: GroverOptions, clock: Clock) -> Compiled:
    """Compile and certify a circuit that is not run; its notes say what it leaves open. Raises as `compile_run`."""
    return _compile(problem, layout, options, clock, is_run=False)


def compile_run(problem: Problem, layout: Layout, options: GroverOptions, clock: Clock) -> Compiled:
    """Compile and certify a circuit that is run; raises as `certify` and `check_lowered` where a check fails."""
    return _compile(problem, layout, options, clock, is_run=True)


def _compile(problem: Problem, layout: Layout, options: GroverOptions, clock: Clock, *, is_run: bool) -> Compiled:
    model, space, oracle, made = layout.model, layout.space, layout.oracle, layout.provenance
    options = replace(options, ancillas=made.ancillas)
    marks: NDArray[np.bool_] | None
    if space.size > SPACE_LIMIT:
        sampled = certify_sample(model, space, oracle, options.seed, clock)
        check, certificate, marks, sampled_marks = sampled.check, sampled.certificate, None, sampled.marks
        with clock.stage("count"):
            solutions, note = settle_solutions(model, space, options.solutions, options.count_solutions)
            options = replace(options, solutions=solutions)
        made = made.note(note, sampled.note)
    else:
        check = phase_check(model, space, oracle)
        certificate, marks = certify_oracle(check, options.seed, clock)
        sampled_marks = marks
    is_assumed = options.schedule == "assumed"
    if options.solutions is not None and not is_assumed and certificate.marked not in (None, options.solutions):
        raise InputError(
            f"solutions is {options.solutions}, but {certificate.marked} were counted: leave out solutions"
        )
    program = make_program(space, oracle, options, certificate.marked)
    if options.early_check:
        with clock.stage("early check"):
            program = nest_program(program, options, certificate.marked, marks)
        made = made.note(describe_early(program))
    if is_run:
        refuse_rotations(program)
    else:  # a run judges what it measures, and searches on for the best
        left = list_open(program, certificate.marked, problem.goal is not None)
        made = replace(made, notes=(*left, *made.notes))
    program = replace(program, provenance=made)
    with clock.stage("lowering"):
        compared = check_lowered(check, program.lowered_oracle, sampled_marks, options.seed)
    certificate = replace(certificate, lowered=compared)
    compiled = Compiled(problem, layout, program, certificate, marks)
    clock.tell(compiled)
    return compiled


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
    program = replace(program, **options.lowering, needed_iterations=needed)
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
