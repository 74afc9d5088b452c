"""What must hold while a person works on the page: it moves little, closes nothing under the hands, shows the result."""

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
