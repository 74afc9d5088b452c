"""A readout's figures, in words and as JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from gatesolve.devices.job_request import Projection
from gatesolve.devices.readout.null import SMALLEST
from gatesolve.pipelines.task import as_number

SIGNAL = 1e-3
"""A p-value at or below is called a signal."""
HINT = 0.05
"""One at or below is called weak evidence, one above luck."""


@dataclass(frozen=True)
class AcceptedBoard:
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
    boards: tuple[AcceptedBoard, ...]
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
    def board(self) -> AcceptedBoard | None:
        """The most frequent accepted one."""
        return self.boards[0] if self.boards else None

    @property
    def best_board(self) -> AcceptedBoard | None:
        """The accepted board of the best energy, or the most frequent one where all are as good."""
        if self.best is None:
            return self.board
        return next(board for board in self.boards if board.energy == self.best.energy)

    @property
    def verdict(self) -> str:
        """One line: what was found, and whether chance does as well."""
        if not self.shots:
            return "no shots were taken: nothing can be said"
        if not self.judged:
            return f"none of {format_shots(self.shots)} is a codeword of the space: nothing can be said"
        if not self.accepted:
            return f"none of {_name_judged(self)} gave an accepted board{_describe_guessing(self)}"
        head = f"{self.accepted} of {_name_judged(self)} gave an accepted board"
        if self.best is not None and self.best.p_value is not None:
            return _describe_best(self, self.best, self.best.p_value)
        if self.best is not None and self.best.better is None:
            best = _format_energy(self.best.energy)
            return f"best energy {best} in {self.best.shots} of {_name_judged(self)}; how good is unknown"
        if self.marked == self.codewords:
            return f"{head}, as every codeword is a solution: nothing had to be found"
        if self.p_by == "repeats":
            return _describe_repeats(self, head)
        assert self.p_value is not None
        assert self.enrichment is not None
        times = f"{head}, {format_ratio(self.enrichment.value)} times as many as chance"
        if self.p_value > HINT:
            chance = format_probability(self.p_value)
            return f"{head}, found by luck: uniform guessing gives as many with probability {chance}"
        if self.p_value > SIGNAL:
            return f"{times}: weak evidence only ({format_p(self.p_value)})"
        if self.enrichment.per_shot < 1:
            return f"{times} ({format_p(self.p_value)}), but so few shots are codewords that guessing finds more a shot"
        return f"{times} ({format_p(self.p_value)})"

    def lines(self) -> list[str]:
        """The verdict, then one line for each thing it rests on."""
        nearest = f", {self.repaired} taken to the nearest codeword" if self.projection == "nearest" else ""
        split = f"{self.shots}, of them {self.in_space} codewords{nearest}, {self.outside} thrown away"
        rows = [self.verdict, f"shots: {split}"]
        if self.board is not None:
            more = "" if self.top_accepted else "; an outcome that is not accepted is as frequent"
            several = f"{len(self.boards)} different boards, the" if len(self.boards) > 1 else "one board,"
            rows.append(f"accepted: {several} most frequent in {format_shots(self.board.shots)}{more}")
        if self.enrichment is not None:
            e = self.enrichment
            value, low, high, per_shot = map(format_ratio, (e.value, e.low, e.high, e.per_shot))
            rows.append(
                f"enrichment: {value} times chance ({low} to {high} at 0.95); "
                f"{per_shot} times guessing, counting every shot"
            )
        if self.guess_chance is not None:
            rows.append(
                f"guessing: {self.marked} of {self.codewords} codewords are solutions, "
                f"{self.shots} guesses find one with probability {format_probability(self.guess_chance)}"
            )
        else:
            rows.append(f"guessing: how many of {self.codewords} codewords are solutions is unknown")
        if self.best is not None:
            rows.append(_list_best(self.best))
        if self.mitigated is not None:
            m = self.mitigated
            raw = f"{self.accepted / self.shots:.3g}" if self.shots else "none"
            rows.append(
                f"mitigated: {m.accepted:.3g} accepted, {m.in_space:.3g} in the space (raw: {raw}, "
                f"{self.judged / max(self.shots, 1):.3g}); tests are on the raw counts"
            )
        return rows

    def as_dict(self) -> dict[str, Any]:
        """For JSON; numbers beyond floats are null."""
        enrichment, best, mitigated = self.enrichment, self.best, self.mitigated
        ratios = None if enrichment is None else vars(enrichment)
        return {
            "projection": self.projection,
            "shots": self.shots,
            "in_space": self.in_space,
            "repaired": self.repaired,
            "outside": self.outside,
            "accepted": self.accepted,
            "boards": [{**vars(b), "energy": None if b.energy is None else as_number(b.energy)} for b in self.boards],
            "top_accepted": self.top_accepted,
            "codewords": self.codewords,
            "marked": self.marked,
            "p_value": self.p_value,
            "p_by": self.p_by,
            "guess_chance": self.guess_chance,
            "enrichment": ratios and {name: value if math.isfinite(value) else None for name, value in ratios.items()},
            "best": None if best is None else {**vars(best), "energy": as_number(best.energy)},
            "mitigated": None if mitigated is None else dict(vars(mitigated)),
            "verdict": self.verdict,
        }


def format_p(p_value: float) -> str:
    """A p-value as people write it."""
    if p_value <= SMALLEST:
        return "p below 1e-300"
    return f"p = {format_probability(p_value)}"


def format_probability(value: float) -> str:
    """Two digits; never 0 or 1 for what is neither."""
    if value in (0.0, 1.0):
        return f"{value:g}"
    if value > 0.99:
        return "above 0.99"
    return f"{value:.2g}" if value >= 1e-4 else f"{value:.1e}"


def format_ratio(value: float) -> str:
    """Two digits, three from 10 on, all before the point."""
    if value >= 1e6:
        return f"{value:.1e}"
    return f"{value:.2g}" if value < 10 else f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def format_shots(number: int) -> str:
    """Return a number of shots in words."""
    return f"{number} shot{'' if number == 1 else 's'}"


def _name_judged(found: Readout) -> str:
    """The shots that were judged, and how many there were in all."""
    if found.judged == found.shots:
        return format_shots(found.shots)
    return f"{format_shots(found.judged)} in the space ({found.shots} in all)"


def _describe_guessing(found: Readout) -> str:
    if found.marked == 0:
        return ": no codeword is a solution"
    if found.guess_chance is None:
        return ""
    return f"; as many guesses find one with probability {format_probability(found.guess_chance)}"


def _describe_repeats(found: Readout, head: str) -> str:
    assert found.p_value is not None
    if found.p_value > HINT:
        return f"{head}; whether by luck cannot be told: how many solutions there are is unknown"
    same = f"{found.most_repeats} of them the same"
    evidence = ": weak evidence only" if found.p_value > SIGNAL else ""
    bound = "below 1e-300" if found.p_value <= SMALLEST else f"at most {format_probability(found.p_value)}"
    return f"{head}, {same}, which guessing repeats so often with probability {bound}{evidence}"


def _describe_best(found: Readout, best: BestEnergy, p_value: float) -> str:
    place = "the best there is" if best.better == 0 else f"{best.better} of {found.codewords} codewords are better"
    head = f"best energy {_format_energy(best.energy)} ({place}) in {best.shots} of {_name_judged(found)}"
    if p_value > HINT:
        return f"{head}, found by luck: uniform guessing does as well with probability {format_probability(p_value)}"
    evidence = "weak evidence only, " if p_value > SIGNAL else ""
    return f"{head}, better than chance ({evidence}{format_p(p_value)})"


def _list_best(best: BestEnergy) -> str:
    line = f"best energy: {_format_energy(best.energy)} in {format_shots(best.shots)}"
    if best.better is None or best.equal is None or best.guess_chance is None:
        return f"{line}; how many codewords are as good is unknown"
    return (
        f"{line}; {best.better} codewords are better and {best.equal} as good, "
        f"as many guesses reach it with probability {format_probability(best.guess_chance)}"
    )


def _format_energy(energy: Fraction) -> str:
    return str(energy.numerator) if energy.denominator == 1 else f"{float(energy):.6g}"
