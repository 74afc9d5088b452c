"""Result rows: one measured circuit, with everything that identifies it, as one line of CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, fields

from gatesolve.circuit.counting import Resources
from gatesolve.model.content import content_key


@dataclass(frozen=True)
class Identity:
    """What makes two results comparable.

    Attributes:
        instance: hash of the model as declared.
        pipeline: how it is searched.
        presolve: level.
        encoding: of the space.
        oracle: style.
        level: ``literal``, ``minimised`` or ``classical``.
        window: most qubits that minimising looked at together; 0 at the other levels.
        objective: what candidates were chosen by.
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
    objective: str
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
        """All fields in one level, the key first."""
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
