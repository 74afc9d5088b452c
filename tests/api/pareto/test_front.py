"""Dominance, the front, limits, and the command that remakes a row."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatesolve.api.pareto.axes import choose_axes, drop_defaults, first_candidates, is_budgeted, list_budgets
from gatesolve.costs.front import Limits, ParetoFront, Row, is_as_good, pareto_rows
from gatesolve.errors import DoesNotFitError, InputError


def row(qubits=5, cx=10, depth=7, t=None, success=0.9, t_depth=None, **settings):
    if t is not None:
        settings["gates"] = "clifford+t"
    return Row(settings, "binary", "none", 16, 1, 2, success, qubits, cx, t, depth, 4, t_depth, "whole circuit")


@st.composite
def rows(draw):
    small = st.integers(1, 4)
    t = draw(st.one_of(st.none(), small))
    return row(draw(small), draw(small), draw(small), t, draw(st.sampled_from([0.25, 0.5, 1.0])))


@given(st.lists(rows(), min_size=1, max_size=40))
def test_the_front_is_what_nothing_beats(found):
    front = pareto_rows(found)
    assert not any(is_as_good(a, b) for a in front for b in front if a is not b)
    for other in found:
        assert any(is_as_good(f, other) for f in front)
    assert len({(f.gates, f.costs) for f in front}) == len(front)
    assert pareto_rows(front) == front


def test_gate_sets_are_not_compared():
    assert len(pareto_rows([row(cx=1), row(cx=10, t=7)])) == 2
    assert not is_as_good(row(cx=1), row(cx=10, t=7))


def test_equal_rows_are_shown_once_and_the_first_of_them():
    first, second = row(encoding="one-hot"), row(encoding="auto")
    assert pareto_rows([first, second]) == [first]


@given(st.lists(rows(), min_size=1, max_size=30), st.integers(1, 4), st.sampled_from([0.2, 0.5, 0.9]))
def test_best_is_the_least_within_the_limits(found, qubits, success):
    front = ParetoFront("p", tuple(found))
    within = [r for r in found if r.qubits <= qubits and r.success >= success]
    if not within:
        with pytest.raises(DoesNotFitError, match="nothing within the limits: the nearest takes"):
            front.best("cx", max_qubits=qubits, min_success=success)
        return
    for objective in ("cx", "depth", "qubits", "expected_cx"):
        best = front.best(objective, max_qubits=qubits, min_success=success)
        assert best in within
        assert best.value(objective) == min(r.value(objective) for r in within)
        assert best in front.rows


def test_the_nearest_is_named():
    front = ParetoFront("p", (row(qubits=9, success=1.0), row(qubits=4, success=0.5)), limits=Limits(8, 0.99))
    with pytest.raises(DoesNotFitError, match=r"the nearest takes 9 qubits and 10 CX at success 1\.0000"):
        _ = front.rows


def test_csv_has_every_row_and_unknown_values_empty():
    front = ParetoFront("p", (row(cx=3), row(t=4, ancillas=2)))
    lines = list(csv.DictReader(io.StringIO(front.to_csv())))
    assert [line["t"] for line in lines] == ["", "4"]
    assert [line["ancillas"] for line in lines] == ["any", "2"]
    assert set(lines[0]) == set(row().flat())


def test_the_command_names_what_differs_from_the_defaults():
    chosen = {"encoding": "table", "oracle": "constraints", "level": "literal", "ancillas": 3, "exact": True}
    made = row(**drop_defaults(chosen))
    line = ParetoFront("p", (made,), source="a board.txt").command(made, "o.qpy")
    assert (
        line == "gatesolve compile 'a board.txt' --output o.qpy --encoding table --ancillas 3 --level literal --exact"
    )


def test_axes():
    assert choose_axes(["encoding=table,binary", "measured=yes"], thorough=True) == {
        "encoding": ("table", "binary"),
        "measured": (True,),
    }
    for text, message in [
        ("colour=red", "unknown sweep 'colour=red': write AXIS=VALUE,... with one of encoding, oracle"),
        ("encoding", "unknown sweep 'encoding'"),
        ("encoding=unary", "'unary' on axis encoding: choose among one-hot, binary"),
        ("encoding=", "no value on axis encoding"),
    ]:
        with pytest.raises(InputError, match=message):
            choose_axes([text], thorough=False)


def test_candidates_are_different_and_of_each_kind():
    found = first_candidates({}, {"presolve": "none"})
    assert len({repr(sorted(c.items())) for c in found}) == len(found)
    assert all(c["presolve"] == "none" and "exact" not in c for c in found)
    plain = [c for c in found if "gates" not in c]
    assert {c.get("objective", "cx") for c in plain} == {"cx", "depth"}
    assert not any(c.get("measured") for c in plain)
    assert {c.get("oracle", c.get("level", "merged")) for c in plain} == {"literal", "merged", "minimised", "classical"}
    one = first_candidates({name: (value,) for name, value in (("encoding", "binary"), ("objective", "qubits"))}, {})
    assert {c["objective"] for c in one} == {"qubits"}
    assert sum(is_budgeted(c, {}) for c in found) == len(found) * 2 // 5


@given(st.integers(0, 40), st.integers(0, 40))
def test_budgets_start_at_the_least_and_end_below_what_is_liked(least, liked):
    found = list_budgets(least, liked, 3)
    assert found == sorted(set(found))
    assert all(least <= n < liked for n in found)
    assert (found[:1] == [least]) == (least < liked)
