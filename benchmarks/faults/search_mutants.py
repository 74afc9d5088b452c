"""What leaving out a gate does to the outcomes of a whole Grover search, each gate followed only as far as need be.

Without a gate before a cut (`Cut`), the part of the state that lies in the span of the ways can be taken from
the cut to the end in no time, and it adds to the probability of each outcome: what is outside of the span stays apart
from it, as every gate is unitary. Where that does not show that the judge must refuse, the part outside is followed to
the end.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Instruction

from benchmarks.core.places import CIRCUITS
from gatesolve.errors import DoesNotFitError
from gatesolve.simulate import basis_terms
from gatesolve.simulate.order import narrow_order
from gatesolve.simulate.sparse import Matrices, Terms, Waiting, apply_late, apply_waiting

sys.path.append(str(CIRCUITS))

from judges import basis

EXACT = 1e-9
APART = 20
"""Gates from one cut to the next, at least."""
Amplitudes = NDArray[np.complex128]


@dataclass(frozen=True)
class Cut:
    """A place where each way searched is one basis state.

    Attributes:
        place: how many gates were applied, in the order followed.
        left: Grover's iterations after it.
        states: of each way, ascending.
        factors: of each way that of its amplitude beside that of an ideal search.
        marked: which of the ways are solutions.
        outcomes: what is measured at the end for each way.
    """

    place: int
    left: int
    states: NDArray[np.uint64]
    factors: Amplitudes
    marked: NDArray[np.bool_]
    outcomes: NDArray[np.int64]


@dataclass(frozen=True)
class Search:
    """A whole search, in the order in which it is followed.

    Attributes:
        steps: gate and wires.
        order: of each step its number in the circuit.
        width: wires of the circuit.
        read: the wires that are measured.
        solutions: how many outcomes are solutions.
        iterations: of Grover.
        fewest: ways among which the judge wants a search.
    """

    steps: list[tuple[Instruction, list[int]]]
    order: list[int]
    width: int
    read: list[int]
    solutions: int
    iterations: int
    fewest: int


def read_search(circuit: QuantumCircuit, solutions: int, iterations: int, fewest: int) -> Search:
    """The search that a circuit of CX, one-qubit gates and final measurements is."""
    gates = basis.unmeasured(circuit)
    measures = [step for step in circuit.data if step.operation.name == "measure"]
    read = [circuit.find_bit(step.qubits[0]).index for step in measures]
    order = narrow_order(gates)
    steps = [_step(gates, gates.data[number]) for number in order]
    return Search(steps, order, gates.num_qubits, read, solutions, iterations, fewest)


def _step(circuit: QuantumCircuit, instruction: CircuitInstruction) -> tuple[Instruction, list[int]]:
    return instruction.operation, [circuit.find_bit(qubit).index for qubit in instruction.qubits]


@dataclass(frozen=True)
class Reached:
    """What a run has come to: the number of steps applied, the terms, and what waits."""

    place: int
    terms: Terms
    waiting: Waiting


def start_of(search: Search) -> Reached:
    """All wires at zero."""
    return Reached(0, basis_terms(np.zeros((search.width, 1), dtype=bool)), {})


def walk(search: Search, reached: Reached, matrices: Matrices) -> Iterator[Reached]:
    """What follows, step by step, the given one first.

    Raises:
        DoesNotFitError: too many terms.
    """
    yield reached
    terms, waiting = reached.terms, reached.waiting
    for place in range(reached.place, len(search.steps)):
        terms, waiting = apply_late(terms, waiting, *search.steps[place], matrices)
        yield Reached(place + 1, terms, waiting)


def follow(search: Search, reached: Reached, place: int, matrices: Matrices) -> Terms:
    """The terms at a later place, all applied that waited.

    Raises:
        DoesNotFitError: too many terms.
    """
    terms, waiting = reached.terms, reached.waiting
    for step in search.steps[reached.place : place]:
        terms, waiting = apply_late(terms, waiting, *step, matrices)
    return apply_waiting(terms, waiting)


def iterate(amplitudes: Amplitudes, marked: NDArray[np.bool_], times: int) -> Amplitudes:
    """Grover's iterations on the amplitudes of the ways."""
    for _ in range(times):
        flipped = np.where(marked, -amplitudes, amplitudes)
        amplitudes = 2 * flipped.mean() - flipped
    return amplitudes


def outcomes_of(search: Search, terms: Terms) -> NDArray[np.int64]:
    """The outcome of each term, its digits in the order of the measured wires."""
    word = terms.keys[:, 1]
    bits = [(word >> np.uint64(wire) & np.uint64(1)).astype(np.int64) << k for k, wire in enumerate(search.read)]
    return np.bitwise_or.reduce(bits)


def distribution(search: Search, terms: Terms) -> NDArray[np.float64]:
    """The probability of each outcome."""
    return np.bincount(outcomes_of(search, terms), np.abs(terms.amplitudes) ** 2, 1 << len(search.read))


def find_cuts(search: Search, seed: int) -> tuple[list[Cut], NDArray[np.float64]]:
    """The cuts of a search, proved, and the probability of each outcome.

    Raises:
        ValueError: the search does not go as an ideal one between two cuts, or from the last to the end.
    """
    matrices: Matrices = {}
    start, gates = start_of(search), len(search.steps)
    end = Reached(gates, ordered(follow(search, start, gates, matrices)), {})
    found = distribution(search, end.terms)
    ways = len(end.terms.amplitudes)
    last = _cut(search, end)
    if last is None or last.left or ways != np.count_nonzero(found > EXACT):
        raise ValueError("these are not the outcomes of an ideal search")
    cuts: list[Cut] = []
    for reached in walk(search, start, matrices):
        near = cuts and reached.place - cuts[-1].place < APART
        if len(reached.terms.amplitudes) == ways and not reached.waiting and not near and reached.place < gates:
            cut = _cut(search, Reached(reached.place, ordered(reached.terms), {}))
            cuts += [] if cut is None else [cut]
    return _proved(search, [*cuts, last], seed, matrices), found


def _proved(search: Search, cuts: Sequence[Cut], seed: int, matrices: Matrices) -> list[Cut]:
    """The cuts but the last; of those before the first iteration some may be none, and these are left out."""
    found, following = list[Cut](), cuts[-1]
    marking = next(cut for cut in cuts if cut.left < search.iterations)
    for cut in reversed(cuts[:-1]):
        rng = np.random.default_rng((seed, cut.place))
        try:
            one = cut if cut.left < search.iterations else _marked(search, cut, marking, rng, matrices)
            one = _prove(search, one, following, rng, matrices)
        except (ValueError, DoesNotFitError):
            if cut.left < search.iterations:
                raise
            continue
        found, following = [one, *found], one
    return found


def ordered(terms: Terms) -> Terms:
    order = np.argsort(terms.keys[:, 1])
    return Terms(terms.keys[order], terms.amplitudes[order])


def _cut(search: Search, reached: Reached) -> Cut | None:
    """The cut at a place, where the amplitudes are those of an ideal search; before its first iteration unmarked."""
    amplitudes = reached.terms.amplitudes
    ways = len(amplitudes)
    sizes = np.abs(amplitudes)
    marked = np.zeros(ways, dtype=bool)
    marked[np.argsort(sizes)[-search.solutions :]] = True
    start = np.full(ways, ways**-0.5, dtype=np.complex128)
    for done in range(search.iterations + 1):
        ideal = iterate(start, marked, done)
        if np.allclose(np.abs(ideal), sizes, atol=EXACT):
            left = search.iterations - done
            outcomes = outcomes_of(search, reached.terms)
            return Cut(reached.place, left, reached.terms.keys[:, 1], amplitudes / ideal, marked & (done > 0), outcomes)
    return None


def _draw(cut: Cut, rng: np.random.Generator) -> Amplitudes:
    """A random sum of the ways."""
    drawn = rng.normal(size=(2, len(cut.states)))
    return (drawn[0] + 1j * drawn[1]) / np.linalg.norm(drawn)


def _carry(search: Search, cut: Cut, amplitudes: Amplitudes, following: Cut, matrices: Matrices) -> Amplitudes:
    """What a sum of the ways at one cut is at another, by the gates.

    Raises:
        ValueError: no sum of its ways.
    """
    keys = np.stack([np.zeros_like(cut.states), cut.states], axis=1)
    reached = Reached(cut.place, Terms(keys, amplitudes * cut.factors), {})
    found = ordered(follow(search, reached, following.place, matrices))
    if not np.array_equal(found.keys[:, 1], following.states):
        raise ValueError(f"from the cut at {cut.place} to {following.place} other states are reached")
    return found.amplitudes / following.factors


def _marked(search: Search, cut: Cut, following: Cut, rng: np.random.Generator, matrices: Matrices) -> Cut:
    """A cut before the first iteration with its solutions, from a cut after it.

    An iteration keeps the sum of all amplitudes, so that it can be undone but for the signs of the solutions; of which
    way each was, its size tells.
    """
    amplitudes = _draw(cut, rng)
    found = _carry(search, cut, amplitudes, following, matrices)
    flipped = 2 * found.mean() - found
    one, other = np.argsort(np.abs(amplitudes)), np.argsort(np.abs(flipped))
    marked = np.zeros(len(found), dtype=bool)
    marked[one] = (flipped[other] / amplitudes[one]).real < 0
    return replace(cut, marked=marked)


def _prove(search: Search, cut: Cut, following: Cut, rng: np.random.Generator, matrices: Matrices) -> Cut:
    """Check that what lies between two cuts acts as whole iterations, on one random sum of the ways.

    That the action is another and shows none of it on such a sum has probability zero. Which way of one cut is which
    of the next is told by the sizes of its amplitudes there.

    Returns:
        The first cut with the outcomes of its ways.

    Raises:
        ValueError: it does not act so.
    """
    amplitudes = _draw(cut, rng)
    wanted = iterate(amplitudes, cut.marked, cut.left - following.left)
    found = _carry(search, cut, amplitudes, following, matrices)
    outcomes = np.zeros(len(found), dtype=np.int64)
    for marked in (False, True):
        ways, others = np.flatnonzero(cut.marked == marked), np.flatnonzero(following.marked == marked)
        ways, others = ways[np.argsort(np.abs(wanted[ways]))], others[np.argsort(np.abs(found[others]))]
        if len(ways) != len(others) or not np.allclose(wanted[ways], found[others], atol=EXACT):
            raise ValueError(f"from the cut at {cut.place} to {following.place} no ideal search")
        outcomes[ways] = following.outcomes[others]
    return replace(cut, outcomes=outcomes)


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
