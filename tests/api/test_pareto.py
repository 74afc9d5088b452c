"""A sweep measures what it says, takes up where it stopped, and its rows can be remade."""

import csv
import errno
import io
import json
import os
from dataclasses import replace

import pytest
from conformance.known import k4
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import gatesolve
from gatesolve.api.pareto import (
    ESTIMATED,
    Measured,
    MeasuredStore,
    candidate_key,
    choose_axes,
    drop_defaults,
    first_candidates,
    is_budgeted,
    list_budgets,
    list_iterations,
    measure,
    pareto,
)
from gatesolve.cli.report import print_front
from gatesolve.costs.front import ParetoFront, Row, is_as_good, pareto_rows
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError
from gatesolve.model import Linear, Model, NotEqual, Variable
from gatesolve.pipelines import cheapest_iterations
from gatesolve.programs import best_iterations, success_probability

TINY = Model(
    tuple(Variable(name, (0, 1, 2, 3)) for name in "abc"),
    (Linear(((1, "a"), (1, "b")), "==", 3), NotEqual("b", "c"), Linear(((1, "a"), (1, "c")), "==", 5)),
)
"""Two solutions among 64 assignments."""
QUICK = ("encoding=binary,table", "level=merged,classical", "gates=cx+u", "optimize=cx")


@pytest.fixture(scope="module")
def front():
    return pareto(TINY, sweep=QUICK, presolve="none", thorough=True)


@pytest.mark.sampled(0.5)
def test_every_row_of_the_front_is_counted_whole(front):
    assert front.rows
    assert {row.method for row in front.rows} == {"whole circuit"}
    assert {row.level for row in front.measured} == {"merged", "classical"}


@pytest.mark.slow
def test_rows_can_be_remade():
    narrow = ("encoding=binary", "level=merged", *QUICK[2:])
    front = pareto(TINY, sweep=narrow, presolve="none", min_success=0.9, thorough=True)
    assert {row.exact for row in front.rows} == {False, True}
    for row in front.rows:
        compiled = gatesolve.compile(TINY, **row.settings)
        counted = compiled.program.resources()
        assert compiled.oracle_calls == row.iterations
        assert (counted.qubits, counted.cx, counted.depth) == (row.qubits, row.cx, row.depth)


def test_estimates_are_near_what_is_counted():
    found = measure(TINY, {"encoding": "binary", "presolve": "none"})
    rows = [row for row in found.rows((0.9,), (False,)) if row.method == ESTIMATED]
    assert rows
    for row in rows:
        whole = measure(TINY, row.settings).whole()
        assert whole.cx == pytest.approx(row.cx, rel=0.02)
        assert whole.depth == pytest.approx(row.depth, rel=0.05)
        assert (whole.success, whole.qubits) == (row.success, row.qubits)


def test_ancilla_budgets_go_down_to_the_least(front):
    binary = [r for r in front.measured if r.settings["encoding"] == "binary" and r.level == "merged"]
    budgets = {row.settings.get("ancillas") for row in binary}
    liked = max(row.qubits for row in binary) - 6
    least = min(n for n in budgets if n is not None)
    assert None in budgets
    assert least < liked
    if least:
        with pytest.raises(DoesNotFitError, match=f"at least {least} ancillas"):
            gatesolve.compile(TINY, presolve="none", encoding="binary", ancillas=least - 1)


@pytest.mark.slow
def test_the_level_asked_for_is_measured():
    found = pareto(TINY, sweep=("encoding=binary", *QUICK[1:], "exact=no"), presolve="none", min_success=0.7)
    numbers = {row.iterations for row in found.rows}
    assert min(numbers) == next(k for k in range(9) if success_probability(64, 2, k) >= 0.7)


@pytest.mark.slow
def test_a_store_saves_the_work(tmp_path):
    path = tmp_path / "s.jsonl"
    first = pareto(TINY, sweep=QUICK, presolve="none", store=path)
    size = path.stat().st_size
    second = pareto(TINY, sweep=QUICK, presolve="none", store=path)
    assert (first.reused, second.computed) == (0, 0)
    assert second.reused == first.computed
    assert second.measured == first.measured
    assert path.stat().st_size == size
    wider = pareto(TINY, sweep=("encoding=binary,table,domain-wall", *QUICK[1:]), presolve="none", store=path)
    assert wider.reused > 0
    assert wider.computed > 0


def test_an_interruption_keeps_what_was_done(tmp_path):
    path = tmp_path / "s.jsonl"

    def interrupt(stage, done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pareto(TINY, sweep=QUICK, presolve="none", store=path, progress=interrupt)
    done = len(path.read_text().splitlines())
    assert done > 0
    assert pareto(TINY, sweep=QUICK, presolve="none", store=path).reused == done


@pytest.mark.sampled(0.5)
def test_processes_find_the_same(front):
    assert pareto(TINY, sweep=QUICK, presolve="none", jobs=2, thorough=True).measured == front.measured


@pytest.mark.sampled(0.5)
def test_a_quick_sweep_tries_the_usual_ways():
    quick = pareto(TINY, sweep=QUICK, presolve="none")
    assert len(quick.measured) < len(pareto(TINY, sweep=QUICK, presolve="none", thorough=True).measured)
    assert not any(row.exact for row in quick.measured)
    assert any(row.exact for row in pareto(TINY, sweep=(*QUICK, "exact=yes"), presolve="none").measured)
    usual = pareto(TINY, presolve="none")
    assert {(row.gates, row.level, bool(row.settings.get("measured"))) for row in usual.measured} == {
        ("cx+u", "merged", False)
    }
    assert usual.left_out == 0


@pytest.mark.quick("1")
@pytest.mark.parametrize("jobs", [1, 2])
def test_when_time_is_up_there_is_still_a_front(monkeypatch, jobs):
    monkeypatch.setattr(gatesolve.api.pareto, "SECONDS", 0)
    front = pareto(TINY, sweep=("encoding=binary",), presolve="none", jobs=jobs)
    assert front.left_out > 0
    assert front.as_dict()["left_out"] == front.left_out
    assert ESTIMATED in {row.method for row in front.rows}
    out = io.StringIO()
    print_front(Console(file=out, width=110), front, 20, None)
    assert "* no time to count it whole" in out.getvalue()
    assert f"no time for {front.left_out} more circuits" in out.getvalue()


PAIR = tuple(Variable(name, (0, 1)) for name in "ab")


def test_what_has_no_solution():
    model = Model(PAIR, (NotEqual("a", "b"), Linear(((1, "a"), (1, "b")), "==", 2)))
    with pytest.raises(InfeasibleError):
        pareto(model, sweep=QUICK, presolve="none")


@pytest.mark.parametrize(("size", "marked"), [(16384, 1), (24, 1), (256, 2), (4, 3), (4, 4), (2, 1)])
def test_the_ladder(size, marked):
    numbers = list_iterations(size, marked, 10, 100, (0, 0.5, 0.9))
    best = best_iterations(size, marked)
    assert numbers == sorted(set(numbers))
    assert {numbers[0], numbers[-1]} == {min(1, best), best}
    assert cheapest_iterations(size, marked, 10, 100) in numbers
    for chance in (0.5, 0.9):
        if success_probability(size, marked, best) >= chance:
            least = next(k for k in numbers if success_probability(size, marked, k) >= chance)
            assert least == numbers[0] or success_probability(size, marked, least - 1) < chance


# --- Dominance, the front, limits, and the command that remakes a row ---


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


def test_a_row_of_ten_times_the_totals_is_left_out_unless_it_is_narrow():
    good, far = row(qubits=10, cx=10, depth=10, success=1.0), row(qubits=6, cx=100, depth=100, success=0.9)
    narrow = row(qubits=4, cx=100, depth=100, success=0.9)
    assert ParetoFront("p", (far, good, narrow)).rows == [good, narrow]
    assert ParetoFront("p", (far, row(qubits=10, cx=10, depth=90, success=1.0))).best("qubits") == far


def test_gate_sets_are_not_compared():
    assert len(pareto_rows([row(cx=1), row(cx=10, t=7)])) == 2
    assert not is_as_good(row(cx=1), row(cx=10, t=7))


@given(st.lists(rows(), min_size=1, max_size=30), st.integers(1, 4), st.sampled_from([0.2, 0.5, 0.9]))
def test_best_is_the_least_within_the_limits(found, qubits, success):
    front = ParetoFront("p", tuple(found))
    within = [r for r in found if r.qubits <= qubits and r.success >= success]
    if not within:
        with pytest.raises(DoesNotFitError, match="nothing within the limits: the nearest takes"):
            front.best("cx", max_qubits=qubits, min_success=success)
        return
    for metric in ("cx", "depth", "qubits", "expected_cx"):
        best = front.best(metric, max_qubits=qubits, min_success=success)
        assert best in within
        assert best.count(metric) == min(r.count(metric) for r in within)
        assert best in front.rows


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
        ("colour=red", "unknown sweep 'colour=red': write AXIS=VALUE,... with one of encoding, level"),
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
    assert {c.get("optimize", "cx") for c in plain} == {"cx", "depth"}
    assert not any(c.get("measured") for c in plain)
    assert {c.get("oracle", c.get("level", "merged")) for c in plain} == {"literal", "merged", "minimised", "classical"}
    one = first_candidates({name: (value,) for name, value in (("encoding", "binary"), ("optimize", "qubits"))}, {})
    assert {c["optimize"] for c in one} == {"qubits"}
    assert sum(is_budgeted(c, {}) for c in found) == len(found) * 2 // 5


@given(st.integers(0, 40), st.integers(0, 40))
def test_budgets_start_at_the_least_and_end_below_what_is_liked(least, liked):
    found = list_budgets(least, liked, 3)
    assert found == sorted(set(found))
    assert all(least <= n < liked for n in found)
    assert (found[:1] == [least]) == (least < liked)


# --- A store outlives interruptions, and refuses to grow into a file that is something else ---


SETTINGS = {"encoding": "table", "presolve": "none"}


@pytest.fixture(scope="module")
def found():
    return measure(k4(), SETTINGS)


def test_what_is_put_is_read_again(tmp_path, found):
    path = tmp_path / "s.jsonl"
    refused = Measured({"ancillas": 0}, refused="needs 3", least=3)
    MeasuredStore(path).put("a", found)
    MeasuredStore(path).put("b", refused)
    again = MeasuredStore(path)
    assert again.get("a") == found
    assert again.get("b") == refused
    assert again.get("c") is None
    assert again.get("a").rows((0.5,), (False, True)) == found.rows((0.5,), (False, True))
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "b"]


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_line_cut_short_is_lost_alone(tmp_path, found, cut):
    path = tmp_path / "s.jsonl"
    store = MeasuredStore(path)
    store.put("a", found)
    store.put("b", found)
    path.write_bytes(path.read_bytes()[:-cut])
    again = MeasuredStore(path)
    assert again.get("a") == found
    again.put("c", replace(found, ancillas=7))
    last = MeasuredStore(path)
    assert last.get("a") == found
    assert last.get("c").ancillas == 7
    # Without its newline alone, the record is whole.
    assert last.get("b") == (found if cut == 1 else None)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data | {"marked": data["marked"] + 1},
        lambda data: data | {"marked": "many"},
        lambda data: data | {"plain": 3},
        lambda data: data | {"plain": [{}]},
        lambda data: data | {"novelty": 1},
        lambda data: data | {"key": "c"},
        lambda data: data | {"seal": None},
        lambda data: {"key": "a"},
        lambda data: [[]],
    ],
)
def test_a_line_that_is_not_as_it_was_written_is_passed_over(tmp_path, found, spoil):
    path = tmp_path / "s.jsonl"
    for key in "ab":
        MeasuredStore(path).put(key, found)
    first, second = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(spoil(json.loads(first))), "[" * 100_000, second, ""]))
    again = MeasuredStore(path)
    assert (again.get("a"), again.get("c"), again.get("b")) == (None, None, found)


def test_a_full_disk_is_told_and_loses_one_line(tmp_path, found, monkeypatch):
    """Such a disk takes a part of the line first."""
    path, real, room = tmp_path / "s.jsonl", os.write, [100]

    def write(handle, data):
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        done = real(handle, data[: room[0]])
        room[0] -= done
        return done

    store = MeasuredStore(path)
    monkeypatch.setattr(os, "write", write)
    with pytest.raises(InputError, match=r"s\.jsonl: cannot be written: No space left on device"):
        store.put("a", found)
    monkeypatch.undo()
    store.put("b", found)
    assert MeasuredStore(path).get("a") is None
    assert MeasuredStore(path).get("b") == found


@pytest.mark.parametrize("text", ["# 3\\ 4\\\n", "[" * 100_000, '{"key": 1}\n', "[]\n", "\0\0\n"])
def test_another_file_is_left_alone(tmp_path, text):
    path = tmp_path / "s.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=r"s\.jsonl: not a store of a sweep: use another store"):
        MeasuredStore(path)
    assert path.read_text() == text


def test_keys_tell_problems_and_candidates_apart():
    keys = {
        candidate_key(k4(), SETTINGS),
        candidate_key(k4(merged=False), SETTINGS),
        candidate_key(k4(), {**SETTINGS, "ancillas": 1}),
    }
    assert len(keys) == 3
    assert candidate_key(k4(), dict(reversed(SETTINGS.items()))) in keys
