"""What holds while a person works on the page: little moves, nothing closes under the hands, the result is seen."""

from browsing import NEEDS_BROWSER, choose, open_page, wait, wait_until_done

pytestmark = NEEDS_BROWSER


def test_the_text_stays_open_while_it_is_typed(page):
    choose(page, "queens")
    page.click("#as-text summary")
    page.fill("#text", "")
    page.focus("#text")
    board = "BAAA\nBBBC\nDDCC\nDDDD"
    page.keyboard.type(board, delay=200)
    assert page.input_value("#text") == board
    assert page.evaluate("document.activeElement.id") == "text"
    page.select_option("#open", label="blank 5x5")  # opening a board closes it
    wait(page, "!document.querySelector('#as-text').open")


def test_the_result_comes_into_view(browser, server):
    context = browser.new_context(viewport={"width": 1280, "height": 500}, reduced_motion="reduce")
    page = open_page(context, server[1])
    wait(page, "!document.querySelector('#solve').disabled")
    box = page.locator("#solve").bounding_box()
    assert box["y"] + box["height"] <= 500  # to be pressed wherever the form is
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator("#solve").evaluate("(one) => one.click()")
    page.wait_for_selector("#takeaway")
    assert 0 <= page.locator("#verdict").bounding_box()["y"] < 500
    context.close()


def test_nothing_moves_and_no_old_answer_is_left_once_a_run_is_stopped(browser, server):
    context = browser.new_context(reduced_motion="no-preference")
    page = open_page(context, server[1])
    choose(page, "queens", "linkedin 8x8")
    page.click("#solve")
    page.wait_for_selector("#iterations")
    page.click("#cancel")
    wait_until_done(page)
    places = []
    for _ in range(2):
        places.append(page.input_value("#iterations"))
        page.wait_for_timeout(300)
    assert places[0] == places[1]
    assert page.text_content("#search .slide button") == "▶ Play"
    context.close()


def test_an_untouched_empty_board_is_no_fault(page):
    choose(page, "queens", "blank 5x5")
    assert page.text_content("#fault") == ""
    assert page.is_visible("#untouched")
    page.focus("#grid button")
    page.keyboard.type("ab")
    assert page.input_value("#text").split("\n")[0] == "ABAAA"
    wait(page, "document.querySelector('#untouched').textContent === '2 of 5 regions drawn.'")
    assert page.text_content("#fault") == ""
    page.keyboard.press("x")
    assert page.text_content("#refused") == "x cannot stand here. What can: A B C D E."
    page.keyboard.press("c")
    assert page.text_content("#refused") == ""


def test_that_nothing_solves_a_board_is_said_to_a_player(page):
    choose(page, "queens")
    page.click("#as-text summary")
    for board, said in (
        ("ABBB\nABBB\nCCBB\nCCDD\n", "No solution: none of the 80 boards that were left is a solution."),
        ("AABB\nAABB\nCCCC\nCCCC\n", "No solution: the 3 regions hold 3 queens but the 4 rows hold 4: "),
    ):
        page.fill("#text", board)
        wait(page, "document.querySelector('#verdict').className === 'quiet'")
        page.wait_for_timeout(500)  # until it is checked
        for button in ("#solve", "#compile"):
            page.click(button)
            wait(page, "document.querySelector('#verdict').className !== 'quiet'")
            assert page.text_content("#verdict").startswith(said)
            wait_until_done(page)
            assert page.text_content("#error") == ""
        assert "codeword" not in page.inner_text("main")


def test_a_board_that_is_solved_as_soon_as_it_is_typed_is_shown(page):
    choose(page, "sudoku", "blank 4x4")
    page.route("**/api/check", lambda route: (page.wait_for_timeout(500), route.continue_()))
    page.focus("#grid button")
    page.keyboard.type("1000040000200003")
    page.click("#solve")
    page.wait_for_selector("#verdict.solved")
    wait_until_done(page)
    assert page.text_content("#title").endswith("4 clues")
    page.unroute("**/api/check")


def test_a_result_beside_a_changed_board_is_marked(page):
    choose(page, "queens", "linkedin 6x6")
    page.click("#as-text summary")
    text = page.input_value("#text")
    page.click("#solve")
    page.wait_for_selector("#progress:not([hidden])")
    page.fill("#text", text.replace("AAABBC", "AABBBC", 1))
    page.wait_for_selector("#takeaway")
    wait_until_done(page)
    assert page.text_content("#stale").startswith("The board was changed after this run began")
    page.click("#undo")
    wait(page, "document.querySelector('#stale').textContent === ''")
    assert page.text_content("#verdict").startswith("Solved")  # the result of this very board stays
    page.click("#redo")
    wait(page, "document.querySelector('#verdict').className === 'quiet'")
    assert page.text_content("#stale") == ""


def test_states_that_were_listed_are_no_reads(page):
    choose(page, "tents", "small example", "anneal")
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    wait_until_done(page)
    assert page.inner_text("#numbers").split() == ["states", "1"]
    with page.expect_download() as saved:
        page.click("#share button:text-is('Save as SVG')")
    picture = saved.value.path().read_text("utf-8")
    assert "with classical presolve: 1 state." in picture
    assert "nneal" not in picture
    assert "reads" not in picture


def test_walls_stand_between_galaxies_and_nothing_inside(page):
    choose(page, "galaxies", "blog 5x5")
    with page.expect_response("**/api/play"):
        page.click("#play-mode")
    page.wait_for_selector("#play-keys button")
    page.click("#play-keys [data-key='3']")
    page.click("#grid [data-cell='6,2']")  # and the cell opposite
    line = """([at, ...sides]) => sides.map((side) =>
      document.querySelector(`#grid [data-cell='${at}']`).style.getPropertyValue(`--${side}`))"""
    assert page.evaluate(line, ["6,3", "up", "down"]) == ["0px", "0px"]
    assert page.evaluate(line, ["6,1", "up", "down"]) == ["1px", "1px"]
    assert page.evaluate(line, ["5,4", "left", "right"]) == ["3px", "3px"]
