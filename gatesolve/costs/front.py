"""Rows of a sweep, the Pareto front among them, and the best within limits."""

from __future__ import annotations

import csv
import io
import math
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from gatesolve.errors import DoesNotFitError, InputError, refuses_renamed
from gatesolve.gate_sets import GATE_SETS, METRICS

Settings = dict[str, Any]
"""Fields of `gatesolve.Options` that differ from their defaults."""
FRONT_METRICS = (*METRICS, "expected_cx")
"""Metrics by which `ParetoFront.best` can choose."""

FAR = 10
"""Multiple of another row's totals from which a row is left out."""


def check_metric(name: str) -> None:
    """Refuse an unknown metric."""
    if name not in FRONT_METRICS:
        raise InputError(f"unknown metric '{name}': choose one of {', '.join(FRONT_METRICS)}")


@dataclass(frozen=True)
class Row:
    """One circuit, measured on its lowered form.

    Attributes:
        settings: fields of `Options` that differ from the defaults; they remake the circuit.
        space_size: codewords, of which ``marked`` are solutions.
        iterations: oracle calls.
        success: probability that one measurement is a solution.
        t: T gates; None in a gate set without them.
        two_qubit_depth: layers of CX.
        t_depth: layers of T; None where not counted.
        method: ``whole circuit``, or how a long run was put together.
        level: as found, which may be beyond the one asked for.
    """

    settings: Settings
    encoding: str
    presolve: str
    space_size: int
    marked: int
    iterations: int
    success: float
    qubits: int
    cx: int
    t: int | None
    depth: int
    two_qubit_depth: int
    t_depth: int | None
    method: str
    level: str = "merged"

    @property
    def gates(self) -> str:
        """The gate set."""
        return str(self.settings.get("gates", "cx+u"))

    @property
    def exact(self) -> bool:
        """Whether phases are matched for certainty."""
        return bool(self.settings.get("exact", False))

    @property
    def expected_cx(self) -> float:
        """CX until the first success on average; infinite if there is none."""
        return self.cx / self.success if self.success > 0 else math.inf

    @property
    def costs(self) -> tuple[float, ...]:
        """Return the costs that a front minimises: qubits, CX, depth, T, failure."""
        # Rounding of the success probability is no merit.
        return (self.qubits, self.cx, self.depth, self.t or 0, round(1 - self.success, 9))

    def count(self, metric: str) -> float:
        """Return the row's count of a metric; infinite where it is not counted."""
        found = getattr(self, metric)
        return math.inf if found is None else float(found)

    def flat(self) -> dict[str, object]:
        """All fields side by side, for tables and JSON."""
        row = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in {"settings", "level"}}
        asked = {name: self.settings.get(name) for name in ("ancillas", "optimize", "measured")}
        return {
            "gates": self.gates,
            "level": self.level,
            "ancillas": "any" if asked["ancillas"] is None else asked["ancillas"],
            "optimize": asked["optimize"] or "cx",
            "measured": bool(asked["measured"]),
            "exact": self.exact,
            **row,
            "expected_cx": round(self.expected_cx, 3),
        }


def is_as_good(one: Row, other: Row) -> bool:
    """Return whether a row is at least as good in all costs; gate sets are not compared."""
    return one.gates == other.gates and all(a <= b for a, b in zip(one.costs, other.costs, strict=True))


def is_far_better(one: Row, other: Row) -> bool:
    """Return whether a row has at most a tenth of another's expected CX, T and depth, on at most twice its qubits."""

    def totals(row: Row) -> list[float]:
        return [row.expected_cx, *(math.inf if not row.success else n / row.success for n in (row.depth, row.t or 0))]

    near = one.gates == other.gates and one.qubits <= 2 * other.qubits
    return near and other.cx > 0 and all(FAR * a <= b for a, b in zip(totals(one), totals(other), strict=True))


def pareto_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that no other row dominates, by gate set, then expected CX; of equal rows the first.

    Cost: quadratic in the length of the front, times the rows.
    """
    kept, places = list[Row](), list(GATE_SETS)
    # Sorted by costs, a row can only be dominated by an earlier one.
    for row in sorted(rows, key=lambda r: (places.index(r.gates), *r.costs)):
        if not any(is_as_good(k, row) for k in kept):
            kept.append(row)
    return sorted(kept, key=lambda r: (places.index(r.gates), r.expected_cx, r.cx, r.qubits, r.depth))


@dataclass(frozen=True)
class Limits:
    """Limits that a row must keep: most qubits, least success probability."""

    max_qubits: int | None = None
    min_success: float | None = None

    def __post_init__(self) -> None:
        if self.max_qubits is not None and self.max_qubits < 0:
            raise InputError(f"max_qubits is {self.max_qubits}: give 0 or more")
        if self.min_success is not None and not 0 <= self.min_success <= 1:
            raise InputError(f"min_success is {self.min_success}: give a probability from 0 to 1")

    def excess(self, row: Row) -> float:
        """Return how far a row is outside the limits, relative to them; 0 within."""
        wide = 0.0 if self.max_qubits is None else max(row.qubits - self.max_qubits, 0) / max(self.max_qubits, 1)
        wanted = self.min_success or 0.0
        # A certain search is certain up to rounding.
        return wide + max(wanted - row.success - 1e-9, 0) / max(wanted, 1e-9)


@dataclass(frozen=True)
class ParetoFront:
    """The rows of a sweep, and the front among them.

    Attributes:
        measured: every row, in the order of the candidates; those that other rows beat may be estimates.
        refused: candidates that do not fit, with the reason.
        computed: candidates compiled now; others are reused from the store.
        limits: those that `rows` keep to.
        source: file that the problem came from, as named on the command line.
        thorough: whether every way was tried.
        left_out: candidates that a quick sweep had no time for.
    """

    title: str
    measured: tuple[Row, ...]
    refused: tuple[tuple[Settings, str], ...] = ()
    computed: int = 0
    reused: int = 0
    limits: Limits = field(default_factory=Limits)
    source: str = "FILE"
    thorough: bool = True
    left_out: int = 0

    @property
    def rows(self) -> list[Row]:
        """The front within the limits, without rows that others are far better than; an error names the nearest."""
        found = pareto_rows(self._within(self.limits))
        return [row for row in found if not any(is_far_better(other, row) for other in found)]

    @refuses_renamed
    def best(self, metric: str = "cx", *, max_qubits: int | None = None, min_success: float | None = None) -> Row:
        """The row with the least of a metric; of equals the one better in the other costs.

        Args:
            metric: ``cx``, ``t``, ``depth``, ``t_depth``, ``qubits`` or ``expected_cx``.
            max_qubits: most qubits; the sweep's limit when None.
            min_success: least success probability; the sweep's limit when None.

        Raises:
            InputError: no such metric.
            DoesNotFitError: nothing within the limits (the message says what is nearest), or nothing that counts
                the metric.
        """
        check_metric(metric)
        limits = Limits(
            self.limits.max_qubits if max_qubits is None else max_qubits,
            self.limits.min_success if min_success is None else min_success,
        )
        # No row outside the front is better, and those on it are counted whole.
        found = min(pareto_rows(self._within(limits)), key=lambda r: (r.count(metric), r.costs))
        if found.count(metric) == math.inf:
            raise DoesNotFitError(f"no row counts {metric}: sweep the gates clifford+t too")
        return found

    def _within(self, limits: Limits) -> list[Row]:
        fitting = [row for row in self.measured if not limits.excess(row)]
        if not fitting:
            near = min(self.measured, key=lambda r: (limits.excess(r), r.costs))
            raise DoesNotFitError(
                f"nothing within the limits: the nearest takes {near.qubits} qubits and {near.cx} CX "
                f"at success {near.success:.4f}"
            )
        return fitting

    def command(self, row: Row, output: str = "best.qasm3") -> str:
        """Return the ``gatesolve compile`` command that reproduces a row's circuit."""
        words = ["gatesolve", "compile", self.source, "--output", output]
        for name, value in row.settings.items():
            option = f"--{name.replace('_', '-')}"
            words += [option] if value is True else [option, str(value)]
        return shlex.join(words)

    def to_csv(self) -> str:
        """The front as CSV with a header line; an unknown value is an empty field."""
        flat = [row.flat() for row in self.rows]
        out = io.StringIO()
        writer = csv.DictWriter(out, list(flat[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(flat)
        return out.getvalue()

    def as_dict(self, metric: str | None = None) -> dict[str, Any]:
        """Return the dictionary that ``--json`` prints."""
        best = self.best(metric) if metric is not None else None
        return {
            "title": self.title,
            "front": [row.flat() for row in self.rows],
            "best": None if best is None else best.flat(),
            "command": None if best is None else self.command(best),
            "measured": len(self.measured),
            "refused": [{"settings": settings, "reason": reason} for settings, reason in self.refused],
            "thorough": self.thorough,
            "left_out": self.left_out,
            "computed": self.computed,
            "reused": self.reused,
        }
