"""Boards drawn in a real Chromium with the mouse and by keyboard alone, and faults that are named meanwhile."""

import pytest
from browsing import NEEDS_BROWSER, choose, wait, wait_until_done

pytestmark = NEEDS_BROWSER


def test_a_wrong_board_says_where_as_it_is_typed(page):
    choose(page, "takuzu")
    page.click("#as-text summary")
    page.fill("#text", "unique yes\n...1\n.1?.\n....\n.1.1\n")
    wait(page, "document.querySelector('#fault').textContent.includes('row 3, column 3')")
    assert page.is_disabled("#solve")
    assert page.locator("#go #fault").bounding_box()["y"] < page.viewport_size["height"]  # seen wherever one types
    assert page.text_content("#gutter .bad").strip() == "3"
    page.fill("#text", "unique yes\n...1\n.1..\n....\n.1.1\n")
    wait(page, "!document.querySelector('#solve').disabled")
    assert page.text_content("#fault") == ""


@pytest.mark.sampled(0.3)
def test_a_board_is_drawn_by_keyboard_alone(page):
    choose(page, "queens")
    page.select_option("#open", label="blank 5x5")
    wait(page, "document.querySelectorAll('#grid button').length === 25")
    page.focus("#grid button")
    for row in ("aabbb", "acbdd", "cccde", "ccdde", "ceeee"):
        page.keyboard.type(row)
    wait(page, "document.querySelector('#fault').textContent === ''")
    assert page.input_value("#text") == "AABBB\nACBDD\nCCCDE\nCCDDE\nCEEEE\n"
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "solve":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict.solved, #verdict.infeasible")
    wait_until_done(page)


def test_a_cell_is_drawn_and_cleared_with_the_mouse_and_typed_digits_go_on(page):
    choose(page, "sudoku", "blank 4x4")
    page.click("#brushes button:nth-child(2)")
    for first in ("1", "."):
        page.click("#grid [data-cell='0,0']")
        assert page.input_value("#text").split("\n")[1] == f"{first}..."
    page.keyboard.type("20040300")
    assert page.input_value("#text").split("\n")[1:3] == ["2..4", ".3.."]


def solve_by_keyboard(page):
    page.focus("#solve")
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict.solved")
    wait_until_done(page)


def test_galaxies_are_drawn_with_the_mouse(page):
    choose(page, "galaxies")
    page.select_option("#open", label="blank 5x5")
    wait(page, "document.querySelectorAll('#grid button').length === 81")
    for cell in ("0,3", "2,4", "4,4", "6,4", "8,0", "8,6", "1,1"):
        page.click(f"#grid [data-cell='{cell}']")
    page.click("#grid [data-cell='1,1']")  # once more takes it away
    page.click("#brushes [aria-label='hole']")
    page.click("#grid [data-cell='0,1']")  # a hole is a cell, no edge
    assert page.input_value("#text").split("\n")[:3] == [".|.o.|.|.", "-+-+-+-+-", ".|.|o|.|."]
    assert page.get_attribute("#grid [data-cell='0,3']", "aria-label") == "row 1 between columns 2 and 3: white dot"
    wait(page, "!document.querySelector('#solve').disabled")
    page.click("#solve")
    page.wait_for_selector("#verdict.solved")
    wait_until_done(page)


def test_kakuro_is_drawn_and_its_faults_are_named_by_cell(page):
    choose(page, "kakuro")
    page.select_option("#open", label="blank 4x4")
    wait(page, "!document.querySelector('#untouched').hidden")
    page.click("#brushes [aria-label='black']")
    page.click("#grid [data-cell='1,3']")
    wait(page, "document.querySelector('#grid .bad')?.dataset.cell === '1,1'")
    said = "row 2, column 2: the run of 2 cells across that starts here has no sum: choose and fill in the black cell "
    assert said in page.text_content("#fault")
    page.click("#grid [data-cell='3,1']")
    sums = {"0,1": ("", "5"), "0,2": ("", "7"), "1,0": ("3", ""), "1,3": ("", "7"), "2,0": ("9", ""), "3,1": ("7", "")}
    for cell, (right, down) in sums.items():
        page.click(f"#grid [data-cell='{cell}']")
        page.fill("#cell label:nth-child(1) input", right)
        page.fill("#cell label:nth-child(2) input", down)
    wait(page, "document.querySelector('#fault').textContent === ''")
    assert [line.split() for line in page.input_value("#text").split("\n")[:2]] == [
        ["#", "5\\", "7\\", "#"],
        ["\\3", ".", ".", "7\\"],
    ]
    page.focus("#grid [data-cell='2,2']")
    page.keyboard.press("2")  # a given value
    page.keyboard.press("Enter")
    assert page.get_attribute("#grid [data-cell='2,2']", "aria-label") == "row 3 column 3: 2"
    page.keyboard.press("Backspace")
    wait(page, "!document.querySelector('#solve').disabled")
    solve_by_keyboard(page)


def test_signs_are_drawn_between_cells_with_the_mouse_and_by_keyboard(page):
    choose(page, "tango", "blank 4x4")
    page.click("#brushes [aria-label^='equal']")
    box = page.locator("#grid [data-cell='1,1']").bounding_box()
    right = {"x": box["width"] - 3, "y": box["height"] / 2}
    page.click("#grid [data-cell='1,1']", position=right)
    page.click("#grid [data-cell='1,1']", position={"x": box["width"] / 2, "y": 3})
    page.click("#grid [data-cell='0,0']", position={"x": 2, "y": box["height"] / 2})  # nothing is left of it
    page.focus("#grid [data-cell='3,3']")
    page.keyboard.press("x")
    assert page.text_content("#refused") == "× on which side? Press an arrow key."
    page.keyboard.press("ArrowRight")
    assert page.text_content("#refused") == "There is no cell on that side."
    for key in ("x", "ArrowUp", "m"):
        page.keyboard.press(key)
    head, rows = "tango 4x4\n", "....\n....\n....\n...M\n"
    signs = "r2c2 = r2c3\nr1c2 = r2c2\n"
    assert page.input_value("#text").startswith(head + rows + signs)
    assert page.input_value("#text").endswith("r3c4 x r4c4\n")
    page.click("#grid [data-cell='1,1']", position=right)  # once more takes it away
    assert "r2c2 = r2c3" not in page.input_value("#text")


KILLER = "box 2x2\n....\n....\n....\n....\ncages\nAAB.\n.AB.\n....\n....\nsums A=7 B=5\n"


def test_cages_are_drawn_with_the_mouse(page):
    choose(page, "sudoku", "blank 4x4")
    page.click("#brushes [aria-label^='cage']")
    for cell in ("0,0", "0,1", "1,0", "1,1", "1,0"):  # twice takes a mark away
        page.click(f"#grid [data-cell='{cell}']")
    assert page.inner_text("#cell span") == "Sum of the 3 marked cells"
    page.fill("#cell input", "7")
    page.click("#grid [data-cell='0,2']")  # another cage, dragged
    page.hover("#grid [data-cell='0,2']")
    page.mouse.down()
    page.mouse.up()
    assert page.locator("#grid .marked").count() == 0
    page.mouse.down()
    page.hover("#grid [data-cell='1,2']")
    page.mouse.up()
    page.fill("#cell input", "5")
    assert page.input_value("#text") == KILLER
    wait(page, "document.querySelector('#title').textContent.endsWith('2 cages')")
    page.click("#grid [data-cell='1,1']")  # its cage again
    assert (
        page.get_attribute("#grid [data-cell='0,0']", "aria-label")
        == "row 1 column 1: empty, in a cage of sum 7, marked"
    )
    page.click("#cell button")
    assert page.input_value("#text") == KILLER.replace("AAB.\n.AB.", "..A.\n..A.").replace("A=7 B", "A")


def test_the_values_of_a_kakuro_are_chosen(page):
    choose(page, "kakuro")
    assert page.input_value("#pieces [aria-label='Greatest value']") == "3"
    page.fill("#pieces [aria-label='Least value']", "1")
    wait(page, "document.querySelector('#title').textContent.endsWith('values 1..3')")
    page.fill("#pieces [aria-label='Greatest value']", "9")
    assert "values" not in page.input_value("#text")
