"""The checks against CPMpy's own cases find what is wrong, what is refused, and the model that a script builds."""

import sys
from pathlib import Path

import cpmpy as cp
import pytest

import gatesolve.model
from benchmarks.suites import cpmpy_compare as compare
from benchmarks.suites import cpmpy_expressions, cpmpy_models
from gatesolve.errors import UnsupportedError

X, P = [cp.intvar(-1, 1, name=f"x{k}") for k in range(2)], cp.boolvar(name="p")


@pytest.fixture
def check():
    truth = compare.Truth()
    return lambda one, **more: compare.check_expression("mine", 0, one, truth, compare.Limits(), **more)


@pytest.mark.parametrize(
    "one",
    [(X[0] // X[1] == 1).implies(P), cp.Element([1, 0, 2], X[0] + X[1]) != P, ~(X[0] % X[1] >= 0), cp.Abs(X[0]) == 3],
)
def test_values_of_what_may_be_undefined_are_those_of_ortools(one, check):
    outcome = check(one, ask_ortools=True)
    assert (outcome.verdict, outcome.disputed, outcome.compiled) == ("right", "", 1)
    assert outcome.listed is not None


@pytest.mark.parametrize(
    ("lowered", "reason"),
    [
        ((X[0] <= X[1],), "Model.holds differs on 3 of 9 assignments, first at x0=-1, x1=-1"),
        ((X[0] < X[1], P), "variables were added: p"),
    ],
)
def test_a_lowering_that_says_something_else_is_wrong(check, monkeypatch, lowered, reason):
    lower = gatesolve.formats.from_cpmpy
    monkeypatch.setattr(gatesolve.formats, "from_cpmpy", lambda model: lower(cp.Model(*lowered)))
    outcome = check(X[0] < X[1])
    assert (outcome.verdict, outcome.reason) == ("wrong", reason)


def test_an_oracle_that_marks_something_else_is_wrong(check, monkeypatch):
    monkeypatch.setattr(compare, "literal_conditions", lambda model, space: [])
    outcome = check(X[0] < X[1])
    assert outcome.verdict == "wrong"
    assert outcome.reason == "the oracle's mark differs on 6 of 9 assignments, first at x0=-1, x1=-1"


def test_what_is_refused_is_grouped_by_its_core_and_form(check, monkeypatch, capsys):
    def refuse(model):
        raise UnsupportedError(f"constraint '{model}' reads 3 variables")

    monkeypatch.setattr(gatesolve.formats, "from_cpmpy", refuse)
    found = [check((cp.NValue(X) <= 1).implies(P)), check(P.implies(cp.NValue(X) != X[0]))]
    cpmpy_expressions.print_table(found, 0)
    shown = capsys.readouterr().out
    assert [(one.core, one.form) for one in found] == [
        ("nvalue", "(_ <> const) -> bool"),
        ("nvalue", "bool -> (_ <> int)"),
    ]
    assert "     2  refused: UnsupportedError: constraint" in shown
    assert "     2  nvalue " in shown


CHECKOUT = """
import cpmpy as cp
import pytest
from utils import skip_on_missing_pblib
EXCLUDE_GLOBAL = {}
X = [cp.intvar(-3, 5, name=n) for n in "xyz"]
@pytest.mark.generate_constraints.with_args(1)
@skip_on_missing_pblib(skip_on_exception_only=True)
def bool_exprs(solver):
    dur = [1, 4, 3]
    yield cp.NoOverlap(cp.intvar(0, 10, shape=3, name="start"), dur)
    yield cp.AllDifferent(X)
    yield cp.Xor([cp.boolvar(), True])
def comp_constraints(solver):
    yield cp.sum(X) == 1
reify_imply_exprs = global_constraints = comp_constraints
"""


def test_generators_are_loaded_with_smaller_domains_and_without_unknown_classes(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_constraints.py").write_text(CHECKOUT)
    expressions = cpmpy_expressions
    found = expressions.list_expressions(tmp_path)
    assert [family for family, _, _ in found] == ["bool_exprs"] * 3 + [*expressions.FAMILIES[1:]]
    starts, lengths = found[0][2].args[:2]
    assert [v.get_bounds() for v in starts] == [(0, 2)] * 3
    assert list(lengths) == [1, 2, 1]
    assert [v.get_bounds() for v in found[1][2].args] == [(-1, 2)] * 3
    assert {"Circuit", "Reservoir"} <= set(expressions.list_unknown(CHECKOUT))
    assert not {"NoOverlap", "AllDifferent"} & set(expressions.list_unknown(CHECKOUT))
    assert len(expressions.draw_share(100, 0.1, 3)) == 10 == len(set(expressions.draw_share(100, 0.1, 3)))


SCRIPT = """
import requests, sys
from cpmpy import *
x = intvar(0, int(sys.argv[1]), shape=2, name="x")
model = Model(x[0] < x[1], maximize=x[0])
print("not shown")
if __name__ == "__main__" and model.solveAll():
    raise SystemExit("must not come here")
"""


def test_the_model_that_a_script_builds_is_taken_and_nothing_is_left_changed(tmp_path, capsys):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/mine.py").write_text(SCRIPT)
    models, before = cpmpy_models, (Path.cwd(), list(sys.argv), cp.Model.solve)
    found = models.capture(models.Example("mine.py", ("4",)), tmp_path)
    assert gatesolve.formats.from_cpmpy(found).domains == {"x[0]": (0, 1, 2, 3, 4), "x[1]": (0, 1, 2, 3, 4)}
    assert (Path.cwd(), list(sys.argv), cp.Model.solve) == before
    assert capsys.readouterr().out == ""
    assert len({one.name for one in models.EXAMPLES}) == 45


@pytest.mark.parametrize("script", [cpmpy_expressions, cpmpy_models])
def test_without_a_checkout_one_line_says_where_to_get_it(script):
    with pytest.raises(SystemExit, match=r"^give --cpmpy a checkout: git clone .*CPMpy/cpmpy$"):
        script.main([])
