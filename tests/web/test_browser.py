"""The page in a real Chromium: solved by clicking, a wrong board, cancelled, two tabs, closed, text shown as text."""

import re
import time
from pathlib import Path

import pytest
from browsing import NEEDS_BROWSER, choose, open_page, wait, wait_until_done

from gatesolve.puzzles import examples

ROOT = Path(__file__).parents[2]
FAMILIES = [name for name, _, _ in examples()]
HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
QUEENS = "document.querySelector('#grid').innerText.split('♛').length - 1"
SIDES = {"kakuro": 5, "tents": 8, "galaxies": 7, "chess": 5, "starbattle": 8, "tango": 6, "sudoku": 9}
LONG = ("queens", "linkedin 8x8", "qaoa")

pytestmark = NEEDS_BROWSER


def start_long(page):
    choose(page, *LONG)
    page.click("#solve")
    wait(page, "document.querySelector('#stage').textContent.startsWith('Tuning')")


def workers(server):
    return set(Path(f"/proc/{server[0].pid}/task/{server[0].pid}/children").read_text().split())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_solved_by_clicking(page, family):
    choose(page, family)
    page.click("#solve")
    page.wait_for_selector("#verdict.solved")
    page.wait_for_selector("#takeaway")
    assert page.text_content("#error") == ""
    assert page.locator("#certificate").inner_text().count("Checked: on all ") == 1
    assert page.locator("#numbers dd").count() >= 5


@pytest.mark.sampled(0.3)
def test_the_circuit_is_proved_and_saved(page):
    choose(page, "queens")
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    for button, name in (("Save solution.txt", "solution.txt"), ("Save it", "board.txt")):
        with page.expect_download() as saved:
            page.click(f"#takeaway button:text-is('{button}')")
        assert saved.value.suggested_filename == name
    page.click("#takeaway .prove")
    for name, beginning in (("board.qasm3", "OPENQASM 3"), ("board.qasm", "OPENQASM 2")):
        with page.expect_download() as saved:
            page.click(f"#takeaway a[download='{name}']")
        assert Path(saved.value.path()).read_text("utf-8").startswith(beginning)
    assert page.locator("#certificate a.qasm").count() == 2
    assert page.locator("#claims li.proved").count() >= 4


@pytest.mark.sampled(0.3)
def test_the_cost_card_is_made_and_saved(page):
    choose(page, "kakuro")
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    page.click(".proof[data-action='card'] .prove")
    page.wait_for_selector("#takeaway .costs img", timeout=120_000)
    assert page.locator("#takeaway .costs img").get_attribute("alt").startswith("Cost card of Kakuro 3x3")
    for name, beginning in (("cost-card.png", b"\x89PNG"), ("cost-card.svg", b"<?xml")):
        with page.expect_download() as saved:
            page.click(f"#takeaway a[download='{name}']")
        assert Path(saved.value.path()).read_bytes().startswith(beginning)
    covered = """() => {
        const says = document.querySelector(".says");
        const before = says.parentElement.previousElementSibling;
        before.scrollIntoView({block: "end"});
        return before.getBoundingClientRect().bottom - says.getBoundingClientRect().top;
    }"""
    assert page.evaluate(covered) <= 0


@pytest.mark.sampled(0.3)
def test_what_is_proved_is_the_run_that_is_shown(page):
    choose(page, "queens")
    page.click("#solve")
    page.wait_for_selector("#certificate .prove")
    wait_until_done(page)
    page.select_option("#option-pipeline", "qaoa")
    with page.expect_request("**/api/run") as asked:
        page.click("#certificate .prove")
    assert asked.value.post_data_json["options"] == {}
    assert asked.value.post_data_json["action"] == "circuit"
    assert page.evaluate("document.activeElement.className") == "halt"  # stopped where it was begun
    wait(page, "!document.querySelector('.proof p')?.textContent.startsWith('Every layer')")
    page.wait_for_selector("#certificate a.qasm")
    assert page.evaluate("document.activeElement.download") == "board.qasm3"
    wait_until_done(page)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("pipeline", "cards"), [("gas", ["descent"]), ("qaoa", ["layers", "angles", "landscape"]), ("anneal", ["energies"])]
)
def test_other_pipelines_are_watched(page, pipeline, cards):
    choose(page, "sudoku", pipeline=pipeline)
    page.click("#solve")
    for card in cards:
        page.wait_for_selector(f"#{card} canvas")
    page.wait_for_selector("#verdict.solved")
    assert page.is_disabled("#option-level") == (pipeline in {"qaoa", "anneal"})
    wait_until_done(page)


def test_a_divided_board_grows_a_tree(page):
    choose(page, "sudoku")
    page.click("#as-text summary")
    page.fill("#text", (ROOT / "examples" / "sudoku" / "inkala-2010.txt").read_text("utf-8"))
    wait(page, "document.querySelectorAll('#grid button').length === 81")
    wait(page, "!document.querySelector('#solve').disabled")
    page.click("#solve")
    page.wait_for_selector("#tree circle.searching", state="attached")
    page.wait_for_selector("#iterations")
    assert page.locator("#tree circle.cut").count() > 0
    assert re.search(r"lea(f|ves) searched", page.text_content("#tree"))
    page.click("#cancel")
    wait_until_done(page)


def test_the_iterations_are_played(browser, server):
    context = browser.new_context(reduced_motion="no-preference")
    faults = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    page = open_page(context, server[1])
    page.click("#solve")
    page.wait_for_selector("#iterations")
    wait(page, "document.querySelector('#iterations').value === '9'")
    assert "the first peak" in page.text_content("#reading")
    wait_until_done(page)
    wait(page, "document.querySelectorAll('#picture img').length === 1")  # the solved board has filled in
    context.close()
    assert faults == []


def test_a_search_is_cancelled(page, server):
    start_long(page)
    assert page.text_content("#verdict").startswith("Searching")
    assert page.evaluate("document.activeElement.id") == "cancel"
    page.keyboard.press("Enter")
    wait_until_done(page)
    assert (page.text_content("#error"), page.text_content("#stopped")) == ("", "Stopped. Nothing was found yet.")
    assert page.evaluate("document.activeElement.id") == "solve"
    page.focus("#grid button")
    page.keyboard.press("b")
    assert page.text_content("#stopped") == ""
    choose(page, "queens", "small example")
    page.click("#solve")
    page.wait_for_selector("#verdict.solved")


@pytest.mark.sampled(0.3)
def test_two_tabs_search_at_the_same_time(context, server):
    first, second = open_page(context, server[1]), open_page(context, server[1])
    start_long(first)
    choose(second, "queens", "small example")
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
    wait(page, "!document.querySelector('#as-text').open")  # a new family shows its board
    page.click("#as-text summary")
    page.fill("#text", f"; {HOSTILE}\nbox 2x2\n2.43\n..2.\n....\n.23.\n")
    wait(page, "!document.querySelector('#solve').disabled")
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    assert "<script>" in page.inner_text("#takeaway")
    assert page.title() == "gatesolve"
    assert page.locator("main script, main img:not(#picture img)").count() == 0


@pytest.mark.sampled(1)
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
    assert (page.evaluate(CONTRAST), page.evaluate(NAMELESS)) == ([], [])
    for family, side in SIDES.items():
        page.select_option("#family", family)
        page.select_option("#open", label=f"blank {side}x{side}")
        wait(
            page, f"document.querySelector('#grid').className === '{family}' && !document.querySelector('#draw').hidden"
        )
        if family == "sudoku":
            page.click("#brushes [aria-label^='cage']")
        page.locator("#grid button").first.click()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert (page.evaluate(CONTRAST), page.evaluate(NAMELESS)) == ([], [])
    context.close()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_answer_is_kept_and_legible_and_a_run_becomes_a_picture(browser, server, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme, reduced_motion="reduce")
    page = open_page(context, server[1])
    choose(page, "queens")
    page.click("#play-mode")
    wait(page, "document.querySelector('#grid [data-cell]').ariaLabel.endsWith('empty')")
    for at in ("0,0", "0,2"):
        page.locator(f"#grid [data-cell='{at}']").press("q")
    wait(page, "document.querySelector('#said').textContent.startsWith('Broken')")
    page.select_option("#family", "tents")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    choose(page, "queens")
    wait(page, f"{QUEENS} === 2")
    for act, left in (("Backspace", 1), ("Control+z", 2), ("Control+y", 1)):
        page.locator("#grid [data-cell='0,2']").press(act)
        wait(page, f"{QUEENS} === {left}")
    page.click("#hint-play")
    wait(page, "!/…|^$/.test(document.querySelector('#said').textContent)")
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    wait_until_done(page)
    page.click("#circuit .slide button")
    page.click("#numbers .word")
    assert (page.evaluate(CONTRAST), page.evaluate(NAMELESS)) == ([], [])
    page.keyboard.press("Escape")
    with page.expect_download() as saved:
        page.click("#share button:text-is('Save picture')")
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as saved:
        page.click("#share button:text-is('Save as SVG')")
    drawn = Path(saved.value.path()).read_text("utf-8")
    assert all(
        one in drawn for one in ("with Grover's search: 144 states", "Simulated exactly on this computer", "Diff")
    )
    page.select_option("#open", label="linkedin 8x8")  # another board has no answer
    wait(page, f"document.querySelectorAll('#grid [data-cell]').length === 64 && {QUEENS} === 0")
    assert page.is_disabled("#undo")
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
