"""The outcome of a solve, as a value and as JSON."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import metadata
from typing import TYPE_CHECKING, Any

from gatesolve.api import about
from gatesolve.api.compiler import Compiled
from gatesolve.api.options import Options
from gatesolve.api.problem import Problem
from gatesolve.api.solutions import SolutionCount
from gatesolve.circuit import Certificate
from gatesolve.circuit.counting import Resources
from gatesolve.errors import InfeasibleError
from gatesolve.pipelines.anneal.anneal import AnnealOutcome
from gatesolve.qubo.numerals import as_written

if TYPE_CHECKING:
    from gatesolve.api.adaptive_result import Descent
    from gatesolve.api.qaoa_compile import Ansatz
    from gatesolve.api.qaoa_result import QaoaReport


@dataclass(frozen=True)
class Result:
    """The outcome of a solve; `as_dict` is what ``--json`` prints.

    ``resources`` and ``oracle_resources`` are counted when first asked for: that can take longer than the search.

    Attributes:
        status: ``solved``, ``infeasible`` (proven) or ``unsolved``.
        message: one line on how the status was reached.
        solution: values of the problem's variables, accepted by its own rules; None unless solved.
        board: the finished board as the puzzle prints it; None for a bare model.
        options: what was asked for.
        presolve: level used.
        encoding: encodings used.
        iterations: Grover iterations of the circuit that was measured last.
        oracle_calls: in all runs together.
        space_size: number of codewords; None if presolve proved infeasibility first.
        marked: number of marked codewords; None when unknown.
        counted: how many solutions there are, counted classically; None when unknown.
        success_probability: that a measurement is marked; exact on ``space``, the accepted fraction of the
            shots on backends that sample a circuit; None when unknown.
        certificate: what was checked.
        seconds: by stage.
        compiled: the compiled problem, for everything else.
        energy: of the best assignment found by a pipeline that minimises: the objective, the Qubo's energy, or how many
            constraints are broken; None for a plain search.
        descent: how Grover Adaptive Search got there.
        anneal: what the classical samplers did.
        variables: of the Qubo they ran on.
        qaoa: its angles, and what its layers cost.
        ansatz: of ``qaoa``, what ``compiled`` is of the others.
        notes: what was decided on the way, where there is no ``compiled`` to say it.
    """

    status: str
    message: str
    solution: dict[str, int] | None
    board: list[list[str]] | None
    options: Options
    problem: Problem
    presolve: str
    encoding: str | None = None
    iterations: int = 0
    oracle_calls: int = 0
    space_size: int | None = None
    marked: int | None = None
    counted: SolutionCount | None = None
    success_probability: float | None = None
    certificate: Certificate | None = None
    seconds: dict[str, float] | None = None
    compiled: Compiled | None = None
    energy: Fraction | None = None
    descent: Descent | None = None
    anneal: AnnealOutcome | None = None
    variables: int | None = None
    qaoa: QaoaReport | None = None
    ansatz: Ansatz | None = None
    notes: tuple[str, ...] = ()

    @property
    def solutions(self) -> int | None:
        """How many solutions there are; None when unknown."""
        return self.counted.number if self.counted is not None and self.counted.exact else None

    @cached_property
    def resources(self) -> Resources | None:
        """Counts of the whole circuit; None where there is none."""
        made = self.compiled or self.ansatz
        return None if made is None else made.program.resources()

    @cached_property
    def oracle_resources(self) -> Resources | None:
        """Counts of one oracle call; None where there is no oracle."""
        return None if self.compiled is None else self.compiled.program.oracle_resources()

    def as_dict(self) -> dict[str, Any]:
        """One JSON object."""
        certificate = self.certificate
        return {
            "status": self.status,
            "message": self.message,
            "solution": self.solution,
            "board": self.board,
            "pipeline": self.options.pipeline,
            "oracle": self._oracle(),
            "level": self.compiled.level if self.compiled else None,
            "window": self.options.window,
            "objective": self.options.objective,
            "encoding": self.encoding,
            "presolve": self.presolve,
            "backend": self.options.backend,
            "energy": None if self.energy is None else number(self.energy),
            "descent": self.descent.as_dict() if self.descent else None,
            "anneal": self._annealed(),
            "qaoa": self.qaoa.as_dict() if self.qaoa else None,
            "iterations": self.iterations,
            "oracle_calls": self.oracle_calls,
            "space_size": self.space_size,
            "marked": self.marked,
            "solutions": self.solutions,
            "success_probability": self.success_probability,
            "resources": self.resources.as_dict() if self.resources else None,
            "oracle_resources": self.oracle_resources.as_dict() if self.oracle_resources else None,
            "certificate": certificate
            and {
                "checked": certificate.checked,
                "of": certificate.of,
                "ancillas_clean": certificate.ancillas_clean,
                "method": certificate.method,
                "lowered": certificate.lowered,
            },
            "notes": list(self.compiled.notes if self.compiled else self.notes),
            "seed": self.options.seed,
            "shots": self.options.shots,
            "versions": versions(),
            "seconds": {k: round(v, 3) for k, v in (self.seconds or {}).items()},
        }

    def _oracle(self) -> str | None:
        if self.qaoa is not None or self.anneal is not None:
            return None
        return self.compiled.program.oracle.style if self.compiled and self.descent else self.options.oracle

    def _annealed(self) -> dict[str, Any] | None:
        found = self.anneal
        if found is None:
            return None
        return {
            "sampler": found.sampler,
            "variables": self.variables,
            "reads": found.reads,
            "sweeps": found.sweeps,
            "hits": found.hits,
            "refused": found.refused,
            "least_energy": number(as_written(found.best)),
            "proven": found.proven,
        }


def infeasible(error: InfeasibleError, options: Options, problem: Problem) -> Result:
    """The outcome where presolve proved that there is no solution."""
    level = error.presolve or options.presolve
    return Result("infeasible", str(error), None, None, options, problem, level, counted=SolutionCount(0))


def number(value: Fraction) -> int | float:
    """A fraction as JSON and people write it: whole where it is, or where no float reaches."""
    return round(value) if value.denominator == 1 or abs(value) > sys.float_info.max else float(value)


def chance(missed: float) -> str:
    """The probability left by one of a miss, not rounded up."""
    return f"{math.floor(min((1 - missed) * 10**4, 10**4 - 1 if missed else 10**4)) / 10**4:.4f}"


def versions() -> dict[str, str]:
    """Versions of gatesolve and of the packages that shape its counts."""
    others = {name: metadata.version(name) for name in ("qiskit", "qiskit-aer", "cpmpy", "numpy")}
    return {"gatesolve": about.version(), **others}
