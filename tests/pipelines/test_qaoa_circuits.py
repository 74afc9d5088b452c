"""QAOA's circuits against a plain dense simulation in the space."""

import numpy as np
import pytest
from aer_state import amplitudes_on_aer, equal_up_to_a_phase
from dense_qaoa import dense
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator

import gatesolve
from gatesolve.circuit import lower
from gatesolve.encodings import Space, make_spaces
from gatesolve.encodings import block as blocks
from gatesolve.encodings import mixer as mix
from gatesolve.errors import AncillaBudgetError, InputError
from gatesolve.model import AllDifferent, Linear, Model, NotEqual, Variable
from gatesolve.oracle import synthesise
from gatesolve.oracle.fourier_oracle import Walks, plan_walks
from gatesolve.oracle.parity_network import Beam, Flip, num_flips, phase_network
from gatesolve.oracle.phase_polynomial import violation_polynomial
from gatesolve.pipelines import qaoa_template
from gatesolve.pipelines.qaoa.phase import Local, fit_polynomials, make_phase_layer
from gatesolve.qubo import Cost, Qubo, SoftConstraint, qubo_cost, tabulate_costs

GAMMAS, BETAS = (0.37, -1.1), (0.71, 0.29)


def variable(name, size):
    return Variable(name, tuple(range(size)))


def k4_space(encode, cells=4):
    return Space(tuple(encode(variable(f"x{k}", 4)) for k in range(cells)))


def kakuro_cost(sums):
    return Cost(
        tuple(SoftConstraint(1, NotEqual(f"x{a}", f"x{b}")) for a, b, _ in sums)
        + tuple(SoftConstraint(1, Linear(((1, f"x{a}"), (1, f"x{b}")), "==", total)) for a, b, total in sums)
    )


K4_COST = kakuro_cost(((0, 1, 3), (0, 2, 3), (2, 3, 4), (1, 3, 4)))
COSTS = {2: kakuro_cost(((0, 1, 3),)), 4: K4_COST}


def by_costs(space, cost, mixers, betas=BETAS, start=None):
    """The state that the costs and mixers give without a circuit."""
    return dense(tabulate_costs(cost, space), [block.size for block in space.blocks], mixers, GAMMAS, betas, start)


def qaoa_program(space, cost, mixers, gammas, betas, gates="cx+u", **choices):
    return qaoa_template(space, cost, mixers, layers=max(1, np.size(gammas)), **choices).program(
        gammas, betas, gates=gates
    )


def assert_equal(program, expected):
    """Ancillas are clean, and nothing is outside the codewords."""
    found = amplitudes_on_aer(program)
    assert np.linalg.norm(found) == pytest.approx(1, abs=1e-9)
    assert equal_up_to_a_phase(found, expected)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", ["auto", "xy-ring", "xy-complete", "grover", "grover-global"])
@pytest.mark.parametrize("coding", ["encoded", "numbers"])
@pytest.mark.parametrize("cells", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_one_hot_kakuro_with_every_mixer(cells, kind, coding):
    space, cost = k4_space(blocks.make_one_hot, cells), COSTS[cells]
    mixers = mix.mixers_for(space, kind)
    program = qaoa_program(space, cost, mixers, GAMMAS, BETAS, block_coding=coding)
    assert_equal(program, by_costs(space, cost, mixers))


@pytest.mark.parametrize("kind", ["xy-ring", "xy-complete", "grover", "grover-global"])
def test_a_permutation_block_up_to_a_phase_for_each_codeword(kind):
    names, values = ("a", "b", "c"), (-1, 2, 5)
    model = Model((*(Variable(name, values) for name in names), Variable("d", (0, 1))), (AllDifferent(names),))
    space = make_spaces(model, "permutation")[0]
    rules = Linear(((2, "a"), (-1, "b"), (1, "d")), "<=", 3), NotEqual("c", "a", 3), NotEqual("b", "d", 1)
    cost = Cost(tuple(SoftConstraint(weight, rule) for weight, rule in zip((3, 2, 5), rules, strict=True)))
    mixers = (*mix.mixers_for(Space(space.blocks[:1]), kind), *mix.mixers_for(Space(space.blocks[1:]), "grover"))
    mixers = mix.mixers_for(space, kind) if kind == "grover-global" else mixers
    betas = np.array(BETAS)[:, None] * np.ones(len(mixers))
    start, found = (
        amplitudes_on_aer(qaoa_program(space, cost, mixers, gammas, angles, ancillas=1))
        for gammas, angles in (((0.0,), 0 * betas[:1]), (GAMMAS, betas))
    )
    assert np.allclose(np.abs(start), 1 / np.sqrt(space.size), atol=1e-9)
    assert np.linalg.norm(found) == pytest.approx(1, abs=1e-9)
    assert equal_up_to_a_phase(found * np.abs(start) / start, by_costs(space, cost, mixers, betas))


@pytest.mark.quick(4)
@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("encode", "coding"),
    [
        (blocks.make_one_hot, "encoded"),
        (blocks.make_one_hot, "numbers"),
        (blocks.make_binary, "encoded"),
        (blocks.make_domain_wall, "encoded"),
    ],
)
@pytest.mark.parametrize("kind", ["ring", "complete", "grover"])
@pytest.mark.parametrize("sizes", [(3, 1, 5), pytest.param((3, 1, 5, 2), marks=pytest.mark.slow)])
def test_awkward_domains_and_an_angle_a_block(sizes, encode, coding, kind):
    names = "abcd"[: len(sizes)]
    space = Space(tuple(encode(variable(name, size)) for name, size in zip(names, sizes, strict=True)))
    terms = tuple(zip((2, 1, -1, 3), names, strict=False))
    rules = (NotEqual("a", "c"), Linear(terms, "<=", 3), NotEqual(names[-1], "b"))
    cost = Cost(tuple(SoftConstraint(weight, rule) for weight, rule in zip((3, 2, 5), rules, strict=True)))
    made = {"ring": mix.ring_mixer, "complete": mix.complete_mixer, "grover": lambda _: mix.Mixer("grover")}
    mixers = tuple(made[kind](block.size) for block in space.blocks)
    betas = np.array([[0.3, 0.2, -0.9, 1.1], [0.6, 0.1, 0.4, -0.2]])[:, : len(sizes)]
    program = qaoa_program(space, cost, mixers, GAMMAS, betas, block_coding=coding)
    assert_equal(program, by_costs(space, cost, mixers, betas))


@pytest.mark.sampled(1)
@pytest.mark.quick("3-numbers")
@pytest.mark.parametrize("coding", ["encoded", "numbers"])
@pytest.mark.parametrize("size", [3, 5])
def test_table_blocks_and_their_unary_form(coding, size):
    tuples = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))[:size]
    first = blocks.make_table(("a", "b", "c"), tuples)
    space = Space(
        (first, blocks.make_unary(blocks.make_table(("d", "e", "f"), tuples)), blocks.make_one_hot(variable("g", 3)))
    )
    rules = (NotEqual("a", "d"), Linear(((1, "b"), (1, "e"), (1, "g")), "==", 3), NotEqual("c", "f"))
    cost = Cost(tuple(SoftConstraint(1, rule) for rule in rules))
    for mixers in (mix.mixers_for(space), (mix.ring_mixer(size), mix.ring_mixer(size), mix.complete_mixer(3))):
        program = qaoa_program(space, cost, mixers, GAMMAS, BETAS, block_coding=coding, ancillas=6)
        assert_equal(program, by_costs(space, cost, mixers))


@pytest.mark.slow
def test_layers_cost_what_was_promised():
    space = k4_space(blocks.make_one_hot)
    program = qaoa_program(space, K4_COST, None, GAMMAS, BETAS, block_coding="encoded")
    assert program.resources("layer").cx <= 72
    assert make_phase_layer(Cost(()), space).cx == 0


def test_terms_with_flags_are_made_side_by_side():
    program = gatesolve.compile(
        "examples/kakuro/contest.txt", pipeline="qaoa", presolve="none", angles="ramp", layers=1, encoding="one-hot"
    ).program
    layer = program.resources("layer")
    assert (layer.cx <= 81, layer.depth <= 42, program.num_qubits) == (True, True, 28)


def test_angles_that_do_not_fit_are_refused():
    space = k4_space(blocks.make_one_hot)
    for gammas, betas in ((0.1, [0.2]), ([0.1], [0.1, 0.2]), ([0.1], [[0.1, 0.2]]), ([np.nan], [0.1])):
        with pytest.raises(InputError):
            qaoa_program(space, Cost(()), None, gammas, betas)
    with pytest.raises(InputError, match="layers"):
        qaoa_program(space, Cost(()), None, np.zeros(20_000), np.zeros(20_000))


@pytest.mark.sampled(1)
@pytest.mark.quick("make_binary-*", "make_one_hot-encoded", "make_domain_wall-numbers")
@pytest.mark.parametrize("coding", ["encoded", "numbers"])
@pytest.mark.parametrize("encode", [blocks.make_one_hot, blocks.make_binary, blocks.make_domain_wall])
def test_a_start_of_the_users_own(encode, coding):
    space = Space(tuple(encode(variable(name, size)) for name, size in (("a", 3), ("b", 1), ("c", 5), ("d", 2))))
    cost = Cost((SoftConstraint(2, NotEqual("a", "c")), SoftConstraint(1, NotEqual("c", "d"))))
    starts = ((0.2, 0.0, 0.8), (1.0,), (0.4, 0.1, 0.1, 0.3, 0.1), (0.9, 0.1))
    template = qaoa_template(space, cost, [mix.Mixer("grover", start=row) for row in starts], block_coding=coding)
    assert_equal(template.program(GAMMAS, BETAS), by_costs(space, cost, template.mixers))


@pytest.mark.parametrize("row", [[1.0], [1, -1, 1], [0, 0, 0], [np.nan, 1, 1]])
def test_a_start_that_is_none_is_refused(row):
    with pytest.raises(InputError, match="start of a"):
        qaoa_template(
            Space((blocks.make_one_hot(variable("a", 3)),)), Cost(()), [mix.Mixer("grover", start=tuple(row))]
        )


@pytest.mark.slow
def test_other_gate_sets_and_budgets_of_ancillas():
    space = k4_space(blocks.make_binary, 2)
    program = qaoa_program(space, COSTS[2], None, [np.pi / 4], [np.pi / 4], gates="clifford+t", block_coding="encoded")
    assert program.resources().t is not None
    wide = Space((blocks.make_binary(variable("a", 16)),))
    with pytest.raises(AncillaBudgetError):
        qaoa_template(wide, Cost(()), (mix.Mixer("grover"),), ancillas=0)
    assert qaoa_template(wide, Cost(()), (mix.Mixer("grover"),)).num_ancillas == 1
    assert qaoa_template(wide, Cost(()), (mix.Mixer("grover-global"),)).num_ancillas == 1


# --- Parity networks, fits on codewords and phase layers, each against a direct computation ---


def assert_complete(steps, masks):
    """Every parity has its turn on a wire that holds it, and all wires are back in the end."""
    held = {}
    turns = []
    for step in steps:
        if isinstance(step, Flip):
            held[step.target] = held.get(step.target, 1 << step.target) ^ held.get(step.control, 1 << step.control)
        else:
            assert held.get(step.wire, 1 << step.wire) == step.mask
            turns.append(step.mask)
    assert sorted(turns) == sorted({*masks})
    assert all(mask == 1 << wire for wire, mask in held.items())


masks_of_six = st.lists(st.integers(1, 63), max_size=20)


@pytest.mark.more_examples(25)
@settings(max_examples=10, deadline=None)
@given(masks_of_six)
def test_a_network_makes_every_parity_and_comes_back(masks):
    steps = phase_network(masks)
    assert_complete(steps, masks)
    assert num_flips(steps) <= sum(2 * (mask.bit_count() - 1) for mask in {*masks})


def spaces(first=4):
    domains = (("a", first), ("b", 3), ("c", 1), ("d", 2))
    for encode in (blocks.make_one_hot, blocks.make_binary, blocks.make_domain_wall):
        yield Space(tuple(encode(variable(*domain)) for domain in domains))


def signed(polynomial, space):
    """The value of a sum of signs on every codeword."""
    words = [space.state(n) for n in range(space.size)]
    return np.array([sum(c * (-1) ** (w & mask).bit_count() for mask, c in polynomial.items()) for w in words])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2), st.lists(st.integers(-4, 4), min_size=24, max_size=24))
def test_every_form_of_a_function_is_right_on_the_codewords(number, values):
    space = list(spaces())[number]
    local = Local((0, 1, 3), np.array(values, dtype=float))
    found = list(fit_polynomials(local, space))
    assert found
    for polynomial in found:
        assert np.ptp(signed(polynomial, space) - local.values) < 1e-7


def assert_phases(template, space, costs, gamma=0.7):
    """The layer's diagonal on the codewords, ancillas zero before and after."""
    circuit = lower(template.ops(gamma), space.num_qubits + template.num_ancillas)
    matrix = Operator(circuit).data
    words = [space.state(n) for n in range(space.size)]
    found, expected = matrix[words, words], np.exp(-1j * gamma * costs)
    assert np.allclose(found * (expected[0] / found[0]), expected, atol=1e-9)


RULES = (
    NotEqual("a", "b"),
    NotEqual("d", "b", 1),
    Linear(((1, "a"), (2, "b"), (1, "d")), "==", 4),
    AllDifferent(("a", "b", "d")),
    Linear(((3, "a"), (1, "c")), "<=", 4),
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "space", [s if k == 0 else pytest.param(s, marks=pytest.mark.slow) for k, s in enumerate([*spaces(3), *spaces()])]
)
def test_phases_are_those_of_the_costs(space):
    cost = Cost(tuple(SoftConstraint(weight, rule) for weight, rule in zip((1, 3, 2, 1, 5), RULES, strict=True)))
    costs = tabulate_costs(cost, space)
    for ancillas in (0, 2):
        template = make_phase_layer(cost, space, ancillas)
        assert template.num_ancillas <= ancillas
        for spread in (template, template.spread(space.num_qubits, ancillas + 3)):
            assert spread.num_ancillas <= ancillas + 3
            assert_phases(spread, space, costs)


def test_a_qubo_of_many_terms_takes_two_cx_a_coupling_at_most():
    draw = np.random.default_rng(3)
    terms = {(i, j): int(draw.integers(1, 9)) for i in range(7) for j in range(i + 1, 7)}
    qubo = Qubo.of([f"x{k}" for k in range(7)], terms | {(k,): -5 for k in range(7)})
    cost = qubo_cost(qubo)
    space = Space(tuple(blocks.make_binary(variable(f"x{k}", 2)) for k in range(7)))
    template = make_phase_layer(cost, space)
    assert template.cx <= 42
    assert_phases(template, space, tabulate_costs(cost, space))


def test_what_two_blocks_share_costs_what_its_couplings_cost():
    space = Space(tuple(blocks.make_one_hot(variable(name, 4)) for name in "ab"))
    sum_of_three = Cost((SoftConstraint(1, Linear(((1, "a"), (1, "b")), "==", 3)),))
    assert make_phase_layer(sum_of_three, space).cx <= 8
    assert make_phase_layer(Cost((SoftConstraint(7, NotEqual("a", "b")),)), space).cx <= 8
    alone = Cost((SoftConstraint(1, Linear(((1, "a"),), "<=", 2)),))
    assert make_phase_layer(alone, space).cx == 0


def test_wide_constraints_go_by_flags_or_say_what_they_need():
    space = Space(tuple(blocks.make_binary(variable(f"x{k}", 4)) for k in range(6)))
    total = Linear(tuple((1, f"x{k}") for k in range(6)), "==", 7)
    cost = Cost((SoftConstraint(1, total),))
    template = make_phase_layer(cost, space)
    assert template.flags
    with pytest.raises(AncillaBudgetError):
        make_phase_layer(cost, space, 0)


# --- Phase polynomials and the walks that visit their parities ---


@pytest.mark.parametrize("make", [blocks.make_one_hot, blocks.make_binary])
@pytest.mark.parametrize(
    "constraint", [NotEqual("a", "b"), Linear(((1, "a"), (2, "b")), "==", 3), Linear(((1, "a"), (1, "b")), "<=", 2)]
)
def test_broken_is_one_where_the_constraint_fails(make: type, constraint: NotEqual | Linear) -> None:
    space = Space((make(Variable("a", (0, 1, 2, 3))), make(Variable("b", (0, 1, 3)))))
    polynomial = violation_polynomial(synthesise(constraint, space), 64)
    assert polynomial is not None
    assert np.array_equal(signed(polynomial, space), ~constraint.holds(space.values(np.arange(space.size))))


def followed(template: Walks, wires: int) -> tuple[list[set[int]], set[int]]:
    """The parities that each walking wire visits, having checked that it and the wires come back."""
    holds = [1 << k for k in range(wires)]
    for control, target in template.flips:
        holds[target] ^= holds[control]
    visited, places = [], []
    for walk in (*template.walks, template.once):
        place, seen = 0, set()
        for mask, steps in walk.steps:
            for wire in steps:
                place ^= holds[wire]
            assert place == mask
            seen.add(mask)
        visited.append(seen)
        places.append(place)
    assert all(holds[wire] == mask for mask, wire in template.still)
    for walk, place in zip((*template.walks, template.once), places, strict=True):
        assert place == sum(1 << wire for wire in walk.back)
    return visited[:-1], visited[-1] | {mask for mask, _ in template.still}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.frozensets(st.integers(1, 127), max_size=12), min_size=1, max_size=4),
    st.frozensets(st.integers(1, 127).filter(lambda m: m.bit_count() > 1), max_size=6),
)
def test_walks_visit_their_points_and_come_back(points: list[frozenset[int]], once: frozenset[int]) -> None:
    template = plan_walks(tuple(points), once)
    visited, single = followed(template, 7)
    assert visited == [set(wanted) for wanted in points]
    assert single == once


# --- The beam of the search for parity networks holds what its circuits do, and takes the best of the new ones ---


MASKS = (0b0011, 0b0110, 0b1011, 0b1100)
WIRES = 4


def replay(flips):
    """What the wires hold after some CX, and the parities of `MASKS` that none held on the way."""
    held, left = [1 << wire for wire in range(WIRES)], list(MASKS)
    for control, target in flips:
        held[target] ^= held[control]
        left = [mask for mask in left if mask not in held]
    return held, left


def test_no_circuit_is_met_twice_and_the_best_come_first():
    beam, met = Beam.of(MASKS, WIRES), {((1, 2, 4, 8), MASKS)}
    for _ in range(4):
        scores = beam.estimates(0.25)
        before = dict(zip(beam.flips, scores, strict=True))
        beam = beam.step(0.25, 5)
        found = [before[flips[:-1]][flips[-1]] for flips in beam.flips]
        assert found == sorted(found)
        for flips in beam.flips:
            held, left = replay(flips)
            state = (tuple(held), tuple(left))
            assert state not in met
            met.add(state)


def test_a_beam_of_nothing_new_is_empty():
    beam = Beam.of((0b11,), 2)
    for _ in range(6):
        beam = beam.step(0.1, 50)
    assert beam.flips == ()
    assert beam.step(0.1, 50).flips == ()
