"""The outcome of a solve, as a value and as JSON."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from gatesolve.api import about
from gatesolve.api.options import Options
from gatesolve.circuit.counting import Resources
from gatesolve.circuit.notebook import html_table, html_text
from gatesolve.division.account import Division
from gatesolve.errors import InputError, MissingExtraError, UnsupportedError
from gatesolve.formats.problem import Problem
from gatesolve.model import Level
from gatesolve.pipelines.answer import Answer, as_number
from gatesolve.pipelines.exact import success_after
from gatesolve.pipelines.protocol import Report
from gatesolve.pipelines.registry import find_pipeline, options_taken, own_entries
from gatesolve.programs.program import Program
from gatesolve.simulate.certificate import Certificate

if TYPE_CHECKING:
    from gatesolve.circuit.figure import Plot

_COLOURS = {"solved": "#1b7f3b", "infeasible": "#9a6700"}
"""Of the status; any other is red."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(Answer):
    """The outcome of a solve, with the same meaning in every pipeline; ``--json`` prints `as_dict`.

    ``resources`` and ``oracle_resources`` are counted on first use, which can take longer than the search.

    Three attributes count. ``marked`` is the number of states that the circuit marks. ``solutions`` is the number of
    solutions of the problem: one state may stand for several. ``solution_count`` has this number, or a bound on it.

    Attributes:
        problem: the problem.
        options: the options given, with the pipeline that ``auto`` selected.
        seconds: time by stage.
        solution: values of the problem's variables, accepted by its own rules; None unless solved. A problem of
            another package has its labels there: any of dimod's, with spins as spins, rows of a matrix, ids of OMMX.
        status: ``solved``, ``infeasible`` (proven to have no solution) or ``unsolved`` (none was found).
        message: one line on how the status was reached.
        exact_energy: the energy of the best assignment as a fraction; None where nothing is optimised.
        presolve: the presolve setting used.
        compiled: the circuit that found the answer; None where there is no circuit.
        iterations: number of Grover iterations, or of QAOA layers, in that circuit.
        oracle_calls: number of oracle calls in all runs together.
        success_probability: probability that a measurement is a marked state; None when unknown.
        solution_count: the number of solutions, found classically, and whether it is exact; None when unknown.
        miss_probability: bound on the probability that a solution exists although the search found none.
        optimal: whether it is proven that nothing better exists; None without a solution or without an objective.
        details: data that only this pipeline reports.
        division: the account of a search in parts; None where there was one search.
        counts: the measured bits of the run that found the answer, as `Compiled.decode` takes them.
        chart: the data that `plot` draws; None where there is none.
    """

    problem: Problem
    options: Options
    seconds: dict[str, float]
    solution: dict[Any, int] | None

    @property
    def board(self) -> list[list[str]] | None:
        """Return the finished board as the puzzle prints it; None for a bare model."""
        return self.problem.board(self.solution)

    @property
    def energy(self) -> int | float | None:
        """Return the best assignment's objective, or the energy of the user's Qubo, as an int or a float.

        None for a problem with neither, or where no result satisfies its constraints. ``exact_energy`` is the fraction.
        """
        return None if self.exact_energy is None else as_number(self.exact_energy)

    @property
    def program(self) -> Program | None:
        """The circuit that found the answer; None where the pipeline has none or presolve proved infeasibility."""
        return None if self.compiled is None else self.compiled.program

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of the circuit."""
        return None if self.compiled is None else self.compiled.certificate

    @property
    def encoding(self) -> str | None:
        """The encodings used."""
        return None if self.compiled is None else self.compiled.encoding

    @property
    def level(self) -> Level | None:
        """Level of the oracle; None without an oracle."""
        return None if self.compiled is None else self.compiled.level

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on decisions made on the way."""
        return () if self.compiled is None else self.compiled.notes

    @property
    def space_size(self) -> int | None:
        """Number of states of the search space, in all parts of a divided search; None without a circuit."""
        if isinstance(self.division, Division):
            return self.division.totals["states"]
        return None if self.program is None else self.program.space.size

    @property
    def marked(self) -> int | None:
        """Number of states that the circuit marks, in all parts of a divided search; None when unknown.

        QAOA marks nothing: there it is the number of states with the lowest energy.
        """
        if isinstance(self.division, Division):
            return self.division.totals["marked"]
        return None if self.certificate is None else self.certificate.marked

    @property
    def solutions(self) -> int | None:
        """Number of solutions of the problem; None when it is unknown or only bounded."""
        return self.solution_count.number if self.solution_count is not None and self.solution_count.exact else None

    @property
    def resources(self) -> Resources | None:
        """Counts of the circuit that found the answer; None where there is none."""
        return None if self.program is None else self.program.resources()

    @property
    def oracle_resources(self) -> Resources | None:
        """Counts of one oracle call; None where there is no oracle."""
        return None if self.program is None or self.level is None else self.program.resources("oracle")

    def plot(self) -> Plot:
        """Draw the run as a matplotlib figure: measurements, energies or their descent, by pipeline.

        Raises:
            UnsupportedError: the run left nothing to plot.
        """
        if self.chart is None:
            raise UnsupportedError(f"nothing to plot: {self.message}")
        from gatesolve.drawing.plots import draw_chart

        return draw_chart(self.chart, f"{self.problem.title}: {self.status}")

    def plot_amplitudes(self, iterations: int | None = None) -> Plot:
        """Draw the exact probability of a solution after each iteration, also past the best one.

        The last iteration shown is about three times those of the circuit, unless ``iterations`` gives another.

        Raises:
            UnsupportedError: there is no search with iterations, or the number of solutions is unknown.
            InputError: a negative number of iterations.
        """
        if iterations is not None and iterations < 0:
            raise InputError(f"iterations is {iterations}: give 0 or more")
        if self.compiled is None or self.level is None or self.certificate is None or self.certificate.marked is None:
            raise UnsupportedError("no amplitudes to plot: use pipeline='grover' where the solutions are counted")
        from gatesolve.drawing.plots import draw_amplitudes

        compiled, marked, used = self.compiled, self.certificate.marked, self.iterations or 0
        # An exact search has an additional iteration with other phases.
        matched = compiled.oracle_calls > compiled.program.iterations
        assumed = marked if self.options.exact else self.options.solutions or 1
        success = partial(success_after, compiled.program, marked, assumed if matched else None)
        # Three times as far shows the fall of the success after its peak and its return.
        most = max(used, 3 * used + 1 if iterations is None else iterations)
        sought = "better than the threshold" if find_pipeline(self.options.pipeline).minimises else "a solution"
        return draw_amplitudes(success, used, most, sought, self.problem.title)

    def plot_landscape(self) -> Plot:
        """Draw the mean energy of a QAOA around its angles as a matplotlib figure.

        Raises:
            UnsupportedError: another pipeline.
        """
        scan = None if self.compiled is None else getattr(self.compiled.details, "scan_angles", None)
        if scan is None:
            raise UnsupportedError("no landscape to plot: use pipeline='qaoa'")
        from gatesolve.drawing.plots import draw_landscape

        factors, means, name = scan()
        return draw_landscape(factors, means, name, self.problem.title)

    def __repr__(self) -> str:
        found = "" if self.program is None else f", {self.program.num_qubits} qubits"
        if self.level is not None and self.iterations == 0:
            found += ", no iteration"
        values = {} if self.problem.puzzle else self.solution or {}
        answer = shorten(", ".join(f"{name}={value}" for name, value in values.items()), 60, placeholder=" ...")
        said = " ".join(filter(None, (self.status, answer)))
        return f"<Result {said}: {self.problem.title}, {self.options.pipeline}{found}>"

    def _repr_html_(self) -> str:
        puzzle, report, colour = self.problem.puzzle, self.report(), _COLOURS.get(self.status, "#b42318")
        # Nothing of a file or a name is code here.
        shown = [f"<p><b>{html_text(self.problem.title)}</b><br>"]
        shown.append(f'<b style="color:{colour}">{html_text(self.status)}</b>: {html_text(self.message)}</p>')
        picture = None
        with suppress(MissingExtraError):
            picture = None if puzzle is None else puzzle.image("png", self.solution)
        if picture is not None:
            style = 'style="max-width:360px;max-height:480px"'
            shown.append(f'<img alt="the board" {style} src="data:image/png;base64,{b64encode(picture).decode()}">')
        elif self.solution:
            shown.append(html_table("solution", self.solution.items()))
        if lines := (*self.notes, *report.lines, *report.remarks):
            shown.append(f"<p>{'<br>'.join(html_text(' '.join(line.split())) for line in lines)}</p>")
        if report.resources:
            costly = next(iter(report.resources.values())).costly[0]
            rows = [
                (name, r.gates, r.qubits, r.cx, r.costly[1], r.depth, r.two_qubit_depth, r.total)
                for name, r in report.resources.items()
            ]
            head = ("circuit", "gate set", "qubits", "CX", costly, "depth", "CX depth", "gates")
            shown.append(html_table("resources", rows, head))
        return "".join(shown)

    def report(self) -> Report:
        """Return the report of the run; this counts the circuit, which can take a while."""
        # Still "auto": the clues alone excluded every solution before a pipeline was chosen.
        if self.options.pipeline == "auto":
            return Report(())
        found: Report = find_pipeline(self.options.pipeline).report(self.options, self)
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the dictionary that ``--json`` prints."""
        checked = None if self.certificate is None else vars(self.certificate)
        auto = self.options.pipeline == "auto"
        taken = {} if auto else options_taken(self.options.pipeline).__dataclass_fields__
        used = {name: value if name in taken else None for name, value in vars(self.options).items()}
        style = None if self.program is None or self.level is None else self.program.oracle.style
        return {
            "schema_version": about.SCHEMA_VERSION,
            "status": self.status,
            "message": self.message,
            "solution": self._named_solution(),
            "board": self.board,
            "pipeline": self.options.pipeline,
            "oracle": used["oracle"] or style,
            "level": self.level,
            "window": used["window"],
            "optimize": used["optimize"],
            "encoding": self.encoding,
            "presolve": self.presolve,
            "backend": used["backend"] and str(used["backend"]),
            "energy": self.energy,
            **dict.fromkeys(own_entries()),
            **({} if self.details is None else self.details.as_dict()),
            "iterations": self.iterations,
            "oracle_calls": self.oracle_calls,
            "space_size": self.space_size,
            "marked": self.marked,
            "solutions": self.solutions,
            "success_probability": self.success_probability,
            "resources": self.resources.as_dict() if self.resources else None,
            "oracle_resources": self.oracle_resources.as_dict() if self.oracle_resources else None,
            "certificate": checked and {name: value for name, value in checked.items() if name != "marked"},
            "division": None if self.division is None else self.division.as_dict(),
            "notes": list(self.notes),
            "seed": self.options.seed,
            "shots": used["shots"],
            "versions": versions(),
            "seconds": {stage: round(spent, 3) for stage, spent in self.seconds.items()},
        }

    def _named_solution(self) -> dict[str, int] | None:
        """Return the solution by names, since labels need not be valid in JSON."""
        labels = self.problem.labels
        if self.solution is None or labels is None:
            return self.solution
        return {name: self.solution[label] for name, label in labels.of.items()}


def versions() -> dict[str, str]:
    """Return the versions of gatesolve and of the packages that shape its counts."""
    others = {name: metadata.version(name) for name in ("qiskit", "qiskit-aer", "cpmpy", "numpy")}
    return {"gatesolve": about.version(), **others}
