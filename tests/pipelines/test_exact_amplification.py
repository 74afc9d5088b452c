"""Exact amplification succeeds with certainty: in the plane, in the space, on dense vectors and on Aer."""

import cmath
import math
from dataclasses import replace

import kept
import numpy as np
import pytest
from aer_state import amplitudes_on_aer
from conformance.known import k4
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator, Statevector
from searched_states import searched_states
from strategies import models

import gatesolve
from gatesolve.circuit import Gate, Parity, PhaseFlip, lower
from gatesolve.encodings import Space, make_binary
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InfeasibleError, InputError
from gatesolve.model import Variable
from gatesolve.oracle import Oracle
from gatesolve.oracle.phase import one_flip_at_most, phase_ops, with_phase
from gatesolve.pipelines import cheapest_iterations, exact_program, match_phases, search_unknown
from gatesolve.pipelines.grover.compile import certify_early
from gatesolve.programs import best_iterations, change_search, grover_program, success_probability
from gatesolve.programs.amplification import ideal_success
from gatesolve.proof import is_proved, prove_program
from gatesolve.proof.blocks import prove_blocks
from gatesolve.simulate import CertificateError, amplify, list_marked, run_grover

MOST_QUBITS = 14


@st.composite
def size_and_marked(draw, most=1 << 24):
    size = draw(st.integers(1, most))
    return size, draw(st.integers(1, size))


def failure(size, marked, phases):
    """Probability of a state that is no solution, with one amplitude a group."""
    good = bad = 1 / math.sqrt(size)
    for oracle, reflection in phases:
        good *= cmath.exp(1j * oracle)
        change = (1 - cmath.exp(1j * reflection)) * (marked * good + (size - marked) * bad) / size
        good, bad = good - change, bad - change
    assert marked * abs(good) ** 2 + (size - marked) * abs(bad) ** 2 == pytest.approx(1, abs=1e-10)
    return (size - marked) * abs(bad) ** 2


@given(size_and_marked())
def test_success_is_certain(case):
    matched = match_phases(*case)
    assert failure(*case, matched.phases) < 1e-12
    assert len(matched.phases) == matched.iterations


@given(size_and_marked())
def test_no_fewer_iterations_could_be_certain(case):
    """The least number at which the plain rotation has reached the peak, at most one past the likeliest number."""
    matched, best = match_phases(*case), best_iterations(*case)
    angle = math.atan2(math.sqrt(case[1]), math.sqrt(case[0] - case[1]))
    assert (2 * matched.iterations + 1) * angle >= math.pi / 2 - 1e-6
    assert matched.iterations == 0 or (2 * matched.iterations - 1) * angle < math.pi / 2
    assert best <= matched.iterations <= best + 1


@pytest.mark.parametrize(("size", "marked"), [(4, 0), (0, 0), (4, 5)])
def test_a_number_of_solutions_that_cannot_be(size, marked):
    with pytest.raises(DoesNotFitError, match=f"{marked} of {size} states are solutions"):
        match_phases(size, marked)


@given(st.lists(st.booleans(), min_size=1, max_size=300), st.integers(0, 12))
def test_plain_phases_are_the_plain_search(marks, iterations):
    marks = np.array(marks)
    found = amplify(list_marked(marks), [(math.pi, math.pi)] * iterations).amplitudes()
    plain = run_grover(list_marked(marks), iterations).amplitudes()
    assert np.abs(found - (-1) ** iterations * plain).max() < 1e-12


@given(st.lists(st.booleans(), min_size=1, max_size=300))
def test_the_space_simulation_is_certain(marks):
    marks = np.array(marks)
    assume(marks.any())
    state = amplify(list_marked(marks), match_phases(len(marks), int(marks.sum())).phases)
    assert state.success_probability == pytest.approx(1, abs=1e-12)
    assert set(state.sample(50, 0)) <= set(np.flatnonzero(marks).tolist())


FACTORS = [
    [Parity((0, 2), True)],
    [Parity((0,)), Parity((3,), True)],
    [Parity((0, 1)), Parity((1, 2), True)],
    [Parity((0,)), Parity((1,), True), Parity((2, 3))],
    [Parity((0,)), Parity((1,)), Parity((2,)), Parity((3,), True)],
    [],
]


@pytest.mark.sampled(10)
@pytest.mark.quick("*-1-*", "*-3-*")
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
@pytest.mark.parametrize("ancillas", [1, 2, 3, 4])
@pytest.mark.parametrize("factors", FACTORS, ids=str)
def test_a_phase_on_a_conjunction(factors, ancillas, gates):
    """On every input, ancillas zero before and after."""
    angle, num_data = 0.7, 4
    ops = phase_ops(factors, range(num_data, num_data + ancillas), angle, gates)
    matrix = Operator(lower(ops, num_data + ancillas, gates)).data
    expected = [
        cmath.exp(1j * angle)
        if all(f.constant ^ bool(sum(s >> w & 1 for w in f.wires) % 2) for f in factors) and factors
        else 1
        for s in range(1 << num_data)
    ]
    block = matrix[: 1 << num_data, : 1 << num_data]
    assert np.abs(block * (expected[0] / block[0, 0]) - np.diag(expected)).max() < 1e-8
    rotations = sum(isinstance(op, Gate) for op in ops)
    if gates == "clifford+t" and ancillas >= 3:
        assert rotations <= 1
    plain = lower([PhaseFlip(tuple(factors), tuple(range(num_data, num_data + ancillas)))], num_data + ancillas)
    ours = lower(phase_ops(factors, range(num_data, num_data + ancillas), angle), num_data + ancillas)
    if len(factors) > 2:
        assert ours.count_ops()["cx"] == plain.count_ops()["cx"]


def measured_weight(circuit, program, marks):
    """Probability of measuring a solution with every ancilla at zero."""
    vector = Statevector(circuit.remove_final_measurements(inplace=False)).data
    states = searched_states(program)
    return sum(abs(vector[state]) ** 2 for state in {states[n] for n in np.flatnonzero(marks)})


@pytest.mark.sampled(2)
@pytest.mark.quick("1-classical-cx+u")
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
@pytest.mark.parametrize("oracle", ["constraints", "classical"])
@pytest.mark.parametrize("ancillas", [1, 4])
def test_the_circuit_is_certain_and_leaves_its_ancillas_clean(oracle, gates, ancillas):
    compiled = kept.compiled(k4(), encoding="binary", presolve="none", oracle=oracle, gates=gates, ancillas=ancillas)
    matched = match_phases(compiled.program.space.size, compiled.certificate.marked)
    program = exact_program(compiled.program, compiled.certificate.marked, ancillas=ancillas)
    assert program.iterations + 1 == matched.iterations == 9
    assert program.num_ancillas <= ancillas
    for circuit in (program.circuit, program.lowered):
        assert measured_weight(circuit, program, compiled.marks) == pytest.approx(1, abs=1e-9)
    plain = compiled.program.with_iterations(matched.iterations)
    assert success_probability(256, 2, matched.iterations) < 0.99
    if gates == "cx+u":
        assert program.resources().cx == plain.resources().cx


def overlapping(complement):
    """Marks x0 xor x1 x2 by two flips that overlap, or its complement by one more on everything."""
    space = Space((make_binary(Variable("x", tuple(range(8)))),))
    flips = [PhaseFlip((Parity((0,)),)), PhaseFlip((Parity((1,)), Parity((2,))))]
    ops = (*flips, PhaseFlip(())) if complement else tuple(flips)
    marks = np.array([bool((s & 1) ^ (s >> 1 & s >> 2 & 1)) ^ complement for s in range(8)])
    return Oracle(ops, 3, 0), space, marks


@pytest.mark.parametrize("complement", [False, True])
def test_flips_that_overlap_are_counted_first(complement):
    oracle, space, marks = overlapping(complement)
    assert not one_flip_at_most(oracle.ops, 3, space)
    ops = with_phase(oracle.ops, 0.9, (3,), "cx+u", exclusive=False)
    diagonal = Operator(lower(ops, 4)).data[:8, :8]
    expected = np.where(marks, cmath.exp(0.9j), 1)
    assert np.abs(diagonal * (expected[0] / diagonal[0, 0]) - np.diag(expected)).max() < 1e-9
    program = exact_program(grover_program(space, oracle, 0), int(marks.sum()))
    assert measured_weight(program.lowered, program, marks) == pytest.approx(1, abs=1e-9)
    with pytest.raises(AncillaBudgetError):
        with_phase(oracle.ops, 0.9, (), "cx+u", exclusive=False)


@pytest.mark.sampled(0.5)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(
    models(),
    st.sampled_from(["one-hot", "binary", "domain-wall", "table"]),
    st.sampled_from(["constraints", "classical"]),
)
def test_any_small_model(model, encoding, oracle):
    try:
        compiled = gatesolve.compile(model, encoding=encoding, oracle=oracle, presolve="none", ancillas=4)
    except (DoesNotFitError, InfeasibleError):
        assume(False)
    program = exact_program(compiled.program, compiled.certificate.marked)
    assume(0 < program.num_qubits <= MOST_QUBITS)
    assert measured_weight(program.lowered, program, compiled.marks) == pytest.approx(1, abs=1e-9)


@given(st.integers(2, 1 << 16), st.integers(1, 8), st.integers(0, 2000), st.integers(1, 500))
def test_cheapest_iterations_has_the_least_expected_cost(size, marked, start, iteration):
    marked = min(marked, size)
    best = best_iterations(size, marked)
    chosen = cheapest_iterations(size, marked, start, iteration)
    assert min(best, 1) <= chosen <= best

    def cost(k):
        success = success_probability(size, marked, k)
        return (start + k * iteration) / success if success > 0 else math.inf

    assert all(cost(chosen) <= cost(k) * (1 + 1e-12) for k in range(min(best, 1), best + 1))


# --- A search with an early check: its circuit makes the amplitudes that are sampled, and its proof sees every change


WIDE = {"presolve": "none", "encoding": "binary", "level": "literal", "early_check": True}
NARROW = {**WIDE, "ancillas": 4}
CONTEST = "examples/kakuro/contest.txt"


def price(program):
    """CX of a whole run."""
    return sum(one.times * program.resources(one.name).cx for one in program.sections)


def expected(compiled):
    """Probability of each codeword: three amplitudes, for marked ones, others that pass, and those that do not."""
    program, marks = compiled.program, compiled.marks
    early, size = program.search.early_check, program.space.size
    passes = np.isin(early.locate(program.space, np.arange(size)), early.passing)
    assert passes[marks].all()
    start = np.where(passes, early.chance / max(passes.sum(), 1), (1 - early.chance) / max((~passes).sum(), 1))
    success = ideal_success(program, int(marks.sum()))
    rest = start[~marks].sum()
    # The early check may pass the solutions alone, with certainty: then nothing is left for other codewords.
    others = start * (1 - success) / rest if rest else np.zeros(size)
    return np.where(marks, success / marks.sum(), others)


@pytest.mark.sampled(0.5)
@pytest.mark.quick("k4-*")
@pytest.mark.parametrize(
    ("problem", "ancillas", "iterations"),
    [*((k4(), 4, number) for number in (1, 2, None)), ("examples/tents/weak-3x5.txt", 9, 1)],
    ids=["k4-1", "k4-2", "k4-None", "tents-1"],
)
def test_the_circuit_makes_three_amplitudes(problem, ancillas, iterations):
    compiled = gatesolve.compile(problem, **WIDE, ancillas=ancillas, iterations=iterations)
    assert compiled.program.search.early_check is not None
    assert np.abs(np.abs(amplitudes_on_aer(compiled.program)) ** 2 - expected(compiled)).max() < 1e-9


@settings(max_examples=30)
@given(models())
@pytest.mark.more_examples(60)
def test_drawn_models(model):
    """Where an early check is made, it is proved, cheaper, and its circuit makes what is sampled."""
    try:
        compiled = gatesolve.compile(model, **NARROW)
    except (DoesNotFitError, InfeasibleError):
        return
    if (program := compiled.program).search.early_check is None:
        return
    assert is_proved(prove_program(compiled.model, program))
    if program.num_qubits <= 14:
        assert np.abs(np.abs(amplitudes_on_aer(program)) ** 2 - expected(compiled)).max() < 1e-9
    plain = gatesolve.compile(model, **{**NARROW, "early_check": False}).program
    marked = int(compiled.marks.sum())
    assert price(program) / ideal_success(program, marked) < price(plain) / ideal_success(plain, marked)


@pytest.mark.sampled(1)
@pytest.mark.quick("small-cx")
@pytest.mark.parametrize("metric", ["cx", "t", "depth", "t_depth", "qubits"])
@pytest.mark.parametrize(
    "board",
    ["kakuro/contest", "takuzu/small", "queens/tiny-4x4", "kakuro/small"],
    ids=["contest", "takuzu", "queens", "small"],
)
def test_an_early_check_is_no_worse_by_what_is_asked_for(board, metric):
    path = f"examples/{board}.txt"
    nested = gatesolve.compile(path, **WIDE, optimize=metric)
    plain = gatesolve.compile(path, **{**WIDE, "early_check": False}, optimize=metric).program
    if metric == "qubits":
        assert nested.program.num_qubits <= plain.num_qubits
    marked, measured = int(nested.marks.sum()), {"t_depth": "t_depth", "depth": "depth", "t": "t"}.get(metric, "cx")
    gates = "clifford+t" if measured.startswith("t") else "cx+u"
    spent = [
        sum(n.times * getattr(one.resources(n.name), measured) for n in one.sections) / ideal_success(one, marked)
        for one in (nested.program.with_lowering(gates=gates), plain.with_lowering(gates=gates))
    ]
    assert spent[0] <= 1.05 * spent[1]  # chosen by the price of operations, not of what lowering leaves of them


@pytest.mark.sampled(0.3)
def test_a_search_too_large_to_list_is_nested_too():
    made = gatesolve.compile("examples/sudoku/inkala-2010.txt", early_check=True)
    plain = gatesolve.compile("examples/sudoku/inkala-2010.txt")
    assert made.program.search.early_check is not None
    assert price(made.program) < price(plain.program)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"exact": True}, "leave out exact"),
        ({"schedule": "unknown"}, "leave out schedule"),
        ({"oracle": "classical"}, "leave out oracle"),
        ({"pipeline": "gas"}, "leave out early_check"),
    ],
)
def test_what_an_early_check_does_not_go_with(options, said):
    with pytest.raises(InputError, match=said):
        gatesolve.solve("examples/kakuro/small.txt", **{**WIDE, **options})


def test_a_miscounted_early_check_is_seen():
    program = gatesolve.compile(CONTEST, **WIDE).program
    certify_early(program)
    early = program.search.early_check
    fewer = change_search(program, early_check=replace(early, passing=early.passing[:-1]))
    with pytest.raises(CertificateError):
        certify_early(fewer)


def test_every_operation_left_out_of_a_nested_search_is_seen():
    compiled = gatesolve.compile(CONTEST, **WIDE)
    program = compiled.program
    assert prove_blocks(program).status == "proved"
    early, iteration = program.section("early"), program.section("iteration")
    sections = [(replace(early, ops=early.ops[:k] + early.ops[k + 1 :]), iteration) for k in range(len(early.ops))]
    ops = iteration.ops
    sections += [(early, replace(iteration, ops=ops[:k] + ops[k + 1 :])) for k in range(0, len(ops), 7)]
    for inner, outer in sections:
        changed = replace(program, sections=(program.section("preparation"), inner, outer))
        assert not is_proved(prove_program(compiled.model, changed))


def turn(condition):
    first, *rest = condition.factors
    return replace(condition, factors=(first.negated(), *rest))


def test_an_early_check_of_other_conditions_or_of_conditions_that_are_words_is_refused():
    """Those of a classical oracle, or of one that was only run, are words."""
    compiled = gatesolve.compile(CONTEST, **WIDE)
    start, early, iteration = compiled.program.sections
    inner, whole = early.oracle, iteration.oracle
    kept = [one for one in whole.conditions if one in inner.conditions]
    other = next(one for one in whole.conditions if one not in inner.conditions)
    first, *rest = inner.conditions
    for checked, searched, status in (
        (inner, replace(whole, style="classical"), "refused"),
        (inner, replace(whole, conditions=(*kept, turn(other))), "unchecked"),
        (replace(inner, conditions=(turn(first), *rest)), whole, "refused"),
    ):
        sections = (start, replace(early, oracle=checked), replace(iteration, oracle=searched))
        claims = prove_program(compiled.model, replace(compiled.program, sections=sections))
        assert status in {claim.status for claim in claims if claim.layer == "early check"}


# --- Iteration counts, success probability and the search with an unknown number of solutions ---


def angle(size, marked):
    return math.atan2(math.sqrt(marked), math.sqrt(size - marked))


@given(size_and_marked(), st.integers(0, 50))
def test_success_probability_is_the_rotated_angle(case, iterations):
    assert success_probability(*case, iterations) == pytest.approx(
        math.sin((2 * iterations + 1) * angle(*case)) ** 2, abs=1e-9
    )


def test_nothing_is_found_where_nothing_is_marked():
    assert success_probability(0, 0, 3) == success_probability(24, 0, 3) == 0
    assert best_iterations(24, 0) == 0


@given(size_and_marked())
def test_best_iterations_is_the_first_peak(case):
    """No count up to one beyond the first maximum of the sine is likelier to succeed."""
    best = best_iterations(*case)
    most = math.floor(math.pi / (4 * angle(*case)) + 0.5)
    for other in {*range(max(0, most - 4), most + 1), *range(min(most, 4)), most // 2}:
        gain = success_probability(*case, other) - success_probability(*case, best)
        assert gain < 1e-12
        if other < best:
            assert gain < 0


def ideal_sampler(size, marked, seed):
    """Measures as a perfect circuit would: state number 0 ... marked-1 is a solution."""
    draw = np.random.default_rng(seed)
    asked = []

    def sample(iterations):
        asked.append(iterations)
        hit = draw.random() < success_probability(size, marked, iterations)
        return {"state": int(draw.integers(0, marked) if hit else draw.integers(marked, size))}

    return sample, asked


def expected_calls(size, marked):
    """The exact mean number of oracle calls, over all draws of the schedule."""
    bound, alive, total = 1.0, 1.0, 0.0
    while alive > 1e-12:
        choices = math.ceil(bound)
        total += alive * ((choices - 1) / 2 + 1)
        alive *= 1 - sum(success_probability(size, marked, k) for k in range(choices)) / choices
        bound = min(bound * 6 / 5, math.sqrt(size))
    return total


@pytest.mark.parametrize(("size", "marked"), [(2, 1), (4, 1), (24, 1), (24, 2), (24, 23), (256, 2), (1000, 1), (7, 7)])
def test_search_unknown_draws_its_iterations_by_the_stated_schedule(size, marked):
    calls = []
    for seed in range(600):
        sample, asked = ideal_sampler(size, marked, seed + 1)
        outcome = search_unknown(sample, lambda found: found["state"] < marked, size, seed)
        assert outcome.solution["state"] < marked
        assert (outcome.miss_probability, outcome.iterations) == (0, asked[-1])
        assert outcome.oracle_calls == sum(asked) + len(asked)
        assert max(asked) < max(math.sqrt(size) + 1, 2)
        calls.append(outcome.oracle_calls)
    error = np.std(calls) / math.sqrt(len(calls))
    assert np.mean(calls) == pytest.approx(expected_calls(size, marked), abs=4 * error)
    assert np.mean(calls) <= 9 / 2 * math.sqrt(size)


@pytest.mark.parametrize("size", [2, 3, 24, 1000])
@pytest.mark.parametrize("rounds", [1, 3, 10])
def test_search_unknown_gives_up_with_a_stated_miss(size, rounds):
    seen, asked = [], []

    def sample(iterations):
        asked.append(iterations)
        return {"state": 0} if len(asked) % 2 else None

    def progress(done, total):
        seen.append((done, total))

    outcome = search_unknown(sample, lambda _: False, size, 7, rounds=rounds, progress=progress)
    span = math.ceil(9 * math.sqrt(size))
    assert outcome.solution is None
    assert outcome.miss_probability == 2.0**-rounds
    assert outcome.oracle_calls == sum(asked) + len(asked)
    assert rounds * span <= outcome.oracle_calls <= rounds * (span + math.sqrt(size) + 1)
    assert seen == sorted(seen)
    assert seen[-1] == (rounds * span, rounds * span)
    repeated = search_unknown(lambda _: None, lambda _: True, size, 7, rounds=rounds)
    assert repeated == outcome


def test_every_round_starts_small_and_is_whole():
    """The miss is 2^-rounds because rounds are independent and each makes 9 sqrt(size) calls."""
    size, asked = 10_000, []
    search_unknown(asked.append, lambda _: True, size, 3, rounds=2)
    calls = np.cumsum(np.array(asked) + 1)
    first = int(np.searchsorted(calls, 900)) + 1
    assert asked[0] == asked[first] == 0
    assert max(asked[:4]) <= 1
    assert max(asked[first : first + 4]) <= 1
    assert calls[-1] - calls[first - 1] >= 900


@pytest.mark.parametrize("metric", ["depth", "t_depth"])
def test_an_early_check_may_need_more_ancillas_than_the_search(metric):
    model = "a, b, c, d, e in 0..1; v in 5..5; alldifferent(b, a); b != d; 3*b + c - e - v <= -3"
    options = {"presolve": "none", "encoding": "binary", "early_check": True}
    assert gatesolve.solve(model, optimize=metric, **options).status == "solved"
