"""What is said of counts: boards, verdicts, energies, mitigated shares, and what is refused."""

import json
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
from gatesolve.devices import null, readout
from gatesolve.encodings import Block, Space, make_binary, make_domain_wall, make_table
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.model import Variable
from gatesolve.programs import postprocess, unread

SPACE = Space((make_binary(Variable("a", tuple(range(5)))), make_domain_wall(Variable("b", tuple(range(4))))))
"""Twenty codewords on six qubits, both blocks with strings that have one nearest codeword."""


def read_out(counts, space, accept, mitigated=None, **known):
    """Judge counts; what is ``known`` are fields of `Counted` and of `Sought`."""
    energy = {name: known.pop(name) for name in ("energy", "rank", "goal") if name in known}
    sought = readout.Sought(**energy) if energy else None
    return readout.read_out(readout.Counted(counts, space, **known), accept, sought, mitigated)


def solves(values):
    return values if values["a"] + values["b"] == 7 else None


def solves_heavy(values):
    return values if values == {"a": 3, "b": 1} else None


def state(a, b):
    return SPACE.state(SPACE.number({"a": a, "b": b}))


def test_a_signal():
    counts = {state(4, 3): 412, state(0, 0): 300, state(1, 0): 288, 7: 24}
    found = read_out(counts, SPACE, solves, marked=1)
    assert (found.shots, found.in_space, found.repaired, found.outside, found.accepted) == (1024, 1000, 0, 24, 412)
    assert found.board.solution == {"a": 4, "b": 3}
    assert found.top_accepted
    assert found.p_value == null.tail_probability(1000, 412, 1 / 20)
    assert math.isclose(found.enrichment.value, 8.24)
    assert math.isclose(found.enrichment.per_shot, 412 * 20 / 1024)
    assert found.enrichment.low < 8.24 < found.enrichment.high
    assert math.isclose(found.guess_chance, 1 - 0.95**1024)
    assert found.verdict.startswith(
        "412 of 1000 shots in the space (1024 in all) gave an accepted board, 8.2 times as many as chance (p = "
    )
    assert any("24 thrown away" in line for line in found.lines())
    assert json.loads(json.dumps(found.as_dict()))["boards"] == [
        {"solution": {"a": 4, "b": 3}, "shots": 412, "energy": None}
    ]


@pytest.mark.parametrize(
    ("counts", "marked", "said"),
    [
        ({}, 1, "no shots were taken: nothing can be said"),
        ({7: 5}, 1, "none of 5 shots is a codeword of the space: nothing can be said"),
        ({0: 5}, 1, "none of 5 shots gave an accepted board; as many guesses find one with probability 0.23"),
        ({0: 5}, 0, "none of 5 shots gave an accepted board: no codeword is a solution"),
        ({0: 5}, None, "none of 5 shots gave an accepted board"),
        (
            {(4, 3): 1, (0, 0): 10},
            1,
            "1 of 11 shots gave an accepted board, found by luck: uniform guessing gives as many with probability 0.43",
        ),
        ({(4, 3): 2, (0, 0): 4}, 1, "2 of 6 shots gave an accepted board, 6.7 times as many as chance: weak evidence "),
        ({(4, 3): 1024}, 1, "1024 of 1024 shots gave an accepted board, 20 times as many as chance (p below 1e-300)"),
        ({(4, 3): 5, 7: 200}, 1, "5 of 5 shots in the space (205 in all) gave an accepted board, 20 times as many as "),
        (
            {(4, 3): 1, (0, 0): 10},
            None,
            "1 of 11 shots gave an accepted board; whether by luck cannot be told: how many solutions there are is un",
        ),
        (
            {(4, 3): 9, (0, 0): 2},
            None,
            "9 of 11 shots gave an accepted board, 9 of them the same, which guessing repeats so often with probab",
        ),
    ],
)
def test_verdicts(counts, marked, said):
    counts = {key if isinstance(key, int) else state(*key): shots for key, shots in counts.items()}
    found = read_out(counts, SPACE, solves, marked=marked)
    assert found.verdict.startswith(said)
    assert "\n" not in found.verdict
    assert found.lines()[0] == found.verdict
    json.dumps(found.as_dict(), allow_nan=False)


def test_the_best_energy():
    counts = {state(4, 3): 3, state(4, 2): 50, state(0, 0): 47}
    arguments = {"energy": lambda v: Fraction(v["a"] * v["b"], 2), "goal": "max", "marked": 20}
    found = read_out(counts, SPACE, dict, rank=lambda e: (0, 1) if e == 6 else (1, 1), **arguments)
    assert (found.best.energy, found.best.shots, found.best.p_value) == (6, 3, null.tail_probability(100, 3, 1 / 20))
    assert found.verdict.startswith("best value 6 (the best there is) in 3 of 100 shots, found by luck: uniform")
    assert found.board.energy == 4
    assert any(line.startswith("best value: 6 in 3 shots; 0 codewords are better and 1 as g") for line in found.lines())
    many = read_out({state(4, 3): 60, state(0, 0): 40}, SPACE, dict, rank=lambda _: (0, 1), **arguments)
    assert "better than chance (p = " in many.verdict
    bare = read_out(counts, SPACE, dict, **arguments)
    assert bare.best.p_value is None
    assert any("how many codewords are as good is unknown" in line for line in bare.lines())
    json.dumps(found.as_dict(), allow_nan=False)
    with pytest.raises(InputError, match="cannot be better"):
        read_out(counts, SPACE, dict, rank=lambda _: (0, 0), **arguments)


def test_projection_repairs_what_has_one_nearest_codeword():
    # Block a reads 7, nearest to 3 alone; block b is 0b001, that is 1.
    repairable, tied = 0b001_111, 0b001_101
    counts = {repairable: 6, state(3, 1): 4, tied: 2}
    found = read_out(counts, SPACE, solves_heavy, marked=1, projection="nearest")
    assert (found.in_space, found.repaired, found.outside, found.accepted) == (4, 6, 2, 10)
    assert found.p_value > null.tail_probability(10, 10, 1 / 20)
    plain = read_out(counts, SPACE, solves_heavy, marked=1)
    assert (plain.in_space, plain.repaired, plain.outside, plain.accepted) == (4, 0, 8, 4)
    assert not plain.top_accepted
    assert found.top_accepted


def test_boards_are_in_one_order_and_merged():
    counts = {state(a, b): 2 + (a == 2) for a, b in product(range(5), range(4))}
    accept = {0: 1, 1: 1, 2: 2, 3: 3, 4: None}

    def merged(values):
        return None if accept[values["a"]] is None else {"x": accept[values["a"]], "y": values["b"]}

    found = read_out(counts, SPACE, merged, marked=16)
    assert found == read_out(dict(reversed(counts.items())), SPACE, merged, marked=16)
    assert [(b.solution["x"], b.solution["y"], b.shots) for b in found.boards] == [
        *((1, y, 4) for y in range(4)),
        *((2, y, 3) for y in range(4)),
        *((3, y, 2) for y in range(4)),
    ]
    assert found.accepted == 36


def test_mitigated_shares_stand_beside_the_counts():
    counts = {state(4, 3): 40, state(0, 0): 50, 7: 10}
    raw = read_out(counts, SPACE, solves, marked=1)
    found = read_out(counts, SPACE, solves, marked=1, mitigated={state(4, 3): 0.9, state(0, 0): 0.05, 7: 0.05})
    assert (found.mitigated.accepted, found.mitigated.best) == (0.9, {"a": 4, "b": 3})
    assert math.isclose(found.mitigated.in_space, 0.95)
    assert (found.p_value, found.enrichment, found.boards) == (raw.p_value, raw.enrichment, raw.boards)
    assert found.lines()[-1].startswith("mitigated: 0.9 accepted, 0.95 in the space (raw: 0.4, 0.9)")
    with pytest.raises(InputError, match="probabilities"):
        read_out(counts, SPACE, solves, mitigated={0: -0.1, 1: 1.1})


@pytest.mark.parametrize(
    ("counts", "marked", "projection", "said"),
    [
        ({0: -1}, 1, "discard", "none negative"),
        ({0: 1.5}, 1, "discard", "whole numbers"),
        ({64: 1}, 1, "discard", "6 qubits"),
        ({-1: 1}, 1, "discard", "6 qubits"),
        ({0: 1}, 21, "discard", "cannot be"),
        ({0: 1}, -1, "discard", "cannot be"),
        ({0: 1}, 1, "guess", "discard or nearest"),
        ({state(4, 3): 1}, 0, "discard", "of another problem"),
    ],
)
def test_damaged_counts_are_refused(counts, marked, projection, said):
    with pytest.raises(InputError, match=said):
        read_out(counts, SPACE, solves, marked=marked, projection=projection)
    with pytest.raises(InputError, match="at least once"):
        read_out({}, SPACE, solves, looks=0)


# --- Counts judged against chance: the null distributions, by exact sums and by simulation ---


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
        found = null.tail_probability(shots, hits, float(share))
        assert math.isclose(found, max(exact, null.SMALLEST), rel_tol=1e-10)
        assert math.isclose(found, max(binom.sf(hits - 1, shots, float(share)), null.SMALLEST), rel_tol=1e-10)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.97])
@pytest.mark.parametrize("shots", [5, 60])
def test_the_interval_covers(shots, share):
    covered = sum(
        binom.pmf(hits, shots, share)
        for hits in range(shots + 1)
        if null.confidence_interval(shots, hits, 0.95)[0] <= share <= null.confidence_interval(shots, hits, 0.95)[1]
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
        assert math.isclose(null.as_good(shots, hits, better, equal), exact, rel_tol=1e-10)
    assert null.as_good(5, 2, 0.0, 0.25) == null.tail_probability(5, 2, 0.25)
    assert null.as_good(5, 2, 1.0, 0.0) == 1.0


# The null of the projection.


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, 2**n - 1), min_size=1))))
def test_owners_are_the_nearest_codewords(drawn):
    qubits, words = drawn
    block = block_of(sorted(words), qubits)
    found = null.find_owners(block)
    for word in range(1 << qubits):
        single = null.find_nearest(block, word)
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
    positions = null.find_owners(block)[states]
    kept = np.bincount(positions[positions >= 0], minlength=block.size)
    wanted = null.null_distribution(space, "nearest").weights[0][0][null.FLIPS.index(flip)]
    assert np.abs(kept / kept.sum() - wanted).max() < 5 * math.sqrt(0.25 / kept.sum())
    assert math.isclose(wanted.sum(), 1)
    if flip == 0.5:
        # All eight strings are as likely; 7 goes to 3, and 5 and 6 tie.
        assert np.allclose(wanted, [1 / 6, 1 / 6, 1 / 6, 2 / 6, 1 / 6])


SEVEN = block_of([0b000, 0b001, 0b010, 0b011, 0b100, 0b101, 0b110], 3)
FILL = unread.UnreadFill((0, 1), (2,), ((0b00, (0, 1)), (0b01, (0, 1)), (0b10, (0, 1)), (0b11, (0,))))
"""The oracle reads two qubits of three; the word 11 has one codeword and not two."""


@pytest.mark.parametrize("projection", ["discard", "nearest"])
def test_what_is_not_measured_is_no_evidence(projection):
    """Uniform bits give the last word a quarter of the shots, not a seventh."""
    space = Space((make_binary(Variable("s", (0, 1))), SEVEN))
    fill = unread.UnreadFill((1, 2), (3,), FILL.words)
    rng = np.random.default_rng(9)
    counts = unread.fill_unread(counts_of(rng.integers(8, size=20_000)), [fill])
    arguments = {"marked": 2, "projection": projection}
    plain = read_out(counts, space, lambda v: v if v["t"] == 3 else None, **arguments)
    found = read_out(counts, space, lambda v: v if v["t"] == 3 else None, fills=[[fill]], **arguments)
    assert plain.p_value < 1e-100
    assert found.p_value > 0.001
    assert math.isclose(null.null_distribution(space, projection, [[fill]]).share([(0, 3), (1, 3)], 2), 1 / 4)
    assert math.isclose(null.null_distribution(space, projection, [[fill]]).share([(0, 0)], 1), 1 / 14)


@pytest.mark.parametrize(("problem", "encoding"), [(K4, "one-hot"), (K7, "table")])
def test_the_null_of_shortened_circuits_is_that_of_uniform_bits(problem, encoding):
    """Every string of the measured bits, carried through to codewords: solutions have more than their share."""
    compiled = gatesolve.compile(problem, presolve="none", encoding=encoding, level="minimised", iterations=1)
    finish, space = postprocess.shorten_program(compiled.program).postprocessing, compiled.program.space
    width, marked = len(finish.measured), compiled.certificate.marked
    states = finish.states({format(word, f"0{width}b"): 720_720 for word in range(1 << width)})
    held = {state: space.decode(state) for state in states}
    inside = sum(shots for state, shots in states.items() if held[state] is not None)
    good = {state for state, values in held.items() if values is not None and compiled.model.check(values)}
    known = [null.locate_codeword(space, state, "discard")[0] for state in good]
    share = null.null_distribution(space, "discard", [finish.fills]).share(known, marked)
    assert len(known) == marked
    assert math.isclose(share, sum(states[state] for state in good) / inside)
    assert share > 1.3 * marked / space.size


def test_wide_blocks_are_refused_only_where_they_must_be_looked_at():
    space = Space((make_table(["t"], [(k,) for k in range(3)]), block_of([0, 1, 1 << 30], 31)))
    assert read_out({0: 1}, space, lambda _: None, marked=1).judged == 1
    with pytest.raises(DoesNotFitError, match="use discard"):
        read_out({0: 1}, space, lambda _: None, projection="nearest")


# Readouts of shots without information: small p-values are as rare as they say.


@pytest.mark.sampled(1)
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


def test_ending_when_lucky_is_paid_for():
    """A search of noise that goes on, ten shots at a time, until its p-value is small or it has had thirty rounds."""
    rng = np.random.default_rng(13)
    ended = fooled = 0
    for _ in range(400):
        counts = np.zeros(20, dtype=int)
        for look in range(1, 31):
            counts += rng.multinomial(10, np.full(20, 1 / 20))
            by_state = {SPACE.state(k): int(n) for k, n in enumerate(counts)}
            plain = null.tail_probability(10 * look, int(counts[19]), 1 / 20)
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
