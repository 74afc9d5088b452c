"""gatesolve.mcx: right on every input, in the gate set, never worse than Qiskit's own synthesis."""

import random
import sys
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from basis_states import assert_multi_controlled_z
from every_state import every_state
from qiskit import QuantumCircuit, transpile
from qiskit.circuit.library import MCXGate
from qiskit.quantum_info import Operator
from qiskit.synthesis import (
    synth_mcx_1_clean_kg24,
    synth_mcx_1_dirty_kg24,
    synth_mcx_2_clean_kg24,
    synth_mcx_n_clean_m15,
    synth_mcx_n_dirty_m15,
    synth_mcx_noaux_hp24,
    synth_mcx_noaux_sp22,
)

from benchmarks.core.report import fill
from benchmarks.suites import mcx_rules
from gatesolve.circuit import Gate, build, choose_rule, lower, named_circuit
from gatesolve.circuit.lowering.rules.borrowed import compose_parts, most_in_group, toggle_parts
from gatesolve.circuit.lowering.rules.clean import batches
from gatesolve.circuit.lowering.rules.mcx_schedule import LAYERS, T_LAYERS, plan_schedule
from gatesolve.circuit.lowering.target import PLAIN
from gatesolve.circuit.mcx import mcx, quick_mcx
from gatesolve.circuit.ops import emit_gates
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.gate_sets import GATE_SETS, METRICS
from gatesolve.simulate import basis_terms, run_sparse

T_NAMES = ("t", "tdg")


def assert_flips(circuit, controls, clean, states=None):
    """X on the target where all controls are 1, for rows of bits (else all) of what is not clean; that is zero."""
    free = [q for q in range(circuit.num_qubits) if not controls < q <= controls + clean]
    states = every_state(len(free)).T if states is None else states
    before = np.zeros((circuit.num_qubits, len(states)), dtype=bool)
    before[free] = states[:, : len(free)].T
    after = before.copy()
    after[controls] ^= before[:controls].all(axis=0)
    found, wanted = run_sparse(circuit, basis_terms(before)), basis_terms(after)
    order, wanted_order = (np.lexsort(terms.keys.T) for terms in (found, wanted))
    assert np.array_equal(found.keys[order], wanted.keys[wanted_order])
    assert np.abs(found.amplitudes[order] / found.amplitudes[order][0] - 1).max() < 1e-9


@pytest.mark.sampled(10)
@pytest.mark.quick("*-[0134]")
@pytest.mark.parametrize("controls", range(6))
@pytest.mark.parametrize(("clean", "borrowed"), [(0, 0), (3, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("gates", GATE_SETS)
def test_every_budget(controls, clean, borrowed, gates):
    for metric in METRICS:
        if controls >= 3 and clean + borrowed == 0 and "u" not in GATE_SETS[gates].names:
            with pytest.raises(DoesNotFitError, match="ancillas=1 or more"):
                mcx(controls, clean=clean, borrowed=borrowed, optimize=metric, gates=gates)
            continue
        circuit = mcx(controls, clean=clean, borrowed=borrowed, optimize=metric, gates=gates)
        assert circuit.num_qubits == controls + 1 + clean + borrowed
        assert set(circuit.count_ops()) <= GATE_SETS[gates].names
        if gates == "clifford+toffoli":
            toffolis = max(controls - 1, 0) if controls < 3 else 2 * controls - 3 if clean else 4 * (controls - 2)
            borrows = metric == "qubits" and borrowed and controls > 2
            assert circuit.count_ops().get("ccx", 0) == (4 * (controls - 2) if borrows else toffolis)
        assert_flips(circuit, controls, clean)


def counts(circuit):
    u = transpile(circuit, basis_gates=["cx", "u"], optimization_level=1)
    t = circuit
    while not set(t.count_ops()) <= GATE_SETS["clifford+t"].names | {"u", "p", "rz", "ry"}:
        t = t.decompose()
    names = t.count_ops()
    return {
        "cx": u.count_ops()["cx"],
        "t": sum(names.get(name, 0) for name in T_NAMES),
        "depth": u.depth(),
        "t_depth": t.depth(lambda i: i.operation.name in T_NAMES),
    }


@pytest.mark.quick("*-[3457]")
@pytest.mark.parametrize("controls", [3, 4, 5, 7, 10])
@pytest.mark.parametrize(
    ("synthesis", "clean", "borrowed"),
    [
        (synth_mcx_1_clean_kg24, lambda k: 1, lambda k: 0),
        (synth_mcx_2_clean_kg24, lambda k: 2, lambda k: 0),
        (synth_mcx_n_clean_m15, lambda k: k - 2, lambda k: 0),
        (synth_mcx_1_dirty_kg24, lambda k: 0, lambda k: 1),
        (synth_mcx_n_dirty_m15, lambda k: 0, lambda k: -(-(k - 2) // 2)),
    ],
)
def test_never_worse_than_qiskit(controls, synthesis, clean, borrowed):
    theirs = counts(synthesis(controls))
    budget = {"clean": clean(controls), "borrowed": borrowed(controls)}
    for metric in ("cx", "depth"):
        assert counts(mcx(controls, optimize=metric, **budget))[metric] <= theirs[metric]
    for metric in ("t", "t_depth"):
        made = mcx(controls, optimize=metric, gates="clifford+t", **budget)
        assert counts(made)[metric] <= theirs[metric]


@pytest.mark.quick("28")
@pytest.mark.parametrize("controls", [27, 28, 33, 40, 48, 64])
def test_without_ancillas_never_above_qiskits_constructions(controls):
    """Both, which is more than the one of linearly many CX from 33 controls."""
    made = mcx(controls).count_ops()["cx"]
    for synthesis in (synth_mcx_noaux_sp22, synth_mcx_noaux_hp24):
        assert made <= transpile(synthesis(controls), basis_gates=["cx", "u"], optimization_level=0).count_ops()["cx"]


@pytest.mark.quick("5")
@pytest.mark.parametrize("controls", [5, 8])
def test_the_construction_of_linearly_many_cx_is_right(controls, monkeypatch):
    monkeypatch.setattr(sys.modules[lower.__module__], "LINEAR", 5)
    made, wanted = Operator(mcx(controls)).data, Operator(MCXGate(controls)).data
    assert mcx(controls).count_ops()["cx"] > counts(synth_mcx_noaux_sp22(controls))["cx"]
    assert abs(np.vdot(made, wanted)) / len(made) > 1 - 1e-9


def test_wrong_arguments_are_refused():
    for wrong in ({"num_controls": -1}, {"num_controls": "3"}, {"clean": 1.5}, {"borrowed": None}, {"width": 0}):
        with pytest.raises(InputError, match=r"^controls and ancillas are whole numbers from 0, and "):
            mcx(**{"num_controls": 3, **wrong})
    with pytest.raises(InputError, match="unknown metric 'speed'"):
        mcx(3, optimize="speed")
    with pytest.raises(InputError, match="unknown gate set 'cz': choose one of cx\\+u, clifford\\+t"):
        mcx(3, gates="cz")


def test_many_controls_take_no_search_among_rules_that_cost_more():
    """Half as many borrowed qubits as controls: 137 s where every rule was made to look for the shallowest."""
    start = process_time()
    made = mcx(40, borrowed=20)
    assert process_time() - start < 10
    assert made.count_ops()["cx"] == 8 * 40 - 12


@pytest.mark.parametrize("borrowed", [2, 3])
def test_fewest_t_also_where_they_are_not_seen(borrowed):
    few = mcx(7, borrowed=borrowed, optimize="t", gates="clifford+t").count_ops()
    assert few["t"] + few["tdg"] == 8 * 7 - 8 + (8 if borrowed < 3 else 0)
    assert mcx(7, borrowed=borrowed, optimize="t").count_ops()["cx"] == mcx(7, borrowed=borrowed).count_ops()["cx"]


# --- Schedules of ANDs: the depths that the search reaches, and what the ANDs make of basis states ---


def run_schedule(schedule, bits):
    """The product of the roots after the steps, from a state of all wires."""
    bits = list(bits)
    for step in schedule.steps:
        bits[step.target] ^= step.flipped
        bits[step.target] ^= bits[step.middle] & bits[step.outer] & (step.third is None or bits[step.third])
    return all(bits[root] for root in schedule.roots)


@pytest.mark.parametrize(
    ("controls", "clean", "timing", "width", "triple", "depth"),
    [
        (9, 1, LAYERS, 30, False, 49),
        (12, 3, T_LAYERS, 8, True, 20),
        (40, 5, T_LAYERS, 4, False, 28),
        (60, 1, T_LAYERS, 4, True, 64),
        (101, 1, LAYERS, 4, False, None),
    ],
)
def test_schedules_are_as_shallow_as_known_and_right(controls, clean, timing, width, triple, depth):
    schedule = plan_schedule(controls, clean, timing, width, triple)
    if depth is None:
        assert schedule is None
        return
    assert schedule.depth <= depth
    draw = random.Random(controls)
    for zeros in (0, 1, 1, 1, 2, 3, 5, controls // 2):
        bits = [1] * controls + [0] * clean
        for wire in draw.sample(range(controls), zeros):
            bits[wire] = 0
        assert run_schedule(schedule, bits) == (zeros == 0)


@pytest.mark.slow
def test_a_hundred_controls():
    made = mcx(100, clean=1)
    assert made.depth() <= 180
    assert made.count_ops()["cx"] <= 594


@pytest.mark.quick("24")
@pytest.mark.parametrize("controls", [24, 40, 100])
def test_for_depth_none_is_deeper_than_for_cx(controls):
    assert mcx(controls, clean=1).depth() <= 4 * controls
    assert mcx(controls, clean=1, optimize="depth").depth() <= mcx(controls, clean=1).depth()


# --- Large gates without a search: right, and at the CX and T of the searched ones, for 3 to 64 controls ---


KINDS = {
    "1 clean": lambda k: (1, 0),
    "2 clean": lambda k: (2, 0),
    "5 clean": lambda k: (5, 0),
    "k-2 clean": lambda k: (k - 2, 0),
    "1 borrowed": lambda k: (0, 1),
    "2 borrowed": lambda k: (0, 2),
    "5 borrowed": lambda k: (0, 5),
    "half borrowed": lambda k: (0, -(-(k - 2) // 2)),
    "k-3 borrowed": lambda k: (0, max(1, k - 3)),
}


@pytest.mark.parametrize("clean", range(1, 6))
@pytest.mark.parametrize("n", range(4, 13))
def test_batches_on_every_input(n, clean):
    clean = min(clean, n - 3)
    order = np.random.default_rng(n).permutation(n + clean).tolist()
    ops = batches(order[:n], order[n:])
    assert_multi_controlled_z(ops, order[:n], order[n:])


def test_batches_on_a_single_ancilla_are_of_logarithmic_depth():
    narrow, wide = (named_circuit(batches(range(n), [n]), QuantumCircuit(n + 1)).depth() for n in (20, 80))
    assert wide <= narrow + 24


@pytest.mark.sampled(6)
@pytest.mark.quick("*-[345]", "[12] *")
@pytest.mark.parametrize("controls", range(3, 8))
@pytest.mark.parametrize("kind", KINDS)
def test_small_ones_on_every_input(kind, controls):
    clean, borrowed = KINDS[kind](controls)
    assert_flips(quick_mcx(controls, clean, borrowed), controls, clean)


def drawn_states(controls, free, seed):
    """All controls 1, all but one, and random ones of few zeros and of many; different from one another."""
    draw = np.random.default_rng(seed)
    states = draw.random((60, free)) < np.repeat([0.95, 0.5], 30)[:, None]
    states[:10, :controls] = True
    for row in range(10, 24):
        states[row, :controls] = True
        states[row, draw.integers(controls)] = False
    return np.unique(states, axis=0)


@pytest.mark.sampled(30)
@pytest.mark.quick("*-21", "[1k]*-64")
@pytest.mark.parametrize("controls", range(8, 65))
@pytest.mark.parametrize("kind", KINDS)
def test_large_ones_on_drawn_inputs(kind, controls):
    """The gates as they are written; `sweep_rotations`, which makes them fewer, has tests of its own."""
    clean, borrowed = KINDS[kind](controls)
    n, wires = controls + 1, range(controls + 1 + clean + borrowed)
    if clean:
        ops = batches(wires[:n], wires[n : n + min(clean, n - 3)])
    else:
        group = most_in_group(n, borrowed)
        ops = compose_parts(*toggle_parts(wires[:n], wires[n:], group, is_searched=False))
    turn = Gate("h", (controls,))
    gates = emit_gates((turn, *ops, turn), PLAIN, None)
    assert_flips(build(gates, len(wires)), controls, clean, drawn_states(controls, n + borrowed, controls))


@pytest.mark.quick(3)
@pytest.mark.parametrize("kind", KINDS)
def test_as_many_cx_and_t_as_the_best_rule_declares(kind):
    """Which is what `mcx` makes."""
    for controls in range(3, 65):
        clean, borrowed = KINDS[kind](controls)
        names = quick_mcx(controls, clean, borrowed).count_ops()
        if controls == 3 and borrowed:
            assert names["cx"] == 14
            continue
        rule = choose_rule(controls + 1, min(clean, controls - 2), min(borrowed, max(1, controls - 3)))
        given = rule.take_ancillas(controls + 1, clean, borrowed)
        assert (names["cx"], names["t"] + names["tdg"]) == tuple(f(controls + 1, *given) for f in (rule.cx, rule.t))


def test_a_fault_is_seen():
    made = quick_mcx(30, 2, 0)
    states = drawn_states(30, 31, 1)
    place = next(k for k, one in enumerate(made.data) if one.operation.name == "cx")
    del made.data[place]
    with pytest.raises((AssertionError, ValueError)):
        assert_flips(made, 30, 2, states)


# --- docs/contributors/mcx.md shows what the code makes ---


ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/contributors/mcx.md").read_text(encoding="utf-8")


def test_table_of_rules_is_up_to_date():
    assert fill(mcx_rules.PAGE, {"rules": mcx_rules.rules_table()}) == {mcx_rules.PAGE: PAGE}


@pytest.mark.quick(3)
@pytest.mark.parametrize("budget", mcx_rules.BUDGETS, ids=lambda b: b.name)
def test_rows_beside_others_are_up_to_date(budget):
    """Without the peers that are not installed here, which are no better anywhere."""
    made = mcx_rules.row(5, budget)
    assert not mcx_rules.worse(made)
    (shown,) = (line for line in PAGE.splitlines() if line.startswith(f"| 5 | {budget.name} |"))
    assert shown.strip("| ").split(" | ")[2::2] == made[2::2]


def test_no_peer_is_better_anywhere():
    table = PAGE.split("<!-- peers: begin -->")[1].split("\n<!-- peers: end")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[3:]]
    assert len(rows) == 36
    assert not [row for row in rows if mcx_rules.worse(row)]


def test_what_is_worse_is_seen():
    assert mcx_rules.worse(["5", "none", "9", "8", "-", "-"])
    assert mcx_rules.worse(["5", "none", "8", "8", "-", "7"])
    assert not mcx_rules.worse(["5", "none", "8", "8", "3", "-"])
