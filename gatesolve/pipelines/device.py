"""Messages between a pipeline and a device: circuits and their records one way, measured states the other.

A pipeline depends on no device. It gets a `Bench` that compiles its programs for one, and rounds that were measured. It
returns the next circuits, or the end. So a search on a device is a function of what was measured so far, and can be
stopped and continued at any point.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from qiskit import QuantumCircuit

from gatesolve.encodings import Space
from gatesolve.errors import BackendError, InputError
from gatesolve.model.presolve import Recovery
from gatesolve.planning import Layout
from gatesolve.programs.postprocess import Postprocessing
from gatesolve.programs.program import Program

LEAST_Z = 3.0
"""Standard deviations above chance from which a circuit counts as giving signal."""


class NothingToSearchError(InputError):
    """The oracle is the same for all codewords, so that no qubit need be measured."""


def accepted_share(fidelity: float, ideal: float, chance: float) -> float:
    """Expected share of accepted shots: without an error ``ideal``, with one as uniform noise has it, ``chance``."""
    return fidelity * ideal + (1 - fidelity) * chance


def signal_z(fidelity: float, ideal: float, chance: float, shots: int) -> float:
    """Return the expected surplus of accepted shots over chance, in standard deviations of the number by chance.

    That is ``shots (share - chance) / sqrt(shots chance (1 - chance))`` for the `accepted_share`; infinite where chance
    alone accepts nothing, or everything, and the surplus is positive.
    """
    above = shots * (accepted_share(fidelity, ideal, chance) - chance)
    # The standard deviation of a binomial distribution.
    spread = math.sqrt(shots * chance * (1 - chance))
    return above / spread if spread else math.inf if above > 0 else 0.0


@dataclass(frozen=True, kw_only=True)
class IsaCounts:
    """Counts of a circuit in a device's gates.

    Attributes:
        two_qubit: gates on two qubits; of a branch that depends on a measurement the worst case.
        two_qubit_depth: layers of those.
        depth: layers of all gates and measurements, the same way.
        fidelity: estimated chance that no error happens; None where the device reports no errors.
        duration: in seconds, where the device says how long gates take.
        source: name of the circuit it was compiled from.
        spares: idle qubits that were offered as ancillas.
    """

    two_qubit: int
    two_qubit_depth: int
    depth: int
    fidelity: float | None
    duration: float | None
    source: str
    spares: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class IsaCircuit(IsaCounts):
    """A circuit on a device's qubits and in its gates, which the device can run as it is."""

    circuit: QuantumCircuit

    @property
    def rank(self) -> tuple[float, int, int]:
        """The smaller, the better: by fidelity, or two-qubit gates where there is none."""
        return (-(self.fidelity or 0.0), self.two_qubit, self.two_qubit_depth)


@dataclass(frozen=True)
class OnDevice:
    """A program in a device's gates, on its qubits, and what is done on the measured bits."""

    isa: IsaCircuit
    postprocessing: Postprocessing
    program: Program

    def noise_share(self, numbers: Iterable[int]) -> float:
        """Share of uniformly random measured bits that stand for one of the numbered codewords."""
        # A sum of thirds may round to more than all.
        return min(1.0, self.postprocessing.chance(self.program.space.state(number) for number in numbers))


@dataclass(frozen=True)
class ReadoutErrors:
    """How often each classical bit is read wrongly, as reported by a source.

    Bit 0 of the register is first. Each bit has the physical qubit that is measured into it, and two probabilities: 1
    read for a qubit in 0, and 0 read for a qubit in 1.
    """

    qubits: tuple[int, ...]
    flips: tuple[tuple[float, float], ...]
    source: str

    def __post_init__(self) -> None:
        if len(self.qubits) != len(self.flips):
            raise InputError(f"{len(self.flips)} readout errors for {len(self.qubits)} bits: one for each is needed")
        for qubit, pair in zip(self.qubits, self.flips, strict=True):
            if not all(math.isfinite(p) and 0 <= p <= 1 for p in pair):
                raise InputError(f"the readout errors of qubit {qubit} are {pair}: they must be probabilities")
            if sum(pair) >= 1:
                raise BackendError(
                    f"qubit {qubit} is read wrongly as often as rightly: choose other qubits, or leave out mitigate"
                )

    def twirl(self) -> ReadoutErrors:
        """The errors where the measurement was twirled: a flip before and after makes both kinds alike."""
        # Twirling flips half of the shots, so each error is the mean of both.
        means = ((first + second) / 2 for first, second in self.flips)
        return ReadoutErrors(self.qubits, tuple((mean, mean) for mean in means), f"{self.source}, twirled")


@dataclass(frozen=True, kw_only=True)
class DeviceEstimate(IsaCounts):
    """The expected outcome of a circuit on a device, and what it takes.

    Attributes:
        qubits: those with gates.
        expected: share of accepted shots by the errors that the device reports; None where those are unknown.
        ideal: that share without errors.
        chance: that share of measured bits that are nothing but noise.
        z: surplus over chance, `signal_z`; None where it is infinite or unknown.
    """

    qubits: int
    ideal: float
    chance: float
    expected: float | None
    z: float | None


@dataclass(frozen=True, kw_only=True)
class CircuitRecord:
    """The decoding of a circuit's counts, and the outcome that was estimated for it.

    Attributes:
        pipeline: the one that made it.
        iterations: of a search with an oracle.
        layers: of an ansatz.
        threshold: the cost below which a circuit searches; gas chooses it from what earlier circuits measured.
        space_key: fingerprint of the costs that such a threshold refers to.
        presolve, encoding, level, notes: origin of the circuit.
        size: number of codewords.
        marked: how many of them are solutions; None when unknown.
        energy_ranking: energies of codewords that break nothing, best first, with how many have each.
        readout_errors: as the device reported them, where they are to be undone.
    """

    pipeline: str
    iterations: int | None = None
    layers: int | None = None
    threshold: int | None = None
    space_key: str | None = None
    presolve: str
    encoding: str
    level: str | None
    notes: tuple[str, ...]
    space: Space
    recovery: Recovery
    postprocessing: Postprocessing
    size: int
    marked: int | None
    energy_ranking: tuple[tuple[Fraction, int], ...]
    readout_errors: ReadoutErrors | None
    estimate: DeviceEstimate


@dataclass(frozen=True)
class DeviceCircuit:
    """A circuit that the device can run as it is; how its counts are decoded and what it was estimated to give."""

    circuit: QuantumCircuit
    record: CircuitRecord

    @property
    def has_signal(self) -> bool:
        """Whether more solutions than by guessing are expected; true also where the device reports no errors."""
        z = self.record.estimate.z
        # An unknown surplus is no reason to refuse.
        return z is None or z >= LEAST_Z


class Bench(Protocol):
    """Compiles programs for one device."""

    def prepare(self, program: Program) -> OnDevice:
        """Return the program in the device's gates: the best of several forms, seeds and numbers of spare qubits.

        Raises:
            DoesNotFitError: it is wider than the device.
            NothingToSearchError: nothing of it need be measured.
        """

    def record(
        self,
        made: OnDevice,
        layout: Layout,
        *,
        what: dict[str, Any],
        ideal: float,
        chance: float,
        marked: int | None,
        ranking: Iterable[tuple[Fraction, int]] = (),
    ) -> DeviceCircuit:
        """Return the circuit with its record.

        ``what`` identifies the circuit: iterations, layers, a threshold. A solution has the probability ``ideal``
        without noise, and ``chance`` for measured bits that are nothing but noise. The ranking has energies of
        codewords that break nothing, best first, with how many have each. ``marked`` is None when unknown.
        """

    def require_signal(self, circuits: tuple[DeviceCircuit, ...]) -> tuple[DeviceCircuit, ...]:
        """Return those that can be distinguished from noise, or all if forced; if none can, say what would help."""


@dataclass(frozen=True)
class Shots:
    """The measurements of one circuit: its record, and the count of each basis state of the space's qubits."""

    record: CircuitRecord
    states: Mapping[int, int]


@dataclass(frozen=True)
class Round:
    """The measurements of one job: ``search`` is the key of its search, ``shots`` were asked for of every circuit."""

    search: str
    shots: int
    circuits: tuple[Shots, ...]


@dataclass(frozen=True)
class End:
    """A search has nothing more to send; ``note`` says how it ended beside what was found."""

    note: str = ""


NextCircuits: TypeAlias = tuple[DeviceCircuit, ...] | End
"""The result of a pipeline for the rounds that were measured."""


def require_search(num_qubits: int, presolve: str) -> None:
    """Refuse circuits without qubits: nothing is left to search."""
    if num_qubits == 0:
        bare = presolve == "none"
        nothing = "there is nothing to search" if bare else f"presolve {presolve} leaves nothing to search"
        other = "" if bare else ", or send the puzzle as it stands with presolve='none'"
        raise NothingToSearchError(
            f"{nothing}, so there is no circuit to send: gatesolve solve gives the answer{other}"
        )
