"""Playing: every rule is judged by the model, every hint agrees with the reference solver, and the page shows both."""

import json

import cpmpy as cp
import pytest
from browsing import NEEDS_BROWSER, choose, wait

from benchmarks.core.places import EXAMPLES
from gatesolve.formats import as_problem
from gatesolve.model import Model, find_solutions, to_cpmpy
from gatesolve.puzzles import examples, parse
from gatesolve.web import boards, play

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
MIXED = "chess max\npieces Q N\nweights Q=3\nboard\n.#..\n...#\n#...\n..#.\n"
UNSOLVABLE = {
    "queens": "AAAA\n" * 4,
    "sudoku": "box 2x2\n11..\n....\n....\n....\n",
    "takuzu": "unique yes\n0001\n....\n....\n....\n",
}
REASONED = {
    **{
        f"{one['name']} {board['name']}": (one["name"], board["text"])
        for one in boards.list_families()
        for board in one["boards"]
    },
    "kakuro easy": ("kakuro", (EXAMPLES / "kakuro/minizinc-6x6-easy.txt").read_text()),
    "takuzu torus": ("takuzu", (EXAMPLES / "takuzu/torus-regions-6x6.txt").read_text()),
}

SLOW, NO_CHROMIUM, *_ = NEEDS_BROWSER


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


def is_enough(game, marks, cell, mark, told):
    """Whether the rules that are told leave the cell only the mark, by OR-Tools."""
    domains, rules, _ = game.fill(marks)
    named = [one for rule in rules if any(told_of in told for told_of in rule.tell()) for one in rule.constraints]
    problem, variables = to_cpmpy(Model(game.model.variables, tuple(named)))
    for name, values in domains.items():
        problem += cp.any([variables[name] == value for value in values])
    options = [(m, cp.all([variables[name] == value for name, value in own.items()])) for m, own in game.options[cell]]
    problem += cp.sum([one for _, one in options]) == 1
    problem += cp.all([~one for m, one in options if m == mark])
    return bool(named) and not problem.solve()


@SLOW
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", REASONED)
def test_the_rules_of_a_hint_settle_its_cells(name):
    family, text = REASONED[name]
    game, marks = play.Game(family, text), {}
    for _ in range(100):
        found = play.play(family, text, marks, "hint")
        if found["solved"]:
            break
        hint = found["hint"]
        for kind in ("probe", "solver"):
            hint = play.play(family, text, marks, kind)["hint"] if hint["state"] == "none" else hint
        if hint["state"] == "rule":
            own = {cell: mark for cell, mark in marks.items() if cell not in game.given}
            told = [*hint["rules"], *hint["before"]]
            assert [c for c in hint["cells"] if not is_enough(game, own, c, hint["mark"], told)] == []
            assert len(told) < 20
        marks |= dict.fromkeys(hint["cells"], hint["mark"])
    assert found["solved"]


def test_rules_that_are_too_few_are_found():
    hint = ask("sudoku", {}, "hint", BOARDS["sudoku"])["hint"]
    (cell, *_), mark = hint["cells"], hint["mark"]
    game = play.Game("sudoku", BOARDS["sudoku"])
    told = [one for rule in game.rules for one in rule.tell()]
    assert is_enough(game, {}, cell, mark, told)
    assert not is_enough(game, {}, cell, mark, [one for one in told if cell not in one["cells"]])


@pytest.mark.parametrize("family", UNSOLVABLE)
def test_a_board_without_a_solution_is_said_to_have_none(family):
    text = UNSOLVABLE[family]
    assert ask(family, {}, "hint", text)["hint"] == {"state": "unsolvable"}
    assert ask(family, {"r2c2": "1"}, "hint", text)["hint"] == {"state": "unsolvable"}
    assert ask(family, {}, "check", text)["check"]["state"] == "none"


def test_what_cannot_be_played_is_said():
    assert "row" in ask("sudoku", {}, text="12\n")["fault"]
    assert ask("sudoku", {"r9c9": "7"})["broken"][0]["kind"] == "impossible"


def start(page, family, text=None):
    choose(page, family)
    if text:
        page.evaluate("(text) => { document.querySelector('#text').value = text; }", text)
        with page.expect_response("**/api/check"):
            page.dispatch_event("#text", "input")
    with page.expect_response("**/api/play"):
        page.click("#play-mode")
    wait(page, "document.querySelector('#draw').classList.contains('playing')")
    wait(page, "document.querySelectorAll('#play-help').length === 1")


def ask_hint(page):
    page.click("#hint-play")
    wait(page, "!/^$|^Looking/.test(document.querySelector('#said').textContent)")
    return page.text_content("#said")


def in_words(page, family, rule, board):
    """A rule, and the hint that it gives at the end of its cells, in words."""
    marks = {cell: board.get("marks", ["1"]) for cell in board["playable"]}
    return page.evaluate(
        """async ([board, rule, step]) => {
            const { describeRule, describeStep } = await import("./marks.js");
            const known = { ...board, regionOf: () => null, dots: [] };
            return [describeRule(known, rule), describeStep(known, { ...step, last: true, rules: [rule] })];
        }""",
        [{**board, "family": family, "marks": marks}, rule, {"cells": rule["cells"][-1:], "mark": "1"}],
    )


@SLOW
@NO_CHROMIUM
def test_rules_and_hints_are_true_sentences(page):
    four = [f"r{r}c{c}" for r in range(1, 5) for c in range(1, 5)]
    sign = {"kind": "Linear", "cells": ["r2c3", "r3c3"], "names": ["r2c3", "r3c3"], "factors": [1, 1]}
    sign |= {"relation": "==", "bound": 1}
    assert in_words(page, "tango", sign, {"playable": four}) == ["r2c3 and r3c3: different", "r3c3 can only be a moon."]
    names = ["r2c1_up", "r2c1_right", "r2c1_down"]
    tree = {**sign, "cells": ["r1c1", "r2c2", "r3c1"], "names": names, "factors": [1, 1, 1]}
    assert in_words(page, "tents", tree, {"playable": four}) == [
        "Tree at r2c1: exactly 1 tent",
        "The tree at r2c1 has room for its tent only at r3c1.",
    ]
    for cells, place in (
        (["r1c1", "r1c2", "r2c1", "r2c2"], "Box r1c1 to r2c2 has"),
        (["r1c1", "r1c2", "r1c3", "r2c2"], "Region of r1c1 has"),
        (["r1c1", "r1c2"], "r1c1 and r1c2 have"),
    ):
        rule = {"kind": "AllDifferent", "cells": cells, "names": cells}
        assert in_words(page, "sudoku", rule, {"playable": four})[1] == f"{place} room for 1 only at {cells[-1]}."
    row = {**sign, "cells": ["r1c1", "r1c3"], "relation": "<="}
    board = {"playable": ["r1c1", "r1c3", "r2c1"], "marks": ["0", "Q", "N"]}
    for names, said in (
        (["r1c1Q", "r1c3Q"], "Row 1: at most 1 queen"),
        (["r1c1Q", "r1c1N", "r1c3Q", "r1c3N"], "Row 1: at most 1 piece"),
        (
            ["r1c1Q", "r1c3Q", "r1c3N"],
            "At most 1 of these, since two would threaten each other: a queen on r1c1, a queen or a knight on r1c3",
        ),
    ):
        assert in_words(page, "chess", {**row, "names": names}, board)[0] == said


@SLOW
@NO_CHROMIUM
def test_hints_on_the_page_name_kinds_and_boards_without_solution(page):
    start(page, "chess", MIXED)
    page.locator("#grid [data-cell='0,2']").press("q")
    ask_hint(page)
    rules = page.locator("#why li").all_inner_texts()
    assert rules
    assert all("queen" in rule for rule in rules)
    start(page, "queens", UNSOLVABLE["queens"])
    assert ask_hint(page) == "The board has no solution."


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
    page.hover("#grid [data-cell='1,0']")
    page.mouse.down()
    page.hover("#grid [data-cell='2,0']")
    page.mouse.up()
    for key, crosses in (("Control", 2), ("Control+z", 0), ("Control+y", 2)):  # a stroke is one step
        page.keyboard.press(key)
        assert page.locator("#grid [data-cell]").all_inner_texts().count("×") == crosses
    assert page.input_value("#text") == text
    page.click("#draw-mode")
    wait(page, "document.querySelector('#grid [data-cell]').textContent === 'B'")


@SLOW
@NO_CHROMIUM
def test_a_killer_that_is_opened_in_play_can_be_played(page):
    start(page, "sudoku")
    page.select_option("#open", label="sgt 6jkde1")  # its cells are drawn first
    wait(page, "document.querySelectorAll('#grid [data-cell]').length === 36")
    assert page.get_attribute("#play-mode", "aria-pressed") == "true"
    assert ask_hint(page) == "r6c6 can only be 3."


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
