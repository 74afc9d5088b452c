"""The proved weights suffice, and where they are tight a smaller one fails."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_build import best_of, lowest, total, zero_one

from gatesolve.encodings import Space, make_spaces
from gatesolve.encodings import block as blocks
from gatesolve.model import Linear, Model, NotEqual, Objective, Table, Variable
from gatesolve.qubo import build, formulate_model


def packing(weights, pairs):
    names = [f"x{k}" for k in range(len(weights))]
    goal = Objective(tuple(zip(weights, names, strict=True)), 0, "max")
    return Model(zero_one(*names), tuple(total([names[i], names[j]], "<=", 1) for i, j in pairs), goal)


@settings(deadline=None)
@given(
    st.lists(st.integers(-2, 6), min_size=3, max_size=6),
    st.sets(st.sampled_from(list(combinations(range(6), 2))), min_size=1),
)
def test_packing_takes_the_lighter_of_each_pair(weights, pairs):
    model = packing(weights, [(i, j) for i, j in sorted(pairs) if j < len(weights)])
    made = formulate_model(model)
    for part in made.parts:
        i, j = (int(name[1:]) for name in part.constraints[0].scope)
        assert part.weight <= max(0, min(weights[i], weights[j])) + 1
    assert lowest(made)[0] == best_of(model)


def test_a_smaller_packing_weight_fails():
    model = packing([3, 5], [(0, 1)])
    assert [p.sufficient for p in formulate_model(model).parts] == [4]
    assert lowest(formulate_model(model, penalties=3.001))[0] == best_of(model)
    assert len(lowest(formulate_model(model, penalties=3))[0]) == 2
    assert not lowest(formulate_model(model, penalties=2))[0] & best_of(model)
    assert not formulate_model(model, penalties=2).proved


def test_the_general_bound_is_tight_where_the_range_is_needed():
    goal = Objective(((1, "a"), (1, "b"), (1, "c")), 0, "min")
    model = Model(zero_one("a", "b", "c"), (Table(("a", "b", "c"), ((1, 1, 1),)),), goal)
    made = formulate_model(model)
    assert [(p.weight, p.penalty.gap, p.penalty.form) for p in made.parts] == [(4, 1, "count")]
    assert lowest(made)[0] == best_of(model)
    once = formulate_model(model, penalties=1)
    assert not once.proved
    assert lowest(once)[0] != best_of(model)


def test_mixed_constraints_take_the_general_bound():
    model = packing([3, 5, 4], [(0, 1)])
    mixed = Model(model.variables, (*model.constraints, total(("x0", "x2"), "==", 1)), model.objective)
    assert {p.weight for p in formulate_model(mixed).parts} == {13}
    assert lowest(formulate_model(mixed))[0] == best_of(mixed)


@pytest.mark.parametrize("kind", ["one-hot", "domain-wall", "binary"])
def test_blocks_are_repaired(kind):
    """With an objective a block's weight is what a repair of it alone can cost, and less than the general bound."""
    model = Model(
        (Variable("x", (0, 1, 2)), Variable("y", (0, 1, 2)), Variable("z", (0, 1, 2))),
        (NotEqual("x", "y"), NotEqual("y", "z"), Linear(((1, "x"), (1, "z")), "<=", 3)),
        Objective(((5, "x"), (3, "y"), (4, "z")), 0, "max"),
    )
    space = make_spaces(model, kind)[0]
    made = formulate_model(model, space)
    assert made.proved
    assert lowest(made)[0] == best_of(model)
    own = {p.label: p.weight for p in made.parts if not p.constraints}
    assert len(own) == 3
    low = formulate_model(model, space, penalties=dict.fromkeys(own, 1))
    assert not low.proved
    assert lowest(low)[0] != best_of(model)


def test_repair_is_what_it_says():
    """Every state of the block can be left for a codeword at less than weight times its excess."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        space = Space(tuple(blocks.make_one_hot(Variable(n, (0, 1, 2))) for n in "xy"))
        terms = {m: int(rng.integers(-9, 10)) for size in (1, 2) for m in combinations(range(6), size)}
        excess = [(bin(s).count("1") - 1) ** 2 for s in range(8)]
        weight = build.bound_by_repair(terms, space, 0, excess)
        energy = {
            bits: sum(c for m, c in terms.items() if all(bits[q] for q in m)) for bits in product((0, 1), repeat=6)
        }
        for state, rest in product(range(8), product((0, 1), repeat=3)):
            if state not in (1, 2, 4):
                here = energy[(*(state >> q & 1 for q in range(3)), *rest)] + weight * excess[state]
                repaired = [energy[(*(w >> q & 1 for q in range(3)), *rest)] for w in (1, 2, 4)]
                assert min(repaired) < here
