"""From a device's counts to judged solutions: accepted boards, and the probability that chance finds as many.

One test covers all accepted shots, so many boards do not make chance look like signal. The test is against shots that
are uniform over the space's codewords (see `null.py`). It does not detect every fault: a device that relaxes to zeros
favours codewords of few ones without any search.

Circuits whose angles or thresholds were chosen by earlier shots may be judged together with those: if no shot carries
information, that choice does not matter. When the search ends does matter, see `Counted.looks`. Jobs are judged by
their records alone; nothing is compiled again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from gatesolve.devices import null as nulls
from gatesolve.devices.job_request import Projection
from gatesolve.devices.mitigation import mitigate
from gatesolve.devices.null import SMALLEST, Null, Positions
from gatesolve.devices.record import Job, SearchRecord
from gatesolve.encodings.space import Space
from gatesolve.errors import GatesolveError, InputError
from gatesolve.formats.problem import Accept, Problem
from gatesolve.pipelines.answer import as_number
from gatesolve.programs.unread import UnreadFill

EnergyOf = Callable[[dict[str, int]], Fraction]
"""A function from an accepted codeword's values to their energy, in the problem's own numbers."""
Rank = Callable[[Fraction], tuple[int, int] | None]
"""A function from an energy to the numbers of acceptable codewords with a better and with the same energy; None if
unknown."""
CONFIDENCE = 0.95
"""Confidence level of the interval of the enrichment."""
BILLION = 10**9
SIGNAL = 1e-3
"""A p-value of at most this is called a signal."""
HINT = 0.05
"""A p-value of at most this is called weak evidence, a larger one luck."""


@dataclass(frozen=True)
class AcceptedBoard:
    """An accepted solution, the number of shots that gave it, and its energy or objective, None without one."""

    solution: dict[str, int]
    shots: int
    energy: Fraction | None = None


@dataclass(frozen=True)
class Enrichment:
    """The share of accepted shots divided by that of chance; 1 is chance.

    The ``value`` is among the shots that were judged. Its interval from ``low`` to ``high`` is Clopper and Pearson's at
    0.95: too wide rather than too narrow. ``per_shot`` is the share among all shots divided by that of solutions in the
    space: below 1, guessing codewords is better.
    """

    value: float
    low: float
    high: float
    per_shot: float


@dataclass(frozen=True)
class Mitigated:
    """Shares of codewords and of accepted ones after readout errors were removed, and the projection was made.

    They are estimates, not samples, so they are not tested. ``best`` is the solution of the largest share, if any.
    """

    in_space: float
    accepted: float
    best: dict[str, int] | None


@dataclass(frozen=True)
class BestEnergy:
    """The best accepted energy, in the problem's own numbers.

    Attributes:
        better: number of acceptable codewords that are better; None when unknown.
        equal: number of acceptable codewords as good; None when unknown.
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
        projection: ``discard``: states that are not codewords are discarded; ``nearest``: each block is replaced by the
            nearest codeword where there is only one.
        in_space: shots that were codewords as measured.
        repaired: shots that the projection made codewords.
        boards: accepted solutions, most frequent first; then the better energy, then the smaller values.
        codewords: number of codewords in the space.
        marked: number of codewords that are solutions; None when unknown.
        top_accepted: True if an accepted codeword is more frequent than every outcome that is not accepted.
        p_value: an upper bound of the probability that shots without information give at least as many accepted ones,
            never below 1e-300; None without judged shots or without a reference.
        p_by: the basis of the test: ``accepted`` (all accepted shots) or, where the number of solutions is unknown,
            ``repeats`` (shots of the most frequent accepted codeword, against any of the codewords).
        guess_chance: the probability that as many guesses of codewords as there were shots find a solution.
        enrichment: None when the number of solutions is unknown or no shot was judged.
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
        """Return the number of shots that stand for a codeword."""
        return self.in_space + self.repaired

    @property
    def outside(self) -> int:
        """Return the number of discarded shots."""
        return self.shots - self.judged

    @property
    def accepted(self) -> int:
        """Return the number of shots that gave an accepted board."""
        return sum(board.shots for board in self.boards)

    @property
    def board(self) -> AcceptedBoard | None:
        """Return the most frequent accepted board."""
        return self.boards[0] if self.boards else None

    @property
    def verdict(self) -> str:
        """Return one line: what was found, and whether chance does as well."""
        if not self.shots:
            return "no shots were taken: nothing can be said"
        if not self.judged:
            return f"none of {format_shots(self.shots)} is a codeword of the space: nothing can be said"
        if not self.accepted:
            guesses = ": no codeword is a solution" if self.marked == 0 else ""
            if self.marked and self.guess_chance is not None:
                guesses = f"; as many guesses find one with probability {format_probability(self.guess_chance)}"
            return f"none of {_name_judged(self)} gave an accepted board{guesses}"
        head = f"{self.accepted} of {_name_judged(self)} gave an accepted board"
        # With an energy the best value counts, as almost every codeword may be acceptable.
        if self.best is not None and self.best.p_value is not None:
            return _describe_best(self, self.best, self.best.p_value)
        if self.best is not None and self.best.better is None:
            best = _format_energy(self.best.energy)
            return f"best value {best} in {self.best.shots} of {_name_judged(self)}; how good is unknown"
        # Every codeword is accepted, so a test against chance would say nothing.
        if self.marked == self.codewords:
            return f"{head}, as every codeword is a solution: nothing had to be found"
        if self.p_by == "repeats":
            return _describe_repeats(self, head)
        assert self.p_value is not None
        assert self.enrichment is not None
        times = f"{head}, {format_ratio(self.enrichment.value)} times as many as chance"
        # From the weakest evidence to the strongest: each line below may assume that those above do not hold.
        if self.p_value > HINT:
            chance = format_probability(self.p_value)
            return f"{head}, found by luck: uniform guessing gives as many with probability {chance}"
        if self.p_value > SIGNAL:
            return f"{times}: weak evidence only ({format_p(self.p_value)})"
        # Significant, but useless: noise threw most shots out of the space.
        if self.enrichment.per_shot < 1:
            return f"{times} ({format_p(self.p_value)}), but so few shots are codewords that guessing finds more a shot"
        return f"{times} ({format_p(self.p_value)})"

    def lines(self) -> list[str]:
        """Return the verdict, then one line for each fact behind it."""
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
            rows.append(f"accepted among codewords: {value} times chance ({low} to {high} at confidence {CONFIDENCE})")
            rows.append(f"accepted among all shots: {per_shot} times guessing")
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
        """Return the readout for JSON; numbers beyond floats are null."""
        enrichment, best, mitigated = self.enrichment, self.best, self.mitigated
        ratios = None if enrichment is None else vars(enrichment)
        return {
            **{name: value for name, value in vars(self).items() if name != "most_repeats"},
            "outside": self.outside,
            "accepted": self.accepted,
            "boards": [{**vars(b), "energy": None if b.energy is None else as_number(b.energy)} for b in self.boards],
            "enrichment": ratios and {name: value if math.isfinite(value) else None for name, value in ratios.items()},
            "best": None if best is None else {**vars(best), "energy": as_number(best.energy)},
            "mitigated": None if mitigated is None else dict(vars(mitigated)),
            "verdict": self.verdict,
        }


def format_p(p_value: float) -> str:
    """Return a p-value in the usual notation."""
    if p_value <= SMALLEST:
        # Smaller values are not told apart, as the bound is computed in floats.
        return "p below 1e-300"
    return f"p = {format_probability(p_value)}"


def format_probability(value: float) -> str:
    """Return two digits; never 0 or 1 for a number that is neither."""
    # Only exact values print as 0 or 1: rounding would claim certainty.
    if value in (0.0, 1.0):
        return f"{value:g}"
    if value > 0.99:
        return "above 0.99"
    return f"{value:.2g}" if value >= 1e-4 else f"{value:.1e}"


def format_ratio(value: float) -> str:
    """Return two digits, three from 10 on, all before the point."""
    if value >= 1e6:
        return f"{value:.1e}"
    return f"{value:.2g}" if value < 10 else f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def format_shots(number: int) -> str:
    """Return a number of shots in words."""
    return f"{number} shot{'' if number == 1 else 's'}"


def _name_judged(found: Readout) -> str:
    if found.judged == found.shots:
        return format_shots(found.shots)
    return f"{format_shots(found.judged)} in the space ({found.shots} in all)"


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
    head = f"best value {_format_energy(best.energy)} ({place}) in {best.shots} of {_name_judged(found)}"
    if p_value > HINT:
        return f"{head}, found by luck: uniform guessing does as well with probability {format_probability(p_value)}"
    evidence = "weak evidence only, " if p_value > SIGNAL else ""
    return f"{head}, better than chance ({evidence}{format_p(p_value)})"


def _list_best(best: BestEnergy) -> str:
    line = f"best value: {_format_energy(best.energy)} in {format_shots(best.shots)}"
    if best.better is None or best.equal is None or best.guess_chance is None:
        return f"{line}; how many codewords are as good is unknown"
    return (
        f"{line}; {best.better} codewords are better and {best.equal} as good, "
        f"as many guesses reach it with probability {format_probability(best.guess_chance)}"
    )


def _format_energy(energy: Fraction) -> str:
    return str(energy.numerator) if energy.denominator == 1 else f"{float(energy):.6g}"


@dataclass(frozen=True)
class _Codeword:
    positions: Positions
    shots: int
    solution: dict[str, int]
    energy: Fraction | None


@dataclass(frozen=True)
class _Seen:
    good: tuple[_Codeword, ...]
    in_space: int
    repaired: int
    refused: int

    @property
    def judged(self) -> int:
        return self.in_space + self.repaired

    @property
    def accepted(self) -> int:
        return sum(word.shots for word in self.good)

    @property
    def top(self) -> int:
        return max((word.shots for word in self.good), default=0)


@dataclass(frozen=True)
class Counted:
    """Counts to be judged.

    Attributes:
        counts: shots of each basis state of the space's qubits, qubit 0 the least significant bit.
        space: decodes them.
        marked: number of accepted codewords, or an upper bound; None when unknown.
        projection: chosen before looking at the counts: the better of both would be a double test.
        fills: for each circuit behind the counts, the qubits that were not measured, as in ``Postprocessing``. Without
            them noise would look like signal where fewer bits separate some codewords.
        looks: how often the search decided by its measurements whether to continue: ending when lucky makes chance look
            like signal. None for a fixed number of shots.
    """

    counts: Mapping[int, int]
    space: Space
    marked: int | None = None
    projection: Projection = "discard"
    fills: Iterable[Sequence[UnreadFill]] = ()
    looks: int | None = None

    @property
    def shots(self) -> int:
        """Return the number of all shots."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Sought:
    """An energy to minimise or maximise; ``rank`` compares the best one with chance."""

    energy: EnergyOf
    rank: Rank | None = None
    goal: Literal["min", "max"] = "min"


def read_out(
    counted: Counted, accept: Accept, sought: Sought | None = None, mitigated: Mapping[int, float] | None = None
) -> Readout:
    """Judge counts by the problem's own rules and against chance.

    ``accept`` is called once for each codeword that occurs. The probabilities of basis states after mitigation, none
    negative, are reported beside the counts, which alone are tested.

    Raises:
        InputError: negative counts, states outside of the space, or more accepted codewords than ``marked``.
    """
    _check(counted.counts, counted.space, counted.marked, counted.looks)
    space, marked, shots = counted.space, counted.marked, counted.shots
    chance = nulls.null_distribution(space, counted.projection, counted.fills)
    seen = _judge_codewords(counted, accept, sought)
    if marked is not None and len(seen.good) > marked:
        raise InputError(f"{len(seen.good)} codewords were accepted, of {marked}: the counts are of another problem")
    share = None if marked is None else chance.share([word.positions for word in seen.good], marked)
    p_value, p_by = _test_luck(seen, share, chance, counted.looks)
    return Readout(
        projection=counted.projection,
        shots=shots,
        in_space=seen.in_space,
        repaired=seen.repaired,
        boards=_merge_boards(seen.good, sought),
        codewords=space.size,
        marked=marked,
        top_accepted=seen.top > seen.refused,
        p_value=p_value,
        p_by=p_by,
        guess_chance=None if marked is None else nulls.at_least_one(shots, float(Fraction(marked, space.size))),
        enrichment=_find_enrichment(seen, shots, share, marked, space.size),
        best=None if sought is None else _find_best(seen, sought, chance, counted),
        mitigated=None if mitigated is None else _judge_shares(mitigated, counted, accept),
        most_repeats=seen.top,
    )


def _check(counts: Mapping[int, int], space: Space, marked: int | None, looks: int | None) -> None:
    if looks is not None and looks < 1:
        raise InputError(f"a search decided {looks} times whether to go on: that is at least once, or None")
    for state, shots in counts.items():
        if not isinstance(shots, int) or isinstance(shots, bool) or shots < 0:
            raise InputError(f"{shots!r} shots of state {state}: counts are whole numbers, none negative")
        if not 0 <= state < 1 << space.num_qubits:
            raise InputError(f"state {state} was measured, and the space has {space.num_qubits} qubits")
    if marked is not None and not 0 <= marked <= space.size:
        raise InputError(f"{marked} solutions in a space of {space.size} codewords cannot be")


def _judge_codewords(counted: Counted, accept: Accept, sought: Sought | None) -> _Seen:
    space = counted.space
    shots: dict[Positions, int] = {}
    in_space = repaired = refused = 0
    for state, times in counted.counts.items():
        if not times:
            continue
        positions, changed = nulls.locate_codeword(space, state, counted.projection)
        if positions is None:
            refused = max(refused, times)
            continue
        shots[positions] = shots.get(positions, 0) + times
        in_space, repaired = in_space + times * (not changed), repaired + times * changed
    good = []
    for positions in sorted(shots):
        values = nulls.assignment_at(space, positions)
        solution = accept(values)
        if solution is None:
            refused = max(refused, shots[positions])
        else:
            energy = None if sought is None else sought.energy(values)
            good.append(_Codeword(positions, shots[positions], solution, energy))
    return _Seen(tuple(good), in_space, repaired, refused)


def _merge_boards(good: tuple[_Codeword, ...], sought: Sought | None) -> tuple[AcceptedBoard, ...]:
    merged: dict[tuple[tuple[str, int], ...], AcceptedBoard] = {}
    for word in good:
        key = tuple(sorted(word.solution.items()))
        before = merged[key].shots if key in merged else 0
        merged[key] = AcceptedBoard(word.solution, before + word.shots, word.energy)
    sign = -1 if sought is not None and sought.goal == "max" else 1
    order = sorted(merged, key=lambda key: (-merged[key].shots, sign * (merged[key].energy or 0), key))
    return tuple(merged[key] for key in order)


def _test_luck(
    seen: _Seen, share: float | None, chance: Null, looks: int | None
) -> tuple[float | None, Literal["accepted", "repeats"] | None]:
    if not seen.judged:
        return None, None
    if share is not None:
        return nulls.correct_for_looks(nulls.tail_probability(seen.judged, seen.accepted, share), looks), "accepted"
    # Which codewords are solutions is unknown, so the union bound over all codewords is used.
    repeated = nulls.tail_probability(seen.judged, seen.top, chance.share([], 1))
    return nulls.correct_for_looks(min(1.0, repeated * chance.size), looks), "repeats"


def _find_enrichment(seen: _Seen, shots: int, share: float | None, marked: int | None, size: int) -> Enrichment | None:
    if not seen.judged or not share or not marked:
        return None
    low, high = nulls.confidence_interval(seen.judged, seen.accepted, CONFIDENCE)
    per_shot = float(Fraction(seen.accepted * size, shots * marked))
    return Enrichment(seen.accepted / seen.judged / share, low / share, high / share, per_shot)


def _find_best(seen: _Seen, sought: Sought, chance: Null, counted: Counted) -> BestEnergy | None:
    energies = [word.energy for word in seen.good if word.energy is not None]
    if not energies:
        return None
    best = max(energies) if sought.goal == "max" else min(energies)
    same = [word for word in seen.good if word.energy == best]
    hits = sum(word.shots for word in same)
    place = None if sought.rank is None else sought.rank(best)
    if place is None:
        return BestEnergy(best, hits, None, None, None, None)
    better, equal = place
    if better < 0 or equal < len(same) or better + equal > chance.size:
        raise InputError(f"{better} and {equal} codewords cannot be better than and as good as {best}")
    # Unknown codewords that are better count at their largest possible share, which keeps this an upper bound.
    unseen = chance.share([], better)
    p_value = nulls.as_good(seen.judged, hits, unseen, chance.share([word.positions for word in same], equal))
    guess = nulls.at_least_one(counted.shots, float(Fraction(better + equal, chance.size)))
    return BestEnergy(best, hits, better, equal, nulls.correct_for_looks(p_value, counted.looks), guess)


def _judge_shares(shares: Mapping[int, float], counted: Counted, accept: Accept) -> Mitigated:
    total = sum(shares.values())
    if not total > 0 or min(shares.values()) < 0:
        raise InputError("mitigated shares are probabilities: none negative, and not all 0")
    weights: dict[Positions, float] = {}
    for state in sorted(shares):
        positions, _ = nulls.locate_codeword(counted.space, state, counted.projection)
        if positions is not None:
            weights[positions] = weights.get(positions, 0.0) + shares[state] / total
    best: tuple[float, dict[str, int]] | None = None
    accepted = 0.0
    for positions in sorted(weights):
        solution = accept(nulls.assignment_at(counted.space, positions))
        if solution is not None:
            accepted += weights[positions]
            if best is None or weights[positions] > best[0]:
                best = weights[positions], solution
    return Mitigated(sum(weights.values()), accepted, None if best is None else best[1])


def conclude_search(task: Problem, search: SearchRecord, jobs: tuple[Job, ...], note: str) -> dict[str, Any]:
    """Judge all measurements by the problem's own rules; the last job may have failed.

    The solution is None if none was accepted.
    """
    done = tuple(job for job in jobs if job.counts is not None)
    notes = [note] if note else []
    readout: Readout | None = None
    if done:
        shares = None
        if search.request["mitigate"]:
            try:
                shares = mitigate_states(done)
            # Mitigation is an extra: the counts stay valid without it.
            except GatesolveError as error:
                notes.append(f"not mitigated: {error}")
        readout = judge_jobs(task, done, search.request["projection"], shares)
    best = None if readout is None else readout.board
    if readout is not None and readout.best is not None:
        # With an energy the best one counts, not the most frequent.
        best = next(board for board in readout.boards if board.energy == readout.best.energy)
    ended = [job for job in jobs if job.status in {"cancelled", "failed"}]
    message = "" if readout is None else readout.verdict
    if ended:
        message = ended[-1].reason + (f"; before that: {message}" if message else "")
    return {
        "message": message,
        "solution": None if best is None else best.solution,
        "energy": None if best is None or best.energy is None else as_number(best.energy),
        "readout": None if readout is None else readout.as_dict(),
        # The first line is the verdict, which the message contains.
        "lines": [] if readout is None else readout.lines()[1:],
        "notes": notes,
    }


def mitigate_states(jobs: Iterable[Job]) -> dict[int, float]:
    """Return shares of the space's basis states over all circuits, weighted by shots, with readout errors undone.

    The errors are those recorded when the circuits were sent.
    """
    total: dict[int, float] = {}
    for job in jobs:
        for record, counts in zip(job.forms, job.counts or (), strict=True):
            assert record.readout_errors is not None
            shares = mitigate(counts, record.readout_errors)
            # Decoding needs whole counts.
            found = {word: round(share * BILLION) for word, share in shares.items()}
            weight = sum(counts.values()) / sum(found.values())
            for state, share in record.postprocessing.states(found).items():
                total[state] = total.get(state, 0.0) + share * weight
    return total


def judge_jobs(
    task: Problem, done: tuple[Job, ...], projection: Projection, mitigated: Mapping[int, float] | None = None
) -> Readout:
    """Judge all shots of all circuits of finished jobs of one space together."""
    record, total = done[0].forms[0], Counter[int]()
    # If the device adds nothing, every shot of every circuit is a random codeword, regardless of choices by earlier
    # shots. So all are tested together, and a search that stops by its results pays for each look.
    for job in done:
        for one, counts in zip(job.forms, job.counts or (), strict=True):
            total.update(one.postprocessing.states(counts))
    known = record.energy_ranking

    def energy(values: Mapping[str, int]) -> Fraction:
        found = task.energy(record.recovery.recover(values))
        assert found is not None
        return found

    fills = [one.postprocessing.fills for job in done for one in job.forms]
    # Adaptive search decides by its measurements whether to continue.
    looks = None if record.threshold is None else len(done)

    def rank(best: Fraction) -> tuple[int, int] | None:
        """Return the numbers of better and of equally good codewords; None if none that is stored is as good."""
        equal = [count for energy, count in known if energy == best]
        better = (count for energy, count in known if (energy > best if task.goal == "max" else energy < best))
        return (sum(better), sum(equal)) if equal else None

    return read_out(
        Counted(total, record.space, record.marked, projection, fills, looks),
        task.judge(record.recovery.recover),
        None if task.goal is None else Sought(energy, rank if known else None, task.goal),
        mitigated,
    )
