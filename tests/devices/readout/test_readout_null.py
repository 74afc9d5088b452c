"""Counts judged against chance: the null distributions, by exact sums and by simulation."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from contest_kakuro import K4, K7
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

import gatesolve
from gatesolve.devices.readout import read_out
from gatesolve.devices.readout.null import (
    FLIPS,
    SMALLEST,
    as_good,
    confidence_interval,
    find_nearest,
    find_owners,
    locate_codeword,
    null_distribution,
    tail_probability,
)
from gatesolve.encodings import Block, Space, make_binary, make_domain_wall, make_table
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Variable
from gatesolve.pipelines.postprocess import shorten_program
from gatesolve.pipelines.unread import UnreadFill, fill_unread


def variable(name, size):
    return Variable(name, tuple(range(size)))


SPACE = Space((make_binary(variable("a", 5)), make_domain_wall(variable("b", 4))))
"""Twenty codewords on six qubits, both blocks with strings that have one nearest codeword."""


def solves(values):
    return values if values["a"] + values["b"] == 7 else None


def counts_of(states):
    found, times = np.unique(states, return_counts=True)
    return dict(zip(found.tolist(), times.tolist(), strict=True))


def block_of(words, qubits):
    return Block("table", ("t",), tuple((k,) for k in range(len(words))), tuple(words), qubits, (), ())


# The binomial tail and what is made of it.


def test_the_tail_is_the_exact_sum():
    for shots, hits, share in product((1, 7, 40), (0, 1, 3, 7, 40), (Fraction(1, 9), Fraction(1, 2), Fraction(39, 40))):
        exact = sum(
            math.comb(shots, k) * share**k * (1 - share) ** (shots - k) for k in range(min(hits, shots + 1), shots + 1)
        )
        found = tail_probability(shots, hits, float(share))
        assert math.isclose(found, max(exact, SMALLEST), rel_tol=1e-10)
        assert math.isclose(found, max(binom.sf(hits - 1, shots, float(share)), SMALLEST), rel_tol=1e-10)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.97])
@pytest.mark.parametrize("shots", [5, 60])
def test_the_interval_covers(shots, share):
    covered = sum(
        binom.pmf(hits, shots, share)
        for hits in range(shots + 1)
        if confidence_interval(shots, hits, 0.95)[0] <= share <= confidence_interval(shots, hits, 0.95)[1]
    )
    assert covered >= 0.95


def test_as_good_is_the_sum_over_outcomes():
    better, equal, shots = 0.1, 0.25, 6
    for hits in range(1, 7):
        exact = 0.0
        for low in range(shots + 1):
            for same in range(shots + 1 - low):
                if low or same >= hits:
                    ways = math.comb(shots, low) * math.comb(shots - low, same)
                    exact += ways * better**low * equal**same * (1 - better - equal) ** (shots - low - same)
        assert math.isclose(as_good(shots, hits, better, equal), exact, rel_tol=1e-10)
    assert as_good(5, 2, 0.0, 0.25) == tail_probability(5, 2, 0.25)
    assert as_good(5, 2, 1.0, 0.0) == 1.0


# The null of the projection.


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, 2**n - 1), min_size=1))))
def test_owners_are_the_nearest_codewords(drawn):
    qubits, words = drawn
    block = block_of(sorted(words), qubits)
    found = find_owners(block)
    for word in range(1 << qubits):
        single = find_nearest(block, word)
        assert found[word] == (-1 if single is None else single)


def flipped(space, flip, shots, rng):
    """States of uniform codewords with every bit flipped at this rate."""
    numbers = rng.integers(space.size, size=shots)
    bits = space.bits(numbers) ^ (rng.random((space.num_qubits, shots)) < flip)
    return (bits * (1 << np.arange(space.num_qubits))[:, None]).sum(axis=0)


@pytest.mark.parametrize("flip", [0.0, 0.1, 0.5])
def test_the_shares_of_the_null_are_those_of_a_simulation(flip):
    block = SPACE.blocks[0]
    space = Space((block,))
    states = flipped(space, flip, 200_000, np.random.default_rng(3))
    positions = find_owners(block)[states]
    kept = np.bincount(positions[positions >= 0], minlength=block.size)
    wanted = null_distribution(space, "nearest").weights[0][0][FLIPS.index(flip)]
    assert np.abs(kept / kept.sum() - wanted).max() < 5 * math.sqrt(0.25 / kept.sum())
    assert math.isclose(wanted.sum(), 1)
    if flip == 0.5:
        # All eight strings are as likely; 7 goes to 3, and 5 and 6 tie.
        assert np.allclose(wanted, [1 / 6, 1 / 6, 1 / 6, 2 / 6, 1 / 6])


SEVEN = block_of([0b000, 0b001, 0b010, 0b011, 0b100, 0b101, 0b110], 3)
FILL = UnreadFill((0, 1), (2,), ((0b00, (0, 1)), (0b01, (0, 1)), (0b10, (0, 1)), (0b11, (0,))))
"""The oracle reads two qubits of three; the word 11 has one codeword and not two."""


@pytest.mark.parametrize("projection", ["discard", "nearest"])
def test_what_is_not_measured_is_no_evidence(projection):
    """Uniform bits give the last word a quarter of the shots, not a seventh."""
    space = Space((make_binary(variable("s", 2)), SEVEN))
    fill = UnreadFill((1, 2), (3,), FILL.words)
    rng = np.random.default_rng(9)
    counts = fill_unread(counts_of(rng.integers(8, size=20_000)), [fill])
    arguments = {"marked": 2, "projection": projection}
    plain = read_out(counts, space, lambda v: v if v["t"] == 3 else None, **arguments)
    found = read_out(counts, space, lambda v: v if v["t"] == 3 else None, fills=[[fill]], **arguments)
    assert plain.p_value < 1e-100
    assert found.p_value > 0.001
    assert math.isclose(null_distribution(space, projection, [[fill]]).share([(0, 3), (1, 3)], 2), 1 / 4)
    assert math.isclose(null_distribution(space, projection, [[fill]]).share([(0, 0)], 1), 1 / 14)


@pytest.mark.parametrize(("problem", "encoding"), [(K4, "one-hot"), (K7, "table")])
def test_the_null_of_shortened_circuits_is_that_of_uniform_bits(problem, encoding):
    """Every string of the measured bits, carried through to codewords: solutions have more than their share."""
    compiled = gatesolve.compile(problem, presolve="none", encoding=encoding, level="minimised", iterations=1)
    finish, space = shorten_program(compiled.program).postprocessing, compiled.program.space
    width, marked = len(finish.measured), compiled.certificate.marked
    states = finish.states({format(word, f"0{width}b"): 720_720 for word in range(1 << width)})
    held = {state: space.decode(state) for state in states}
    inside = sum(shots for state, shots in states.items() if held[state] is not None)
    good = {state for state, values in held.items() if values is not None and compiled.model.check(values)}
    known = [locate_codeword(space, state, "discard")[0] for state in good]
    share = null_distribution(space, "discard", [finish.fills]).share(known, marked)
    assert len(known) == marked
    assert math.isclose(share, sum(states[state] for state in good) / inside)
    assert share > 1.3 * marked / space.size


def test_wide_blocks_are_refused_only_where_they_must_be_looked_at():
    space = Space((make_table(["t"], [(k,) for k in range(3)]), block_of([0, 1, 1 << 30], 31)))
    assert read_out({0: 1}, space, lambda _: None, marked=1).judged == 1
    with pytest.raises(DoesNotFitError, match="use discard"):
        read_out({0: 1}, space, lambda _: None, projection="nearest")


# Readouts of shots without information: small p-values are as rare as they say.


@pytest.mark.quick("*-discard-*", "1-nearest-0.5")
@pytest.mark.parametrize(
    ("projection", "flip"), [("discard", 0.0), ("discard", 0.5), ("nearest", 0.0), ("nearest", 0.5)]
)
@pytest.mark.parametrize("marked", [1, None])
def test_p_values_of_noise_are_not_too_small(projection, flip, marked):
    """The one solution is the codeword that the projection favours most."""
    rng = np.random.default_rng(11)
    values = []
    for _ in range(400):
        counts = counts_of(flipped(SPACE, flip, 30, rng))
        found = read_out(counts, SPACE, solves_heavy, marked=marked, projection=projection)
        values.append(1.0 if found.p_value is None else found.p_value)
    for bound in (0.3, 0.1, 0.02):
        share = np.mean(np.array(values) <= bound)
        assert share <= bound + 3 * math.sqrt(bound * (1 - bound) / len(values))


def solves_heavy(values):
    return values if values == {"a": 3, "b": 1} else None


def test_ending_when_lucky_is_paid_for():
    """A search of noise that goes on, ten shots at a time, until its p-value is small or it has had thirty rounds."""
    rng = np.random.default_rng(13)
    ended = fooled = 0
    for _ in range(400):
        counts = np.zeros(20, dtype=int)
        for look in range(1, 31):
            counts += rng.multinomial(10, np.full(20, 1 / 20))
            by_state = {SPACE.state(k): int(n) for k, n in enumerate(counts)}
            plain = tail_probability(10 * look, int(counts[19]), 1 / 20)
            fooled += plain <= 0.05
            if plain <= 0.05:
                break
        found = read_out(by_state, SPACE, solves, marked=1, looks=look)
        assert found.p_value == min(1.0, plain * look * (look + 1))
        ended += found.p_value <= 0.05
    assert fooled > 0.1 * 400
    assert ended <= 0.05 * 400


def test_energies_of_noise_are_not_too_good():
    rng = np.random.default_rng(7)
    energies = np.array([values["a"] * values["b"] for values in map(SPACE.assignment, range(20))])

    def rank(energy):
        return int((energies < energy).sum()), int((energies == energy).sum())

    values = []
    for _ in range(400):
        counts = counts_of(flipped(SPACE, 0.0, 6, rng))
        found = read_out(counts, SPACE, dict, marked=20, energy=lambda v: Fraction(v["a"] * v["b"]), rank=rank)
        values.append(found.best.p_value)
    for bound in (0.5, 0.2, 0.05):
        share = np.mean(np.array(values) <= bound)
        assert share <= bound + 3 * math.sqrt(bound * (1 - bound) / len(values))
