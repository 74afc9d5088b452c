"""The landscape of a QAOA of one layer: the energy at every gamma and beta."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from gatesolve.api.calls import compile_problem, settle_options
from gatesolve.api.options import OptionFields, Options, check_names, shows_options
from gatesolve.api.shown_progress import shown_progress
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats.sources import Source, as_problem
from gatesolve.planning.clock import Clock, Progress

if TYPE_CHECKING:
    from gatesolve.circuit.figure import Plot

IDLE = ("layers", "angles", "angle_loss", "betas", "evaluations", "shots")
"""Options of QAOA that choose or measure angles; here all angles are computed."""


@dataclass(frozen=True, eq=False)
class Landscape:
    """The exact energies of a one-layer QAOA at each gamma and beta.

    Attributes:
        title: the problem's title.
        name: the name of the energy.
        gammas: in radians a unit of cost, as given.
        betas: in radians; all mixers turn by the same.
        energies: mean energy of a measurement, a row for each beta, a column for each gamma.
        probabilities: the probability that a measurement is one of the best answers, in the same shape.
        best: the angles of the best mean energy, for the option ``angles`` of `gatesolve.solve`.
    """

    title: str
    name: str
    gammas: tuple[float, ...]
    betas: tuple[float, ...]
    energies: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    best: tuple[tuple[float, ...], tuple[float, ...]]

    def plot(self) -> Plot:
        """Draw energies and probabilities as a matplotlib figure, with the best angles marked."""
        from gatesolve.drawing.plots import draw_plane

        return draw_plane(self.gammas, self.betas, self.energies, self.probabilities, self.best, self.name, self.title)

    def __repr__(self) -> str:
        (gamma,), (beta,) = self.best
        size = f"{len(self.gammas)} gammas x {len(self.betas)} betas"
        return f"<Landscape of {size}: {self.title}, best at gamma {gamma:.3f}, beta {beta:.3f}>"


@shows_options
def landscape(
    problem: Source,
    *,
    gamma: Sequence[float] | None = None,
    beta: Sequence[float] | None = None,
    family: str | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[OptionFields],
) -> Landscape:
    """Compute the energies of a one-layer QAOA at every gamma and beta, by exact simulation of the space.

    Args:
        problem: as for `gatesolve.compile`.
        gamma: angles to compute, two or more; None for a range around good ones.
        beta: angles to compute, two or more; None for a range around good ones.
        family: puzzle family of a file; None detects it from the text.
        progress: None for a bar, True for lines in a log too, False for neither, or a function (stage, done, total).
        **options: fields of `Options` for layout and mixer.

    Returns:
        ``.energies`` and ``.probabilities`` at all pairs, ``.plot()``, and in ``.best`` angles for `gatesolve.solve`.

    Raises:
        InputError: bad input, or an option that chooses angles.
        UnsupportedError: another pipeline.
        InfeasibleError: proven to have no solution.
        DoesNotFitError: too large; the message names what would fit.
    """
    check_names(options, ("gamma", "beta", "family", "progress"))
    source = as_problem(problem, family)
    asked = Options(**options)
    if asked.pipeline not in {"auto", "qaoa"}:
        raise UnsupportedError(f"pipeline='{asked.pipeline}' has no angles: use 'qaoa', or leave out pipeline")
    if idle := [name for name in IDLE if name in options]:
        raise InputError(f"a landscape has one layer and all angles: leave out {idle[0]}")
    chosen = settle_options(replace(asked, pipeline="qaoa", angles=((0.0,), (0.0,))), source, options)
    with shown_progress(progress) as told:
        clock = Clock(told)
        ansatz = compile_problem(source, chosen, clock, is_simulated=True).details
        usual = ansatz.plane()
        turns, mixing = (
            _read_axis(name, given, found)
            for name, given, found in zip(("gamma", "beta"), (gamma, beta), usual, strict=True)
        )
        with clock.stage("landscape") as report:
            energies, chances = ansatz.scan([[x] for x in turns], [[y] for y in mixing], report)
    row, column = np.unravel_index(np.argmin(-energies if source.goal == "max" else energies), energies.shape)
    best = (turns[column],), (mixing[row],)
    return Landscape(source.title, ansatz.ranked.name, turns, mixing, energies, chances, best)


def _read_axis(name: str, given: Sequence[float] | None, usual: NDArray[np.float64]) -> tuple[float, ...]:
    try:
        found = tuple(map(float, usual if given is None else given))
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {given!r:.60}: give a row of numbers") from error
    if len(found) < 2 or not np.isfinite(found).all():
        raise InputError(f"{name} has {len(found)} numbers: give two or more finite ones")
    return found
