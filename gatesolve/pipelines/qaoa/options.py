"""The options of QAOA."""

from dataclasses import dataclass
from typing import Literal

from gatesolve.pipelines.options import MOST_SHOTS, CircuitOptions, EnergyOptions, ShotOptions, option


@dataclass(frozen=True, kw_only=True)
class QaoaOptions(CircuitOptions, EnergyOptions, ShotOptions):
    """What QAOA takes."""

    entry = "qaoa"

    layers: int = option(8, "how often phase and mixer are applied")
    mixer: Literal["auto", "xy-ring", "xy-complete", "grover", "x", "grover-global"] = option(
        "auto", "xy for blocks of one qubit a value, grover for any block, x for free bits, grover-global for all"
    )
    angles: Literal["optimised", "transfer", "ramp"] = option(
        "optimised", "optimised by gradients, transferred from small instances, or the best of some ramps"
    )
    aim: Literal["gibbs", "cvar", "mean"] = option("gibbs", "what angles make small; gibbs counts low energies most")
    betas: Literal["shared", "own"] = option("shared", "one mixing angle a layer, or one for each mixer")
    evaluations: int | None = option(
        None, "most simulations to choose angles; up to 500 if not given", least=1, most=MOST_SHOTS
    )
