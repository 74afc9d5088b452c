"""A sweep measures what it says, takes up where it stopped, and its rows can be remade."""

import io

import pytest
from rich.console import Console

import gatesolve
from gatesolve.api.pareto import pareto, sweep
from gatesolve.api.pareto.measure import ESTIMATED, list_iterations, measure
from gatesolve.cli.pareto_table import print_front
from gatesolve.errors import DoesNotFitError, InfeasibleError
from gatesolve.model import Linear, Model, NotEqual, Variable
from gatesolve.pipelines import best_iterations, cheapest_iterations, success_probability

TINY = Model(
    tuple(Variable(name, (0, 1, 2, 3)) for name in "abc"),
    (Linear(((1, "a"), (1, "b")), "==", 3), NotEqual("b", "c"), Linear(((1, "a"), (1, "c")), "==", 5)),
)
"""Two solutions among 64 assignments."""
QUICK = ("encoding=binary,table", "oracle=merged,classical", "gates=cx+u", "objective=cx")


@pytest.fixture(scope="module")
def front():
    return pareto(TINY, sweep=QUICK, presolve="none", thorough=True)


def test_every_row_of_the_front_is_counted_whole(front):
    assert front.rows
    assert {row.method for row in front.rows} == {"whole circuit"}
    assert {row.level for row in front.measured} == {"merged", "classical"}


@pytest.mark.slow
def test_rows_can_be_remade():
    narrow = ("encoding=binary", "oracle=merged", *QUICK[2:])
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


@pytest.mark.slow
def test_processes_find_the_same(front):
    assert pareto(TINY, sweep=QUICK, presolve="none", jobs=2, thorough=True).measured == front.measured


@pytest.mark.slow
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
    monkeypatch.setattr(sweep, "SECONDS", 0)
    front = pareto(TINY, sweep=("encoding=binary",), presolve="none", jobs=jobs)
    assert front.left_out > 0
    assert front.as_dict()["left_out"] == front.left_out
    assert ESTIMATED in {row.method for row in front.rows}
    out = io.StringIO()
    print_front(Console(file=out, width=110), front, 20, None)
    assert "* no time to count it whole" in out.getvalue()
    assert f"no time for {front.left_out} candidates" in out.getvalue()


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
