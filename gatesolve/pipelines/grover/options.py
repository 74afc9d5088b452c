"""The options of plain Grover search."""

from dataclasses import dataclass
from typing import Literal

from gatesolve.pipelines.options import OracleOptions, ShotOptions, option


@dataclass(frozen=True, kw_only=True)
class GroverOptions(OracleOptions, ShotOptions):
    """Options of Grover's search."""

    oracle: Literal["constraints", "classical"] = option(
        "constraints", "constraints computes every constraint in the circuit; classical marks solutions found first"
    )
    solutions: int | None = option(
        None,
        "how many codewords are solutions, where the space is too large to count them; 1 if not given; of a problem "
        "that is searched in parts, how many each part is taken to have at first",
        least=1,
        on_devices=False,
    )
    count_solutions: bool = option(
        False,
        "have OR-Tools count the solutions, for up to a minute, where the space is too large to list",
        on_devices=False,
    )
    early_check: bool = option(
        False,
        "amplify what meets some of the constraints inside every iteration, where that makes the search cheaper",
        on_devices=False,
    )
    exact: bool = option(False, "match phases, so that the search succeeds with certainty")
    schedule: Literal["auto", "known", "unknown", "assumed"] = option(
        "auto",
        "whether the number of solutions is used; auto uses it where it was counted; assumed tries one run with phases "
        "matched to the number that solutions gives, and goes on as for an unknown one",
        on_devices=False,
    )
