"""The general phase oracle: every input form, every method, every input checked again here."""

import math
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.circuit import Parameter
from qiskit.quantum_info import Operator

import gatesolve
from gatesolve.circuit import lower
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InputError
from gatesolve.functions import bits_of, read_function
from gatesolve.functions.function import read_outputs
from gatesolve.functions.methods import cubes, diagram, fixed_polarity, pseudo_kronecker, reed_muller, rotations
from gatesolve.functions.phase_oracle import phase_oracle
from gatesolve.functions.xor_oracle import exact_candidates, popcount_ops, relative_candidates, walk_ops
from gatesolve.simulate import CertificateError, basis_terms, diagonal_phases, run_sparse
from gatesolve.simulate.product import product_phases

tables = st.integers(1, 5).flatmap(lambda n: st.lists(st.booleans(), min_size=1 << n, max_size=1 << n))


def signs(oracle, num_bits):
    """The phases of the circuit on every input, the first made 1."""
    inputs = np.zeros((oracle.circuit.num_qubits, 1 << num_bits), dtype=bool)
    inputs[:num_bits] = bits_of(num_bits)
    phases = diagonal_phases(oracle.circuit, inputs)
    assert phases is not None
    return np.round(phases / phases[0]).real.astype(int)


def expected(table):
    values = np.where(np.asarray(table, dtype=bool), -1, 1)
    return values * values[0]


@pytest.mark.more_examples(40)
@settings(max_examples=15, deadline=None)
@given(tables, st.sampled_from(["cx", "depth"]), st.sampled_from([None, 0, 1, 2]))
def test_any_table_is_marked_exactly(table, metric, ancillas):
    oracle = phase_oracle(table, optimize=metric, ancillas=ancillas)
    num_bits = len(table).bit_length() - 1
    assert (signs(oracle, num_bits) == expected(table)).all()
    assert ancillas is None or oracle.num_ancillas <= ancillas
    assert oracle.certificate.marked == sum(table)


@pytest.mark.parametrize(("bits", "cx"), [(12, 442), pytest.param(20, 1370, marks=pytest.mark.slow)])
def test_wide_conjunctions_without_ancillas_are_followed(bits, cx):
    oracle = phase_oracle(" & ".join(f"v{k}" for k in range(bits)), ancillas=0)
    assert (oracle.circuit.num_qubits, oracle.certificate.checked) == (bits, 1 << bits)
    assert (oracle.certificate.marked, oracle.certificate.lowered) == (1, 1 << 12)
    assert oracle.resources.cx <= cx
    marked = np.ones(bits, dtype=bool)
    inputs = np.stack([marked, *(marked ^ np.eye(bits, dtype=bool))], axis=1)
    phases = product_phases(oracle.circuit, inputs)
    assert phases is not None
    assert np.allclose(phases[1:], -phases[0])


@settings(max_examples=15, deadline=None)
@given(tables)
def test_clifford_t_is_exact_too(table):
    oracle = phase_oracle(table, optimize="t", gates="clifford+t", ancillas=2)
    assert oracle.resources.t is not None
    assert (signs(oracle, len(table).bit_length() - 1) == expected(table)).all()


@pytest.mark.parametrize(
    ("function", "options", "table"),
    [
        ("(a & ~b) ^ c", {}, [(i & 1 and not i >> 1 & 1) ^ (i >> 2) for i in range(8)]),
        ("not (x or y)", {}, [1, 0, 0, 0]),
        ("a & 1 | 0", {"num_qubits": 2}, [0, 1, 0, 1]),
        ("c a comment\np cnf 3 2\n1 -2 0\n3 0\n", {}, [0, 0, 0, 0, 1, 1, 0, 1]),
        ("0110", {}, [0, 1, 1, 0]),
        (lambda a, b, c: a + b + c == 2, {}, [0, 0, 0, 1, 0, 1, 1, 0]),
        (lambda i: i % 3 == 1, {"num_qubits": 3}, [0, 1, 0, 0, 1, 0, 0, 1]),
        (["01", "11"], {}, [0, 1, 1, 1]),
        ([[0, 1, 0, 0], [1, 1, 1, 0]], {}, [0, 1, 0, 0, 1, 1, 1, 0]),
        (np.zeros(8, dtype=bool), {}, [0] * 8),
        (np.ones(4, dtype=int), {}, [1] * 4),
    ],
)
def test_every_form_is_read(function, options, table):
    oracle = phase_oracle(function, **options)
    assert (signs(oracle, len(table).bit_length() - 1) == expected(table)).all()


FUNCTIONS = [
    (lambda a, b, c: (a & ~b) ^ c, True),
    (lambda a, b: ~a, True),
    (lambda a, b, c: (a == b) | (b != c) | 0, True),
    (lambda a, b: 1 ^ (a & b), True),
    (lambda a, b: True, True),
    (lambda a, b: a is True, False),
    (lambda a, b: a and not b, False),
    (lambda a, b, c: b if a else c, False),
    (lambda a, b, c: a + b + c == 2, False),
]


@pytest.mark.parametrize(("function", "is_traced"), FUNCTIONS)
def test_python_functions_of_bits(function, is_traced):
    """Structure is kept where bits are only combined; all else is called on every input."""
    num_bits = function.__code__.co_argcount
    oracle = phase_oracle(function)
    called = [int(function(*(int(i) >> k & 1 for k in range(num_bits)))) & 1 for i in range(1 << num_bits)]
    if function is FUNCTIONS[5][0]:
        called = [0, 1, 0, 1]  # of an integer it is never true
    assert (signs(oracle, num_bits) == expected(called)).all()
    assert (read_function(function).tree is not None) is is_traced


def test_what_a_function_raises_is_seen():
    def function(a, b):
        return a & b & missing  # noqa: F821

    with pytest.raises(NameError, match="missing"):
        phase_oracle(function)


SIX = "((a & b) | (c & d)) ^ (e | f)"


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"max_qubits": 5}, "6 bits does not fit on 5 qubits: max_qubits=6"),
        ({"max_depth": 3}, r"shallowest has depth (\d+) on \d+ qubits, so a max_depth of \1 would do$"),
        ({"max_depth": 3, "max_qubits": 6}, "would do, or allow more qubits or ancillas"),
    ],
)
def test_what_would_fit_is_said(limits, words):
    with pytest.raises(DoesNotFitError, match=words):
        phase_oracle(SIX, **limits)


@settings(max_examples=20, deadline=None)
@given(tables, st.integers(0, 2**32 - 1))
def test_only_cared_for_inputs_need_be_right(table, seed):
    care = np.random.default_rng(seed).random(len(table)) < 0.6
    oracle = phase_oracle(table, care=care)
    if care.any():
        found = signs(oracle, len(table).bit_length() - 1)[care]
        values = np.where(np.asarray(table), -1, 1)[care]
        assert (found * found[0] == values * values[0]).all()


def test_dont_cares_save_gates():
    table = np.arange(32) == 21
    care = np.arange(32) % 2 == 1
    assert phase_oracle(table, care=care).resources.cx < phase_oracle(table).resources.cx


@pytest.mark.parametrize(
    ("function", "options", "words"),
    [
        ([1, 0, 1], {}, "2, 4, 8"),
        ([0, 2], {}, "other than 0 and 1"),
        ([[0, 1], [1]], {}, "different lengths"),
        ("a +", {}, "not a boolean expression"),
        ("f(a)", {}, "not boolean"),
        ("folder/a.cnf", {}, "'folder/a.cnf' is a path, not a function: give the file's text"),
        ("p cnf 2 1\n3 0\n", {}, "row 2, column 1: variable 3, but 2 are declared"),
        ("p cnf x 1\n1 2\n", {}, "problem line"),
        (lambda *bits: True, {}, "plain positional"),
        ("a & b", {"num_qubits": 1}, "says 1"),
        ("a & b", {"care": [1, 0]}, "make them equal"),
        ("a & b", {"optimize": "t"}, "clifford+t"),
        ("a & b", {"ancillas": -1}, "whole number"),
        ("a & b", {"max_depth": "9"}, "max_depth must be a whole number from 0"),
    ],
)
def test_bad_input_is_refused_in_one_line(function, options, words):
    with pytest.raises(InputError) as error:
        phase_oracle(function, **options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@settings(max_examples=30, deadline=None)
@given(tables)
def test_covers_and_diagrams_equal_the_table(values):
    table = np.array(values, dtype=bool)
    num_bits = table.size.bit_length() - 1
    inputs = np.arange(table.size)
    for cover in (cubes(table), fixed_polarity(table), pseudo_kronecker(table) or []):
        total = np.zeros(table.size, dtype=bool)
        for mask, bits in cover:
            total ^= (inputs & mask) == bits
        assert (total == table).all()
    assert (reed_muller(reed_muller(table)) == table).all()
    found = diagram(table, range(num_bits))
    assert found is not None
    assert sum(name == "cx" for name, _, _ in rotations(table)) <= table.size - 2


# --- XOR oracles: every form of function, exactly or up to a phase, each circuit followed again here on all inputs --


small = st.integers(1, 3).flatmap(lambda n: st.lists(st.integers(0, 3), min_size=1 << n, max_size=1 << n))
tables_of_xor_oracle = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.integers(0, 7), min_size=1 << n, max_size=1 << n)
)


def follow(circuit, num_bits, values, on=0):
    """The phases of all inputs, the targets holding ``on``; None where a value is not XORed onto them."""
    numbers = np.arange(1 << num_bits)
    wires = np.arange(circuit.num_qubits)[:, None]
    before = (numbers | on << num_bits) >> wires & 1
    after = (numbers | (on ^ np.asarray(values)) << num_bits) >> wires & 1
    found = run_sparse(circuit, basis_terms(before.astype(bool)))
    order = np.argsort(found.keys[:, 0])
    if not np.array_equal(found.keys[order], basis_terms(after.astype(bool)).keys):
        return None
    return found.amplitudes[order]


def is_exact(oracle, values):
    phases = [follow(oracle.circuit, len(oracle.names), values, on) for on in range(1 << oracle.num_targets)]
    return all(p is not None for p in phases) and np.allclose(phases, phases[0][0], atol=1e-8)


def is_relative(circuit, num_bits, values):
    phases = follow(circuit, num_bits, values)
    return phases is not None and np.allclose(abs(phases), 1, atol=1e-8)


@pytest.mark.more_examples(40)
@settings(max_examples=4, deadline=None)
@given(small, st.sampled_from(["cx", "depth"]), st.sampled_from([None, 0, 1, 2]))
def test_any_table_of_numbers(table, metric, ancillas):
    exact = gatesolve.xor_oracle(table, optimize=metric, ancillas=ancillas)
    free = gatesolve.xor_oracle(table, relative_phase=True, optimize=metric, ancillas=ancillas)
    num_bits = len(table).bit_length() - 1
    assert is_exact(exact, table)
    assert is_relative(free.circuit, num_bits, table)
    for oracle in (exact, free):
        assert oracle.num_targets == max(1, max(table).bit_length())
        assert oracle.circuit.num_qubits == num_bits + oracle.num_targets + oracle.num_ancillas
        assert ancillas is None or oracle.num_ancillas <= ancillas
        assert oracle.certificate.checked == oracle.certificate.of
    assert getattr(free.resources, metric) <= getattr(exact.resources, metric)


@pytest.mark.more_examples(20)
@settings(max_examples=4, deadline=None)
@given(tables_of_xor_oracle)
def test_every_candidate_is_right(table):
    """Those that are not chosen too, in both gate sets."""
    outputs = read_outputs(table)
    bits, width = outputs[0].num_bits, outputs[0].num_bits + len(outputs)
    for gates in ("cx+u", "clifford+t", "clifford+toffoli"):
        for one in chain.from_iterable(relative_candidates(outputs, None, gates)):
            assert is_relative(lower(one.ops, width + one.num_ancillas, gates), bits, table), one.method
    signs = np.array([1 - 2 * ((t & v).bit_count() & 1) for t in range(1 << len(outputs)) for v in table])
    for one in exact_candidates(outputs, None):
        if one.ops is not None:
            phases = follow(lower(one.ops, width + one.num_ancillas), width, [0] * len(signs))
            assert np.allclose(phases * signs, phases[0] * signs[0], atol=1e-8), one.method


@pytest.mark.parametrize(
    ("function", "options", "values"),
    [
        ("(a & ~b) ^ c", {}, [(i & 1 and not i >> 1 & 1) ^ (i >> 2) for i in range(8)]),
        ("1", {"num_qubits": 1}, [1, 1]),
        ([3, 1, 0, 2], {}, [3, 1, 0, 2]),
        ([[0, 1], [1, 1]], {}, [0, 1, 1, 1]),
        (lambda a, b: a + b, {}, [0, 1, 1, 2]),
        (lambda a, b: (a & b, 0, ~(a & b)), {}, [4, 4, 4, 1]),
        (lambda i: i * 3 % 4, {"num_qubits": 2}, [0, 3, 2, 1]),
        (int.bit_count, {"num_qubits": 1}, [0, 1]),
    ],
)
def test_every_form_is_read_of_xor_oracle(function, options, values):
    exact = gatesolve.xor_oracle(function, **options)
    assert is_exact(exact, values)
    assert is_relative(gatesolve.xor_oracle(function, relative_phase=True, **options).circuit, len(exact.names), values)


@pytest.mark.quick(2)
@pytest.mark.parametrize(("bits", "most"), [(1, 1), (2, 5), (3, 9), (4, 21), (5, 25), (7, 33), (8, 51)])
def test_popcounts_up_to_a_phase(bits, most):
    values = np.bitwise_count(np.arange(1 << bits)).astype(int)
    oracle = gatesolve.xor_oracle(int.bit_count, num_qubits=bits, relative_phase=True)
    assert is_relative(oracle.circuit, bits, values)
    assert oracle.resources.cx <= most
    assert oracle.num_ancillas == 0
    for digits in range(2, bits.bit_length() + 1):
        made = lower(popcount_ops(bits, digits), bits + digits)
        assert is_relative(made, bits, values & (1 << digits) - 1)
        assert not is_relative(made, bits, values ^ 1)


@pytest.mark.quick(5)
@pytest.mark.parametrize("wanted", [{0, 5}, {3}, {3, 4, 5}, {1, 2}, {0, 1, 2, 3, 4, 5}])
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t", "clifford+toffoli"])
def test_functions_of_how_many_bits_are_1(wanted, gates):
    values = [number.bit_count() in wanted for number in range(32)]
    outputs = read_outputs(values)
    methods = set()
    for one in chain.from_iterable(relative_candidates(outputs, None, gates)):
        methods.add(one.method)
        assert is_relative(lower(one.ops, 6 + one.num_ancillas, gates), 5, values), one.method
    assert "adders" in methods
    assert is_exact(gatesolve.xor_oracle(values, gates=gates), values)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.booleans(), min_size=1 << n, max_size=1 << n)))
def test_turns_take_fewer_cx_than_there_are_inputs(table):
    bits = len(table).bit_length() - 1
    made = lower(walk_ops(np.array(table), bits), bits + 1)
    assert made.count_ops().get("cx", 0) < len(table)
    assert is_relative(made, bits, table)


def test_the_inverse_takes_the_phases_back():
    """Computed, read and uncomputed: just the sign where three of four bits are 1."""
    oracle = gatesolve.xor_oracle(int.bit_count, num_qubits=4, relative_phase=True)
    circuit = oracle.circuit.copy()
    circuit.cz(4, 5)
    circuit.compose(oracle.circuit.inverse(), inplace=True)
    found = Operator(circuit).data[:16, :16]
    signs = np.diag([1 - 2 * (number.bit_count() == 3) for number in range(16)])
    assert np.allclose(found * np.conj(found[0, 0]), signs, atol=1e-9)


def test_many_targets_share_their_ands():
    def digits(a, b, c, d):
        return a & b, a & b ^ c & d, (a & b) ^ d

    values = [sum(int(bit) << k for k, bit in enumerate(digits(*(i >> k & 1 for k in range(4))))) for i in range(16)]
    oracle = gatesolve.xor_oracle(digits, relative_phase=True)
    assert is_relative(oracle.circuit, 4, values)
    assert oracle.resources.cx <= 9
    assert is_exact(gatesolve.xor_oracle(digits), values)


@pytest.mark.parametrize(
    ("function", "options", "words"),
    [
        ([1, 0, 1], {}, "2, 4, 8"),
        ([0, -1], {}, "entry 1 is -1"),
        (lambda a, b: a - b, {}, "value at 2 is -1"),
        (lambda i: i, {}, "needs num_qubits"),
        ("a & b", {"num_qubits": 0}, "positive"),
        ("a & b", {"ancillas": -1}, "whole number"),
        (lambda a, b: (), {}, "a tuple of as many bits"),
    ],
)
def test_bad_input_is_refused_in_one_line_of_xor_oracle(function, options, words):
    with pytest.raises(InputError) as error:
        gatesolve.xor_oracle(function, **options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.sampled(0.5)
def test_what_does_not_fit_is_said():
    with pytest.raises(DoesNotFitError, match="split the targets"):
        gatesolve.xor_oracle(lambda i: i * i % 1021, num_qubits=13)
    rng = np.random.default_rng(0)
    with pytest.raises(DoesNotFitError, match=r"20 bits and 1 target are too many: .* take fewer bits$"):
        gatesolve.xor_oracle(rng.integers(0, 2, 1 << 20, dtype=np.uint8) == 1)
    for function in (lambda n: (1,) * 62, lambda n: (n & 1,) * 63):
        with pytest.raises(DoesNotFitError, match=r"6[23] targets are too many: at most 20"):
            gatesolve.xor_oracle(function, num_qubits=1)
    with pytest.raises(DoesNotFitError, match="70 targets are too many"):
        gatesolve.xor_oracle(lambda a, b: (a & b,) * 70)
    with pytest.raises(AncillaBudgetError):
        gatesolve.xor_oracle("a & b & c & d & e", gates="clifford+t", ancillas=0)


@pytest.mark.parametrize(
    ("function", "cx", "t"),
    [("(p & a) | (~p & b)", 4, 4), ("(a & b) | (a & c) | (b & c)", 6, 4), ("((p & a) | (~p & b)) & (q | c)", 18, 20)],
)
def test_a_choice_and_a_majority_are_one_operation(function, cx, t):
    """An AND and an XOR take one CX more each."""
    made = gatesolve.xor_oracle(function, relative_phase=True, gates="clifford+t")
    assert (made.resources.cx <= cx, made.resources.t <= t) == (True, True)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("gates", "metric"), [("clifford+toffoli", "t"), ("cx+u", "depth")])
def test_a_relative_phase_never_costs_more_than_none(gates, metric):
    """With more bits and targets than 12 too."""
    for function, bits in ((int.bit_count, 10), (lambda n: n % 5, 6)):
        free, exact = (
            gatesolve.xor_oracle(function, num_qubits=bits, relative_phase=one, gates=gates, optimize=metric)
            for one in (True, False)
        )
        counted = "toffoli" if metric == "t" else metric
        assert getattr(free.resources, counted) <= getattr(exact.resources, counted)


def test_a_wrong_circuit_is_refused(monkeypatch):
    other = list(exact_candidates(read_outputs("a | b"), None))
    monkeypatch.setattr("gatesolve.functions.xor_oracle.exact_candidates", lambda *_: other)
    with pytest.raises(CertificateError):
        gatesolve.xor_oracle("a & b")


def test_a_phase_that_should_not_be_there_is_refused(monkeypatch):
    free = list(chain.from_iterable(relative_candidates(read_outputs("a & b"), None, "cx+u")))
    monkeypatch.setattr("gatesolve.functions.xor_oracle.exact_candidates", lambda *_: free)
    with pytest.raises(CertificateError):
        gatesolve.xor_oracle("a & b")


# --- Phases of any angle where a function is true ---


def is_phase(circuit, table, angle):
    found, wanted = Operator(circuit).data, np.exp(1j * angle * np.array(table))
    return np.allclose(found * np.conj(found[0, 0]) * wanted[0], np.diag(wanted), atol=1e-8)


@settings(max_examples=20, deadline=None)
@given(tables, st.floats(-7, 7), st.sampled_from(["cx+u", "cz+u"]))
def test_any_table_and_angle(table, angle, gates):
    oracle = gatesolve.phase_oracle(table, angle=angle, gates=gates)
    assert is_phase(oracle.circuit, table, angle)
    assert oracle.num_ancillas == 0
    assert oracle.certificate.marked == sum(table)


@pytest.mark.parametrize(
    ("marked", "cx", "depth"), [((7,), 6, 8), ((0, 7), 5, 6), ((1, 2, 4), 6, 8), ((1, 2, 4, 7), 4, 5), ((), 0, 0)]
)
def test_an_angle_left_open(marked, cx, depth):
    """The CX and depth of the ICPC challenge's best."""
    table, beta = [state in marked for state in range(8)], Parameter("beta")
    oracle = gatesolve.phase_oracle(table, angle=beta)
    assert (oracle.resources.cx, oracle.resources.depth) == (cx, depth)
    by_cz = gatesolve.phase_oracle(table, angle=beta, gates="cz+u")
    assert by_cz.resources.cx == cx
    for circuit in (oracle.circuit, by_cz.circuit):
        for value in (0.3, 2.0, -5.0):
            bound = circuit.assign_parameters([value]) if marked else circuit
            assert is_phase(bound, table, value)
            assert not is_phase(bound, [not one for one in table[:1]] + table[1:], value)


@pytest.mark.parametrize(
    ("angle", "options", "words"),
    [
        ("a", {}, "number or a Qiskit parameter"),
        (math.nan, {}, "finite"),
        (np.inf, {}, "finite"),
        (1j * Parameter("beta"), {}, "real"),
    ],
)
def test_what_is_no_angle_is_refused(angle, options, words):
    with pytest.raises(InputError, match=words):
        gatesolve.phase_oracle("a & b", angle=angle, **options)


def test_a_wrong_rotation_is_refused(monkeypatch):
    monkeypatch.setattr("gatesolve.functions.phase_oracle.rotations", lambda table: [("p", (0,), math.pi)])
    with pytest.raises(CertificateError):
        gatesolve.phase_oracle("a & b", angle=0.5)
