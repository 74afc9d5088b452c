"""The general phase oracle: every input form, every method, every input checked again here."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.api.phase_oracle import phase_oracle
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.oracle.boolean import bits_of, read_function
from gatesolve.oracle.boolean.cubes import cubes, fixed_polarity, pseudo_kronecker, reed_muller
from gatesolve.oracle.boolean.diagonal import rotations
from gatesolve.oracle.boolean.sharing import diagram
from gatesolve.simulate import diagonal_phases
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
def test_any_table_is_marked_exactly(table, objective, ancillas):
    oracle = phase_oracle(table, objective=objective, ancillas=ancillas)
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
    oracle = phase_oracle(table, objective="t", gates="clifford+t", ancillas=2)
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
        ([], {}, "2, 4, 8"),
        ([0, 2], {}, "other than 0 and 1"),
        ([0.5, 1.0], {}, "0 and 1"),
        ([[0, 1], [1]], {}, "different lengths"),
        ("", {}, "empty"),
        ("a +", {}, "not a boolean expression"),
        ("a + b", {}, "not boolean"),
        ("f(a)", {}, "not boolean"),
        ("A AND B", {}, "the operators & | ^ ~ (and, or, not in small letters), or DIMACS CNF text"),
        ("folder/a.cnf", {}, "'folder/a.cnf' is a path, not a function: give the file's text"),
        ("1 | 0", {}, "no variables"),
        ("p cnf 2 1\n3 0\n", {}, "no literal"),
        ("p cnf 2 1\n1 2\n", {}, "end in 0"),
        ("p cnf x 1\n1 2\n", {}, "problem line"),
        (lambda i: i, {}, "needs num_qubits"),
        (lambda *bits: True, {}, "plain positional"),
        (lambda a, b: None, {}, "neither true nor false"),
        ("a & b", {"num_qubits": 1}, "says 1"),
        ("a & b", {"num_qubits": 0}, "positive"),
        ("a & b", {"care": [1, 0]}, "make them equal"),
        ("a & b", {"objective": "beauty"}, "unknown objective"),
        ("a & b", {"objective": "t"}, "clifford+t"),
        ("a & b", {"gates": "cz"}, "unknown gate set"),
        ("a & b", {"ancillas": -1}, "whole number"),
        ("a & b", {"max_qubits": 0}, "max_qubits must be a whole number from 1"),
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
