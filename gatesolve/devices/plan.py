"""How a search is to be run on a device: what is asked beside `Options`."""

from __future__ import annotations

from dataclasses import dataclass

from gatesolve.errors import InputError

MOST_SHOTS = 10_000_000
MOST_SEEDS = 1_000
MOST_REPEATS = 1_000
SEQUENCES = ("XX", "XpXm", "XY4")
PROJECTIONS = ("discard", "nearest")


@dataclass(frozen=True)
class JobPlan:
    """What to ask of a device.

    Attributes:
        device: its name; ``fake_...`` simulates one on this machine, with its noise.
        shots: of every circuit.
        decoupling: sequence of dynamical decoupling in idle times: ``XX``, ``XpXm`` or ``XY4``; None for none.
        twirl_gates: whether two-qubit gates are twirled.
        twirl_measure: whether measurements are twirled.
        seeds: how many layouts and routings are tried, the best by estimated fidelity is sent.
        projection: what is done with measured states that are no codewords: ``discard``, or take the ``nearest``.
        mitigate: report the share of accepted shots with readout errors undone too.
        force: send circuits that are estimated to drown in noise.
        repeat: how often the same was asked before; what was asked once is sent once.

    Raises:
        InputError: a value that is not offered.
    """

    device: str
    shots: int = 4096
    decoupling: str | None = None
    twirl_gates: bool = False
    twirl_measure: bool = False
    seeds: int = 8
    projection: str = "discard"
    mitigate: bool = False
    force: bool = False
    repeat: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.device, str) or not self.device.strip():
            raise InputError("no device: name one, for example device='fake_torino'")
        numbers = (
            ("shots", 1, MOST_SHOTS),
            ("seeds", 1, MOST_SEEDS),
            ("repeat", 0, MOST_REPEATS),
        )
        for name, least, most in numbers:
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise InputError(f"{name} is {value!r}: give a whole number from {least} to {most}")
        for name in ("twirl_gates", "twirl_measure", "mitigate", "force"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name} is {getattr(self, name)!r}: give True or False")
        if self.decoupling is not None and self.decoupling not in SEQUENCES:
            raise InputError(f"unknown decoupling '{self.decoupling}': choose one of {', '.join(SEQUENCES)}")
        if self.projection not in PROJECTIONS:
            raise InputError(f"unknown projection '{self.projection}': choose one of {', '.join(PROJECTIONS)}")
