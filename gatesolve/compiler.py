"""From a problem to a verified program: presolve, encode, build the oracle, certify."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.encodings import KINDS, Kind, Space, label, make_spaces, unenforced
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InfeasibleError
from gatesolve.lowering import GateSet
from gatesolve.model import Model
from gatesolve.objective import Key, oracle_key, search_key
from gatesolve.options import Options
from gatesolve.oracle import Oracle, assemble, classical_oracle
from gatesolve.oracle.levels import literal_conditions, minimised_conditions
from gatesolve.oracle.window import choose_views, num_rows
from gatesolve.pipelines import Program
from gatesolve.pipelines.exact import exact_program
from gatesolve.pipelines.grover import best_iterations, grover_program
from gatesolve.presolve import Level, Recovery, presolve
from gatesolve.problem import Problem
from gatesolve.reversible import Certificate, PhaseCheck, certify
from gatesolve.simulate.branches import check_branches

SPACE_LIMIT = 1 << 24
"""Codewords that are certified one by one and simulated exactly."""
HOPELESS = 1 << 256
"""Codewords after propagation beyond which ``auto`` does not try to eliminate variables too."""
WORK_LIMIT = 1 << 19
"""Rows of truth tables from which a further space is not tried, once one has an oracle."""
LOWERED_SAMPLE = 16
"""Codewords, and marked codewords, on which the lowered oracle is compared."""
SAMPLE_SIZE = 1 << 16
"""Codewords drawn for a certificate above the limit."""
ENUMERATION_LIMIT = 4096
"""Most solutions the classical oracle marks."""

Progress = Callable[[str, int, int], None]


@dataclass
class Clock:
    """Seconds by stage, and where progress goes."""

    progress: Progress | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[Callable[[int, int], None]]:
        """Time a stage; yields what to call with (done, total)."""
        start = time.perf_counter()
        report = self.progress or (lambda *_: None)
        report(name, 0, 0)
        yield lambda done, total: report(name, done, total)
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


@dataclass(frozen=True)
class Compiled:
    """A problem compiled to a certified program.

    Attributes:
        problem: what was handed in.
        model: after presolve.
        recovery: back to the problem's variables.
        presolve: the level used.
        encoding: the encodings used.
        program: the circuit, at the chosen number of iterations.
        certificate: what was checked of the oracle.
        marks: the oracle's mark on every codeword, where all were checked.
        notes: what was decided on the way that a reader of the counts should know.
        level: ``literal``, ``minimised`` or ``classical``: how much the oracle and the blocks were worked out
            classically.
    """

    problem: Problem
    model: Model
    recovery: Recovery
    presolve: Level
    encoding: str
    program: Program
    certificate: Certificate
    marks: NDArray[np.bool_] | None
    notes: tuple[str, ...] = ()
    level: str = "minimised"

    @property
    def oracle_calls(self) -> int:
        """In one run of the circuit; matched phases put one of them into the start."""
        first = len(self.program.start) > len(self.program.space.preparation)
        return self.program.iterations + first

    def recovered(self, assignment: dict[str, int]) -> dict[str, int]:
        """Values of the problem's own variables."""
        return self.recovery.recover(assignment)


def compile_problem(problem: Problem, options: Options, clock: Clock) -> Compiled:
    """Compile and certify.

    Raises:
        InfeasibleError: presolve proves that there is no solution.
        DoesNotFitError: the space or the oracle is too large; the message says what would fit.
    """
    model, recovery, level, space, oracle, notes = _encoded(problem.model, options, clock)
    check = phase_check(model, space, oracle)
    with clock.stage("certificate") as report:
        certificate, marks = certify(check, _limit(space), options.seed, report)
    program = _search_program(space, oracle, options, certificate.marked)
    with clock.stage("lowering"):
        compared = check_lowered(check, program.lowered_oracle, marks, options.seed)
    certificate = replace(certificate, lowered=compared)
    notes += _notes(space)
    honesty = _honesty(space, options)
    return Compiled(problem, model, recovery, level, label(space), program, certificate, marks, tuple(notes), honesty)


def _search_program(space: Space, oracle: Oracle, options: Options, marked: int | None) -> Program:
    """The search with the iterations asked for, or the likeliest number, or matched phases."""
    iterations = options.iterations
    if iterations is None:
        iterations = best_iterations(space.size, 1 if marked is None else marked)
    gates: GateSet = "clifford+t" if options.gates == "clifford+t" else "cx+u"
    program = grover_program(space, oracle, iterations, ancillas=options.ancillas, gates=gates)
    program = replace(program, measured=options.measured, objective=options.objective)
    if not options.exact or marked == 0:
        return program
    if marked is None:
        raise DoesNotFitError(
            f"does not fit: --exact needs the number of solutions, which is counted up to {SPACE_LIMIT} codewords, "
            f"and the space has {space.size}: leave out --exact"
        )
    return exact_program(program, marked, ancillas=options.ancillas)


def check_lowered(check: PhaseCheck, lowered: QuantumCircuit, marks: NDArray[np.bool_] | None, seed: int) -> int:
    """Simulate the lowered oracle exactly on some codewords, marked ones among them, against the reversible one.

    Args:
        check: the reversible oracle.
        lowered: the same in a gate set; where it measures, several sequences of outcomes are followed.
        marks: the marks of every codeword, where known.
        seed: of the draw.

    Returns:
        How many codewords were compared; none if the lowered circuit's states are too wide to follow.

    Raises:
        CertificateError: some phase differs.
    """
    draw = np.random.default_rng(seed)
    numbers = draw.integers(0, min(check.size, 2**63 - 1), size=min(LOWERED_SAMPLE, check.size))
    if marks is not None:
        numbers = np.concatenate([numbers, np.flatnonzero(marks)[:LOWERED_SAMPLE]])
    numbers = np.unique(numbers)
    bits = np.zeros((lowered.num_qubits, len(numbers)), dtype=bool)
    bits[: check.num_data] = check.bits(numbers)
    try:
        check_branches(lowered, bits, check.marks(numbers), seed)
    except DoesNotFitError:
        return 0
    return len(numbers)


def phase_check(model: Model, space: Space, oracle: Oracle) -> PhaseCheck:
    """The oracle with the model's predicate on the space's codewords."""

    def predicate(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.broadcast_to(model.holds(space.values(numbers)), numbers.shape)

    return PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits, predicate)


def _limit(space: Space) -> int:
    return SPACE_LIMIT if space.size <= SPACE_LIMIT else SAMPLE_SIZE


def _encoded(model: Model, options: Options, clock: Clock) -> tuple[Model, Recovery, Level, Space, Oracle, list[str]]:
    """The level asked for, or the first at which a space fits and its oracle can be built."""
    levels: tuple[Level, ...] = ("none", "propagate", "affine")
    if options.presolve != "auto":
        levels = tuple(level for level in levels if level == options.presolve)
    notes: list[str] = []
    for level in levels:
        last = level == levels[-1]
        with clock.stage("presolve"):
            smaller, recovery = _at_level(model, level)
            # Joining tables is a search of its own, so it comes only after all levels of presolve.
            spaces = _spaces(smaller, options.encoding, SPACE_LIMIT if last else None)
        fitting = [s for s in spaces if s.size <= SPACE_LIMIT]
        last = last or (level == "propagate" and min(s.size for s in spaces) > HOPELESS)
        try:
            if not fitting:
                raise DoesNotFitError(_too_large(spaces, level, options))
            with clock.stage("oracle") as report:
                space, oracle = _cheapest(smaller, fitting, options, report)
            return smaller, recovery, level, space, oracle, notes
        except AncillaBudgetError:
            raise
        except DoesNotFitError as error:
            if last:
                raise
            notes.append(f"presolve {level} was not enough: {str(error).removeprefix('does not fit: ')}")
    raise AssertionError("the last level returns or raises")


def _at_level(model: Model, level: Level) -> tuple[Model, Recovery]:
    """Presolve; a proof of infeasibility names the level."""
    try:
        return presolve(model, level)
    except InfeasibleError as error:
        error.presolve = level
        raise


def _notes(space: Space) -> list[str]:
    """What the encoding did classically beyond tabulating single constraints."""
    joint = [block for block in space.blocks if block.kind == "joint-table"]
    if not joint:
        return []
    tuples = sum(block.size for block in joint)
    return [
        f"{len(joint)} joint tables list {tuples} tuples, each satisfying several constraints: "
        "that part of the search was classical"
    ]


def _honesty(space: Space, options: Options) -> str:
    """The level every count is published with; tuples that satisfy several constraints were found classically."""
    if options.oracle == "classical" or any(block.kind == "joint-table" for block in space.blocks):
        return "classical"
    return options.level


def _spaces(model: Model, encoding: str, fits: int | None) -> list[Space]:
    kinds: tuple[Kind, ...] = KINDS if encoding == "auto" else tuple(k for k in KINDS if k == encoding)
    return [space for kind in kinds for space in make_spaces(model, kind, fits)]


def _too_large(spaces: list[Space], level: str, options: Options) -> str:
    space = min(spaces, key=lambda s: s.size)
    mend = []
    if level == "none":
        mend.append("--presolve propagate")
    if options.encoding not in {"auto", "table"}:
        mend.append("--encoding table")
    advice = f"try {' and '.join(mend)}" if mend else "a smaller board, or one with more clues, would fit"
    return (
        f"does not fit: after presolve {level} the space has about 2^{math.log2(space.size):.0f} states on "
        f"{space.num_qubits} qubits ({label(space)}); up to 2^24 states are verified and simulated: {advice}"
    )


def _cheapest(
    model: Model, spaces: list[Space], options: Options, report: Callable[[int, int], None]
) -> tuple[Space, Oracle]:
    """The space whose whole search is best by the objective, with its oracle."""
    best: tuple[Key, Space, Oracle] | None = None
    refusals: list[DoesNotFitError] = []
    solutions = _enumerated(model) if options.oracle == "classical" else []
    # Of equal spaces the wider first: its oracle is quick to make, and the other's may not be worth making.
    for number, space in enumerate(sorted(spaces, key=lambda s: (s.size, -s.num_qubits))):
        report(number, len(spaces))
        if best is not None and (
            search_key(space, None, options.objective) >= best[0] or _work(model, space) > WORK_LIMIT
        ):
            continue
        try:
            oracle = build_oracle(model, space, options, solutions)
        except DoesNotFitError as error:
            refusals.append(error)
            continue
        cost = search_key(space, oracle, options.objective)
        if best is None or cost < best[0]:
            best = (cost, space, oracle)
    if best is None:
        raise min(refusals, key=lambda error: getattr(error, "least", math.inf))
    return best[1], best[2]


def _work(model: Model, space: Space) -> int:
    """Rows of all truth tables that compiling the constraints would list."""
    return sum(num_rows(choose_views(c, space)) for c in unenforced(model, space))


def build_oracle(model: Model, space: Space, options: Options, solutions: Sequence[dict[str, int]] = ()) -> Oracle:
    """The oracle in the style asked for.

    Args:
        model: after presolve.
        space: its search space.
        options: for the style and the ancilla budget.
        solutions: for the classical style, all of them.

    Raises:
        DoesNotFitError: the ancilla budget is too small, or a constraint too large.
    """
    if options.oracle == "classical":
        numbers = [space.number(solution) for solution in solutions]
        return classical_oracle([n for n in numbers if n is not None], space, options.ancillas)
    literal = options.level == "literal"
    conditions = literal_conditions(model, space) if literal else minimised_conditions(model, space, options.window)
    key = oracle_key(options.objective)
    if options.objective == "qubits" and options.ancillas is None:
        # Without a spare qubit a multi-controlled gate has no exact Clifford+T circuit.
        least = 1 if options.gates == "clifford+t" else 0
        try:
            return assemble(conditions, space.num_qubits, least, alone=literal, cost=key)
        except AncillaBudgetError as error:
            return assemble(conditions, space.num_qubits, error.least, alone=literal, cost=key)
    return assemble(conditions, space.num_qubits, options.ancillas, alone=literal, cost=key)


def _enumerated(model: Model) -> list[dict[str, int]]:
    """All solutions, by the reference solver.

    Raises:
        DoesNotFitError: too many to mark.
        InfeasibleError: there is none.
    """
    from gatesolve.model.reference import solutions

    found = solutions(model, limit=ENUMERATION_LIMIT + 1)
    if not found:
        raise InfeasibleError("the reference solver proved that there is no solution")
    if len(found) > ENUMERATION_LIMIT:
        raise DoesNotFitError(f"more than {ENUMERATION_LIMIT} solutions to mark one by one: use --oracle constraints")
    return found
