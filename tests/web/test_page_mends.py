"""What holds while a person works on the page: little moves, nothing closes under the hands, the result is seen."""

from browsing import NEEDS_BROWSER, choose, open_page, wait, wait_until_done

from gatesolve.puzzles.picture import REGION_FILLS

pytestmark = NEEDS_BROWSER

SHIFTS = """new PerformanceObserver((list) => {
  for (const one of list.getEntries()) globalThis.shifts = (globalThis.shifts ?? 0) + one.value;
}).observe({ type: "layout-shift", buffered: true })"""


def test_the_solved_board_fills_in_once(browser, server):
    context = browser.new_context(reduced_motion="no-preference")
    page = open_page(context, server[1])
    page.click("#solve")
    page.wait_for_selector("#verdict.solved")
    wait_until_done(page)
    page.wait_for_timeout(2000)
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator("#picture img").count() == 1
    context.close()


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


def test_little_moves_while_the_page_is_loaded(browser, server):
    context = browser.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce")
    context.add_init_script(SHIFTS)
    page = open_page(context, server[1])
    page.wait_for_selector("#grid button")
    assert not page.evaluate("document.querySelector('#as-text').open")
    assert page.evaluate("globalThis.shifts ?? 0") < 0.1  # what browsers call good
    context.close()


def test_the_heading_of_the_method_is_never_cut(browser, server):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = open_page(context, server[1])
    for board in ("small example", "linkedin 8x8"):
        choose(page, "queens", board)
        head, sheets = page.locator("#h-how").bounding_box(), page.locator("#sheets").bounding_box()
        assert head["y"] + head["height"] <= sheets["y"] + sheets["height"] + 1
    page.click("#h-how a")  # and it leads to what it heads
    wait(page, "document.querySelector('#option-level').getBoundingClientRect().bottom < innerHeight")
    context.close()


def test_the_field_of_a_cage_comes_into_view_above_what_is_said(browser, server):
    for width, height in ((1280, 800), (390, 844)):
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        page = open_page(context, server[1])
        choose(page, "sudoku", "blank 9x9")
        page.click("#brushes [aria-label^='cage']")
        page.click("#grid [data-cell='0,0']")
        page.fill("#cell input", "12")
        wait(page, "document.querySelector('#fault').textContent.includes('adds up to 12')")
        field, cover = page.locator("#cell input").bounding_box(), page.locator("#go").bounding_box()
        assert field["y"] + field["height"] <= cover["y"]
        box = {"x": field["x"] + field["width"] / 2, "y": field["y"] + field["height"] / 2}
        assert page.evaluate("({x, y}) => document.elementFromPoint(x, y).tagName", box) == "INPUT"
        context.close()


def test_no_picture_of_another_board_is_left(page):
    page.select_option("#family", "kakuro")
    page.select_option("#open", label="blank 4x4")  # its sums are missing
    wait(page, "document.querySelector('#title').textContent === 'Your board'")
    assert page.locator("#picture img").count() == 0


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


def test_the_whole_board_comes_into_view_on_a_phone(browser, server):
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="no-preference")
    page = open_page(context, server[1])
    choose(page, "queens", "linkedin 6x6")
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    wait_until_done(page)
    page.wait_for_timeout(1500)  # the scrolling
    assert 0 <= page.locator("#picture").bounding_box()["y"] < 200
    context.close()


def test_a_region_has_one_colour_on_the_board_and_in_its_picture(page):
    choose(page, "queens", "linkedin 6x6")
    shown = page.evaluate(
        "[...document.querySelectorAll('#brushes button')].map((one) => getComputedStyle(one).backgroundColor)"
    )
    fills = [f"rgb({', '.join(str(int(fill[k : k + 2], 16)) for k in (1, 3, 5))})" for fill in REGION_FILLS]
    assert shown == fills[:6]


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


def test_nothing_deduced_is_said_with_the_size_of_the_blocks(page):
    choose(page, "queens")
    page.select_option("#option-presolve", "none")
    page.click("#compile")
    page.wait_for_selector("#presolve")
    assert "of 65\u202f536 ways to fill the board with what the clues leave, 144 are searched" in page.inner_text(
        "#presolve"
    )
    wait_until_done(page)


def test_the_solution_is_saved_under_a_name_of_its_own(page):
    choose(page, "sudoku")
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    names = []
    for button in ("Save solution.txt", "Save it"):
        with page.expect_download() as saved:
            page.click(f"#takeaway button:text-is('{button}')")
        names.append(saved.value.suggested_filename)
    assert names == ["solution.txt", "board.txt"]
    wait_until_done(page)


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
