"""XOR oracles: every form of function, exactly or up to a phase, each circuit followed again here on all inputs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator

import gatesolve
from gatesolve.circuit import CertificateError
from gatesolve.circuit.lowering import lower
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InputError
from gatesolve.oracle.boolean.function import read_outputs
from gatesolve.oracle.boolean.turns import popcount_ops, walk_ops
from gatesolve.oracle.boolean.xors import exact_candidates, relative_candidates
from gatesolve.simulate import basis_terms, run_sparse

small = st.integers(1, 3).flatmap(lambda n: st.lists(st.integers(0, 3), min_size=1 << n, max_size=1 << n))
tables = st.integers(1, 4).flatmap(lambda n: st.lists(st.integers(0, 7), min_size=1 << n, max_size=1 << n))


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
def test_any_table_of_numbers(table, objective, ancillas):
    exact = gatesolve.xor_oracle(table, objective=objective, ancillas=ancillas)
    free = gatesolve.xor_oracle(table, relative_phase=True, objective=objective, ancillas=ancillas)
    num_bits = len(table).bit_length() - 1
    assert is_exact(exact, table)
    assert is_relative(free.circuit, num_bits, table)
    for oracle in (exact, free):
        assert oracle.num_targets == max(1, max(table).bit_length())
        assert oracle.circuit.num_qubits == num_bits + oracle.num_targets + oracle.num_ancillas
        assert ancillas is None or oracle.num_ancillas <= ancillas
        assert oracle.certificate.checked == oracle.certificate.of
    assert getattr(free.resources, objective) <= getattr(exact.resources, objective)


@pytest.mark.more_examples(20)
@settings(max_examples=4, deadline=None)
@given(tables)
def test_every_candidate_is_right(table):
    """Those that are not chosen too, in both gate sets."""
    outputs = read_outputs(table)
    bits, width = outputs[0].num_bits, outputs[0].num_bits + len(outputs)
    for gates in ("cx+u", "clifford+t", "clifford+toffoli"):
        for one in relative_candidates(outputs, None, gates):
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
def test_every_form_is_read(function, options, values):
    exact = gatesolve.xor_oracle(function, **options)
    assert is_exact(exact, values)
    assert is_relative(gatesolve.xor_oracle(function, relative_phase=True, **options).circuit, len(exact.names), values)


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


@pytest.mark.parametrize("wanted", [{0, 5}, {3}, {3, 4, 5}, {1, 2}, {0, 1, 2, 3, 4, 5}])
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t", "clifford+toffoli"])
def test_functions_of_how_many_bits_are_1(wanted, gates):
    values = [number.bit_count() in wanted for number in range(32)]
    outputs = read_outputs(values)
    methods = set()
    for one in relative_candidates(outputs, None, gates):
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
def test_bad_input_is_refused_in_one_line(function, options, words):
    with pytest.raises(InputError) as error:
        gatesolve.xor_oracle(function, **options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


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


@pytest.mark.slow
@pytest.mark.parametrize(("gates", "objective"), [("clifford+toffoli", "t"), ("cx+u", "depth")])
def test_a_relative_phase_never_costs_more_than_none(gates, objective):
    """With more bits and targets than 12 too."""
    for function, bits in ((int.bit_count, 10), (lambda n: n % 5, 6)):
        free, exact = (
            gatesolve.xor_oracle(function, num_qubits=bits, relative_phase=one, gates=gates, objective=objective)
            for one in (True, False)
        )
        counted = "toffoli" if objective == "t" else objective
        assert getattr(free.resources, counted) <= getattr(exact.resources, counted)


def test_a_wrong_circuit_is_refused(monkeypatch):
    other = list(exact_candidates(read_outputs("a | b"), None))
    monkeypatch.setattr("gatesolve.api.xor_oracle.exact_candidates", lambda *_: other)
    with pytest.raises(CertificateError):
        gatesolve.xor_oracle("a & b")


def test_a_phase_that_should_not_be_there_is_refused(monkeypatch):
    free = list(relative_candidates(read_outputs("a & b"), None, "cx+u"))
    monkeypatch.setattr("gatesolve.api.xor_oracle.exact_candidates", lambda *_: free)
    with pytest.raises(CertificateError):
        gatesolve.xor_oracle("a & b")
