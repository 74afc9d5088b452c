"""Every rule for a multi-controlled Z: on every input, at its declared cost, and the choice among them."""

import numpy as np
import pytest
from basis_states import assert_multi_controlled_z
from conformance.dense import distance_up_to_phase, expected, matrix_of
from every_state import every_state

from gatesolve.circuit import And, Parity, choose_rule, emit, lower
from gatesolve.circuit.lowering.rules.clean import best_plan
from gatesolve.circuit.lowering.rules.mcx_schedule import LAYERS, T_LAYERS
from gatesolve.circuit.lowering.rules.mcz import (
    BORROWED_RULES,
    CLEAN_RULES,
    RULES,
    added_rules,
    count_lowered,
    expand_mcz,
    limit_ancillas,
)
from gatesolve.circuit.lowering.target import LoweringTarget
from gatesolve.errors import InputError
from gatesolve.gate_sets import METRICS
from gatesolve.simulate import diagonal_phases

BY_NAME = {rule.name: rule for rule in RULES}
SEARCHED = ("scheduled", "scheduled_t")


def wires_of(ops):
    """Every qubit the operations name."""
    return {wire for op in ops for wire in (*op.wires, *op.lent)}


def test_a_rule_is_given_more_than_it_needs_only_where_it_takes_more():
    given = {rule.name: rule.take_ancillas(8, 4, 3) for rule in CLEAN_RULES}
    assert given.keys() == {"and_tree", "v_chain", "some_clean", "one_clean", "scheduled", "scheduled_t"}
    assert (given["and_tree"], given["v_chain"], given["one_clean"]) == ((5, 0), (5, 0), (1, 0))
    assert given["some_clean"] == given["scheduled"] == given["scheduled_t"] == limit_ancillas(8, 4, 3)
    assert limit_ancillas(8, 4, 3) != (1, 0)


def assert_lowered(ops, n, clean, borrowed, gates):
    """The lowered circuit on every state of the qubits and the borrowed ones."""
    width, free = n + clean + borrowed, n + borrowed
    states = np.arange(1 << free)
    bits = np.zeros((width, 1 << free), dtype=bool)
    bits[[*range(n), *range(n + clean, width)]] = every_state(free)
    phases = diagonal_phases(lower(ops, width, gates), bits)
    assert phases is not None
    marked = (states & ((1 << n) - 1)) == (1 << n) - 1
    assert np.abs(phases / phases[0] - np.where(marked, -1, 1)).max() < 1e-9


def cases(rules, sizes, counts):
    found = [(rule, n, count) for rule in rules for n in sizes for count in counts(rule, n)]
    return [pytest.param(rule, n, count, id=f"{rule.name}-{n}-{count}") for rule, n, count in found]


def clean_counts(rule, n):
    """The least; for a rule that takes any number, up to what is of use, or a few where each is searched."""
    least = rule.clean(n)
    if rule.name in SEARCHED:
        return range(1, min(n - 2, 4 if n < 10 else 2))
    if rule.name == "some_clean":
        # Fewer qubits than it is ever chosen for.
        return range(least, max(n - 3, least + 1)) if n > 4 else []
    return [least]


@pytest.mark.parametrize(("rule", "n", "count"), cases(CLEAN_RULES, (4, 5, 6, 8, 11), clean_counts))
def test_clean_rule(rule, n, count):
    # Neither in order nor next to each other.
    order = np.random.default_rng(n).permutation(n + count + 2).tolist()
    qubits, ancillas = order[:n], order[n : n + count]
    ops = rule.build(qubits, ancillas, ())
    assert_multi_controlled_z(ops, qubits, ancillas)
    assert wires_of(ops) <= {*qubits, *ancillas}
    cost = count_lowered(ops)
    assert (cost.cx, cost.t) == (rule.cx(n, count, 0), rule.t(n, count, 0)) == (6 * n - 12, 8 * n - 17)
    assert cost == rule.cost(n, count, 0)


@pytest.mark.parametrize("n", [12, 16, 21])
@pytest.mark.parametrize("name", ["and_tree", "v_chain", "some_clean", "one_clean"])
def test_wide_clean_rule_costs_what_it_declares(name, n):
    cost = BY_NAME[name].cost(n, BY_NAME[name].clean(n), 0)
    assert (cost.cx, cost.t) == (6 * n - 12, 8 * n - 17)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "clean"), [(13, 1), (15, 5)])
def test_wide_schedule(n, clean):
    ops = BY_NAME["scheduled"].build(range(n), range(n, n + clean), ())
    assert_multi_controlled_z(ops, range(n), range(n, n + clean))


def borrowed_counts(rule, n):
    """Some numbers of borrowed qubits; the rule for any group takes as many as are of use."""
    return range(rule.borrowed(n), n - 3 if n > 5 else 2)


@pytest.mark.quick(19)
@pytest.mark.parametrize(
    ("rule", "n", "count"),
    cases((*BORROWED_RULES[:5], *BORROWED_RULES[-3:], *added_rules()), (4, 5, 7), borrowed_counts),
)
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
def test_borrowed_rule(rule, n, count, gates):
    clean = rule.clean(n)
    ops = rule.build(range(n), range(n, n + clean), range(n + clean, n + clean + count))
    assert_lowered(ops, n, clean, count, gates)


@pytest.mark.sampled(20)
@pytest.mark.quick("*-[458]-*", "*-11-1")
@pytest.mark.parametrize(
    ("rule", "n", "count"), cases((*BORROWED_RULES, *added_rules()), (4, 5, 8, 11), borrowed_counts)
)
def test_borrowed_rule_costs_what_it_declares(rule, n, count):
    clean = rule.clean(n)
    cost = rule.cost(n, clean, count)
    assert (cost.cx, cost.t) == (rule.cx(n, clean, count), rule.t(n, clean, count))


@pytest.mark.parametrize("controls", [3, 4, 5, 9, 14, 20])
def test_borrowing_enough_costs_as_little_as_is_known(controls):
    """Maslov's proposition 5; T one less a control than PyZX leaves of the Toffoli chain."""
    n, count = controls + 1, -(-(controls - 2) // 2)
    rule = choose_rule(n, 0, count)
    cost = rule.cost(n, 0, count)
    assert cost.cx == (14 if controls == 3 else 8 * controls - 12)
    assert cost.t == 8 * controls - 8


@pytest.mark.parametrize(("n", "clean"), [(4, 1), (6, 1), (6, 2), (8, 1), (8, 3)])
@pytest.mark.parametrize("name", SEARCHED)
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
def test_lowered_schedule(name, n, clean, gates):
    assert_lowered(BY_NAME[name].build(range(n), range(n, n + clean), ()), n, clean, 0, gates)


@pytest.mark.parametrize(("n", "clean"), [(5, 1), (6, 2), (8, 2), (8, 4), (11, 1), (11, 2)])
def test_planned_depth_is_the_built_depth(n, clean):
    """Short of a layer where a factor of the CCZ is a bare qubit, and of T gates that meet and merge.

    T layers are planned for ANDs of two layers, and most are made in one.
    """
    rules = (("scheduled", LAYERS, "depth", 1), ("scheduled_t", T_LAYERS, "t_depth", 8))
    for name, timing, field, less in rules:
        built = getattr(BY_NAME[name].cost(n, clean, 0, field), field)
        assert built <= best_plan(n, clean, timing).depth <= built + less


@pytest.mark.quick("*-[3-7]", "1-0-9")
@pytest.mark.parametrize("n", [6, 9])
@pytest.mark.parametrize("clean", [0, 1, 2, 4])
@pytest.mark.parametrize("borrowed", [1, 3])
def test_no_rule_beats_the_chosen_one(n, clean, borrowed):
    """On its metric, among all that fit the budget."""
    usable = limit_ancillas(n, clean, borrowed)
    fitting = [rule for rule in (CLEAN_RULES if clean else BORROWED_RULES) if rule.fits(n, *usable)]
    for metric in ("cx", "t", "depth", "t_depth"):
        chosen = choose_rule(n, *usable, metric)
        costs = [rule.cost(n, *usable, metric) for rule in fitting]
        assert getattr(chosen.cost(n, *usable, metric), metric) == min(getattr(cost, metric) for cost in costs)


@pytest.mark.parametrize("metric", METRICS)
def test_a_rule_needs_an_ancilla_and_takes_one_for_fewest_qubits(metric):
    assert choose_rule(6, 0, 0, metric) is expand_mcz(range(6), (), (), LoweringTarget(metric)) is None
    ops = expand_mcz(range(6), range(6, 9), (), LoweringTarget(metric))
    assert_multi_controlled_z(ops, range(6), range(6, 9))
    assert (len(wires_of(ops)) == 7) == (metric == "qubits")


def test_unknown_objective_is_refused():
    with pytest.raises(InputError, match="unknown metric 'time': choose one of cx, t, depth, t_depth, qubits"):
        lower([], 1, "cx+u", "time")


@pytest.mark.parametrize("undo", [False, True])
@pytest.mark.parametrize("signs", [(False, False), (False, True), (True, False), (True, True)])
def test_an_and_in_two_layers_of_t(undo, signs):
    """It is the same gate, relative phases included."""
    op = And(Parity((0,), signs[0]), Parity((2,), signs[1]), 1, undo)
    gates = list(emit([op], LoweringTarget("t_depth")))
    assert distance_up_to_phase(matrix_of(gates, 3), expected([op], 3)) < 1e-12
    assert count_lowered((op,), LoweringTarget("t_depth")).t_depth == 2
    assert count_lowered((op,)).t_depth == 4
