"""Playing: every rule is judged by the model, every hint agrees with the reference solver, and the page shows both."""

import json

import pytest
from browsing import NEEDS_BROWSER, choose, wait

from gatesolve.formats import as_problem
from gatesolve.model import find_solutions
from gatesolve.puzzles import examples, parse
from gatesolve.web import play

BOARDS = {name: text for name, _, text in examples()}
BOARDS["kakuro"] = "#   3\\  4\\\n\\4  .   .\n\\3  .   .\n"
BOARDS["chess"] = "chess coloured\npieces N\nregions\nAAB\nABB\nCCC\nboard\n...\n...\n...\n"
WRONG = {
    "sudoku": ({"r1c2": "4"}, "AllDifferent", "r1c2"),
    "kakuro": ({"r2c2": "3", "r2c3": "3"}, "Linear", "r2c2"),
    "takuzu": ({"r2c1": "1", "r2c4": "1"}, "Table", "r2c4"),
    "tango": ({"r1c2": "1"}, "Linear", "r1c2"),
    "queens": ({"r1c1": "1", "r1c3": "1"}, "Linear", "r1c3"),
    "starbattle": ({"r1c1": "1", "r2c2": "1"}, "Linear", "r2c2"),
    "tents": ({"r2c2": "1"}, "Linear", "r2c2"),
    "galaxies": ({"r4c1": "1"}, "impossible", "r4c1"),
    "chess": ({"r1c1": "N", "r1c2": "N"}, "Linear", "r1c2"),
}


SLOW, NO_CHROMIUM = NEEDS_BROWSER


def ask(family, marks, what="rules", text=None):
    """What the page is told of an answer."""
    return json.loads(json.dumps(play.play(family, text or BOARDS[family], marks, what)))


@pytest.mark.parametrize("family", WRONG)
def test_a_broken_rule_is_named_with_its_cells(family):
    marks, kind, cell = WRONG[family]
    assert ask(family, {})["broken"] == []
    broken = ask(family, marks)["broken"]
    assert any(rule["kind"] == kind and cell in rule["clash"] and cell in rule["cells"] for rule in broken)
    assert not any(set(rule["clash"]) - set(marks) for rule in broken)


@pytest.mark.parametrize("family", WRONG)
def test_hints_lead_to_a_solution_and_each_is_right(family):
    solutions = find_solutions(as_problem(parse(BOARDS[family], family)).model, 50)
    marks, states = {}, set()
    for _ in range(60):
        found = ask(family, marks, "hint")
        if found["solved"]:
            break
        for kind in ("hint", "probe", "solver"):
            hint = ask(family, marks, kind)["hint"]
            if hint["state"] != "none":
                break
        assert hint["cells"]
        assert not set(hint["cells"]) & {*marks, *found["given"]}
        if hint["state"] == "rule":
            assert all(rule["kind"] and rule["names"] for rule in hint["rules"])
        states.add(hint["state"])
        marks |= dict.fromkeys(hint["cells"], hint["mark"])
        assert ask(family, marks, "check")["check"]["state"] in {"agrees", "several"}
        solutions = [one for one in solutions if agrees(family, one, marks)]
        assert solutions
    assert found["solved"]
    assert states & {"rule", "alone", "probe"}


def agrees(family, solution, marks):
    """Whether a solution of the reference solver has the marks; of a tent and of a galaxy, by their own names."""
    if family not in {"chess", "tents", "galaxies"}:
        return all(str(solution[cell]) == mark for cell, mark in marks.items())
    board = parse(BOARDS[family], family).board(solution)
    blank = {"tents": {"^": "1", ".": "0"}, "chess": {".": "0"}, "galaxies": {}}[family]
    held = {f"r{r + 1}c{c + 1}": blank.get(one, one) for r, row in enumerate(board) for c, one in enumerate(row)}
    return all(held[cell] == mark for cell, mark in marks.items())


def test_check_counts_wrong_cells_and_says_what_is_undecided():
    one = "box 2x2\n1234\n3412\n2143\n43..\n"
    assert ask("sudoku", {"r4c3": "1"}, "check", one)["check"] == {"state": "wrong", "wrong": ["r4c3"]}
    assert ask("sudoku", {"r4c3": "2"}, "check", one)["check"] == {"state": "agrees", "wrong": []}
    several = "box 2x2\n....\n....\n....\n....\n"
    assert ask("sudoku", {"r1c1": "1"}, "check", several)["check"]["state"] == "several"
    assert ask("sudoku", {"r1c1": "1", "r1c2": "1"}, "check", several)["check"]["state"] == "lost"
    assert ask("sudoku", {"r1c1": "1", "r1c2": "1"}, "hint", several)["hint"]["state"] == "lost"


def test_the_last_place_of_a_digit_is_a_hint():
    hint = ask("sudoku", {}, "hint", "box 2x2\n1...\n..1.\n....\n...1\n")["hint"]
    assert (hint["cells"], hint["mark"], hint["last"]) == (["r3c2"], "1", True)


def test_what_cannot_be_played_is_said():
    assert "row" in ask("sudoku", {}, text="12\n")["fault"]
    assert ask("sudoku", {"r9c9": "7"})["broken"][0]["kind"] == "impossible"


def start(page, family):
    choose(page, family)
    page.click("#play-mode")
    wait(page, "document.querySelector('#draw').classList.contains('playing')")
    wait(page, "document.querySelectorAll('#play-help').length === 1")


@SLOW
@NO_CHROMIUM
def test_queens_are_set_by_clicks_and_the_text_stays(page):
    start(page, "queens")
    text = page.input_value("#text")
    cell = page.locator("#grid [data-cell='0,0']")
    cell.click()
    assert cell.inner_text() == "×"
    cell.click()
    assert cell.inner_text() == "♛"
    page.locator("#grid [data-cell='0,2']").press("q")
    wait(page, "document.querySelector('#said').textContent.startsWith('Broken: Row 1: exactly 1 queen')")
    assert page.locator("#grid .clash").count() == 2
    cell.click()
    wait(page, "document.querySelector('#said').textContent === ''")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert page.locator("#grid [data-cell]").all_inner_texts().count("♛") == 1
    assert page.input_value("#text") == text
    page.click("#draw-mode")
    wait(page, "document.querySelector('#grid [data-cell]').textContent === 'B'")


@SLOW
@NO_CHROMIUM
@pytest.mark.sampled(2)
@pytest.mark.parametrize("family", WRONG)
def test_every_family_is_solved_by_hints(page, family):
    start(page, family)
    for _ in range(60):
        if page.text_content("#said").startswith("Solved by you"):
            break
        wait(page, "/^$|Solved|Broken/.test(document.querySelector('#said').textContent)")
        page.click("#hint-play")
        wait(page, "!document.querySelector('#said').textContent.startsWith('Looking')")
        if page.locator("#offers button").count():
            page.locator("#offers button").last.click()
            wait(page, "document.querySelector('#hint-play').textContent === 'Fill it in'")
        if page.text_content("#said").startswith("Solved by you"):
            break
        assert page.locator("#grid .hinted").count() >= 1
        page.click("#hint-play")
        page.wait_for_timeout(200)
    assert page.text_content("#said").startswith("Solved by you")
