"""The page in a real Chromium: solved by clicking, a wrong board, cancelled, two tabs, closed, text shown as text."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gatesolve.puzzles import examples

CHROMIUM = Path("/usr/bin/chromium")
ROOT = Path(__file__).parents[2]
FAMILIES = [name for name, _, _ in examples()]
HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
LONG = ("queens", "linkedin 8x8", "qaoa")
PATIENCE = 60_000

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser: install Debian's chromium as {CHROMIUM}"),
]


@pytest.fixture(scope="module")
def server():
    command = [sys.executable, "-m", "gatesolve", "web", "--no-browser"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stderr is not None
    address = re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", process.stderr.readline())
    assert address
    yield process, address[0]
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def context(browser, server):
    """A window that fails the test when the page has an error, or asks for anything from elsewhere."""
    found = browser.new_context(reduced_motion="reduce")
    faults = []
    found.on("weberror", lambda error: faults.append(str(error.error)))
    found.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    found.on("request", lambda r: faults.append(r.url) if not r.url.startswith((server[1], "blob:")) else None)
    yield found
    found.close()
    assert faults == []


@pytest.fixture
def page(context, server):
    return open_page(context, server[1])


def open_page(context, address):
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.wait_for_selector("#picture img")
    return page


def wait(page, condition):
    """Until a condition holds. The page's policy forbids Playwright's own way, which evaluates text in the page."""
    late = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(condition):
        assert time.monotonic() < late, condition
        page.wait_for_timeout(50)


def choose(page, family, board=None, pipeline="grover"):
    page.select_option("#family", family)
    if board:
        page.select_option("#open", label=board)
    page.select_option("#option-pipeline", pipeline)
    wait(page, "!document.querySelector('#solve').disabled")


def wait_until_done(page):
    page.wait_for_selector("#progress[hidden]", state="attached")


def start_long(page):
    choose(page, *LONG)
    page.click("#solve")
    wait(page, "document.querySelector('#stage').textContent.startsWith('Tuning')")


def workers(server):
    return set(Path(f"/proc/{server[0].pid}/task/{server[0].pid}/children").read_text().split())


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_solved_by_clicking(page, family):
    choose(page, family)
    page.click("#solve")
    page.wait_for_selector("#verdict.solved")
    page.wait_for_selector("#takeaway")
    assert page.text_content("#error") == ""
    assert page.locator("#certificate").inner_text().count("every codeword") == 1
    assert page.locator("#numbers dd").count() >= 5


def test_the_circuit_is_proved_and_saved(page):
    choose(page, "queens")
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    page.click("#prove")
    with page.expect_download() as saved:
        page.click("#qasm")
    assert Path(saved.value.path()).read_text("utf-8").startswith("OPENQASM 3")
    assert page.locator("#claims li.proved").count() >= 3


@pytest.mark.parametrize(("pipeline", "card"), [("gas", "descent"), ("qaoa", "levels"), ("anneal", "energies")])
def test_other_pipelines_are_watched(page, pipeline, card):
    choose(page, "sudoku", pipeline=pipeline)
    page.click("#solve")
    page.wait_for_selector(f"#{card}")
    page.wait_for_selector("#verdict.solved")
    assert page.is_disabled("#option-level") == (pipeline in {"qaoa", "anneal"})


def test_the_slider_goes_past_the_best_iteration(page):
    choose(page, "queens")
    page.click("#solve")
    page.wait_for_selector("#iterations")
    chances = []
    for place in ("0", "9", "18"):
        page.fill("#iterations", place)
        chances.append(float(re.search(r"([\d.]+) %", page.text_content("#reading"))[1]))
    assert chances == pytest.approx([0.69, 99.98, 0.1], abs=1)
    wait_until_done(page)


def test_the_iterations_are_played(browser, server):
    context = browser.new_context(reduced_motion="no-preference")
    faults = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    page = open_page(context, server[1])
    page.click("#solve")
    page.wait_for_selector("#iterations")
    wait(page, "document.querySelector('#iterations').value === '9'")
    assert "the best number" in page.text_content("#reading")
    wait_until_done(page)
    context.close()
    assert faults == []


def test_the_cost_is_shown_without_a_search(page):
    choose(page, "sudoku")
    page.click("#compile")
    page.wait_for_selector("#counts")
    wait_until_done(page)
    assert page.locator("#search").count() == 0
    shown = dict(
        zip(page.locator("#numbers dt").all_inner_texts(), page.locator("#numbers dd").all_inner_texts(), strict=True)
    )
    assert {"states", "qubits", "CX in all"} <= set(shown)


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
    page.select_option("#open", label="5x5")
    wait(page, "document.querySelectorAll('#grid button').length === 25")
    page.focus("#grid button")
    for row in ("aabbb", "acbdd", "cccde", "ccdde", "ceeee"):
        for letter in row:
            page.keyboard.press(letter)
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
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


def test_a_search_is_cancelled(page, server):
    start_long(page)
    page.click("#cancel")
    wait_until_done(page)
    assert page.text_content("#error") == "cancelled"
    choose(page, "queens", "small example")
    page.click("#solve")
    page.wait_for_selector("#verdict.solved")


def test_two_tabs_search_at_the_same_time(context, server):
    first, second = open_page(context, server[1]), open_page(context, server[1])
    start_long(first)
    choose(second, "queens")
    second.click("#solve")
    second.wait_for_selector("#verdict.solved")
    assert first.is_visible("#progress")
    first.click("#cancel")
    wait_until_done(first)


def test_a_page_that_is_closed_ends_its_search(context, server):
    page = open_page(context, server[1])
    start_long(page)
    busy = workers(server)
    page.close()
    late = time.monotonic() + 20
    while busy & workers(server) == busy and time.monotonic() < late:
        time.sleep(0.2)
    assert busy - workers(server)


def test_hostile_text_is_shown_as_text(page):
    choose(page, "queens")
    page.click("#as-text summary")
    page.fill("#text", HOSTILE)
    wait(page, "document.querySelector('#fault').textContent !== ''")
    page.select_option("#family", "sudoku")
    page.fill("#text", f"; {HOSTILE}\nbox 2x2\n2.43\n..2.\n....\n.23.\n")
    wait(page, "!document.querySelector('#solve').disabled")
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    assert "<script>" in page.inner_text("#takeaway")
    assert page.title() == "gatesolve"
    assert page.locator("main script, main img:not(#picture img)").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_is_legible(browser, server, width, scheme):
    context = browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = open_page(context, server[1])
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate(NAMELESS) == []
    context.close()


CONTRAST = """() => {
  const light = ([r, g, b]) => { const f = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (one) => {
    for (; one; one = one.parentElement) {
      const c = parse(getComputedStyle(one).backgroundColor);
      if (c.length < 4 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const skipped = "svg, .hidden, .skip, [hidden], option";
  const bad = [];
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || one.disabled || one.closest(skipped) || !one.checkVisibility()) continue;
    const [a, b] = [light(parse(getComputedStyle(one).color)), light(ground(one))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(`${one.tagName} ${one.className} ${one.textContent.slice(0, 30)}`);
  }
  return bad;
}"""
"""Elements whose text has less than the contrast of WCAG AA, 4.5 to 1."""
NAMELESS = """() => [...document.querySelectorAll("button, select, input, textarea, a, canvas, svg[role]")]
  .filter((one) => !(one.labels?.length || one.getAttribute("aria-label") || one.textContent.trim()))
  .map((one) => one.outerHTML.slice(0, 80))"""
"""Controls and pictures without a name."""
