"""The options of Grover Adaptive Search."""

from dataclasses import dataclass
from typing import Literal

from gatesolve.pipelines.options import EnergyOptions, OracleOptions, option


@dataclass(frozen=True, kw_only=True)
class GasOptions(OracleOptions, EnergyOptions):
    """Options of Grover Adaptive Search."""

    entry = "descent"

    value_oracle: Literal["auto", "counter", "fourier"] = option(
        "auto", "value oracle: counter (flags and adders), fourier (phases and an inverse Fourier transform)"
    )
    threshold: float | None = option(None, "look for energies below this one; start from a measurement if not given")
    confidence: float = option(
        0.999, "stop when an improvement would have been found with this probability", between=(0, 1), on_devices=False
    )
