"""gatesolve.mcx: right on every input, in the gate set, never worse than Qiskit's own synthesis."""

import sys
from time import process_time

import numpy as np
import pytest
from qiskit import transpile
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

from gatesolve.circuit.lowering import lower
from gatesolve.circuit.lowering.target import OBJECTIVES
from gatesolve.circuit.mcx import mcx
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.simulate import basis_terms, run_sparse

T_NAMES = ("t", "tdg")
CLIFFORD = {"cx", "h", "x", "z", "s", "sdg"}
STATED = {"cx+u": {"cx", "u"}, "clifford+t": {*CLIFFORD, *T_NAMES}, "clifford+toffoli": {*CLIFFORD, "ccx"}}


def assert_flips(circuit, controls, clean, borrowed):
    """Every state of controls, target and borrowed ancillas; clean ones zero."""
    free = [*range(controls + 1), *range(controls + 1 + clean, controls + 1 + clean + borrowed)]
    states = np.arange(1 << len(free))
    before = np.zeros((circuit.num_qubits, len(states)), dtype=bool)
    for k, qubit in enumerate(free):
        before[qubit] = states >> k & 1
    after = before.copy()
    after[controls] ^= before[:controls].all(axis=0)
    found, wanted = run_sparse(circuit, basis_terms(before)), basis_terms(after)
    order = np.argsort(found.keys[:, 0], kind="stable")
    assert np.array_equal(found.keys[order], wanted.keys)
    assert np.abs(found.amplitudes[order] / found.amplitudes[order][0] - 1).max() < 1e-9


@pytest.mark.quick("*-[0134]")
@pytest.mark.parametrize("controls", range(6))
@pytest.mark.parametrize(("clean", "borrowed"), [(0, 0), (3, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("gates", STATED)
def test_every_budget(controls, clean, borrowed, gates):
    for objective in OBJECTIVES:
        if controls >= 3 and clean + borrowed == 0 and gates != "cx+u":
            with pytest.raises(DoesNotFitError, match="ancillas=1 or more"):
                mcx(controls, clean=clean, borrowed=borrowed, objective=objective, gates=gates)
            continue
        circuit = mcx(controls, clean=clean, borrowed=borrowed, objective=objective, gates=gates)
        assert circuit.num_qubits == controls + 1 + clean + borrowed
        assert set(circuit.count_ops()) <= STATED[gates]
        if gates == "clifford+toffoli":
            toffolis = max(controls - 1, 0) if controls < 3 else 2 * controls - 3 if clean else 4 * (controls - 2)
            borrows = objective == "qubits" and borrowed and controls > 2
            assert circuit.count_ops().get("ccx", 0) == (4 * (controls - 2) if borrows else toffolis)
        assert_flips(circuit, controls, clean, borrowed)


def counts(circuit):
    u = transpile(circuit, basis_gates=["cx", "u"], optimization_level=1)
    t = circuit
    while not set(t.count_ops()) <= STATED["clifford+t"] | {"u", "p", "rz", "ry"}:
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
    for objective in ("cx", "depth"):
        assert counts(mcx(controls, objective=objective, **budget))[objective] <= theirs[objective]
    for objective in ("t", "t_depth"):
        made = mcx(controls, objective=objective, gates="clifford+t", **budget)
        assert counts(made)[objective] <= theirs[objective]


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
    with pytest.raises(InputError, match="unknown objective 'speed'"):
        mcx(3, objective="speed")
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
    few = mcx(7, borrowed=borrowed, objective="t", gates="clifford+t").count_ops()
    assert few["t"] + few["tdg"] == 8 * 7 - 8 + (8 if borrowed < 3 else 0)
    assert mcx(7, borrowed=borrowed, objective="t").count_ops()["cx"] == mcx(7, borrowed=borrowed).count_ops()["cx"]
