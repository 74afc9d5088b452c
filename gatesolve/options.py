"""The choices a user makes, checked once."""

from __future__ import annotations

from dataclasses import dataclass

from gatesolve.encodings import KINDS
from gatesolve.errors import InputError
from gatesolve.lowering import GATE_SETS

PIPELINES = ("grover",)
ORACLES = ("constraints", "classical")
ENCODINGS = ("auto", *KINDS)
PRESOLVES = ("auto", "none", "propagate", "affine")
BACKENDS = ("space", "aer")
SCHEDULES = ("auto", "known", "unknown")
MOST_SHOTS = 10_000_000
MOST_SEED = 2**31 - 1


@dataclass(frozen=True)
class Options:
    """How to solve.

    Attributes:
        pipeline: ``grover``.
        oracle: ``constraints`` computes every constraint in the circuit; ``classical`` marks solutions found first.
        encoding: ``auto`` takes the cheapest whole circuit.
        presolve: ``auto`` takes the first level whose space fits.
        backend: ``space`` simulates exactly in the space, ``aer`` the whole circuit.
        shots: measurements to draw.
        seed: of everything random.
        gates: gate set for counts and export.
        ancillas: most ancillas; None for as many as help.
        schedule: ``known`` uses the number of solutions that the certificate counted, ``unknown`` the
            growing random schedule, ``auto`` the first where there is such a count.

    Raises:
        InputError: a value that is not offered; the message lists those that are.
    """

    pipeline: str = "grover"
    oracle: str = "constraints"
    encoding: str = "auto"
    presolve: str = "auto"
    backend: str = "space"
    shots: int = 1024
    seed: int = 0
    gates: str = "cx+u"
    ancillas: int | None = None
    schedule: str = "auto"

    def __post_init__(self) -> None:
        for name, offered in (
            ("pipeline", PIPELINES),
            ("oracle", ORACLES),
            ("encoding", ENCODINGS),
            ("presolve", PRESOLVES),
            ("backend", BACKENDS),
            ("gates", GATE_SETS),
            ("schedule", SCHEDULES),
        ):
            if getattr(self, name) not in offered:
                raise InputError(f"unknown {name} '{getattr(self, name)}': choose one of {', '.join(offered)}")
        for name in ("shots", "seed", "ancillas"):
            if not isinstance(getattr(self, name), int) and (name, getattr(self, name)) != ("ancillas", None):
                raise InputError(f"{name} is {getattr(self, name)!r}: give a whole number")
        if not 1 <= self.shots <= MOST_SHOTS:
            raise InputError(f"shots is {self.shots}: ask for 1 to {MOST_SHOTS}")
        if not 0 <= self.seed <= MOST_SEED:
            raise InputError(f"seed is {self.seed}: give a number from 0 to {MOST_SEED}")
        if self.ancillas is not None and self.ancillas < 0:
            raise InputError(f"ancillas is {self.ancillas}: give a number from 0 on")
