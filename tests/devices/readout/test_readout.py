"""What is said of counts: boards, verdicts, energies, mitigated shares, and what is refused."""

import json
import math
from fractions import Fraction
from itertools import product

import pytest

from gatesolve.devices.readout import read_out
from gatesolve.devices.readout.null import tail_probability
from gatesolve.encodings import Space, make_binary, make_domain_wall
from gatesolve.errors import InputError
from gatesolve.model import Variable

SPACE = Space((make_binary(Variable("a", tuple(range(5)))), make_domain_wall(Variable("b", tuple(range(4))))))
"""Twenty codewords on six qubits, both blocks with strings that have one nearest codeword."""


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
    assert found.p_value == tail_probability(1000, 412, 1 / 20)
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
    assert (found.best.energy, found.best.shots, found.best.p_value) == (6, 3, tail_probability(100, 3, 1 / 20))
    assert found.verdict.startswith("best energy 6 (the best there is) in 3 of 100 shots, found by luck: uniform")
    assert found.board.energy == 4
    assert any(
        line.startswith("best energy: 6 in 3 shots; 0 codewords are better and 1 as g") for line in found.lines()
    )
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
    assert found.p_value > tail_probability(10, 10, 1 / 20)
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
