"""Graph colouring as a model, blocks under chosen codewords, and reading values off."""

import itertools
import math
import random
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator, Statevector

import gatesolve
from gatesolve.api.colouring import as_graph, colouring, read_dimacs
from gatesolve.circuit import certify, inverse
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.simulate import Planes, run
from gatesolve.encodings import Space
from gatesolve.encodings.block import one_hot
from gatesolve.encodings.readout import readout
from gatesolve.encodings.recode import by_value, coded, recoded, replaced, searched
from gatesolve.encodings.shapes import groups, shape
from gatesolve.errors import InfeasibleError, InputError
from gatesolve.model import Model, NotEqual, Variable
from gatesolve.oracle.levels import minimised_conditions
from gatesolve.oracle.rewrite import rewritten, twisted_oracle, untwisted
from gatesolve.pipelines.amplification import grover_program, success_probability
from gatesolve.pipelines.certify import phase_check

CONTEST = Path(__file__).parents[2] / "circuits" / "colouring-2019"
SQUARE = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]


def test_a_square_with_a_diagonal_has_six_colourings():
    compiled = gatesolve.compile(colouring(SQUARE, 3))
    assert compiled.certificate.marked == 6
    solution = gatesolve.solve(colouring(SQUARE, 3, {"a": 2})).solution
    assert solution is not None
    assert solution["a"] == 2
    assert all(solution[u] != solution[v] for u, v in SQUARE)


def test_networkx_graphs_and_isolated_vertices():
    graph = SimpleNamespace(nodes=[0, 1, 2, 7], edges=[(0, 1), (1, 2)])  # what is read of a networkx graph
    model = colouring(graph, 2)
    assert [v.name for v in model.variables] == ["0", "1", "2", "7"]
    assert model.constraints == (NotEqual("0", "1"), NotEqual("1", "2"))


def test_edges_given_twice_count_once():
    assert as_graph([(1, 2), (2, 1), (1, 2)]).edges == ((1, 2),)


def test_dimacs(tmp_path):
    path = tmp_path / "g.col"
    path.write_text("c a triangle and a lone vertex\np edge 4 6\ne 1 2\ne 2 1\ne 2 3\ne 3 1\n")
    graph = read_dimacs(path)
    assert graph.nodes == (1, 2, 3, 4)
    assert graph.edges == ((1, 2), (2, 3), (1, 3))
    assert len(colouring(path, 3).variables) == 4


@pytest.mark.parametrize(
    ("text", "row", "said"),
    [
        ("e 1 2\n", 1, "p edge"),
        ("p edge 2\n", 1, "whole numbers"),
        ("p edge 2 1\ne 1 3\n", 2, "outside"),
        ("p edge 2 1\ne 1 1\n", 2, "itself"),
        ("p edge 2 1\nx 1 2\n", 2, "'e U V'"),
        ("p edge 2 1\ne 1\n", 2, "whole numbers"),
    ],
)
def test_faulty_dimacs_names_the_row(tmp_path, text, row, said):
    path = tmp_path / "bad.col"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        read_dimacs(path)
    assert caught.value.row == row


def test_dimacs_that_is_missing_or_empty(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_dimacs(tmp_path / "none.col")
    (tmp_path / "empty.col").write_text("c nothing\n")
    with pytest.raises(InputError, match="no line"):
        read_dimacs(tmp_path / "empty.col")


@pytest.mark.parametrize(
    ("edges", "colours", "fixed"),
    [
        ([("a", "a")], 3, {}),
        ([("a",)], 3, {}),
        ([3], 3, {}),
        (SQUARE, 0, {}),
        (SQUARE, True, {}),
        (SQUARE, 3, {"z": 0}),
        (SQUARE, 3, {"a": 3}),
        ([(1, 2), ("1", 3)], 3, {}),
    ],
)
def test_bad_graphs_are_refused(edges, colours, fixed):
    with pytest.raises(InputError):
        colouring(edges, colours, fixed)


def test_two_joined_vertices_fixed_alike():
    with pytest.raises(InfeasibleError):
        colouring(SQUARE, 3, {"a": 1, "b": 1})


@pytest.mark.parametrize("missing", range(4))
def test_three_words_have_one_root(missing):
    words = [w for w in range(4) if w != missing]
    found = shape(words, 2)
    assert found is not None
    assert found.mirror_roots == (0,)
    state = Statevector(lower(found.preparation, 2)).data
    assert np.allclose(np.abs(state) ** 2, [w in words for w in range(4)] / np.float64(3))
    undo = Operator(lower(found.mirror, 2)).data.conj().T
    start = np.zeros(4)
    start[words] = 1 / math.sqrt(3)
    assert np.allclose((undo @ start)[[1, 3]], 0)
    for across in ([1, -1, 0], [1, 1, -2]):
        other = np.zeros(4)
        other[words] = across
        assert np.allclose((undo @ other)[[0, 2]], 0)


def test_groups_are_the_finest_product():
    assert groups([w | b << 1 | 1 << 3 for w in (0, 1) for b in (0, 1, 2, 3)], 4) == [(0,), (1,), (2,), (3,)]
    assert groups([0b000, 0b011, 0b001, 0b100, 0b111, 0b101], 3) == [(0, 1), (2,)]
    assert shape([0, 1, 2, 4], 3) is None


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_any_set_with_a_shape_is_prepared_and_reflected_about(seed):
    draw = random.Random(seed)
    width = draw.randint(1, 4)
    words = draw.sample(range(1 << width), draw.randint(1, 1 << width))
    found = shape(words, width)
    if found is None:
        return
    state = Statevector(lower(found.preparation, width)).data
    assert np.allclose(np.abs(state) ** 2, [(w in words) / len(words) for w in range(1 << width)])
    undo = Operator(lower(found.mirror, width)).data.conj().T
    zero = [w for w in range(1 << width) if not any(w >> q & 1 for q in found.mirror_roots)]
    inside = undo[np.ix_(zero, words)]
    assert np.allclose(inside.conj().T @ inside, np.full((len(words), len(words)), 1 / len(words)))


def test_codewords_that_cannot_be():
    for words in ([0, 0, 1], [0, 1, 4], [0, 1]):
        with pytest.raises(InputError):
            coded(("x",), [(0,), (1,), (2,)], words, 2)
    with pytest.raises(InputError, match="no preparation"):
        coded(("x",), [(k,) for k in range(4)], [0, 1, 2, 4])
    with pytest.raises(InputError, match="digits"):
        by_value(Variable("x", (-1, 0)))


def test_values_are_their_own_digits():
    block = by_value(Variable("x", (1, 3)))
    assert block.codewords == (1, 3)
    assert block.roots == (1,)
    space = Space((block, by_value(Variable("y", (0, 1, 2, 3)))))
    read = readout(space, 2)
    assert read.places["y"] == (2, 3)
    check_readout(space, 2)


def check_readout(space, width):
    read = readout(space, width, beam=20)
    numbers = np.arange(space.size)
    bits = np.zeros((read.num_qubits, space.size), dtype=bool)
    bits[: space.num_qubits] = space.bits(numbers)
    planes = Planes.from_bits(bits)
    run(read.ops, planes)
    after = planes.unpack(planes.bits, space.size)
    used = [q for places in read.places.values() for q in places]
    assert len(set(used)) == len(used)
    for name, values in space.values(numbers).items():
        for bit, qubit in enumerate(read.places[name]):
            assert np.array_equal(after[qubit], values >> bit & 1), (name, bit)
    return read


def triangle(draw, domains=((0, 1, 2), (0, 1, 2), (1, 3))):
    tuples = [t for t in itertools.product(*domains) if len(set(t)) == 3]
    return coded(("a", "b", "c"), tuples, draw.sample(range(len(tuples)), len(tuples)))


@pytest.mark.parametrize("seed", range(1))
def test_readout_gives_every_digit_of_every_codeword(seed):
    draw = random.Random(seed)
    pair = [(a, b) for a in (0, 2, 3) for b in (0, 2, 3) if a != b]
    words = [t | b << 2 for t in draw.sample(range(4), 3) for b in (0, 1)]
    check_readout(Space((triangle(draw), coded(("d", "e"), pair, draw.sample(words, 6), 3))), 2)


def test_readout_of_a_one_hot_block_and_of_a_constant():
    check_readout(Space((one_hot(Variable("x", (0, 2, 3))), by_value(Variable("y", (2,))))), 2)


def test_recoded_blocks_keep_their_tuples():
    block = triangle(random.Random(3))
    other = recoded(block, tuple(w ^ 5 for w in block.codewords))
    assert other.tuples == block.tuples
    assert set(other.codewords) == set(block.codewords)
    space = replaced(Space((block, block)), 1, other)
    assert space.blocks == (block, other)


def test_searched_codewords_are_cheaper_and_repeatable():
    space = Space((triangle(random.Random(0)),))

    def price(found):
        block = found.blocks[0]
        return sum(w * k for k, w in enumerate(block.codewords))

    found = searched(space, price, steps=60, seed=1)
    assert price(found) < price(space)
    assert found == searched(space, price, steps=60, seed=1)
    assert found.blocks[0].tuples == space.blocks[0].tuples


@pytest.fixture(scope="module")
def wheel():
    """A hub and a rim of four, four colours: the hub and a rim vertex as a pair, the others alone."""
    edges = [("h", r) for r in "abcd"] + [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    model = colouring(edges, 4, {"h": 3})
    free = [v if v.name == "h" else Variable(v.name, (0, 1, 2)) for v in model.variables]
    model = Model(tuple(free), model.constraints)
    pair = [(a, b) for a in range(3) for b in range(3) if a != b]
    words = [t | b << 2 for t in range(3) for b in (0, 1)]
    blocks = (coded(("a", "b"), pair, words, 3), coded(("c", "d"), pair, words, 3), by_value(Variable("h", (3,))))
    return model, Space(blocks)


@pytest.mark.parametrize("seed", range(4))
def test_rewritten_conditions_are_the_same_on_every_codeword(wheel, seed):
    model, space = wheel
    conditions = minimised_conditions(model, space, 6)
    found = rewritten(conditions, space, steps=1500, seed=seed)
    oracle = twisted_oracle(found)
    certificate, _ = certify(phase_check(model, found.space, untwisted(oracle, found)), space.size, 0)
    # A cycle of four has 2^4 + 2 colourings in three colours.
    assert certificate.marked == 18


def test_a_twist_permutes_the_codewords_and_commutes_with_the_reflection(wheel):
    model, space = wheel
    conditions = minimised_conditions(model, space, 6)
    found = next(r for seed in range(40) if (r := rewritten(conditions, space, steps=400, seed=seed)).twist)
    numbers = np.arange(space.size)
    planes = Planes.from_bits(found.space.bits(numbers))
    run(found.twist, planes)
    twisted = planes.unpack(planes.bits, space.size)
    states = (twisted.astype(np.int64) << np.arange(space.num_qubits)[:, None]).sum(axis=0)
    assert {found.space.state(int(n)) for n in numbers} == set(states.tolist())
    oracle = twisted_oracle(found)
    program = grover_program(found.space, oracle, 1)
    state = Statevector(lower(program.ops + inverse(found.twist), program.num_qubits))
    chances = state.probabilities(list(range(space.num_qubits)))
    solved = sum(chances[found.space.state(int(n))] for n in numbers if model.check(found.space.assignment(int(n))))
    assert solved == pytest.approx(success_probability(space.size, 18, 1))
