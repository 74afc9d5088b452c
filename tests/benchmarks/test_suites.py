"""All suites alike: rows come back from their file, pages show them, and a command compares or records them."""

import importlib
import re
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.__main__ import list_modules, main
from benchmarks.core.processes import TooSlow, time_limit
from benchmarks.core.rows import Table, list_differences
from benchmarks.core.suite import PageSuite, Suite

ROOT = Path(__file__).parents[2]
NAMES = [name for name, path in list_modules().items() if "\nSUITE = Suite(" in path.read_text()]


@pytest.fixture(scope="module", params=NAMES)
def suite(request):
    if request.param == "estimators":
        pytest.importorskip("qdk.estimator")
    return importlib.import_module(f"benchmarks.suites.{request.param.replace('-', '_')}").SUITE


def test_rows_come_back_from_their_file_and_are_all_different(suite, tmp_path):
    rows = suite.table.read()
    suite.table.write(rows, tmp_path / "rows.csv")
    assert (tmp_path / "rows.csv").read_bytes() == suite.table.path.read_bytes()
    assert len({row.key for row in rows}) == len(rows) > 0


def test_rows_are_of_known_cases_in_their_order(suite):
    rows, asked = suite.table.read(), suite.parse("", ["--check"])
    asked.missing = []
    assert {suite.case_of(row) for row in rows} <= set(asked.cases)
    assert suite.merge([], rows, "no case", asked) == rows


def test_pages_show_the_recorded_rows(suite):
    for page, text in suite.make_pages(suite.table.read()).items():
        assert page.read_text(encoding="utf-8") == text


TABLE = Table(
    "toy",
    """
    case     key            its name
    library  key            who
    version  version        of the library
    cx       int  [all CX]  counted
    chance   float          of success
    seconds  seconds        to count
    """,
)
OLD = [TABLE.row("a", "gatesolve", "1", 5, 0.25, 1.0), TABLE.row("a", "Peer", "1", 9), TABLE.row("b", "Peer", "1", 7)]


def test_a_row_is_what_its_table_declares():
    assert (OLD[0].cx, OLD[1].chance, str(OLD[2])) == (5, None, "b, Peer")
    assert OLD[0].replace(cx=6).figures == {"cx": 6, "chance": 0.25}
    for wrong in ({"case": "a"}, {"case": "a", "library": "b", "depth": 3}):
        with pytest.raises(TypeError):
            TABLE.row(**wrong)
    with pytest.raises(AttributeError):
        _ = OLD[0].depth


def test_a_file_with_other_columns_is_refused(tmp_path):
    (tmp_path / "toy.csv").write_text("case,library,version,cx,chance,seconds\n")
    with pytest.raises(ValueError, match=r"not .*'all CX'"):
        TABLE.read(tmp_path / "toy.csv")


def test_what_is_another_figure_or_row_is_named():
    same = OLD[0].replace(seconds=9.0, version="2", chance=0.25 + 1e-12)
    assert list_differences([same], OLD) == []
    assert list_differences([OLD[0].replace(cx=6)], OLD) == ["a, gatesolve: cx 5 -> 6"]
    assert list_differences([OLD[1].replace(cx=1, version="2")], OLD) == []
    assert len(list_differences([OLD[1].replace(cx=1)], OLD)) == 1
    found = list_differences([OLD[0].replace(library="new")], OLD, lambda row: row.library == "gatesolve")
    assert found == ["a, new: not recorded", "a, gatesolve: not made any more"]


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """A suite of two cases whose peer is not asked."""
    monkeypatch.setattr(Table, "path", property(lambda table: tmp_path / f"{table.name}.csv"))
    TABLE.write(OLD)
    return Suite(
        TABLE,
        list_cases=lambda: ["a", "b"],
        measure=lambda name, asked: [TABLE.row(name, "gatesolve", "1", 6, 0.25)],
        stays=lambda row, asked: row.library == "Peer",
        order=lambda row: (row.case, row.library != "gatesolve"),
    )


def test_a_check_fails_where_something_differs(toy, capsys):
    assert toy.run("", ["--check", "--only", "A"]) == 1
    assert capsys.readouterr().out == "a, gatesolve: cx 5 -> 6\na: 1 rows, 1 differ\n"
    assert TABLE.read() == OLD


def test_rows_that_were_not_asked_for_are_kept(toy):
    assert toy.run("", ["--write", "--only", "a"]) == 0
    assert TABLE.read() == [TABLE.row("a", "gatesolve", "1", 6, 0.25), *OLD[1:]]


def test_a_word_that_fits_no_case_is_refused(toy, capsys):
    with pytest.raises(SystemExit):
        toy.run("", ["--only", "queens"])
    assert "no case has one of these words; the cases are a, b" in capsys.readouterr().err


def test_the_runner_lists_every_name_and_refuses_others(capsys):
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert all(f"\n{name} " in listed for name in list_modules())
    assert main(["nowhere"]) == 2
    assert "no benchmark is called 'nowhere'" in capsys.readouterr().err


def test_names_in_pages_are_known():
    """Every command of a page starts with a name that the runner knows."""
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "circuits").rglob("*.md"), ROOT / "benchmarks" / "README.md"]
    texts = [" ".join(page.read_text(encoding="utf-8").split()) for page in (*pages, ROOT / "CONTRIBUTING.md")]
    named = {name for text in texts for name in re.findall(r"python -m benchmarks ([a-z][\w-]*)", text)}
    assert len(named) >= 15
    assert named <= set(list_modules())


def test_a_part_of_a_page_is_compared_or_replaced(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- table:one -->\nold\n<!-- end -->\nafter\n")
    suite = PageSuite(page, {"one": lambda asked: "new", "other": lambda asked: "not asked for"})
    assert suite.run("", ["--only", "one", "--check"]) == 1
    assert capsys.readouterr().out == "new\npage.md: one differs\n"
    assert suite.run("", ["--only", "one", "--write"]) == suite.run("", ["--only", "one", "--check"]) == 0
    assert page.read_text() == "before\n<!-- table:one -->\nnew\n<!-- end -->\nafter\n"


def work_for_ever():
    while True:
        with suppress(Exception):
            sum(range(1000))


@pytest.mark.parametrize("processor", [False, True])
def test_work_is_stopped_where_its_time_is_over_whatever_it_catches(processor):
    with pytest.raises(TooSlow, match=r"more than 0\.05 s"), time_limit(0.05, processor=processor):
        work_for_ever()
    assert signal.getitimer(signal.ITIMER_PROF if processor else signal.ITIMER_REAL)[0] == 0
