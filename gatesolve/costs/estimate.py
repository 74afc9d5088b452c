"""Inputs and outputs of an estimate of an error-corrected machine, and how people read them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

UNITS = (("years", 365.25 * 86400), ("days", 86400), ("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3), ("us", 1e-6))


@dataclass(frozen=True)
class LogicalCounts:
    """Counts that cost something on an error-corrected machine; Clifford gates are tracked, not applied.

    Attributes:
        ccix: i X with two controls, which a logical AND is up to Clifford gates.
        measurements: in the circuit and at its end.
        rotations: by angles that are no multiple of pi/4; the estimator approximates them.
        rotation_depth: layers of them.
    """

    qubits: int
    t: int = 0
    ccz: int = 0
    ccix: int = 0
    measurements: int = 0
    rotations: int = 0
    rotation_depth: int = 0

    def then(self, other: LogicalCounts, times: int = 1) -> LogicalCounts:
        """Return this run followed ``times`` times by ``other``: counts add, and the wider one decides the width."""
        added = {k: v + times * asdict(other)[k] for k, v in asdict(self).items() if k != "qubits"}
        # The qubits are used again, so widths do not add.
        return LogicalCounts(max(self.qubits, other.qubits), **added)

    @property
    def cycles(self) -> int:
        """Logical operations one after the other, rotations aside (arXiv:2211.07629, section III.C)."""
        return self.t + 3 * (self.ccz + self.ccix) + self.measurements

    @property
    def t_states(self) -> int:
        """Magic states, rotations aside."""
        # A Toffoli gate takes four T states (arXiv:2211.07629).
        return self.t + 4 * (self.ccz + self.ccix)

    def part(self, parts: int) -> LogicalCounts:
        """Return one of ``parts`` equal parts, rounded up."""
        return LogicalCounts(self.qubits, **{k: -(-v // parts) for k, v in asdict(self).items() if k != "qubits"})


@dataclass(frozen=True)
class Estimate:
    """A machine that does one whole run.

    Attributes:
        model: of its physical qubits.
        code: corrects them, at a distance.
        counted: which of the circuits, and how its gates were counted.
        logical_qubits: with those that the layout adds.
        cycles: logical operations one after the other.
        factories: T factories, of ``factory_qubits`` physical qubits.
        seconds: of the whole run.
    """

    model: str
    code: str
    distance: int
    counted: str
    logical_qubits: int
    cycles: int
    t_states: int
    factories: int
    factory_qubits: int
    physical_qubits: int
    seconds: float

    @property
    def qubit_seconds(self) -> float:
        """Physical qubits times seconds, the measure by which estimates are compared."""
        return self.physical_qubits * self.seconds


def format_count(value: int) -> str:
    """Format a count: in full up to six digits, else to three significant digits."""
    return str(value) if value < 1_000_000 else f"{value:.3g}".replace("e+0", "e").replace("e+", "e")


def format_duration(seconds: float) -> str:
    """Format a time in the largest unit of which there is at least one."""
    name, length = next((unit for unit in UNITS if seconds >= unit[1]), UNITS[-1])
    # Exponents in short: 1e6 and not 1e+06.
    text = f"{seconds / length:.3g}".replace("e+0", "e").replace("e+", "e")
    return f"{text} {name.removesuffix('s') if text == '1' and len(name) > 2 else name}"
