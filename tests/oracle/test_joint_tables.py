"""The level a count is published with: a table that covers several constraints is a part of the search."""

import cpmpy as cp
import pytest

import gatesolve
from gatesolve.encodings import make_spaces
from gatesolve.model import AllDifferent, Linear, Model, Table, Variable
from gatesolve.oracle.levels import joint_tables


def magic_square():
    cells = cp.intvar(1, 9, shape=(3, 3), name="cell")
    lines = [*cells, *cells.T, cells.diagonal(), cells[:, ::-1].diagonal()]
    return cp.Model(cp.AllDifferent(cells), *[cp.sum(line) == 15 for line in lines])


def test_a_table_that_swallows_the_model_makes_the_level_classical():
    compiled = gatesolve.compile(magic_square(), presolve="none", level="literal")
    assert compiled.program.space.size == compiled.certificate.marked == 8
    assert compiled.level == "classical"
    note, _ = compiled.notes  # and that no qubit is read
    assert note.startswith("1 table of the encoding holds 8 tuples that satisfy several constraints at once")


def test_a_table_of_all_constraints_is_classical_though_they_share_one_scope():
    columns = cp.intvar(0, 4, shape=5, name="q")
    lines = [cp.AllDifferent([columns[i] + k * i for i in range(5)]) for k in (0, 1, -1)]
    compiled = gatesolve.compile(cp.Model(*lines), presolve="none", encoding="table")
    assert compiled.program.space.size == compiled.certificate.marked == 10
    assert compiled.level == "classical"


@pytest.mark.slow
def test_conditions_from_joint_tables_are_classical_unless_every_constraint_is_compiled_alone():
    settings = {"presolve": "none", "encoding": "binary"}
    joint = gatesolve.compile("examples/takuzu/small.txt", **settings)
    alone = gatesolve.compile("examples/takuzu/small.txt", **settings, level="literal")
    assert (joint.level, alone.level) == ("classical", "literal")
    assert [note for note in joint.notes if "conditions of the oracle came from tables" in note]
    assert not alone.notes


@pytest.mark.parametrize("level", ["minimised", "literal"])
def test_runs_of_a_kakuro_are_constraints_of_one_scope(level):
    compiled = gatesolve.compile("examples/kakuro/contest.txt", presolve="none", level=level)
    assert "table" in compiled.encoding
    assert compiled.level == level


@pytest.mark.slow
def test_adaptive_search_reports_what_its_tables_list():
    compiled = gatesolve.compile("examples/takuzu/small.txt", pipeline="gas", presolve="none", encoding="binary")
    assert compiled.level == "classical"


def notes(*constraints, names="abcd", size=4, compiled=()):
    model = Model(tuple(Variable(name, tuple(range(size))) for name in names), constraints)
    return [joint_tables(model, space, compiled) for space in make_spaces(model, "table")]


def test_one_constraint_over_all_variables_is_one_constraint():
    assert notes(AllDifferent(tuple("abcd"))) == [(), ()]


def test_a_bound_on_one_variable_is_no_constraint_of_its_own():
    assert notes(AllDifferent(tuple("abcd")), Linear(((1, "a"),), "<=", 2)) == [(), ()]


def test_two_constraints_of_one_scope_beside_a_third_are_no_listing_of_solutions():
    run = AllDifferent(tuple("abc")), Linear(((1, "a"), (1, "b"), (1, "c")), "==", 4)
    assert notes(*run, AllDifferent(("c", "d"))) == [(), ()]
    assert notes(*run)[0] != ()


def test_a_constraint_within_another_counts():
    found = notes(AllDifferent(tuple("abc")), Linear(((1, "a"), (1, "b")), "==", 2), AllDifferent(("c", "d")))
    assert [len(note) for note in found] == [1, 1]


def test_a_table_that_the_model_states_is_no_listing_of_ours():
    stated = Table(("a", "b", "c"), ((0, 1, 2), (1, 2, 3)))
    model = Model(tuple(Variable(n, (0, 1, 2, 3)) for n in "abc"), (stated, AllDifferent(("a", "b"))))
    space = make_spaces(model, "binary")[0]
    assert joint_tables(model, space, model.constraints) == ()


@pytest.mark.parametrize("setting", ["none", "affine"])
def test_tables_that_presolve_joined_are_classical_too(setting):
    x = cp.intvar(0, 3, shape=4, name="x")
    model = cp.Model(cp.AllDifferent(x), x[0] < x[1])
    compiled = gatesolve.compile(model, presolve=setting, level="literal", encoding="table")
    assert compiled.program.space.size == compiled.certificate.marked == 12
    assert compiled.level == "classical"
    assert any("satisfy several constraints at once" in note for note in compiled.notes)
