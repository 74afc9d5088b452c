"""The options of classical annealing."""

from dataclasses import dataclass
from typing import Any, Literal

from gatesolve.errors import InputError
from gatesolve.pipelines.options import MOST_SHOTS, PenaltyOptions, SpaceOptions, option, read_own_backend


def refuse_own_sampler(given: Any) -> None:
    """Refuse a sampler of circuits, which cannot sample energies."""
    if read_own_backend(given) is not None:
        raise InputError("sampler is one of annealing's words: give a backend or sampler of Qiskit's as backend")


@dataclass(frozen=True, kw_only=True)
class AnnealOptions(SpaceOptions, PenaltyOptions):
    """Options of the classical samplers."""

    entry = "anneal"

    formulation: Literal["model", "published"] = option(
        "model",
        "model samples the model's Qubo, published samples the published formula of the puzzle family",
        scope="run",
    )
    sampler: Literal["auto", "sa", "tabu", "exact"] = option(
        "auto",
        "sa is simulated annealing, tabu is tabu search, exact lists every state; auto is exact for few variables, "
        "else sa",
        scope="run",
        own=refuse_own_sampler,
    )
    reads: int = option(
        10_000, "limit on the states to sample, or to judge with sampler exact", least=1, most=MOST_SHOTS, scope="run"
    )
    sweeps: int = option(
        1_000, "number of passes over all variables for each sampled state", least=1, most=MOST_SHOTS, scope="run"
    )
