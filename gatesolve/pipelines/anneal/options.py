"""The options of classical annealing."""

from dataclasses import dataclass
from typing import Literal

from gatesolve.pipelines.options import MOST_SHOTS, PenaltyOptions, SpaceOptions, option


@dataclass(frozen=True, kw_only=True)
class AnnealOptions(SpaceOptions, PenaltyOptions):
    """What the classical samplers take."""

    entry = "anneal"

    form: Literal["model", "published"] = option(
        "model", "the model's Qubo, or the published formula of the family", on_devices=False
    )
    sampler: Literal["auto", "sa", "tabu", "exact"] = option(
        "auto", "sa (simulated annealing), tabu, exact (every state is listed)", on_devices=False
    )
    reads: int = option(10_000, "most states to sample (exact: to judge)", least=1, most=MOST_SHOTS, on_devices=False)
    sweeps: int = option(1_000, "passes over all variables for each", least=1, most=MOST_SHOTS, on_devices=False)
