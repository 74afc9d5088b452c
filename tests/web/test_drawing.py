"""Boards drawn in a real Chromium with the mouse and by keyboard alone, and faults that are named meanwhile."""

from browsing import NEEDS_BROWSER, choose, wait, wait_until_done

pytestmark = NEEDS_BROWSER


def test_a_wrong_board_says_where_as_it_is_typed(page):
    choose(page, "takuzu")
    page.click("#as-text summary")
    page.fill("#text", "unique yes\n...1\n.1?.\n....\n.1.1\n")
    wait(page, "document.querySelector('#fault').textContent.includes('row 3, column 3')")
    assert page.is_disabled("#solve")
    assert page.text_content("#gutter .bad").strip() == "3"
    page.fill("#text", "unique yes\n...1\n.1..\n....\n.1.1\n")
    wait(page, "!document.querySelector('#solve').disabled")
    assert page.text_content("#fault") == ""


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


def test_a_board_is_drawn_with_the_mouse(page):
    choose(page, "takuzu")
    page.click("#brushes button:nth-child(2)")
    page.click("#grid [data-cell='0,0']")
    assert page.input_value("#text").split("\n")[1] == "0..1"
    page.click("#grid [data-cell='0,0']")
    assert page.input_value("#text").split("\n")[1] == "...1"


def type_board(page, rows):
    """Type a board into the grid from its first cell, a cell a key; an empty string leaves a cell as it is."""
    for row in rows:
        for key in row:
            page.keyboard.press(key or "ArrowRight")
        if not row[-1]:  # an arrow comes round to the first cell of the same row
            page.keyboard.press("ArrowDown")


def solve_by_keyboard(page):
    page.focus("#solve")
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict.solved")
    wait_until_done(page)


def test_tents_are_drawn_by_keyboard_alone(page):
    choose(page, "tents")
    page.select_option("#open", label="blank 5x5")
    wait(page, "!document.querySelector('#untouched').hidden")
    page.focus("#grid [data-cell='1,1']")
    type_board(page, [["", "t", "", "", "", ""], ["t", "", "", "", "", ""], ["", "", "", "t", "", ""]])
    page.focus("#grid [data-cell='1,1']")
    page.keyboard.press("ArrowUp")
    for number in "10101":
        page.keyboard.press(number)
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
    assert page.input_value("#text").split("\n")[:3] == ["  1 0 1 0 1", "? . T . . .", "? T . . . ."]
    wait(page, "!document.querySelector('#solve').disabled")
    solve_by_keyboard(page)


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
    assert "row 2, column 2: the run of 2 cells across" in page.text_content("#fault")
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


def test_chess_is_drawn_on_though_its_board_was_a_size(page):
    choose(page, "chess")
    assert page.is_hidden("#draw")
    page.click("#redraw")
    wait(page, "document.querySelectorAll('#grid button').length === 9")
    page.focus("#grid button")
    type_board(page, [["k", "", ""], ["", "", "#"]])
    assert page.input_value("#text").endswith("board\nK..\n..#\n...\n")
    wait(page, "document.querySelector('#title').textContent.includes('1 given')")
    page.check("#pieces [aria-label='rook in play']")
    page.uncheck("#pieces [aria-label='bishop in play']")
    page.fill("#pieces [aria-label='worth of a rook']", "4")
    wait(page, "document.querySelector('#title').textContent.includes('pieces K R N')")
    assert page.input_value("#text").split("\n")[:3] == ["chess max", "pieces K R N", "weights K=2 R=4"]
    assert page.is_enabled("#solve")


def test_signs_of_tango_are_chosen_beside_their_cell(page):
    choose(page, "tango")
    page.select_option("#open", label="blank 4x4")
    wait(page, "document.querySelectorAll('#grid button').length === 16")
    page.click("#grid [data-cell='0,1']")
    page.click("#brushes [aria-label='choose a cell, write nothing']")
    page.click("#grid [data-cell='0,1']")
    page.select_option("#cell label:nth-child(1) select", "=")
    page.select_option("#cell label:nth-child(2) select", "x")
    text = "tango 4x4\n.S..\n....\n....\n....\nr1c2 = r1c3\nr1c2 x r2c2\n"
    assert page.input_value("#text") == text
    said = "row 1 column 2: sun, equal to the cell to its right, different from the cell below"
    wait(page, f"document.querySelector(\"#grid [data-cell='0,1']\").getAttribute('aria-label') === '{said}'")
    page.select_option("#cell label:nth-child(1) select", "")
    assert page.input_value("#text") == text.replace("r1c2 = r1c3\n", "")
    page.click("#grid [data-cell='3,3']")
    assert page.locator("#cell select").count() == 0
    wait(page, "!document.querySelector('#solve').disabled")
