"""Null distributions that a device's accepted shots are compared with.

A shot without information counts as a uniform codeword. This is the outcome of a circuit without its search. It is also
the outcome of uniform bits once all states that are not codewords are discarded.

In two cases uniform bits favour some codewords. Either other states are replaced by the nearest codeword, or qubits
that the oracle does not read are filled in after the measurement. There the null is a uniform codeword with each
measured bit flipped independently with the same probability. Of all probabilities from 0 (uniform codewords) to 1/2
(uniform bits) the one that favours the accepted codewords most is used.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from gatesolve.devices.job_request import Projection
from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.programs.unread import UnreadFill, gather_bits, scatter_bits

SMALLEST = 1e-300
"""Smaller probabilities are reported as this one, so never as 0."""
WIDEST = 18
"""Most qubits of a block whose strings are all listed."""
FLIPS = tuple(k / 20 for k in range(11))
"""Probabilities of a flipped bit that are tried."""
Positions = tuple[int, ...]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Null:
    """Shares of codewords among shots without information.

    Attributes:
        size: number of codewords.
        weights: for each kind of circuit, for each block the share of each codeword, shape (len(FLIPS), codewords);
            None where all are equal. The worst of several circuits counts.
    """

    size: int
    weights: tuple[tuple[Floats | None, ...], ...]

    @property
    def uniform(self) -> bool:
        """Return whether every codeword is equally likely, for all flips and circuits."""
        return all(table is None for tables in self.weights for table in tables)

    def share(self, seen: Iterable[Positions], count: int) -> float:
        """Return an upper bound of the share of ``count`` codewords, of which some are known.

        It is exact where all codewords are equally likely or all of the ``count`` are known.
        """
        if self.uniform:
            return float(Fraction(count, self.size))
        known = list(seen)
        return min(1.0, max(self._share(tables, known, count) for tables in self.weights))

    def _share(self, tables: tuple[Floats | None, ...], known: list[Positions], count: int) -> float:
        looked_at = math.prod(table.shape[1] for table in tables if table is not None)
        equal = np.full(len(FLIPS), float(Fraction(looked_at, self.size)))
        # Unknown codewords count at the largest share that any has.
        total = (count - len(known)) * math.prod((t.max(axis=1) for t in tables if t is not None), start=equal)
        for positions in known:
            rows = zip(tables, positions, strict=True)
            total = total + math.prod((table[:, place] for table, place in rows if table is not None), start=equal)
        return float(total.max())


def null_distribution(space: Space, projection: Projection, fills: Iterable[Sequence[UnreadFill]] = ()) -> Null:
    """Return the null distribution of a space.

    ``fills`` has for each kind of circuit the blocks of which not all qubits were measured; none if all were.

    Cost: for a block of n qubits 11 n passes over 2^n numbers; equal blocks are computed once.

    Raises:
        InputError: an unknown projection.
        DoesNotFitError: a block too wide for its nearest codewords.
    """
    if projection not in get_args(Projection):
        raise InputError(f"a projection is discard or nearest, not {projection!r}")
    made: dict[tuple[int, Positions, Positions], Floats | None] = {}
    kinds: dict[tuple[tuple[int, Positions], ...], tuple[Floats | None, ...]] = {}
    for kind in list(fills) or [()]:
        read = tuple(sorted((fill.unread[0], fill.read) for fill in kind if fill.unread))
        if read in kinds:
            continue
        tables = []
        for number, block in enumerate(space.blocks):
            qubits = space.block_qubits(number)
            seen = next((found for first, found in read if first in qubits), qubits)
            places = tuple(q - space.offsets[number] for q in seen)
            key = block.num_qubits, block.codewords, places
            if key not in made:
                made[key] = _weigh_codewords(block, places, projection)
            tables.append(made[key])
        kinds[read] = tuple(tables)
    return Null(space.size, tuple(kinds.values()))


def find_nearest(block: Block, word: int) -> int | None:
    """Return the position of the codeword that differs from ``word`` in the fewest bits; None if there are several."""
    distances = [(word ^ codeword).bit_count() for codeword in block.codewords]
    least = min(distances)
    return distances.index(least) if distances.count(least) == 1 else None


def find_owners(block: Block) -> NDArray[np.int64]:
    """Return for every string of the block's qubits the position of its nearest codeword, -1 for several."""
    size = 1 << block.num_qubits
    far = block.num_qubits + 1
    distance, owner = np.full(size, far), np.full(size, -1)
    distance[list(block.codewords)] = 0
    owner[list(block.codewords)] = np.arange(block.size)
    strings = np.arange(size)
    # Invariant: after each step, distance and owner are those of the nearest codeword that agrees with the string on
    # all later qubits. One more qubit may differ: the nearest is the string's own, or the neighbour's at one more.
    for qubit in range(block.num_qubits):
        across = strings ^ (1 << qubit)
        other, theirs = np.minimum(distance[across] + 1, far), owner[across]
        tied = (other == distance) & (distance < far)
        closer = other < distance
        owner = np.where(tied, -1, np.where(closer, theirs, owner))
        distance = np.minimum(distance, other)
    return owner


def _weigh_codewords(block: Block, places: Positions, projection: Projection) -> Floats | None:
    """Return the share of each codeword, one row for each of FLIPS; None where all are equal.

    Only the qubits ``places`` are measured; the others are filled in, all matching words alike.
    """
    words = [gather_bits(codeword, places) for codeword in block.codewords]
    alike = np.bincount(words, minlength=1 << len(places)) if len(places) <= WIDEST else None
    if _is_even(block, words, places, projection):
        return None
    if alike is None or (projection == "nearest" and block.num_qubits > WIDEST):
        name = "/".join(block.variables)
        raise DoesNotFitError(
            f"the nearest codewords of {name} on {block.num_qubits} qubits do not fit, {WIDEST} would: use discard"
        )
    # Words that match no codeword have zeros in the other qubits before the projection.
    strays = np.flatnonzero(alike == 0)
    nearby = np.full(len(strays), -1)
    if projection == "nearest":
        nearby = find_owners(block)[[scatter_bits(int(word), places) for word in strays]]
    rows = []
    for flip in FLIPS:
        chance = alike / block.size
        for qubit in range(len(places)):
            # A flip of one bit mixes each pair of strings that differ in it.
            halves = chance.reshape(-1, 2, 1 << qubit)
            chance = ((1 - flip) * halves + flip * halves[:, ::-1]).reshape(-1)
        row = chance[words] / alike[words]
        np.add.at(row, nearby[nearby >= 0], chance[strays[nearby >= 0]])
        rows.append(row / row.sum())
    return np.array(rows)


def _is_even(block: Block, words: Sequence[int], places: Positions, projection: Projection) -> bool:
    """Return whether all codewords are equally likely by their structure alone."""
    times = Counter(words)
    if len(set(times.values())) > 1:
        return False
    if projection == "discard" or len(times) == 1 << len(places) or block.size == 1:
        return True
    # One qubit a codeword: any other string ties, and permuting the qubits permutes the codewords.
    return block.size == block.num_qubits and set(words) == {1 << q for q in range(block.num_qubits)}


def tail_probability(shots: int, hits: int, share: float) -> float:
    """Return the probability that at least ``hits`` of ``shots`` fall on a share; never below SMALLEST."""
    if hits <= 0 or share >= 1:
        return 1.0
    if hits > shots or share <= 0:
        return SMALLEST
    from scipy.special import betainc

    # The binomial tail as an incomplete beta function, DLMF 8.17.5.
    return max(SMALLEST, float(betainc(hits, shots - hits + 1, share)))


def at_least_one(shots: int, share: float) -> float:
    """Return the probability that at least one of ``shots`` falls on a share."""
    if share >= 1:
        return float(shots > 0)
    # 1 - (1 - share)^shots without cancellation for small shares.
    return -math.expm1(shots * math.log1p(-share))


def correct_for_looks(p_value: float, looks: int | None) -> float:
    """Return the p-value of a search that decided by its measurements whether to continue.

    ``looks`` is None where the number of shots was fixed.
    """
    # The k-th end has the weight 1 / (k (k + 1)). The weights add up to 1, so for any stopping rule the search ends
    # with a p-value of at most a with probability at most a.
    return p_value if looks is None else min(1.0, p_value * looks * (looks + 1))


def as_good(shots: int, hits: int, better: float, equal: float) -> float:
    """Return the probability of a better best than the one found, or of the same best at least so often.

    ``better`` and ``equal`` are the shares of better and of equally good codewords.
    """
    if better >= 1:
        return 1.0
    # The best energy comes from the data, so a test on the count of its shots alone would have a threshold chosen
    # afterwards. Outcomes are ordered by the best energy first and its shots second; this is the exact probability of
    # an outcome at least as good.
    rest = math.exp(shots * math.log1p(-better))
    same = rest * tail_probability(shots, hits, min(1.0, equal / (1 - better)))
    return min(1.0, max(SMALLEST, at_least_one(shots, better) + same))


def confidence_interval(shots: int, hits: int, confidence: float) -> tuple[float, float]:
    """Return Clopper and Pearson's interval of a share: it covers the true one with at least this probability.

    Source: Biometrika 26 (1934) 404; by quantiles of the beta distribution.
    """
    from scipy.special import betaincinv

    outside = (1 - confidence) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, shots - hits + 1, outside))
    high = 1.0 if hits == shots else float(betaincinv(hits + 1, shots - hits, 1 - outside))
    return low, high


def locate_codeword(space: Space, state: int, projection: Projection) -> tuple[Positions | None, bool]:
    """Return the codeword that a measured state stands for, as positions in each block, and if bits were changed."""
    found, changed = [], False
    for offset, block in zip(space.offsets, space.blocks, strict=True):
        word = state >> offset & ((1 << block.num_qubits) - 1)
        position = block.index.get(word)
        if position is None and projection == "nearest":
            position, changed = find_nearest(block, word), True
        if position is None:
            return None, False
        found.append(position)
    return tuple(found), changed


def assignment_at(space: Space, positions: Sequence[int]) -> dict[str, int]:
    """Return the values of the codeword at these positions."""
    seen = zip(space.blocks, positions, strict=True)
    return {name: value for block, k in seen for name, value in zip(block.variables, block.tuples[k], strict=True)}
