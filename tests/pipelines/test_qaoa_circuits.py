"""QAOA's circuits against a plain dense simulation in the space."""

from functools import reduce

import numpy as np
import pytest

from gatesolve.encodings import Space
from gatesolve.encodings import block as blocks
from gatesolve.encodings import mixer as mix
from gatesolve.errors import AncillaBudgetError, InputError
from gatesolve.model import Linear, NotEqual, Variable
from gatesolve.pipelines import qaoa_plan
from gatesolve.pipelines.qaoa.phase import phase_plan
from gatesolve.qubo import Cost, SoftConstraint, tabulate_costs

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


def hop_matrix(size, hops, beta):
    total = np.eye(size, dtype=complex)
    for a, b in hops:
        one = np.eye(size, dtype=complex)
        one[a, a] = one[b, b] = np.cos(beta)
        one[a, b] = one[b, a] = -1j * np.sin(beta)
        total = one @ total
    return total


def grover_matrix(size, beta):
    return np.eye(size) + (np.exp(-1j * beta) - 1) / size


def qaoa_program(space, cost, mixers, gammas, betas, gates="cx+u", **choices):
    return qaoa_plan(space, cost, mixers, layers=max(1, np.size(gammas)), **choices).program(gammas, betas, gates=gates)


def dense(space, costs, mixers, gammas, betas, start=None):
    """The state in the space, one axis a block, the first block's the last."""
    sizes = [block.size for block in space.blocks]
    state = np.full(space.size, space.size**-0.5, dtype=complex) if start is None else start.astype(complex)
    for gamma, beta in zip(gammas, np.broadcast_to(np.transpose(betas), (len(mixers), len(gammas))).T, strict=True):
        state = state * np.exp(-1j * gamma * costs)
        if mixers[0].kind == "grover-global":
            state = grover_matrix(space.size, beta[0]) @ state
            continue
        matrices = [
            grover_matrix(size, b) if mixer.kind == "grover" else hop_matrix(size, mixer.hops, b)
            for size, mixer, b in zip(sizes, mixers, beta, strict=True)
        ]
        state = reduce(lambda left, right: np.kron(right, left), matrices, np.eye(1)) @ state
    return state


def amplitudes_on_aer(program):
    """Of every codeword with clean ancillas, and the weight of everything else."""
    from qiskit_aer import AerSimulator

    circuit = program.lowered.remove_final_measurements(inplace=False)
    circuit.save_statevector()
    simulator = AerSimulator(method="statevector", max_parallel_threads=1)
    result = simulator.run(circuit).result()
    state = np.asarray(result.get_statevector())
    found = state[[program.space.state(n) for n in range(program.space.size)]]
    return found, 1 - float(np.sum(np.abs(found) ** 2))


def assert_equal(program, expected):
    found, elsewhere = amplitudes_on_aer(program)
    assert abs(elsewhere) < 1e-9
    place = int(np.argmax(np.abs(expected)))
    assert np.allclose(found * (expected[place] / found[place]), expected, atol=1e-9)


@pytest.mark.parametrize("kind", ["auto", "xy-ring", "xy-complete", "grover", "grover-global"])
@pytest.mark.parametrize("form", ["asked", "numbers"])
@pytest.mark.parametrize("cells", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_one_hot_kakuro_with_every_mixer(cells, kind, form):
    space, cost = k4_space(blocks.make_one_hot, cells), COSTS[cells]
    mixers = mix.mixers_for(space, kind)
    program = qaoa_program(space, cost, mixers, GAMMAS, BETAS, form=form)
    assert_equal(program, dense(space, tabulate_costs(cost, space), mixers, GAMMAS, BETAS))


@pytest.mark.parametrize(
    ("encode", "form"),
    [
        (blocks.make_one_hot, "asked"),
        (blocks.make_one_hot, "numbers"),
        (blocks.make_binary, "asked"),
        (blocks.make_domain_wall, "asked"),
    ],
)
@pytest.mark.parametrize("kind", ["ring", "complete", "grover"])
@pytest.mark.parametrize("sizes", [(3, 1, 5), pytest.param((3, 1, 5, 2), marks=pytest.mark.slow)])
def test_awkward_domains_and_an_angle_a_block(sizes, encode, form, kind):
    names = "abcd"[: len(sizes)]
    space = Space(tuple(encode(variable(name, size)) for name, size in zip(names, sizes, strict=True)))
    terms = tuple(zip((2, 1, -1, 3), names, strict=False))
    rules = (NotEqual("a", "c"), Linear(terms, "<=", 3), NotEqual(names[-1], "b"))
    cost = Cost(tuple(SoftConstraint(weight, rule) for weight, rule in zip((3, 2, 5), rules, strict=True)))
    made = {"ring": mix.ring_mixer, "complete": mix.complete_mixer, "grover": lambda _: mix.Mixer("grover")}
    mixers = tuple(made[kind](block.size) for block in space.blocks)
    betas = np.array([[0.3, 0.2, -0.9, 1.1], [0.6, 0.1, 0.4, -0.2]])[:, : len(sizes)]
    program = qaoa_program(space, cost, mixers, GAMMAS, betas, form=form)
    assert_equal(program, dense(space, tabulate_costs(cost, space), mixers, GAMMAS, betas))


@pytest.mark.quick("3-numbers")
@pytest.mark.parametrize("form", ["asked", "numbers"])
@pytest.mark.parametrize("size", [3, 5])
def test_table_blocks_and_their_unary_form(form, size):
    tuples = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))[:size]
    first = blocks.make_table(("a", "b", "c"), tuples)
    space = Space(
        (first, blocks.make_unary(blocks.make_table(("d", "e", "f"), tuples)), blocks.make_one_hot(variable("g", 3)))
    )
    rules = (NotEqual("a", "d"), Linear(((1, "b"), (1, "e"), (1, "g")), "==", 3), NotEqual("c", "f"))
    cost = Cost(tuple(SoftConstraint(1, rule) for rule in rules))
    for mixers in (mix.mixers_for(space), (mix.ring_mixer(size), mix.ring_mixer(size), mix.complete_mixer(3))):
        program = qaoa_program(space, cost, mixers, GAMMAS, BETAS, form=form, ancillas=6)
        assert_equal(program, dense(space, tabulate_costs(cost, space), mixers, GAMMAS, BETAS))


@pytest.mark.slow
def test_layers_cost_what_was_promised():
    space = k4_space(blocks.make_one_hot)
    program = qaoa_program(space, K4_COST, None, GAMMAS, BETAS, form="asked")
    assert program.section_resources("layer").cx <= 72
    assert phase_plan(Cost(()), space).cx == 0


def test_angles_that_do_not_fit_are_refused():
    space = k4_space(blocks.make_one_hot)
    for gammas, betas in ((0.1, [0.2]), ([0.1], [0.1, 0.2]), ([0.1], [[0.1, 0.2]]), ([np.nan], [0.1])):
        with pytest.raises(InputError):
            qaoa_program(space, Cost(()), None, gammas, betas)
    with pytest.raises(InputError, match="layers"):
        qaoa_program(space, Cost(()), None, np.zeros(20_000), np.zeros(20_000))


def test_the_program_reads_like_any_other():
    space = k4_space(blocks.make_one_hot, 2)
    program = qaoa_program(space, COSTS[2], None, GAMMAS, BETAS, form="asked")
    assert program.qasm2().startswith("OPENQASM 2.0")
    assert program.qasm3().startswith("OPENQASM 3")
    state = format(space.state(7), f"0{space.num_qubits}b")
    assert program.decode({state: 3, "0" * 8: 1}) == [(space.assignment(7), 3), (None, 1)]
    assert program.num_qubits == program.space.num_qubits + program.num_ancillas


@pytest.mark.quick("make_binary-*", "make_one_hot-asked", "make_domain_wall-numbers")
@pytest.mark.parametrize("form", ["asked", "numbers"])
@pytest.mark.parametrize("encode", [blocks.make_one_hot, blocks.make_binary, blocks.make_domain_wall])
def test_a_start_of_the_users_own(encode, form):
    space = Space(tuple(encode(variable(name, size)) for name, size in (("a", 3), ("b", 1), ("c", 5), ("d", 2))))
    cost = Cost((SoftConstraint(2, NotEqual("a", "c")), SoftConstraint(1, NotEqual("c", "d"))))
    plan = qaoa_plan(space, cost, form=form)
    warm = ([0.2, 0.0, 0.8], None, [3, 1, 0.5, 2, 1], [0.9, 0.1])
    rows = [np.ones(1) if row is None else np.array(row) / sum(row) for row in warm]
    start = np.sqrt(reduce(lambda left, right: np.kron(right, left), rows, np.ones(1)))
    program = plan.program(GAMMAS, BETAS, warm=warm)
    assert_equal(program, dense(space, tabulate_costs(cost, space), plan.mixers, GAMMAS, BETAS, start))


@pytest.mark.parametrize("row", [[1.0], [1, -1, 1], [0, 0, 0], [np.nan, 1, 1]])
def test_a_start_that_is_none_is_refused(row):
    plan = qaoa_plan(Space((blocks.make_one_hot(variable("a", 3)),)), Cost(()))
    with pytest.raises(InputError, match="start of a"):
        plan.program([0.1], [0.1], warm=[row])
    with pytest.raises(InputError, match="one each"):
        plan.program([0.1], [0.1], warm=[])


@pytest.mark.slow
def test_other_gate_sets_and_budgets_of_ancillas():
    space = k4_space(blocks.make_binary, 2)
    program = qaoa_program(space, COSTS[2], None, [np.pi / 4], [np.pi / 4], gates="clifford+t", form="asked")
    assert program.resources().t is not None
    wide = Space((blocks.make_binary(variable("a", 16)),))
    with pytest.raises(AncillaBudgetError):
        qaoa_plan(wide, Cost(()), (mix.Mixer("grover"),), ancillas=0)
    assert qaoa_plan(wide, Cost(()), (mix.Mixer("grover"),)).num_ancillas == 1
    assert qaoa_plan(wide, Cost(()), (mix.Mixer("grover-global"),)).num_ancillas == 1
