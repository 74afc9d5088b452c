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
from gatesolve.lowering import GateSet, lower
from gatesolve.model import Model
from gatesolve.options import Options
from gatesolve.oracle import Oracle, assemble, classical_oracle, share_out, synthesise
from gatesolve.oracle.window import choose_views, num_rows
from gatesolve.pipelines import Program
from gatesolve.pipelines.grover import best_iterations, grover_program
from gatesolve.presolve import Level, Recovery, presolve
from gatesolve.problem import Problem
from gatesolve.reversible import Certificate, CertificateError, PhaseCheck, certify
from gatesolve.reversible.cost import cx_cost
from gatesolve.simulate.sparse import diagonal_phases

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
    iterations = best_iterations(space.size, 1 if certificate.marked is None else certificate.marked)
    gates: GateSet = "clifford+t" if options.gates == "clifford+t" else "cx+u"
    program = grover_program(space, oracle, iterations, ancillas=options.ancillas, gates=gates)
    with clock.stage("lowering"):
        lowered = lower(oracle.ops, program.num_qubits, gates)
        compared = check_lowered(check, lowered, marks, options.seed)
    certificate = replace(certificate, lowered=compared)
    return Compiled(
        problem, model, recovery, level, label(space), program, certificate, marks, (*notes, *_notes(space))
    )


def check_lowered(check: PhaseCheck, lowered: QuantumCircuit, marks: NDArray[np.bool_] | None, seed: int) -> int:
    """Simulate the lowered oracle exactly on some codewords, marked ones among them, against the reversible one.

    Args:
        check: the reversible oracle.
        lowered: the same in a gate set.
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
        phases = diagonal_phases(lowered, bits)
    except DoesNotFitError:
        return 0
    expected = np.where(check.marks(numbers), -1, 1)
    # Lowering drops global phases, so only the relative ones are compared.
    if phases is None or not np.allclose(phases * np.conj(phases[0]), expected * expected[0], atol=1e-7):
        raise CertificateError("the lowered oracle differs from the reversible one: please report this as a bug")
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
    """The space whose whole search takes the fewest CX, with its oracle."""
    best: tuple[float, Space, Oracle] | None = None
    refusals: list[DoesNotFitError] = []
    solutions = _enumerated(model) if options.oracle == "classical" else []
    # Of equal spaces the wider first: its oracle is quick to make, and the other's may not be worth making.
    for number, space in enumerate(sorted(spaces, key=lambda s: (s.size, -s.num_qubits))):
        report(number, len(spaces))
        if best is not None and (_search_cost(space, None) >= best[0] or _work(model, space) > WORK_LIMIT):
            continue
        try:
            oracle = build_oracle(model, space, options, solutions)
        except DoesNotFitError as error:
            refusals.append(error)
            continue
        cost = _search_cost(space, oracle)
        if best is None or cost < best[0]:
            best = (cost, space, oracle)
    if best is None:
        raise min(refusals, key=lambda error: getattr(error, "least", math.inf))
    return best[1], best[2]


def _work(model: Model, space: Space) -> int:
    """Rows of all truth tables that compiling the constraints would list."""
    return sum(num_rows(choose_views(c, space)) for c in unenforced(model, space))


def _search_cost(space: Space, oracle: Oracle | None) -> float:
    """CX of the search for one solution: iterations times oracle, two preparations and reflection."""
    iterations = max(best_iterations(space.size, 1), 1)
    prepare = cx_cost(space.preparation)
    oracle_cost = cx_cost(oracle.ops) if oracle is not None else 0
    return prepare + iterations * (oracle_cost + 2 * prepare + 6 * max(len(space.roots) - 2, 0))


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
    shared, rest = share_out(model.constraints, space)
    conditions = shared + [synthesise(c, space) for c in unenforced(Model(model.variables, tuple(rest)), space)]
    return assemble(conditions, space.num_qubits, options.ancillas)


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
