"""Codewords in planes: the same bits and truths as codeword by codeword."""

import random

import numpy as np
import pytest

from gatesolve.circuit import unpack_plane
from gatesolve.encodings import list_slices, make_spaces
from gatesolve.model import Linear, Model, Variable


def draw_model(seed: int) -> Model:
    draw = random.Random(seed)
    domains = [sorted(draw.sample(range(-3, 9), draw.choice([1, 2, 3, 5]))) for _ in range(draw.randint(1, 6))]
    variables = tuple(Variable(f"v{k}", tuple(domain)) for k, domain in enumerate(domains))
    constraints = []
    for _ in range(draw.randint(0, 4)):
        scope = draw.sample([v.name for v in variables], draw.randint(1, len(variables)))
        terms = tuple((draw.choice([1, 2, -1]), name) for name in scope)
        constraints.append(Linear(terms, draw.choice(["<=", "==", "!="]), draw.randint(-3, 8)))
    return Model(variables, tuple(constraints))


@pytest.mark.quick(6)
@pytest.mark.parametrize("kind", ["one-hot", "binary", "domain-wall", "table"])
@pytest.mark.parametrize("length", [1, 7, 64, 100, 1 << 18])
def test_slices_hold_every_codeword_once(kind, length):
    for seed in range(12):
        model = draw_model(seed)
        for space in make_spaces(model, kind):
            numbers = np.arange(space.size)
            bits, holds = space.bits(numbers), np.broadcast_to(model.holds(space.values(numbers)), numbers.shape)
            end = 0
            for part in list_slices(model, space, length):
                assert part.start == end
                assert 0 < part.length <= length
                end += part.length
                for qubit in range(space.num_qubits):
                    assert (unpack_plane(part.bits[qubit], part.length) == bits[qubit, part.start : end]).all()
                assert (unpack_plane(part.holds, part.length) == holds[part.start : end]).all()
                assert int(np.bitwise_count(part.holds).sum()) == holds[part.start : end].sum()
            assert end == space.size


def test_a_long_block_is_cut():
    """Its last part is shorter, and constraints with and without it hold where they should."""
    variables = (Variable("a", (0, 1, 2)), Variable("b", tuple(range(50))), Variable("c", (-1, 1)))
    rules = (
        Linear(((1, "a"), (1, "b")), "!=", 3),
        Linear(((1, "a"), (1, "c")), "!=", 0),
        Linear(((1, "b"),), "<=", 40),
    )
    model = Model(variables, rules)
    (space,) = make_spaces(model, "binary")
    numbers = np.arange(space.size)
    parts = list(list_slices(model, space, 64))
    assert {part.length for part in parts} == {63, 24}
    found = np.concatenate([unpack_plane(part.holds, part.length) for part in parts])
    assert (found == model.holds(space.values(numbers))).all()


def test_processes_share_the_slices():
    model = Model(tuple(Variable(f"v{k}", (0, 1, 2)) for k in range(5)))
    (space,) = make_spaces(model, "one-hot")
    every = [part.start for part in list_slices(model, space, 10)]
    shares = [[part.start for part in list_slices(model, space, 10, first, 3)] for first in range(3)]
    assert sorted(start for share in shares for start in share) == every
