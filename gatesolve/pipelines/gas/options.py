"""The options of Grover Adaptive Search."""

from dataclasses import dataclass, replace
from typing import Literal, Self

from gatesolve.pipelines.options import EnergyOptions, OracleOptions, option, refuse_idle


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

    def for_part(self, seed: int, threshold: float | None = None) -> Self:
        """Return the options of the search of one part for what is better than ``threshold``."""
        # Variables of one value would only make the value oracle longer.
        most = self.limits().most_states
        return replace(self, seed=seed, threshold=threshold, presolve="propagate", max_space=most)

    def check_divided(self) -> None:
        """Refuse what would not change the search of a part; raises as `refuse_idle`."""
        refuse_idle(self, "solve chooses the iterations of pipeline='gas' itself", "iterations")
