"""What holds while a person works on the page: little moves, nothing closes under the hands, the result is seen."""

from browsing import NEEDS_BROWSER, choose, open_page, wait, wait_until_done

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
    page.select_option("#open", label="5x5")  # opening a board closes it
    wait(page, "!document.querySelector('#as-text').open")


def test_little_moves_while_the_page_is_loaded(browser, server):
    context = browser.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce")
    context.add_init_script(SHIFTS)
    page = open_page(context, server[1])
    page.wait_for_selector("#grid button")
    assert not page.evaluate("document.querySelector('#as-text').open")
    assert page.evaluate("globalThis.shifts ?? 0") < 0.1  # what browsers call good
    context.close()


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


def test_an_untouched_empty_board_is_no_fault(page):
    choose(page, "queens", "5x5")
    assert page.text_content("#fault") == ""
    assert page.is_visible("#untouched")
    page.focus("#grid button")
    page.keyboard.type("ab")
    assert page.input_value("#text").split("\n")[0] == "ABAAA"
    wait(page, "document.querySelector('#fault').textContent.startsWith('the 2 regions hold')")
    assert page.is_hidden("#untouched")


def test_nothing_deduced_is_said_with_the_size_of_the_blocks(page):
    choose(page, "queens")
    page.select_option("#option-presolve", "none")
    page.click("#compile")
    page.wait_for_selector("#presolve")
    assert "of 65536 ways to fill the board with what the clues leave, 144 are searched" in page.inner_text("#presolve")
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
