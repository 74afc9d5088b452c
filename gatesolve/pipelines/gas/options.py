"""The options of Grover Adaptive Search."""

from dataclasses import dataclass
from typing import Literal

from gatesolve.pipelines.options import EnergyOptions, OracleOptions, option


@dataclass(frozen=True, kw_only=True)
class GasOptions(OracleOptions, EnergyOptions):
    """Options of Grover Adaptive Search."""

    entry = "descent"

    value_oracle: Literal["auto", "counter", "fourier"] = option(
        "auto",
        "counter adds energies with flags and adders, fourier adds them as phases before an inverse Fourier "
        "transform; auto takes the cheaper one",
    )
    threshold: float | None = option(
        None, "search only energies better than this number; if not given, the search starts from a measured energy"
    )
    confidence: float = option(
        0.999, "stop as soon as an improvement would have been found with this probability", between=(0, 1), scope="run"
    )
