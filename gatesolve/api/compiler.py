"""From a problem to a verified program: presolve, encode, build the oracle, certify."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.api.encode import SPACE_LIMIT, Builder, Encoded, encoded
from gatesolve.api.options import Options
from gatesolve.api.problem import Problem
from gatesolve.circuit import Certificate, PhaseCheck, certify
from gatesolve.circuit.lowering import GateSet
from gatesolve.encodings import Space, label
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InfeasibleError
from gatesolve.model import Model
from gatesolve.model.presolve import Level, Recovery
from gatesolve.oracle import Oracle, assemble, classical_oracle
from gatesolve.oracle.levels import literal_conditions, minimised_conditions
from gatesolve.pipelines import Program
from gatesolve.pipelines.amplification import best_iterations, grover_program
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.grover.exact import exact_program
from gatesolve.pipelines.objective import oracle_key
from gatesolve.simulate.branches import check_branches

LOWERED_SAMPLE = 16
"""Codewords, and marked codewords, on which the lowered oracle is compared."""
SAMPLE_SIZE = 1 << 16
"""Codewords drawn for a certificate above the limit."""
ENUMERATION_LIMIT = 4096
"""Most solutions the classical oracle marks."""


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
    found = encoded(problem.model, options, clock, lambda model: oracle_builder(model, options))
    check = phase_check(found.model, found.space, found.oracle)
    certificate, marks = certified(check, options.seed, clock)
    program = _search_program(found.space, found.oracle, options, certificate.marked)
    with clock.stage("lowering"):
        compared = check_lowered(check, program.lowered_oracle, marks, options.seed)
    return compiled_from(problem, found, program, replace(certificate, lowered=compared), marks, options)


def oracle_builder(model: Model, options: Options) -> Builder:
    """How to make oracles for ``model`` in the style and at the level asked for.

    Raises:
        DoesNotFitError: in the classical style, too many solutions to mark.
        InfeasibleError: in the classical style, there is none.
    """
    solutions = _enumerated(model) if options.oracle == "classical" else []
    return lambda space: build_oracle(model, space, options, solutions)


def certified(check: PhaseCheck, seed: int, clock: Clock) -> tuple[Certificate, NDArray[np.bool_] | None]:
    """The oracle run on every codeword of a space that is simulated, on a sample of a larger one."""
    with clock.stage("certificate") as report:
        return certify(check, SPACE_LIMIT if check.size <= SPACE_LIMIT else SAMPLE_SIZE, seed, report)


def compiled_from(
    problem: Problem,
    found: Encoded,
    program: Program,
    certificate: Certificate,
    marks: NDArray[np.bool_] | None,
    options: Options,
) -> Compiled:
    """What all pipelines hand out of their compilation."""
    honesty = "classical" if options.oracle == "classical" or found.listed else options.level
    encoding = label(found.space)
    return Compiled(
        problem,
        found.model,
        found.recovery,
        found.presolve,
        encoding,
        program,
        certificate,
        marks,
        found.notes,
        honesty,
    )


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
            f"does not fit: exact=True needs the number of solutions, which is counted up to {SPACE_LIMIT} codewords, "
            f"and the space has {space.size}: leave out exact"
        )
    return exact_program(program, marked, ancillas=options.ancillas)


def check_lowered(
    check: PhaseCheck,
    lowered: QuantumCircuit,
    marks: NDArray[np.bool_] | None,
    seed: int,
    expected: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None = None,
) -> int:
    """Simulate the lowered oracle exactly on some codewords, marked ones among them, against the reversible one.

    Args:
        check: the reversible oracle.
        lowered: the same in a gate set; where it measures, several sequences of outcomes are followed.
        marks: the marks of every codeword, where known.
        seed: of the draw.
        expected: the marks of numbered codewords, where ``check`` has operations that are no basis-state maps; those
            of the reversible oracle where None.

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
        check_branches(lowered, bits, (expected or check.marks)(numbers), seed)
    except DoesNotFitError:
        return 0
    return len(numbers)


def phase_check(model: Model, space: Space, oracle: Oracle) -> PhaseCheck:
    """The oracle with the model's predicate on the space's codewords."""

    def predicate(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.broadcast_to(model.holds(space.values(numbers)), numbers.shape)

    return PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits, predicate)


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
        raise DoesNotFitError(f"more than {ENUMERATION_LIMIT} solutions to mark one by one: use oracle='constraints'")
    return found
