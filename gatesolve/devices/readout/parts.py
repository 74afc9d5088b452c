"""What a readout is made of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from gatesolve.devices.readout import text
from gatesolve.devices.readout.null import Projection


@dataclass(frozen=True)
class Board:
    """An accepted solution.

    Attributes:
        solution: values of the problem's variables.
        shots: that gave it.
        energy: where there is something to be made small or large.
    """

    solution: dict[str, int]
    shots: int
    energy: Fraction | None = None


@dataclass(frozen=True)
class Enrichment:
    """The share of accepted shots over the one that chance gives; 1 is chance.

    Attributes:
        value: among the shots that were judged.
        low: end of its interval, Clopper and Pearson's at 0.95: too wide rather than too narrow.
        high: the other end.
        per_shot: among all shots, over the share of solutions in the space: below 1, guessing codewords is better.
    """

    value: float
    low: float
    high: float
    per_shot: float


@dataclass(frozen=True)
class Mitigated:
    """Shares after readout errors were taken out. They are estimates, no samples, so no test is made on them.

    Attributes:
        in_space: share of codewords, after the projection.
        accepted: share of accepted codewords.
        best: the solution of the largest share; None if none is accepted.
    """

    in_space: float
    accepted: float
    best: dict[str, int] | None


@dataclass(frozen=True)
class BestEnergy:
    """The best accepted energy.

    Attributes:
        energy: as the problem states it.
        shots: that gave it.
        better: acceptable codewords that are better; None when unknown.
        equal: acceptable codewords as good; None when unknown.
        p_value: the probability that uniform codewords give a better best, or this one at least so often.
        guess_chance: the probability that as many guesses as there were shots give one as good or better.
    """

    energy: Fraction
    shots: int
    better: int | None
    equal: int | None
    p_value: float | None
    guess_chance: float | None


@dataclass(frozen=True)
class Readout:
    """Counts, judged.

    Attributes:
        projection: ``discard``: states that are no codewords are thrown away; ``nearest``: each block is taken to the
            nearest codeword where there is only one.
        shots: in all.
        in_space: shots that were codewords as measured.
        repaired: shots that the projection made codewords.
        boards: accepted solutions, most frequent first; then the better energy, then the smaller values.
        codewords: in the space.
        marked: how many of them are solutions; None when unknown.
        top_accepted: whether an accepted codeword is more frequent than every outcome that is not accepted.
        p_value: the probability that shots without information give as many accepted ones or more, an upper bound
            and never below 1e-300; None for no judged shots, or nothing to go by.
        p_by: what it counts: ``accepted`` (all accepted shots) or, where the number of solutions is unknown,
            ``repeats`` (shots of the most frequent accepted codeword, against any of the codewords).
        guess_chance: the probability that as many guesses of codewords as there were shots find a solution.
        enrichment: None when the number of solutions is unknown or no shot was judged.
        best: for a problem with something to be made small or large; None if nothing was accepted.
        mitigated: shares after mitigation, beside the raw counts.
        most_repeats: shots of the most frequent accepted codeword.
    """

    projection: Projection
    shots: int
    in_space: int
    repaired: int
    boards: tuple[Board, ...]
    codewords: int
    marked: int | None
    top_accepted: bool
    p_value: float | None
    p_by: Literal["accepted", "repeats"] | None
    guess_chance: float | None
    enrichment: Enrichment | None
    best: BestEnergy | None = None
    mitigated: Mitigated | None = None
    most_repeats: int = 0

    @property
    def judged(self) -> int:
        """Shots that stand for a codeword."""
        return self.in_space + self.repaired

    @property
    def outside(self) -> int:
        """Shots thrown away."""
        return self.shots - self.judged

    @property
    def accepted(self) -> int:
        """Shots that gave an accepted board."""
        return sum(board.shots for board in self.boards)

    @property
    def board(self) -> Board | None:
        """The most frequent accepted one."""
        return self.boards[0] if self.boards else None

    @property
    def verdict(self) -> str:
        """One line in plain words."""
        return text.verdict(self)

    def lines(self) -> list[str]:
        """The verdict and what it rests on, as plain text."""
        return text.lines(self)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return text.as_dict(self)
