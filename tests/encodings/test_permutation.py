"""Permutation blocks: every codeword, its preparation and reflection, on values of any kind."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gatesolve
from gatesolve.circuit import Planes, count_cx, inverse, lower, run_ops
from gatesolve.encodings import make_permutation, make_spaces
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Linear, Model, NotEqual, Objective, Variable, find_solutions
from gatesolve.simulate import basis_terms, run_sparse

VALUES = st.sampled_from([(0, 1, 2), (-5, 0, 7), (1, 2, 3, 4), (-3, -1, 4, 9), (2, 3, 4, 5, 6), (-9, -2, 0, 1, 30)])


def names(number):
    return [f"v{k}" for k in range(number)]


def run(ops, width, bits):
    """For each input, a column of bits, the amplitudes that operations make of it, by word."""
    terms, found = run_sparse(lower(ops, width), basis_terms(bits)), [{} for _ in bits.T]
    for (number, word), amplitude in zip(terms.keys.tolist(), terms.amplitudes, strict=True):
        found[number][word] = amplitude
    return found


@pytest.mark.parametrize("number", range(3, 8))
def test_every_permutation_is_prepared_with_the_same_probability(number):
    values = tuple(k * k - 2 for k in range(number))
    block = make_permutation(names(number), values)
    assert set(block.tuples) == set(permutations(values))
    assert block.num_qubits == number * (number - 1).bit_length() + number * (number + 1) // 2 - 1
    (state,) = run(block.preparation, block.num_qubits, np.zeros((block.num_qubits, 1), dtype=bool))
    assert state.keys() == set(block.codewords)
    assert np.allclose(np.abs(list(state.values())), 1 / math.sqrt(block.size), atol=1e-12)


@pytest.mark.parametrize("number", range(3, 6))
def test_the_reflection_is_about_the_prepared_state(number):
    block = make_permutation(names(number), tuple(range(number)))
    (start,) = run(block.preparation, block.num_qubits, np.zeros((block.num_qubits, 1), dtype=bool))
    for way in block.ways:
        roots, idle = (sum(1 << q for q in some) for some in (way.roots, way.idle))
        whole = {}
        for word, part in zip(block.codewords, run(inverse(way.ops), block.num_qubits, block.bits.T), strict=True):
            assert not any(place & idle for place in part)
            kept = math.hypot(*(abs(a) for place, a in part.items() if not place & roots))
            assert kept == pytest.approx(1 / math.sqrt(block.size), abs=1e-9)
            for place, a in part.items():
                whole[place] = whole.get(place, 0) + start[word] * a
        assert math.hypot(*(abs(a) for place, a in whole.items() if place & roots)) == pytest.approx(0, abs=1e-9)


@pytest.mark.quick(2)
@pytest.mark.parametrize(("number", "exchanges"), [(6, 190), (8, 385), (9, 545)])
def test_the_shuffle_takes_so_many_cx(number, exchanges):
    block = make_permutation(names(number), tuple(range(number)))
    held = number * (number - 1).bit_length()
    shuffle = [op for op in block.preparation if min(op.wires) < held]
    assert count_cx(shuffle) == exchanges


def test_blocks_are_of_constraints_that_use_up_one_domain():
    x = [Variable(f"x{k}", (1, 2, 3)) for k in range(4)]
    whole = AllDifferent(("x0", "x1", "x2"))
    for space in make_spaces(Model(tuple(x), (whole,)), "permutation"):
        assert [block.variables for block in space.blocks] == [("x0", "x1", "x2"), ("x3",)]
    for others in (
        AllDifferent(("x0", "x1")),
        AllDifferent(("x0", "x1", "x2"), (0, 1, 2)),
        AllDifferent(("x0", "x1", "x2", "x3")),
        NotEqual("x0", "x1"),
    ):
        with pytest.raises(DoesNotFitError, match="needs an all-different"):
            make_spaces(Model(tuple(x), (others,)), "permutation")


@st.composite
def models(draw):
    """Permutations of values of any kind, beside one or two other variables of any domain."""
    values = draw(VALUES)
    inside = tuple(Variable(name, values) for name in names(len(values)))
    domains = st.sampled_from([(4,), (-1, 2), (0, 1, 2), (1, 3, 5, 7, 9)])
    beside = tuple(Variable(f"w{k}", draw(domains)) for k in range(draw(st.integers(0, 2))))
    every = [v.name for v in (*inside, *beside)]
    rules = [AllDifferent(tuple(v.name for v in inside))]
    for _ in range(draw(st.integers(1, 2))):
        pair = draw(st.lists(st.sampled_from(every), min_size=2, max_size=3, unique=True))
        terms = tuple((draw(st.sampled_from((-2, -1, 1, 3))), name) for name in pair)
        rules.append(Linear(terms, draw(st.sampled_from(("==", "<=", "!="))), draw(st.integers(-4, 8))))
    if draw(st.booleans()):
        rules.append(NotEqual(*draw(st.lists(st.sampled_from(every), min_size=2, max_size=2, unique=True)), 1))
    return Model((*inside, *beside), tuple(rules))


@settings(max_examples=15, deadline=None)
@given(models(), st.sampled_from(["literal", "merged", "minimised"]))
def test_the_oracle_marks_what_the_reference_solver_finds(model, level):
    wanted = {tuple(sorted(one.items())) for one in find_solutions(model, limit=1 << 12)}
    if not wanted:
        return
    compiled = gatesolve.compile(model, encoding="permutation", presolve="none", level=level)
    oracle, space = compiled.program.oracle, compiled.program.space
    bits = space.inputs(np.arange(space.size), oracle.num_qubits)
    planes = Planes.from_bits(bits)
    run_ops(oracle.ops, planes)
    assert np.array_equal(planes.unpack(planes.bits, space.size), bits)
    low, high = planes.unpack(planes.phase, space.size)
    # The sign is that of the solutions or of all others.
    assert len(set(low)) == 1
    parts = [{tuple(sorted(space.assignment(n).items())) for n in np.flatnonzero(high == sign)} for sign in (0, 1)]
    assert wanted in parts
    assert all(space.decode(space.state(n)) == space.assignment(n) for n in range(space.size))


def test_words_of_wrong_digits_are_no_codewords():
    block = make_permutation("abc", (1, 2, 3))
    word, digits = block.codewords[0], 6
    assert block.index.get(word) == 0
    assert block.index.get(word ^ 3 << digits) is None


def queens(size):
    columns = names(size)
    diagonals = (AllDifferent(tuple(columns), tuple(sign * k for k in range(size))) for sign in (1, -1))
    rules = (AllDifferent(tuple(columns)), *diagonals)
    return Model(tuple(Variable(name, tuple(range(size))) for name in columns), rules)


@pytest.mark.slow
def test_auto_takes_them_where_they_are_cheaper_and_fit():
    assert gatesolve.compile(queens(6), presolve="none").encoding == "permutation"
    columns = tuple(names(6))
    rules = AllDifferent(columns), Linear(tuple((1, name) for name in columns[:3]), "==", 6)
    model = Model(tuple(Variable(name, tuple(range(6))) for name in columns), rules)
    assert gatesolve.compile(model, presolve="none").encoding == "permutation"
    narrow = gatesolve.compile(model, presolve="none", max_qubits=32)
    assert narrow.encoding != "permutation"
    assert narrow.program.num_qubits <= 32


def test_disjoint_constraints_are_a_block_each():
    cells = [[f"r{i}c{j}" for j in range(3)] for i in range(3)]
    rules = [AllDifferent(tuple(line)) for line in (*cells, *zip(*cells, strict=True))]
    square = Model(tuple(Variable(name, (2, 3, 7)) for row in cells for name in row), tuple(rules))
    (space,) = make_spaces(square, "permutation")
    assert [block.variables for block in space.blocks] == [tuple(row) for row in cells]
    compiled = gatesolve.compile(square, encoding="permutation", presolve="none", level="literal")
    assert compiled.certificate.marked == 12
    assert len(compiled.program.oracle.conditions) == 3


@pytest.mark.parametrize("pipeline", ["gas", "qaoa"])
def test_objectives_are_searched_on_permutations(pipeline):
    columns = tuple(names(3))
    goal = Objective(((3, "v0"), (-2, "v1"), (5, "v2")), 1, "min")
    model = Model(tuple(Variable(name, (-3, 1, 8)) for name in columns), (AllDifferent(columns),), goal)
    best = min(3 * a - 2 * b + 5 * c + 1 for a, b, c in permutations((-3, 1, 8)))
    options = {"evaluations": 20, "layers": 2} if pipeline == "qaoa" else {}
    found = gatesolve.solve(model, pipeline=pipeline, encoding="permutation", presolve="none", **options)
    assert found.energy == best
    assert found.compiled.encoding == "permutation"


def test_what_has_no_permutation_blocks_says_so():
    columns = tuple(names(3))
    model = Model(tuple(Variable(name, (0, 1, 2)) for name in columns), (AllDifferent(columns),))
    options = {"encoding": "permutation", "presolve": "none"}
    with pytest.raises(DoesNotFitError, match="no classical oracle: use oracle='constraints'"):
        gatesolve.compile(model, oracle="classical", **options)
    with pytest.raises(DoesNotFitError, match="no penalties: use encoding='one-hot' or 'binary'"):
        gatesolve.formulate(model, encoding="permutation")
    with pytest.raises(DoesNotFitError, match="no penalties"):
        gatesolve.solve(model, pipeline="gas", energy_from="penalties", **options)
