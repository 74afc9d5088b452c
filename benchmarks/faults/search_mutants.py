"""What leaving out a gate does to the outcomes of a whole Grover search, each gate followed only as far as need be.

Without a gate before a cut (`search_cuts`), the part of the state that lies in the span of the ways can be taken from
the cut to the end in no time, and it adds to the probability of each outcome: what is outside of the span stays apart
from it, as every gate is unitary. Where that does not show that the judge must refuse, the part outside is followed to
the end.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from benchmarks.faults.search_cuts import (
    EXACT,
    Amplitudes,
    Cut,
    Reached,
    Search,
    distribution,
    follow,
    iterate,
    ordered,
    start_of,
    walk,
)
from gatesolve.errors import DoesNotFitError
from gatesolve.simulate.sparse import Matrices, Terms


class Finding(Enum):
    """What a left-out gate does to the outcomes."""

    CHANGED = "another probability of some outcome, more than a judge takes"
    SAME = "the probabilities of all outcomes as before, or near to it"
    UNFOLLOWED = "too many terms, and what could be followed shows no change"


def findings(
    search: Search, cuts: Sequence[Cut], usual: NDArray[np.float64], numbers: Collection[int]
) -> dict[int, Finding]:
    """What each of these gates does when it is left out.

    Args:
        search: the whole search.
        cuts: of it.
        usual: its outcomes.
        numbers: of the gates, in the circuit.
    """
    follower = Follower(search, cuts, usual)
    found: dict[int, Finding] = {}
    for reached in walk(search, start_of(search), {}):
        if reached.place < len(search.steps) and (number := search.order[reached.place]) in numbers:
            found[number] = follower.finding(Reached(reached.place + 1, reached.terms, reached.waiting))
    return found


class Follower:
    """Follows states to the outcomes of a search, the same ones once."""

    def __init__(self, search: Search, cuts: Sequence[Cut], usual: NDArray[np.float64]) -> None:
        self._search = search
        self._cuts = cuts
        self._marked = usual > usual.max() / 2
        self._matrices: Matrices = {}
        self._ends: dict[tuple[int, bytes, bytes], NDArray[np.float64] | None] = {}

    def finding(self, reached: Reached) -> Finding:
        """What the outcomes are beside the usual ones."""
        try:
            cut = next((one for one in self._cuts if one.place >= reached.place), None)
            if cut is None:
                found = distribution(self._search, self._follow(reached, len(self._search.steps)))
                return self._compare(found, 0, self._marked)
            terms = self._follow(reached, cut.place)
            least = np.abs(iterate(_within(cut, terms), cut.marked, cut.left)) ** 2
            if not could_be_ideal(self._search, least, 1 - least.sum(), cut.marked):
                return Finding.CHANGED
            last = [one for one in self._cuts if one.left == cut.left][-1]
            return self._from(last, self._follow(Reached(cut.place, terms, {}), last.place))
        except DoesNotFitError:
            return Finding.UNFOLLOWED

    def _follow(self, reached: Reached, place: int) -> Terms:
        return follow(self._search, reached, place, self._matrices)

    def _compare(self, least: NDArray[np.float64], rest: float, marked: NDArray[np.bool_]) -> Finding:
        return Finding.SAME if could_be_ideal(self._search, least, rest, marked) else Finding.CHANGED

    def _from(self, cut: Cut, terms: Terms) -> Finding:
        """The finding for a state at a cut, from its part in the span of the ways and its part outside."""
        found = np.zeros(len(self._marked))
        found[cut.outcomes] = np.abs(iterate(_within(cut, terms), cut.marked, cut.left)) ** 2
        outside = ~np.isin(terms.keys[:, 1], cut.states)
        rest = float((np.abs(terms.amplitudes[outside]) ** 2).sum())
        if rest > EXACT:
            end = self._end(cut.place, Terms(terms.keys[outside], terms.amplitudes[outside] / rest**0.5))
            if end is None:
                return Finding.UNFOLLOWED
            found += rest * end
        return self._compare(found, 0, self._marked)

    def _end(self, place: int, terms: Terms) -> NDArray[np.float64] | None:
        """The outcomes of a state; many gates lead to one and the same but for its phase. None: too many terms."""
        terms = ordered(terms)
        first = terms.amplitudes[np.argmax(np.abs(terms.amplitudes) > 1e-6)]
        amplitudes = terms.amplitudes * (abs(first) / first)
        label = (place, terms.keys.tobytes(), (np.round(amplitudes, 7) + 0).tobytes())
        if label not in self._ends:
            try:
                end = self._follow(Reached(place, terms, {}), len(self._search.steps))
                self._ends[label] = distribution(self._search, end)
            except DoesNotFitError:
                self._ends[label] = None
        return self._ends[label]


def _within(cut: Cut, terms: Terms) -> Amplitudes:
    """The part of the terms in the span of the ways, in the ways' own amplitudes."""
    at = np.minimum(np.searchsorted(cut.states, terms.keys[:, 1]), len(cut.states) - 1)
    there = cut.states[at] == terms.keys[:, 1]
    amplitudes = np.zeros(len(cut.states), dtype=np.complex128)
    amplitudes[at[there]] = terms.amplitudes[there]
    return amplitudes / cut.factors


def could_be_ideal(search: Search, least: NDArray[np.float64], rest: float, marked: NDArray[np.bool_]) -> bool:
    """Whether a judge may see the outcomes of an ideal search, among as many ways as it takes.

    Args:
        search: whose outcomes these are.
        least: of each outcome the probability at least.
        rest: how much all of them together can have beyond that.
        marked: which are solutions.
    """
    solutions = int(marked.sum())
    sizes = np.arange(search.fewest, (1 << len(search.read)) + 1)
    all_good = np.sin((2 * search.iterations + 1) * np.arcsin(np.sqrt(solutions / sizes))) ** 2
    good, bad = all_good / solutions, (1 - all_good) / (sizes - solutions)
    rest = max(rest, 0)
    found, others = least[marked], np.sort(least[~marked])
    fits = (found.max() <= good + _slack(good)) & (found.min() + rest >= good - _slack(good))
    fits &= others[-1] <= bad + _slack(bad)
    # An outcome that occurs and is no solution must be able to come to the probability of all such.
    occurs = np.searchsorted(others, _slack(0.0))
    fits &= np.searchsorted(others, bad - _slack(bad) - rest) <= occurs
    fits &= len(others) - occurs <= sizes - solutions
    return bool(fits.any())


def _slack(probability):  # type: ignore[no-untyped-def]
    """Twice what the judge lets pass."""
    return 2e-7 + 2e-5 * probability
