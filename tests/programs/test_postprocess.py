"""Circuits without their last basis-state operations against the whole ones, exactly."""

import json
from dataclasses import replace

import kept
import numpy as np
import pytest
from contest_kakuro import K4, K7
from exact_counts import distribution
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit

import gatesolve
from gatesolve.circuit import And, Gate, Mcx, Parity, PhaseFlip, Xor, named_circuit
from gatesolve.encodings import Block, Space, find_shape
from gatesolve.encodings import block as blocks
from gatesolve.encodings.block import Mirror
from gatesolve.encodings.converter import structure, unstructure
from gatesolve.errors import InputError
from gatesolve.model import Linear, NotEqual, Variable
from gatesolve.oracle import Oracle
from gatesolve.pipelines import qaoa_template
from gatesolve.programs import grover_program, measure_qubits, postprocess, real_state
from gatesolve.programs.postprocess import (
    LINE_TRIES,
    IsaShape,
    Postprocessing,
    list_shapes,
    shorten_program,
    split_postprocessing,
    write_shape,
)
from gatesolve.programs.program import Program
from gatesolve.programs.reflection import reflection_about_start
from gatesolve.programs.section import Section
from gatesolve.programs.unread import UnreadFill, fill_unread
from gatesolve.qubo import Cost, SoftConstraint

MANY = 10**15
"""Shots that stand for probability 1."""


def spread(finish, probabilities):
    """The probabilities of basis states behind those of measured keys."""
    counts = finish.states({key: round(value * MANY) for key, value in probabilities.items()})
    return {state: shots / MANY for state, shots in counts.items()}


def assert_same(found, expected):
    assert max(abs(found.get(key, 0) - expected.get(key, 0)) for key in {*found, *expected}) < 1e-9


def searched_whole(program):
    """The same search in all of its space, qubits that the oracle never reads included."""
    if not program.search.fills:
        return program
    space, ancillas = program.space, program.num_ancillas
    ops = program.oracle.ops + reflection_about_start(space, ancillas, program.lowering.metric)
    sections = (Section("preparation", space.preparation), replace(program.section("iteration"), ops=ops))
    return Program(space, sections, ancillas)


def assert_equal_in_distribution(program, circuits=("named", "lowered", "line 1", "line 2", "line 5")):
    whole = {int(key, 2): value for key, value in distribution(searched_whole(program).lowered).items()}
    own = {int(key, 2): round(value * MANY) for key, value in distribution(program.lowered).items()}
    assert_same({state: shots / MANY for state, shots in fill_unread(own, program.search.fills).items()}, whole)
    short = shorten_program(program)
    for name in circuits:
        if name in short.circuits:
            assert_same(spread(short.postprocessing, distribution(short.circuits[name])), whole)
    return short


def searched(model, encoding, iterations, presolve="none"):
    program = kept.compiled(model, presolve=presolve, encoding=encoding, level="minimised").program
    return program.with_iterations(iterations)


@pytest.mark.quick("0", "1")
@pytest.mark.parametrize("iterations", [0, 1, 3])
def test_k7_leaves_out_the_qubit_that_its_oracle_never_reads(iterations):
    program = searched(K7, "table", iterations)
    short = assert_equal_in_distribution(program)
    assert short.lowered.count_ops().get("cx", 0) <= program.lowered.count_ops().get("cx", 0) <= 24 * iterations
    assert searched_whole(program).lowered.count_ops()["cx"] > program.lowered.count_ops().get("cx", 0)
    assert (len(short.postprocessing.measured), short.lowered.num_qubits) == (4, 5 if iterations else 4)


def test_qaoa_in_numbers_measures_numbers():
    space = Space(tuple(blocks.make_one_hot(Variable(f"x{k}", (0, 1, 2, 3))) for k in range(3)))
    rules = [NotEqual("x0", "x1"), Linear(((1, "x0"), (1, "x2")), "==", 3)]
    cost = Cost(tuple(SoftConstraint(1, rule) for rule in rules))
    program = qaoa_template(space, cost, block_coding="numbers", layers=1).program((0.37,), (0.71,))
    short = assert_equal_in_distribution(program, ("lowered", "line 1"))
    assert (program.num_qubits, short.num_qubits, len(short.postprocessing.measured)) == (12, 6, 6)
    assert short.lowered.count_ops()["cx"] < program.lowered.count_ops()["cx"]


def test_the_erasing_circuit_measures_the_same():
    program = searched(K7, "table", 1).with_lowering(measured=True)
    short = shorten_program(program)
    circuit = short.circuits["measured"]
    assert circuit.cregs[0].name == "measured"
    whole = {int(key, 2): value for key, value in distribution(searched_whole(program).circuit).items()}
    assert_same(spread(short.postprocessing, distribution(circuit)), whole)


@pytest.mark.more_examples(25)
@settings(max_examples=10)
@given(st.data())
def test_any_oracle_that_reads_part_of_its_blocks(data):
    sizes = data.draw(st.lists(st.integers(2, 6), min_size=1, max_size=2))
    kinds = st.sampled_from([blocks.make_binary, blocks.make_one_hot, blocks.make_domain_wall])
    space = Space(tuple(data.draw(kinds)(Variable(f"x{k}", tuple(range(size)))) for k, size in enumerate(sizes)))
    if space.num_qubits > 8:
        return
    literals = st.dictionaries(st.integers(0, space.num_qubits - 1), st.booleans(), min_size=1, max_size=3)
    flips = data.draw(st.lists(literals, min_size=1, max_size=2))
    ops = tuple(PhaseFlip(tuple(Parity((q,), flag) for q, flag in sorted(flip.items()))) for flip in flips)
    program = grover_program(space, Oracle(ops, space.num_qubits, 0), 2)
    short = assert_equal_in_distribution(program, ("lowered", "line 1"))
    read = {q for flip in flips for q in flip}
    assert all(set(fill.read) <= read and not set(fill.unread) & read for fill in short.postprocessing.fills)


def ternary(name):
    """Two groups of three words each, which are reflected about by a mirror."""
    words = [low | high << 2 for low in (0, 1, 3) for high in (0, 2, 3)]
    found = find_shape(words, 4)
    mirrors = (Mirror(found.mirror, found.mirror_roots),)
    tuples = tuple((k,) for k in range(9))
    return Block("table", (name,), tuples, tuple(words), 4, found.preparation, found.roots, mirrors)


@pytest.mark.more_examples(12)
@settings(max_examples=4)
@given(st.data())
def test_any_oracle_with_ancillas_over_blocks_with_mirrors(data):
    space = Space(
        (ternary("a"), data.draw(st.sampled_from([blocks.make_binary, blocks.make_one_hot]))(Variable("b", (0, 1, 2))))
    )
    width, flags = space.num_qubits, st.booleans()
    some = st.lists(st.integers(0, width - 1), min_size=2, max_size=3, unique=True)
    first, second, *_ = data.draw(some)
    made = And(Parity((first,), data.draw(flags)), Parity((second,), data.draw(flags)), width)
    flips = [
        (Parity((q,), data.draw(flags)) for q in (*data.draw(some), width)) for _ in range(data.draw(st.integers(0, 2)))
    ]
    ops = (made, *(PhaseFlip(tuple(flip), (width + 1,)) for flip in flips), replace(made, undo=True))
    program = grover_program(space, Oracle(ops, width, 2), data.draw(st.integers(0, 2)))
    finish = assert_equal_in_distribution(program, ("named", "lowered", "line 1")).postprocessing
    bits = len(finish.measured)
    shares = finish.states({format(k, f"0{bits}b") if bits else "": MANY for k in range(1 << bits)})
    for state in map(space.state, range(space.size)):
        assert finish.chance([state]) == pytest.approx(shares[state] / MANY / (1 << bits))
    assert structure(json.loads(json.dumps(unstructure(finish))), Postprocessing) == finish


def test_matched_phases_stay_as_they_are():
    program = kept.compiled(K7, presolve="none", encoding="table", level="minimised", exact=True).program
    own = {int(key, 2): round(value * MANY) for key, value in distribution(program.lowered).items()}
    short = shorten_program(program)
    found = spread(short.postprocessing, distribution(short.lowered))
    assert_same(found, {state: shots / MANY for state, shots in fill_unread(own, program.search.fills).items()})
    width = program.space.num_qubits
    often = {format(state, f"0{width}b"): shots for state, shots in own.items() if shots > MANY // 10**6}
    solved = {values is not None and bool(K7.holds(values)) for values, _ in program.decode(often)}
    assert solved == {True}


# Operations one by one.


def kept_of(*ops, num_data=3, num_qubits=3):
    return split_postprocessing(ops, num_data, num_qubits)


H0, H1 = Gate("h", (0,)), Gate("h", (1,))


def test_diagonal_operations_vanish_and_flips_are_done_later():
    kept, finish = kept_of(
        H0, H1, PhaseFlip((Parity((0,)), Parity((1,)))), Xor(Parity((0, 1), True), 2), Gate("t", (2,))
    )
    assert kept == (H0, H1)
    assert finish.ops == (Xor(Parity((0, 1), True), 2),)
    assert finish.measured == (0, 1)
    assert finish.states({"01": 3, "10": 4, "11": 5}) == {0b001: 3, 0b010: 4, 0b111: 5}


@st.composite
def operation(draw):
    a, b, c = draw(st.permutations(range(4)))[:3]
    flags = st.booleans()
    return draw(
        st.sampled_from(
            [
                Gate("h", (a,)),
                Gate("ry", (a,), (0.7,)),
                Gate("x", (a,)),
                Gate("t", (a,)),
                Gate("cz", (a, b)),
                Gate("cx", (a, b)),
                Xor(Parity.of((a, b), draw(flags)), c),
                And(Parity((a,), draw(flags)), Parity((b,), draw(flags)), c, draw(flags)),
                Mcx(((a, draw(flags)), (b, draw(flags))), c),
                PhaseFlip((Parity.of((a, c), draw(flags)), Parity((b,), draw(flags)))),
            ]
        )
    )


@settings(max_examples=60)
@given(st.lists(operation(), max_size=12))
def test_any_list_of_operations(ops):
    whole = measure_qubits(named_circuit(ops, QuantumCircuit(4)), range(4))
    kept, finish = split_postprocessing(ops, 4, 4)
    inner = measure_qubits(named_circuit(kept, QuantumCircuit(4)), finish.measured)
    expected = {int(key, 2): value for key, value in distribution(whole).items()}
    assert_same(spread(finish, distribution(inner)), expected)


# Preparations, words filled in, and the record.


def test_shots_are_dealt_out_evenly():
    finish = Postprocessing(3, (0,), (), 3, (UnreadFill((0,), (1, 2), ((0, (0, 1, 2)), (1, (3,)))),))
    found = finish.states({"0": 7, "1": 2})
    assert sorted(found) == [0b000, 0b010, 0b100, 0b111]
    assert sorted(found.values()) == [2, 2, 2, 3]
    assert found[0b111] == 2
    assert finish.states({"1": 0}) == {}


POSTPROCESSING = Postprocessing(
    6,
    (0, 2, 3),
    (Xor(Parity((0, 2), True), 1), And(Parity((0,)), Parity((2,), True), 5), Mcx(((0, True), (3, False)), 1)),
    5,
    (UnreadFill((0,), (4,), ((0, (0, 1)), (1, (1,)))),),
)


def damaged(path, value):
    data = json.loads(json.dumps(unstructure(POSTPROCESSING)))
    here = data
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = value
    return data


@pytest.mark.parametrize(
    "data",
    [
        None,
        {**unstructure(POSTPROCESSING), "more": 1},
        damaged(["num_qubits"], True),
        damaged(["num_data"], -1),
        damaged(["measured"], [0, 0]),
        damaged(["measured"], [6]),
        damaged(["ops", 0], ["xor", [0], True, 1]),
        damaged(["ops", 0, "kind"], "swap"),
        damaged(["ops", 0, "source", "constant"], 1),
        damaged(["ops", 0, "source", "wires"], [9]),
        damaged(["ops", 0, "source", "wires"], [0, 0]),
        damaged(["ops", 1, "right", "wires"], [0.5]),
        damaged(["ops", 2, "controls"], [[0, True], [0, True]]),
        damaged(["fills", 0], [0, 1]),
        damaged(["fills", 0, "read"], [5]),
        damaged(["fills", 0, "words"], [[2, [0]]]),
        damaged(["fills", 0, "words"], [[0, [2]]]),
        damaged(["fills", 0, "words"], [[0, [1, 1]]]),
        damaged(["fills"], unstructure(POSTPROCESSING)["fills"] * 2),
    ],
)
def test_a_damaged_record_is_refused(data):
    with pytest.raises(InputError, match="cannot be read") as caught:
        structure(data, Postprocessing)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["", "0", "0101", "01x", "²01"])
def test_an_outcome_of_other_bits_is_refused(key):
    with pytest.raises(InputError, match="3 bits were expected"):
        POSTPROCESSING.states({key: 1})
    assert sum(POSTPROCESSING.states({"0 01": 5}).values()) == 5


# --- The ways a shortened program is written for few neighbours: every arrangement that is another one, each the same


def short_of(model, encoding):
    program = gatesolve.compile(model, presolve="none", encoding=encoding).program
    return shorten_program(program.with_iterations(1))


def places(circuit):
    """Which qubits meet in which order, by names given when they first meet; measurements of two are no meeting."""
    met = {}
    pairs = [[circuit.find_bit(q).index for q in i.qubits] for i in circuit.data if len(i.qubits) > 1]
    return tuple(tuple(met.setdefault(q, len(met)) for q in pair) for pair in pairs)


def written(short, tries=LINE_TRIES):
    """One circuit for each arrangement that is no renaming of one before."""
    found = {}
    for shape in list_shapes(short.ops, short.num_qubits, tries):
        inner, at = write_shape(short.ops, short.num_qubits, short.reads, shape)
        made = measure_qubits(inner, [at[q] for q in short.reads])
        found.setdefault(places(made), made)
    return list(found.values())


@pytest.mark.quick("model0-12")
@pytest.mark.parametrize(("model", "number"), [(K4, 12), (K7, 21)])
def test_every_arrangement_is_a_line_and_measures_the_same(model, number):
    short = short_of(model, "table")
    circuits = short.circuits
    assert list(circuits) == ["named", "lowered", *(f"line {k}" for k in range(1, number + 1))]
    lines = list(circuits.values())[2:]
    assert lines == written(short)
    expected = distribution(circuits["named"])
    for made in (circuits["lowered"], *lines[:4]):
        assert_same(distribution(made), expected)
    assert all({i.operation.name for i in made.data if len(i.qubits) > 1} == {"cx"} for made in lines)


@pytest.fixture(scope="module")
def many():
    """More arrangements than are written."""
    return short_of(K4, "one-hot")


def test_no_more_lines_than_are_wanted(many, monkeypatch):
    monkeypatch.setattr(postprocess, "MOST_LINES", 3)
    made = replace(many)  # its circuits are kept once made
    assert list(made.circuits) == ["named", "lowered", "line 1", "line 2", "line 3"]
    first = written(many, 12)
    assert len(first) > 3
    assert list(made.circuits.values())[2:] == first[:3]


def test_a_program_without_gates_of_three_qubits_has_no_lines(many):
    plain = replace(many, ops=(Gate("h", (0,)), Gate("cx", (0, 1))), num_qubits=2, reads=(0, 1))
    assert list(plain.circuits) == ["named", "lowered"]
    assert list(replace(plain, measured=True).circuits) == ["named", "lowered", "measured"]
    assert replace(many, ops=(), num_qubits=1, reads=(0,)).named.num_qubits == 1
    assert list(replace(many, ops=(), num_qubits=1, reads=(0,)).circuits) == ["named", "lowered"]


def test_a_qubit_that_only_gains_phases_is_zero_and_not_measured():
    ops = (Gate("h", (0,)), Gate("cz", (0, 1)), Gate("h", (0,)))
    kept, made = postprocess.split_postprocessing(ops, 2, 2)
    assert (kept, made.measured) == (ops, (0,))
    assert made.states({"1": 5}) == {1: 5}


# --- Multi-controlled gates taken apart for few neighbours, against the gates themselves ---


def turned(num_qubits):
    """A product state without symmetry, then H afterwards: phases show."""
    return tuple(Gate("ry", (q,), (0.4 + 0.3 * q,)) for q in range(num_qubits))


def assert_same_shape(ops, num_qubits, keep, shape):
    inner, at = write_shape(ops, num_qubits, keep, shape)
    found = distribution(measure_qubits(inner, [at[q] for q in range(num_qubits)]))
    whole = measure_qubits(named_circuit(ops, QuantumCircuit(num_qubits)), range(num_qubits))
    assert_same(found, distribution(whole))
    # New ancillas are zero in the end.
    extra = list(range(num_qubits, inner.num_qubits))
    if extra:
        assert set(distribution(measure_qubits(inner, extra))) == {"0" * len(extra)}
    return inner, at


@pytest.mark.parametrize("size", [3, 4, 5, 6])
@pytest.mark.parametrize("chain", [False, True])
@pytest.mark.parametrize("crossed", [False, True])
def test_counts_and_states(size, chain, crossed):
    order = tuple(np.random.default_rng(size).permutation(size).tolist())
    zero = PhaseFlip(tuple(Parity((q,), q % 2 == 0) for q in range(size)))
    ops = (*turned(size), zero, *turned(size))
    inner, at = assert_same_shape(ops, size, range(size), IsaShape(order, crossed, chain))
    # Two ancillas at the ends hold their places.
    held = 0 if size == 3 else 1 if size == 4 or chain else 2
    crosses = crossed and held < 2
    assert inner.count_ops()["cx"] == 6 * (size - 3) + (7 if crosses else 8)
    assert sorted(at) == list(range(size))
    assert (at != tuple(range(size))) == crosses
    assert inner.num_qubits == size + max(0, size - 3)


@st.composite
def wide_gates(draw):
    qubits = draw(st.permutations(range(5)))
    size = draw(st.integers(2, 4))
    flags = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    if draw(st.booleans()):
        return Mcx(tuple(zip(qubits[:size], flags, strict=True)), qubits[-1])
    parities = [Parity((q,), flag) for q, flag in zip(qubits[:size], flags, strict=True)]
    if draw(st.booleans()):
        parities[0] = Parity.of((qubits[0], qubits[4]), flags[0])
    return PhaseFlip(tuple(parities))


@settings(max_examples=40)
@given(st.lists(wide_gates(), min_size=1, max_size=3), st.permutations(range(5)), st.booleans(), st.booleans())
def test_any_gates(found, order, crossed, chain):
    ops = turned(5)
    for op in found:
        ops += (op, *turned(5))
    assert_same_shape(ops, 5, range(4), IsaShape(tuple(order), crossed, chain))


# --- States of given weights, by which words that an oracle reads are prepared ---


@settings(max_examples=25)
@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.integers(0, 5), min_size=1 << n, max_size=1 << n)))
def test_states_of_whole_weights(weights):
    if not any(weights):
        return
    amplitudes = np.sqrt(np.array(weights) / sum(weights))
    count = len(weights).bit_length() - 1
    circuit = named_circuit(real_state(amplitudes), QuantumCircuit(count))
    found = distribution(measure_qubits(circuit, range(count)))
    assert all(abs(found.get(format(k, f"0{count}b"), 0) - p) < 1e-9 for k, p in enumerate(amplitudes**2))
    assert circuit.count_ops().get("cx", 0) <= 2**count - count - 1


def test_a_product_state_takes_no_cz():
    amplitudes = np.kron(np.kron([0.6, 0.8], [1, 0]), np.sqrt([0.3, 0.7]))
    assert {gate.name for gate in real_state(amplitudes)} == {"ry"}
