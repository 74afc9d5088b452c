"""The page explains: each number has a line and a link, the arrow turns, and each operation has its rule."""

import re

import pytest
from browsing import NEEDS_BROWSER, choose, wait_until_done

from gatesolve.web import server as module

PLAIN = """[...document.querySelectorAll("#numbers dt, #story th.n, #story figcaption, .option, #story > .card")]
  .filter((one) => one.textContent && !one.querySelector(".word") && one.id !== "takeaway").map((one) => one.outerHTML)
"""  # what shows numbers without an explained word
HIDDEN = "[document.querySelector('#circuit .scroll')].map((one) => one.scrollHeight - one.clientHeight)"


def test_each_explanation_links_to_a_heading_of_the_docs():
    targets = re.findall(r'"(\w+)\.md(?:#([^"]*))?"', (module.STATIC / "words.js").read_text("utf-8"))
    assert len(targets) > 30
    pages = {name: module._render_page(name) for name, _ in targets}
    assert [one for one in targets if one[1] and f'id="{one[1]}"' not in pages[one[0]]] == []
    with pytest.raises(module.HTTPException):
        module._render_page("../README")


@NEEDS_BROWSER[0]
@NEEDS_BROWSER[1]
@pytest.mark.sampled(2)
@pytest.mark.parametrize("pipeline", ["grover", "gas", "qaoa", "anneal"])
def test_each_number_is_explained(page, pipeline):
    choose(page, "sudoku", pipeline=pipeline)
    page.click("#solve")
    page.wait_for_selector("#takeaway")
    wait_until_done(page)
    assert page.evaluate(PLAIN) == []


@NEEDS_BROWSER[0]
@NEEDS_BROWSER[1]
def test_the_keyboard_reaches_words_arrow_and_operations(page, context):
    page.click("#solve")
    page.wait_for_selector("#counts")
    wait_until_done(page)
    page.focus("#numbers .word")
    for key in ("Enter", "Tab"):
        page.keyboard.press(key)
    with context.expect_page() as opened:
        page.keyboard.press("Enter")
    assert opened.value.inner_text("h1") == "Concepts"
    page.keyboard.press("Escape")
    assert page.locator(".note:popover-open").count() == 0
    page.focus("#iterations")
    for key, angle in (("Home", "4.8"), ("ArrowRight", "14.3")):
        page.keyboard.press(key)
        assert f": {angle}° from the rest" in page.get_attribute("#arrow canvas", "aria-label")
    assert page.locator("#circuit svg [tabindex='0']").count() == 1
    page.locator("#circuit [aria-expanded='false']").first.focus()
    for key in ("ArrowRight", "Enter", "ArrowRight"):
        page.keyboard.press(key)
    assert "For the rule r1c1 + r1c2 + r2c1 + r2c2 <= 1." in page.inner_text("#circuit .says")
    page.hover("#circuit .diffuse")
    assert page.inner_text("#circuit .says").startswith("Diffusion: 105 operations.")
    assert page.evaluate(HIDDEN) == [0]
