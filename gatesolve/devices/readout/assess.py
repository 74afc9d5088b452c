"""Assessment of a device's counts: accepted boards, and how likely chance alone would have given as many.

Every shot counts in one test on all accepted shots, so looking at many boards does not make chance look like signal.
The test is against shots that are uniform over the space's codewords (see `null.py`). It is no test
against every fault: a device that relaxes to zeros favours codewords of few ones without having searched. Circuits
whose angles or thresholds were chosen by earlier shots may be judged together with those: if no shot carries
information, that choice does not matter. When to end does, see ``looks``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from gatesolve.devices.job_request import Projection
from gatesolve.devices.readout import null as nulls
from gatesolve.devices.readout.null import Null, Positions
from gatesolve.devices.readout.readout import AcceptedBoard, BestEnergy, Enrichment, Mitigated, Readout
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.pipelines.judge import Accept
from gatesolve.programs.unread import UnreadFill

EnergyOf = Callable[[dict[str, int]], Fraction]
"""The energy of an accepted codeword's values, as the problem states it."""
Rank = Callable[[Fraction], tuple[int, int] | None]
"""How many acceptable codewords have a better energy than this, and how many have this one; None when unknown."""
CONFIDENCE = 0.95
"""Of the interval of the enrichment."""


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
        """Shots of the most frequent accepted codeword."""
        return max((word.shots for word in self.good), default=0)


def read_out(
    counts: Mapping[int, int],
    space: Space,
    accept: Accept,
    *,
    marked: int | None = None,
    projection: Projection = "discard",
    fills: Iterable[Sequence[UnreadFill]] = (),
    looks: int | None = None,
    energy: EnergyOf | None = None,
    rank: Rank | None = None,
    goal: Literal["min", "max"] = "min",
    mitigated: Mapping[int, float] | None = None,
) -> Readout:
    """Judge counts by the problem's own rules and against chance.

    Args:
        counts: shots of each basis state of the space's qubits, qubit 0 the least significant bit.
        space: decodes them.
        accept: called once for each codeword that occurs.
        marked: how many codewords ``accept`` takes, or an upper bound; None when unknown.
        projection: chosen before looking at the counts: the better of both would be a test made twice.
        fills: for each circuit that counts are from, the qubits that were not measured, as in ``Postprocessing``:
            without them noise would be taken for signal where some codewords are told from the others by fewer bits.
        looks: for a search that decided by what it measured whether to go on, how often it did: ending when lucky
            makes chance look like signal. None where the number of shots was fixed.
        energy: of accepted values, where there is something to be made small or large.
        rank: to judge the best energy against chance.
        goal: whether small or large energies are better.
        mitigated: probabilities of basis states after mitigation, none negative; reported beside the counts, which
            alone are tested.
    """
    _check(counts, space, marked, looks)
    chance = nulls.null_distribution(space, projection, fills)
    shots = sum(counts.values())
    seen = _judge_codewords(counts, space, accept, projection, energy)
    share = None if marked is None else _share_of_solutions(seen, chance, marked)
    p_value, p_by = _test_luck(seen, share, chance, looks)
    return Readout(
        projection=projection,
        shots=shots,
        in_space=seen.in_space,
        repaired=seen.repaired,
        boards=_merge_boards(seen.good, goal),
        codewords=space.size,
        marked=marked,
        top_accepted=seen.top > seen.refused,
        p_value=p_value,
        p_by=p_by,
        guess_chance=None if marked is None else nulls.at_least_one(shots, float(Fraction(marked, space.size))),
        enrichment=_find_enrichment(seen, shots, share, marked, space.size),
        best=_find_best(seen, goal, rank, chance, shots, looks),
        mitigated=None if mitigated is None else _judge_shares(mitigated, space, accept, projection),
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


def _judge_codewords(
    counts: Mapping[int, int], space: Space, accept: Accept, projection: Projection, energy: EnergyOf | None
) -> _Seen:
    shots: dict[Positions, int] = {}
    in_space = repaired = refused = 0
    for state, times in counts.items():
        if not times:
            continue
        positions, changed = nulls.locate_codeword(space, state, projection)
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
            good.append(_Codeword(positions, shots[positions], solution, None if energy is None else energy(values)))
    return _Seen(tuple(good), in_space, repaired, refused)


def _share_of_solutions(seen: _Seen, chance: Null, marked: int) -> float:
    """The share of solutions among shots without information."""
    if len(seen.good) > marked:
        raise InputError(f"{len(seen.good)} codewords were accepted, of {marked}: the counts are of another problem")
    return chance.share([word.positions for word in seen.good], marked)


def _merge_boards(good: tuple[_Codeword, ...], goal: str) -> tuple[AcceptedBoard, ...]:
    """One for each solution; several codewords may stand for the same."""
    merged: dict[tuple[tuple[str, int], ...], AcceptedBoard] = {}
    for word in good:
        key = tuple(sorted(word.solution.items()))
        before = merged[key].shots if key in merged else 0
        merged[key] = AcceptedBoard(word.solution, before + word.shots, word.energy)
    sign = -1 if goal == "max" else 1
    return tuple(
        board for _, board in sorted(merged.items(), key=lambda m: (-m[1].shots, sign * (m[1].energy or 0), m[0]))
    )


def _test_luck(
    seen: _Seen, share: float | None, chance: Null, looks: int | None
) -> tuple[float | None, Literal["accepted", "repeats"] | None]:
    if not seen.judged:
        return None, None
    if share is not None:
        return nulls.correct_for_looks(nulls.tail_probability(seen.judged, seen.accepted, share), looks), "accepted"
    # At most the sum over all codewords, since which of them are solutions is unknown.
    repeated = nulls.tail_probability(seen.judged, seen.top, chance.share([], 1))
    return nulls.correct_for_looks(min(1.0, repeated * chance.size), looks), "repeats"


def _find_enrichment(seen: _Seen, shots: int, share: float | None, marked: int | None, size: int) -> Enrichment | None:
    if not seen.judged or not share or not marked:
        return None
    low, high = nulls.confidence_interval(seen.judged, seen.accepted, CONFIDENCE)
    per_shot = float(Fraction(seen.accepted * size, shots * marked))
    return Enrichment(seen.accepted / seen.judged / share, low / share, high / share, per_shot)


def _find_best(
    seen: _Seen, goal: str, rank: Rank | None, chance: Null, shots: int, looks: int | None
) -> BestEnergy | None:
    energies = [word.energy for word in seen.good if word.energy is not None]
    if not energies:
        return None
    best = max(energies) if goal == "max" else min(energies)
    same = [word for word in seen.good if word.energy == best]
    hits = sum(word.shots for word in same)
    place = None if rank is None else rank(best)
    if place is None:
        return BestEnergy(best, hits, None, None, None, None)
    better, equal = place
    if better < 0 or equal < len(same) or better + equal > chance.size:
        raise InputError(f"{better} and {equal} codewords cannot be better than and as good as {best}")
    unseen = chance.share([], better)
    p_value = nulls.as_good(seen.judged, hits, unseen, chance.share([word.positions for word in same], equal))
    guess = nulls.at_least_one(shots, float(Fraction(better + equal, chance.size)))
    return BestEnergy(best, hits, better, equal, nulls.correct_for_looks(p_value, looks), guess)


def _judge_shares(shares: Mapping[int, float], space: Space, accept: Accept, projection: Projection) -> Mitigated:
    total = sum(shares.values())
    if not total > 0 or min(shares.values()) < 0:
        raise InputError("mitigated shares are probabilities: none negative, and not all 0")
    weights: dict[Positions, float] = {}
    for state in sorted(shares):
        positions, _ = nulls.locate_codeword(space, state, projection)
        if positions is not None:
            weights[positions] = weights.get(positions, 0.0) + shares[state] / total
    best: tuple[float, dict[str, int]] | None = None
    accepted = 0.0
    for positions in sorted(weights):
        solution = accept(nulls.assignment_at(space, positions))
        if solution is not None:
            accepted += weights[positions]
            if best is None or weights[positions] > best[0]:
                best = weights[positions], solution
    return Mitigated(sum(weights.values()), accepted, None if best is None else best[1])
