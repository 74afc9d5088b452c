"""The row of `results.csv` of one measured circuit, with everything that identifies it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, fields

from gatesolve.api.calls import settle_options
from gatesolve.api.options import Options
from gatesolve.api.result import versions
from gatesolve.circuit.counting import Resources
from gatesolve.formats.problem import Problem
from gatesolve.model.content import content_key
from gatesolve.pipelines.answer import Compiled
from gatesolve.programs.amplification import success_probability
from gatesolve.programs.program import CircuitPart


@dataclass(frozen=True)
class Identity:
    """What makes two results comparable.

    Attributes:
        instance: hash of the model as declared.
        pipeline: how it is searched.
        presolve: the setting used.
        encoding: of the space.
        oracle: style.
        level: ``literal``, ``merged``, ``minimised`` or ``classical``, as found.
        window: most qubits that minimising looked at together; 0 at the other levels.
        metric: what candidates were chosen by.
        measured: whether ANDs are erased by measurement.
        exact: whether phases are matched for certainty.
        part: ``whole`` or ``oracle``.
        gates: gate set.
        ancillas: the budget, or ``any``.
        seed: of everything random.
    """

    instance: str
    pipeline: str
    presolve: str
    encoding: str
    oracle: str
    level: str
    window: int
    metric: str
    measured: bool
    exact: bool
    part: str
    gates: str
    ancillas: str
    seed: int

    @property
    def key(self) -> str:
        """A short content hash."""
        return content_key(self)


@dataclass(frozen=True)
class ResultRow:
    """One measured circuit.

    Attributes:
        name: what the circuit is called.
        identity: what it was made from.
        space_size: codewords.
        marked: marked codewords, None when unknown.
        iterations: of the whole circuit.
        success_probability: of the whole circuit, None when unknown.
        checked: codewords the certificate covers.
        resources: counts.
        versions: packages, as ``name version`` joined by semicolons.
    """

    name: str
    identity: Identity
    space_size: int
    marked: int | None
    iterations: int
    success_probability: float | None
    checked: int
    resources: Resources
    versions: str

    def flat(self) -> dict[str, object]:
        """All fields side by side, the key first."""
        row: dict[str, object] = {"key": self.identity.key, "name": self.name}
        row |= {f.name: getattr(self.identity, f.name) for f in fields(Identity)}
        row |= {
            "space_size": self.space_size,
            "marked": self.marked,
            "iterations": self.iterations,
            "success_probability": self.success_probability,
            "checked": self.checked,
        }
        row |= {k: v for k, v in self.resources.as_dict().items() if k != "gates"}
        return row | {"versions": self.versions}


def to_csv(rows: Iterable[ResultRow]) -> str:
    """The rows with a header line; an unknown value is an empty field."""
    flat = [row.flat() for row in rows]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(flat[0]) if flat else ["key"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return out.getvalue()


def make_row(name: str, compiled: Compiled, options: Options, part: CircuitPart) -> ResultRow:
    """Measure a part of a compiled problem.

    Args:
        name: what to call it.
        compiled: the compiled problem.
        options: those it was compiled with.
        part: the whole circuit or one oracle call.
    """
    program, marked = compiled.program, compiled.certificate.marked
    identity = Identity(
        instance=content_key(compiled.problem.model),
        pipeline=_pipeline(options, compiled),
        presolve=compiled.presolve,
        encoding=compiled.encoding,
        oracle=options.oracle,
        level=str(compiled.level),
        window=options.window if compiled.level == "minimised" else 0,
        metric=options.optimize,
        measured=options.measured,
        exact=options.exact,
        part=part,
        gates=options.gates,
        ancillas="any" if options.ancillas is None else str(options.ancillas),
        seed=options.seed,
    )
    size = program.space.size
    return ResultRow(
        name=name,
        identity=identity,
        space_size=size,
        marked=marked,
        iterations=compiled.oracle_calls,
        success_probability=1.0 if options.exact else _success(size, marked, program.iterations),
        checked=compiled.certificate.checked,
        resources=program.resources(part),
        versions="; ".join(f"{package} {number}" for package, number in versions().items()),
    )


def _pipeline(options: Options, compiled: Compiled) -> str:
    assert isinstance(compiled.problem, Problem)
    return settle_options(options, compiled.problem).pipeline


def _success(size: int, marked: int | None, iterations: int) -> float | None:
    return None if marked is None else success_probability(size, marked, iterations)
