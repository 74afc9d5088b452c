"""How a search is to be run on a device: what is asked beside `Options`, declared as these are."""

# Without postponed annotations: the types of the fields are read at run time.
from dataclasses import dataclass
from typing import Literal

from gatesolve.errors import InputError
from gatesolve.pipelines.options import MOST_SHOTS, check_options, option

MOST_SEEDS = 1_000
MOST_REPEATS = 1_000
Decoupling = Literal["XX", "XpXm", "XY4"] | None
Projection = Literal["discard", "nearest"]


@dataclass(frozen=True)
class JobRequest:
    """A request to a device; ``help(gatesolve.submit)`` lists the fields.

    Attributes:
        device: its name; ``fake_...`` simulates one on this machine, with its noise.
        repeat: how often the same was asked before; what was asked once is sent once.
    """

    device: str
    shots: int = option(4096, "of every circuit", least=1, most=MOST_SHOTS)
    decoupling: Decoupling = option(None, "dynamical decoupling in idle times; not for circuits that branch")
    twirl_gates: bool = option(False, "random Paulis around two-qubit gates")
    twirl_measure: bool = option(False, "random flips before measurements, undone in the counts")
    seeds: int = option(
        8, "layouts and routings tried; the best by estimated fidelity is sent", least=1, most=MOST_SEEDS
    )
    projection: Projection = option(
        "discard", "what is done with measured states that are no codewords: thrown away, or taken to the nearest"
    )
    mitigate: bool = option(False, "report the share of accepted shots with readout errors undone too")
    force: bool = option(False, "send circuits that are estimated to drown in noise, or to a closed device")
    repeat: int = option(0, "how often the same was asked before", most=MOST_REPEATS)

    def __post_init__(self) -> None:
        if not isinstance(self.device, str) or not self.device.strip():
            raise InputError(
                "no device: name one, for example device='fake_torino', or give a BackendV2 or a V2 sampler of Qiskit's"
            )
        check_options(self)
