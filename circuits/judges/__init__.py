"""The contests and their judges, one module each; `base.Contest` says what a module must define."""

from __future__ import annotations

from . import (
    asteroids_2020,
    colouring_2019,
    icpc_2021,
    iquhack_2023,
    kakuro_2022,
    logo_2026,
    mcx14_2022,
    toffoli_measured,
    toffoli_t_counts,
)
from .base import Contest, RefusedError, UnfollowedError, Verdict

CONTESTS: dict[str, Contest] = {
    "kakuro-2022": kakuro_2022.CONTEST,
    "mcx14-2022": mcx14_2022.CONTEST,
    "colouring-2019": colouring_2019.CONTEST,
    "asteroids-2020": asteroids_2020.CONTEST,
    "logo-2026": logo_2026.CONTEST,
    "icpc-2021": icpc_2021.CONTEST,
    "iquhack-2023": iquhack_2023.CONTEST,
    "toffoli-measured": toffoli_measured.CONTEST,
    "toffoli-t-counts": toffoli_t_counts.CONTEST,
}

__all__ = ["CONTESTS", "Contest", "RefusedError", "UnfollowedError", "Verdict"]
