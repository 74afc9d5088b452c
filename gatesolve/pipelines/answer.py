"""Compiled circuits, answers, and the one judge of measured candidates."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.notebook import html_table
from gatesolve.errors import InfeasibleError, InputError
from gatesolve.files import check_place, read_kept, replace_file
from gatesolve.formats.problem import Accept, Problem, SolutionCount, Values
from gatesolve.model import Level, Model
from gatesolve.model.content import content_key
from gatesolve.model.presolve import Recovery
from gatesolve.pipelines.chart import Chart, MeasuredOutcome
from gatesolve.pipelines.options import SpaceOptions
from gatesolve.planning import Layout
from gatesolve.programs.amplification import count_whole
from gatesolve.programs.comparison import compare_with_solutions
from gatesolve.programs.measured import Measured
from gatesolve.programs.program import Program, has_matched_phases
from gatesolve.programs.provenance import Provenance, RungName
from gatesolve.programs.unread import describe_unread
from gatesolve.simulate.certificate import Certificate
from gatesolve.simulate.space import Marked, list_marked

Status = Literal["solved", "infeasible", "unsolved"]
Taken = TypeVar("Taken", bound=SpaceOptions)


class KeptFile:
    """A file in which a search is kept, with a hash; an interruption leaves the old one or the new one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Any:
        """The data kept in the file, None if there is no file."""
        try:
            data = read_kept(self.path)
            check_place(self.path)
            kept = None if data is None else json.loads(data)
            seal = kept.pop("seal", None) if isinstance(kept, dict) else None
            if data is not None and seal != content_key(kept):
                raise self.refuse("it is not as it was written")
            return kept
        except (ValueError, RecursionError, TypeError) as error:
            raise self.refuse("it is no JSON") from error

    def refuse(self, why: object) -> InputError:
        """The error for what is no kept search."""
        return InputError(f"no kept search ({why}): name another file, or delete this one", source=str(self.path))

    def write(self, data: dict[str, Any]) -> None:
        """Replace the file."""
        replace_file(self.path, (json.dumps({**data, "seal": content_key(data)}) + "\n").encode())


@dataclass(frozen=True, repr=False)
class Compiled:
    """A problem compiled to a certified program.

    Attributes:
        problem: what was handed in.
        layout: its presolved model and space.
        program: the circuit, with its provenance.
        certificate: what was checked of it.
        marks: the oracle's mark on every codeword, where all were checked; for QAOA, which codewords are best.
        details: what only its pipeline knows; for Grover Adaptive Search its `RankedSpace`, for QAOA its `Ansatz`.
    """

    problem: Problem
    layout: Layout
    program: Program
    certificate: Certificate
    marks: NDArray[np.bool_] | None
    details: Any = None

    def __repr__(self) -> str:
        marked = "" if self.certificate.marked is None else f", {self.certificate.marked} states marked"
        # Only Grover's circuit comes without details. A narrowed problem has a bound on its objective as a constraint.
        if self.problem.goal is not None and self.details is None and self.problem.narrowing is None:
            marked += f", {self.problem.goal_name} left out"
        return f"<Compiled: {repr(self.program)[1:-1]}{marked}, level {self.level}, encoding {self.encoding}>"

    def _repr_html_(self) -> str:
        notes = (("note", note) for note in self.provenance.notes)
        how = (("level", self.level), ("encoding", self.encoding), ("presolve", self.presolve), *notes)
        return html_table("Compiled", how) + self.program._repr_html_() + self.certificate._repr_html_()

    @property
    def provenance(self) -> Provenance:
        """How far presolve went, the encoding, the level, the ancillas allowed."""
        return self.program.search.provenance or self.layout.provenance

    @property
    def model(self) -> Model:
        """The model after presolve."""
        return self.layout.model

    @property
    def recovery(self) -> Recovery:
        """The way back from values of the variables left after presolve to values of all variables."""
        return self.layout.recovery

    @property
    def presolve(self) -> RungName:
        """The presolve setting used, or ``partial``."""
        return self.provenance.presolve

    @property
    def encoding(self) -> str:
        """The encodings used."""
        return self.provenance.encoding

    @property
    def level(self) -> Level | None:
        """How much the oracle and the blocks were worked out classically; None where there is no oracle."""
        return self.program.search.level

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes on decisions made on the way, and on alternatives of equal cost.

        These alternatives are counted when the notes are first read.
        """
        found = list(self.provenance.notes)
        if self.provenance.deductions is not None:
            found.append(self.provenance.deductions.describe())
        # With no solution there is nothing to fill in.
        if self.program.search.fills and self.certificate.marked != 0:
            found.append(describe_unread(self.program.space, self.program.search.fills))
        if self.level is not None and self.marks is not None:
            found += compare_with_solutions(self.program, self.marks, self.provenance.ancillas)
        if count_whole(self.program) is None:
            gates = self.program.lowering.gates
            found.append(f"only the oracle is counted: the whole search has rotations that {gates} lacks")
        return tuple(found)

    @cached_property
    def marked_codewords(self) -> Marked | None:
        """Truth of the oracle's mark for each codeword; None where not all were judged."""
        return None if self.marks is None else list_marked(self.marks)

    @property
    def oracle_calls(self) -> int:
        """Number of oracle calls in one run; matched phases put one of them into the preparation."""
        # Matched phases put the first iteration into the preparation, which is longer then.
        return self.program.iterations + (self.level is not None and has_matched_phases(self.program))

    def as_dict(self) -> dict[str, Any]:
        """Return the circuit's counts for JSON; ``layers`` and ``layer_resources`` where it has layers."""
        program, whole = self.program, count_whole(self.program)
        layers = sum(one.name == "layer" for one in program.sections)
        layer = {"layers": layers, "layer_resources": program.resources("layer").as_dict()}
        return {
            "encoding": self.encoding,
            "presolve": self.presolve,
            "level": self.level,
            "iterations": layers if self.level is None else self.oracle_calls,
            "space_size": program.space.size,
            "marked": self.certificate.marked,
            "resources": None if whole is None else whole.as_dict(),
            "oracle_resources": None if self.level is None else program.resources("oracle").as_dict(),
            **(layer if self.level is None else {}),
        }

    def decode(self, counts: Measured | Mapping[Any, float], seed: int = 0) -> list[tuple[dict[Any, int] | None, Any]]:
        """Return the measured assignments of all of the problem's variables, most frequent first.

        Arguments and raises: as `Program.decode`. An assignment is None for a state outside the space, and if it breaks
        a constraint that presolve needs to compute the variables it removed.
        """
        return [(self._complete(values), shots) for values, shots in self.program.decode(counts, seed)]

    def _complete(self, values: Values | None) -> dict[Any, int] | None:
        try:
            return None if values is None else self.problem.restore(self.recovery.recover(values))
        # The values break a constraint that presolve has used up.
        except InputError:
            return None

    def count_solutions(self) -> SolutionCount | None:
        """Return the number of solutions where every codeword was judged."""
        if self.marked_codewords is None:
            return None
        return self.problem.count_solutions(self.program.space, self.marked_codewords.numbers, self.recovery.recover)


class Details(Protocol):
    """Details that a pipeline reports beside its answer."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON: the entries that only this pipeline has."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer of a run; `gatesolve.Result` describes the fields, which mean the same in every pipeline.

    They are None where they mean nothing, such as the numbers of oracle calls and counts where no circuit was run.
    """

    status: Status
    message: str
    solution: dict[str, int] | None
    presolve: str
    exact_energy: Fraction | None = None
    compiled: Compiled | None = None
    iterations: int | None = None
    oracle_calls: int | None = None
    success_probability: float | None = None
    solution_count: SolutionCount | None = None
    miss_probability: float | None = None
    optimal: bool | None = None
    details: Details | None = None
    division: Details | None = None
    counts: Mapping[str, int] | None = field(default=None, repr=False)
    chart: Chart | None = field(default=None, repr=False)


def infeasible_answer(error: InfeasibleError, options: SpaceOptions) -> Answer:
    """Return the answer where presolve proved that there is no solution."""
    setting = error.presolve or options.presolve
    return Answer(
        status="infeasible", message=str(error), solution=None, presolve=setting, solution_count=SolutionCount(0)
    )


def round_down(missed: float) -> str:
    """Return the probability of no miss as text, rounded down."""
    # A miss that is possible must not be rounded away, so the result is then at most 0.9999.
    return f"{math.floor(min((1 - missed) * 10**4, 10**4 - 1 if missed else 10**4)) / 10**4:.4f}"


def as_number(value: Fraction) -> int | float:
    """Return a fraction as an int where it is whole or beyond floats, else as a float."""
    return round(value) if value.denominator == 1 or abs(value) > sys.float_info.max else float(value)


@dataclass(frozen=True)
class JudgedCandidates:
    """The judgement of measured candidates, whose outcomes are in order, and the shots that were accepted.

    The solution is the first candidate that was accepted, at its place among the candidates, as values of all of the
    problem's variables; None if none was.
    """

    solution: dict[str, int] | None
    place: int | None
    shots: int
    outcomes: tuple[MeasuredOutcome, ...] = field(default=(), compare=False)


def judge_candidates(accept: Accept, candidates: Iterable[tuple[Values | None, int]]) -> JudgedCandidates:
    """Show candidates (values, None for what is no codeword, and how often each was measured) to the rules in turn."""
    solution, outcomes = None, list[MeasuredOutcome]()
    place = None
    for number, (values, times) in enumerate(candidates):
        found = None if values is None else accept(values)
        # All candidates are judged, also after the first that is accepted: the share of accepted shots is reported.
        outcomes.append(MeasuredOutcome(values, times, found is not None))
        if found is not None and place is None:
            solution, place = found, number
    return JudgedCandidates(solution, place, sum(one.shots for one in outcomes if one.accepted), tuple(outcomes))
