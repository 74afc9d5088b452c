"""Options of searches on devices only, and checks before a job is sent; this module loads nothing slow."""

# Without postponed annotations: the types of the fields are read at run time.
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from gatesolve.devices.ibm_errors import explain_decoupling
from gatesolve.errors import InputError
from gatesolve.pipelines.options import MOST_SHOTS, DeviceFields, check_options, option

if TYPE_CHECKING:
    from qiskit import QuantumCircuit

MOST_SEEDS = 1_000
MOST_REPEATS = 1_000
Decoupling = Literal["XX", "XpXm", "XY4"] | None
Projection = Literal["discard", "nearest"]


@dataclass(frozen=True)
class JobRequest:
    """A request to a device; ``help(gatesolve.submit)`` lists the fields.

    Attributes:
        device: its name; ``fake_...`` simulates one on this machine, with its noise.
        repeat: number of earlier identical requests that were sent; each request is sent once.
    """

    device: str
    shots: int = option(4096, "number of shots of every circuit", least=1, most=MOST_SHOTS)
    decoupling: Decoupling = option(
        None, "dynamical decoupling sequence for idle times; not available for circuits that branch"
    )
    twirl_gates: bool = option(False, "add random Paulis around two-qubit gates")
    twirl_measure: bool = option(False, "flip random qubits before the measurement, and undo this in the counts")
    seeds: int = option(
        8,
        "number of layouts and routings that are tried; the one with the best estimated fidelity is sent",
        least=1,
        most=MOST_SEEDS,
    )
    projection: Projection = option(
        "discard", "discard drops measured states that are not codewords, nearest replaces each by the nearest codeword"
    )
    mitigate: bool = option(False, "also report the share of accepted shots after readout errors are undone")
    force: bool = option(
        False, "send circuits even if noise is estimated to hide their signal, or the device is closed"
    )
    repeat: int = option(0, "number of earlier identical requests", most=MOST_REPEATS)

    def __post_init__(self) -> None:
        if not isinstance(self.device, str) or not self.device.strip():
            raise InputError(
                "no device: name one, for example device='fake_torino', or give a BackendV2 or a V2 sampler of Qiskit's"
            )
        check_options(self)


class JobFields(DeviceFields, total=False):
    """The fields of `JobRequest` and of `DeviceFields` as keyword arguments; a test holds them equal."""

    shots: int
    decoupling: Decoupling
    twirl_gates: bool
    twirl_measure: bool
    seeds: int
    projection: Projection
    mitigate: bool
    force: bool


JOB_FIELDS = {one.name: one for one in fields(JobRequest) if one.name in JobFields.__annotations__}
"""The options that apply to devices only, and ``shots``, by name."""


def check_decoupling(circuits: "Sequence[QuantumCircuit]", request: JobRequest) -> None:
    """Refuse decoupling where circuits branch, as the Sampler does once they are sent."""
    if request.decoupling is not None and any(circuit.has_control_flow_op() for circuit in circuits):
        raise explain_decoupling()


def check_shots(backend: Any, shots: int) -> None:
    """Refuse more shots than the backend allows in one job."""
    # Older backends state it in their configuration, others as an attribute, many not at all.
    configuration = getattr(backend, "configuration", None)
    most = getattr(configuration() if callable(configuration) else backend, "max_shots", None)
    most = most if isinstance(most, int) else (1 << 31) - 1
    if not 1 <= shots <= most:
        raise InputError(f"{shots} shots: {backend.name} takes 1 to {most} in a job: use shots={most} or fewer")
