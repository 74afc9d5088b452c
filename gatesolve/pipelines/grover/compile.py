"""Compiling Grover's search: certified, at the likeliest number of iterations, perhaps with an early check."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Ops, inverse
from gatesolve.circuit.lowering.lower import price_ops
from gatesolve.encodings import Space
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InputError
from gatesolve.formats.problem import Problem
from gatesolve.oracle import Oracle, assemble
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.recipe import PhaseRecipe
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.certify import (
    certify_oracle,
    certify_sample,
    check_lowered,
    draw_sample,
    phase_check,
    settle_solutions,
)
from gatesolve.pipelines.exact import exact_program
from gatesolve.pipelines.grover.options import GroverOptions
from gatesolve.pipelines.options import SPACE_LIMIT, refuse_idle
from gatesolve.planning import Clock, Layout
from gatesolve.programs.amplification import (
    best_iterations,
    count_whole,
    grover_program,
    refuse_rotations,
    success_probability,
)
from gatesolve.programs.comparison import describe_idle
from gatesolve.programs.early_check import EarlyCheck
from gatesolve.programs.program import (
    Program,
    change_search,
    describe_rotations,
    find_reflection,
    find_searched_space,
    lower_early_oracle,
    lower_part,
)
from gatesolve.programs.reflection import reflection_about_start
from gatesolve.programs.section import Section
from gatesolve.simulate.certificate import CertificateError, PhaseCheck, certify

MOST_COUNTED = 1 << 16
"""Most codewords of the blocks of an early check: those that pass are counted classically, of each candidate."""
BUILT = 6
"""Early checks that are built, of those that look cheapest."""
TINY = 1e-9
"""Least success probability that a price is divided by."""
Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class _Part:
    """Blocks, the conditions that read no other, and which of so many codewords meet them."""

    blocks: tuple[int, ...]
    conditions: tuple[Condition, ...]
    size: int
    passing: NDArray[np.int64]

    @property
    def cost(self) -> float:
        """About what a round takes."""
        return sum(one.cost for one in self.conditions) + 6 * len(self.blocks)


def add_early_check(program: Program, marked: int, iterations: int | None, ancillas: int | None) -> Program:
    """Add the early check that makes a search cheapest; return the search as it is where none does.

    What is compared is the price of a run by the program's metric, divided by its success probability, where ``marked``
    codewords are taken for solutions. The outer search has the likeliest number of iterations if they are None.
    """
    size, outer = program.space.size, _price(program, program.section("iteration").ops)
    plain = best_iterations(size, marked) if iterations is None else iterations
    least, chosen = plain * outer / max(success_probability(size, marked, plain), TINY), None
    # First by what the conditions take each alone, then as they are built together.
    conditions = program.oracle.conditions
    rough = sum(one.cost for one in conditions) + 6 * len(find_searched_space(program).roots)
    every = list(_list_parts(program.space, conditions))
    parts = [part for part in every if 0 < len(part.passing) < part.size]
    ranked = heapq.nsmallest(
        BUILT, parts, key=lambda part: _choose_rounds(part, size, marked, iterations, part.cost, rough)[0]
    )
    if program.lowering.metric == "qubits":
        # No more ancillas than the plain search has.
        ancillas = program.num_ancillas
    for part in ranked:
        try:
            oracle = assemble(part.conditions, program.space.num_qubits, ancillas)
        except AncillaBudgetError:
            continue
        num_ancillas = max(program.num_ancillas, oracle.num_ancillas)
        space, metric = find_searched_space(program), program.lowering.metric
        once = oracle.ops + reflection_about_start(space, num_ancillas, metric, part.blocks)
        wide = replace(program, num_ancillas=num_ancillas)
        price, early = _choose_rounds(part, size, marked, iterations, _price(wide, once), outer)
        if price < least:
            least, chosen = price, (early, once, oracle, num_ancillas)
    if chosen is None:
        return program
    early, once, oracle, num_ancillas = chosen
    early = replace(early, counted=sum(part.size for part in every))
    times = early.best_iterations(size, marked) if iterations is None else iterations
    inner = once * early.rounds
    # In each iteration, the rounds are undone before the reflection and redone after it.
    ops = program.oracle.ops + inverse(inner) + find_reflection(program) + inner
    sections = (
        program.section("preparation"),
        Section("early", once, early.rounds, oracle),
        Section("iteration", ops, times, program.oracle),
    )
    needed = None if program.search.needed_iterations is None else early.best_iterations(size, marked)
    program = change_search(program, early_check=early, needed_iterations=needed)
    return replace(program, sections=sections, num_ancillas=num_ancillas)


def certify_early(program: Program) -> tuple[PhaseCheck, Bits]:
    """Return the early check run on all codewords of its blocks, and which are marked: as many as were counted."""
    early, space = program.search.early_check, program.space
    assert early is not None
    oracle = program.section("early").oracle
    assert oracle is not None
    part = Space(tuple(space.blocks[k] for k in early.blocks))
    passes = np.zeros(early.of, dtype=bool)
    passes[early.passing] = True

    def bits(numbers: NDArray[np.int64]) -> Bits:
        return _spread(space, early.blocks, part.bits(numbers))

    check = PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, early.of, bits, lambda numbers: passes[numbers])
    _, marks = certify(check, MOST_COUNTED, 0)
    assert marks is not None
    return check, marks


def _list_parts(space: Space, conditions: Sequence[Condition]) -> Iterator[_Part]:
    """Yield blocks that conditions read, from each condition on, always joined by what adds the fewest codewords."""
    owner = {qubit: k for k in range(len(space.blocks)) for qubit in space.block_qubits(k)}
    reads = [frozenset(owner[qubit] for qubit in condition.qubits) for condition in conditions]
    sizes = [block.size for block in space.blocks]
    seen = set[frozenset[int]]()
    for start in dict.fromkeys(reads):
        blocks = start
        while blocks and blocks not in seen and math.prod(sizes[k] for k in blocks) <= MOST_COUNTED:
            # Different starts soon grow into the same blocks.
            seen.add(blocks)
            inside = tuple(one for one, read in zip(conditions, reads, strict=True) if read <= blocks)
            # All conditions together would be the search itself, not a check before it.
            if len(inside) < len(conditions):
                chosen = tuple(sorted(blocks))
                inner = Space(tuple(space.blocks[k] for k in chosen))
                bits = _spread(space, chosen, inner.bits(np.arange(inner.size)))
                held = np.ones(inner.size, dtype=bool)
                for one in inside:
                    held &= one.holds(bits.__getitem__, np.ones(inner.size, dtype=bool))
                yield _Part(chosen, inside, inner.size, np.flatnonzero(held))
            further = [read - blocks for read in reads if not read <= blocks]
            blocks |= min(further, key=lambda more: math.prod(sizes[k] for k in more), default=frozenset())


def _spread(space: Space, blocks: Sequence[int], bits: Bits) -> Bits:
    """Return bits of some blocks as bits of the space, zero elsewhere."""
    spread = np.zeros((space.num_qubits, bits.shape[1]), dtype=bool)
    spread[[qubit for k in blocks for qubit in space.block_qubits(k)]] = bits
    return spread


def _choose_rounds(
    part: _Part, size: int, marked: int, iterations: int | None, inner: float, outer: float
) -> tuple[float, EarlyCheck]:
    """Return the least price of a run by its success probability, over numbers of rounds, and its early check.

    ``inner`` is the price of a round, ``outer`` that of an iteration without its rounds.
    """
    early = EarlyCheck(part.blocks, len(part.conditions), 0, part.size, part.size, part.passing)
    found = []
    for rounds in range(1, early.best_iterations(part.size, len(part.passing)) + 1):
        tried = replace(early, rounds=rounds)
        times = tried.best_iterations(size, marked) if iterations is None else iterations
        # Rounds are done once before the iterations, and twice in each.
        price = rounds * inner + times * (outer + 2 * rounds * inner)
        found.append((price / max(tried.success_probability(size, marked, times), TINY), tried))
    return min(found, key=lambda one: one[0], default=(math.inf, early))


def _price(program: Program, ops: Ops) -> float:
    return price_ops(ops, program.num_qubits, program.lowering.metric)


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


def compile_search(
    problem: Problem, layout: Layout, options: GroverOptions, clock: Clock, *, is_run: bool = False
) -> Compiled:
    """Compile and certify a circuit; notes say what one that is not run leaves open. Raises as `certify`."""
    model, space, oracle, made = layout.model, layout.space, layout.oracle, layout.provenance
    options = replace(options, ancillas=made.ancillas)
    marks: NDArray[np.bool_] | None
    if space.size > SPACE_LIMIT:
        sample, drawn = draw_sample(model, space, options.seed)
        certificate, check, sampled_marks = certify_sample(sample, model.holds, oracle, options.seed, clock)
        marks = None
        with clock.stage("count"):
            solutions, note = settle_solutions(model, space, options.solutions, options.count_solutions)
            options = replace(options, solutions=solutions)
        made = made.note(note, drawn)
    else:
        check = phase_check(model, space, oracle)
        certificate, marks = certify_oracle(check, options.seed, clock)
        sampled_marks = marks
    is_assumed = options.schedule == "assumed"
    if options.solutions is not None and not is_assumed and certificate.marked not in (None, options.solutions):
        counted = f"solutions is {options.solutions}, but {certificate.marked} were counted"
        raise InputError(f"{counted}: leave out solutions")
    program = make_program(space, oracle, options, certificate.marked)
    if options.early_check:
        with clock.stage("early check"):
            program = nest_program(program, options, certificate.marked, marks)
        early = program.search.early_check
        none = f"no early check of up to {MOST_COUNTED} codewords makes this search cheaper: it has none"
        made = made.note(none if early is None else early.describe())
    if is_run:
        refuse_rotations(program)
    made = replace(made, notes=(*_list_notes(problem, options, program, certificate.marked, is_run), *made.notes))
    program = change_search(program, provenance=made)
    with clock.stage("lowering"):
        compared = check_lowered(check, lower_part(program, "oracle"), sampled_marks, options.seed)
    certificate = replace(certificate, lowered=compared)
    compiled = Compiled(problem, layout, program, certificate, marks)
    clock.tell(compiled)
    return compiled


def _list_notes(
    problem: Problem, options: GroverOptions, program: Program, marked: int | None, is_run: bool
) -> Iterator[str]:
    """Yield remarks on a circuit without iterations, and on an objective that a circuit alone does not search for."""
    # These schedules choose another number of iterations for every run.
    if not (is_run and options.schedule in ("unknown", "assumed")):
        yield from describe_idle(program, marked)
    if said := describe_rotations(program):
        known = marked is not None and options.schedule != "assumed"
        yield said + ("" if known else ", if the solutions are as many as assumed")
    # A run searches on for the best.
    if problem.goal is not None and not is_run:
        left_out = f"the {problem.goal_name} is left out, so every solution is marked"
        yield f"{left_out}: solve() finds the best one; pipeline='gas' compiles a circuit that marks only better ones"


def make_program(space: Space, oracle: Oracle, options: GroverOptions, marked: int | None) -> Program:
    """Return the search with the iterations asked for, or the likeliest number, or matched phases."""
    if options.solutions is not None and options.solutions > space.size and options.schedule != "assumed":
        raise InputError(f"solutions is {options.solutions}, of {space.size} codewords: give at most so many")
    if options.schedule == "assumed":
        marked = min(options.solutions or 1, space.size)
    needed = best_iterations(space.size, (options.solutions or 1) if marked is None else marked)
    iterations = needed if options.iterations is None else options.iterations
    budget, gates, metric = options.ancillas, options.gates, options.optimize
    program = grover_program(space, oracle, iterations, ancillas=budget, gates=gates, metric=metric)
    program = change_search(replace(program, lowering=options.lowering), needed_iterations=needed)
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
    # A plain search's needed number of iterations does not apply to matched phases.
    made = exact_program(change_search(program, needed_iterations=None), marked, ancillas=options.ancillas)
    # The plain search has an exact circuit in this gate set, but the phases of the exact one have none.
    if count_whole(made) is None and count_whole(program) is not None:
        raise DoesNotFitError(f"exact needs rotations that {gates} lacks: leave out exact, or use gates='clifford+t'")
    return made


def nest_program(
    program: Program, options: GroverOptions, marked: int | None, marks: NDArray[np.bool_] | None
) -> Program:
    """Return the search with the early check that makes it cheapest, certified, or as it is if there is none."""
    # Nothing is found, or there is no iteration to make cheaper.
    if marked == 0 or not program.iterations:
        return program
    assumed = (options.solutions or 1) if marked is None else marked
    nested = add_early_check(program, assumed, options.iterations, options.ancillas)
    early = nested.search.early_check
    if early is None:
        return program
    check, passes = certify_early(nested)
    check_lowered(check, lower_early_oracle(nested), passes, options.seed)
    if marks is not None and not passes[early.locate(nested.space, np.flatnonzero(marks))].all():
        raise CertificateError("a solution fails the early check: please report this as a bug")
    return nested
