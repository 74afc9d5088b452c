"""The outcome of a solve, as a value and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from gatesolve.compiler import Compiled
from gatesolve.options import Options
from gatesolve.problem import Problem
from gatesolve.resources import Resources
from gatesolve.reversible import Certificate


@dataclass(frozen=True)
class Result:
    """The outcome of a solve; `as_dict` is what ``--json`` prints.

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
        success_probability: that a measurement is marked; exact on ``space``, the accepted fraction of the
            shots on ``aer``; None when unknown.
        resources: of the whole circuit.
        oracle_resources: of one oracle call.
        certificate: what was checked.
        seconds: by stage.
        compiled: the compiled problem, for everything else.
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
    success_probability: float | None = None
    resources: Resources | None = None
    oracle_resources: Resources | None = None
    certificate: Certificate | None = None
    seconds: dict[str, float] | None = None
    compiled: Compiled | None = None

    def as_dict(self) -> dict[str, Any]:
        """One JSON object."""
        certificate = self.certificate
        return {
            "status": self.status,
            "message": self.message,
            "solution": self.solution,
            "board": self.board,
            "pipeline": self.options.pipeline,
            "oracle": self.options.oracle,
            "level": self.compiled.level if self.compiled else None,
            "window": self.options.window,
            "objective": self.options.objective,
            "encoding": self.encoding,
            "presolve": self.presolve,
            "backend": self.options.backend,
            "iterations": self.iterations,
            "oracle_calls": self.oracle_calls,
            "space_size": self.space_size,
            "marked": self.marked,
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
            "notes": list(self.compiled.notes) if self.compiled else [],
            "seed": self.options.seed,
            "shots": self.options.shots,
            "versions": versions(),
            "seconds": {k: round(v, 3) for k, v in (self.seconds or {}).items()},
        }


def versions() -> dict[str, str]:
    """Versions of gatesolve and of the packages that shape its counts."""
    return {name: version(name) for name in ("gatesolve", "qiskit", "qiskit-aer", "cpmpy", "numpy")}
