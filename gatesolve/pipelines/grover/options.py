"""The options of plain Grover search."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

from gatesolve.pipelines.options import Idle, OracleOptions, ShotOptions, option, refuse_idle

if TYPE_CHECKING:
    from gatesolve.model import Level


@dataclass(frozen=True, kw_only=True)
class GroverOptions(OracleOptions, ShotOptions):
    """Options of Grover's search."""

    oracle: Literal["constraints", "classical"] = option(
        "constraints",
        "constraints: the circuit computes every constraint; classical: it marks solutions that were found beforehand",
    )
    solutions: int | None = option(
        None,
        "assumed number of solutions where the space is too large to count them; if not given, 1; if given, a divided "
        "search first assumes this number in each part",
        least=1,
        scope="sweep",
    )
    count_solutions: bool = option(
        False,
        "let OR-Tools count the solutions, for up to a minute, where the space is too large to list",
        scope="sweep",
    )
    early_check: bool = option(
        False,
        "in every iteration, also amplify the states that satisfy some of the constraints, if this makes the search "
        "cheaper",
        scope="circuit",
    )
    exact: bool = option(
        False,
        "adjust the phases of the iterations to the number of solutions, so that the search succeeds with certainty",
    )
    schedule: Literal["auto", "known", "unknown", "assumed"] = option(
        "auto",
        "known: uses the number of solutions; unknown: draws the number of iterations at random; assumed: first tries "
        "one run for the number that the option solutions states; auto: known if the solutions were counted, else "
        "unknown; in a divided search, assumed if the option solutions is given, else unknown",
        scope="run",
        idle=(Idle("exact", bool, "exact needs the number of solutions", ("unknown", "assumed")),),
    )

    @property
    def ceiling(self) -> "Level":
        """The level asked for; marking solutions that were found first is ``classical``."""
        return "classical" if self.oracle == "classical" else self.level

    def for_part(self, seed: int, threshold: float | None = None) -> Self:
        """Return the options of a part, whose number of solutions is unknown, or assumed at first."""
        return replace(self, seed=seed, schedule="assumed" if self.solutions else "unknown")

    def check_divided(self) -> None:
        """Refuse options that need the number of solutions or fix the iterations; raises as `refuse_idle`."""
        idle = ("exact", "iterations", "shots", "count_solutions", "schedule", "early_check")
        refuse_idle(self, "the problem is searched in parts, the number of solutions of each unknown", *idle)
