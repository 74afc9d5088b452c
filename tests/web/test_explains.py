"""The page explains: each number has a line and a link, the arrow turns, and each operation has its rule."""

import re

import numpy as np
import pytest
from browsing import NEEDS_BROWSER, choose, wait_until_done

import gatesolve
from gatesolve.planning import Layout
from gatesolve.puzzles import examples, parse
from gatesolve.web import server as module
from gatesolve.web import story

PLAIN = """[...document.querySelectorAll("#numbers dt, #story th.n, #story figcaption, .option, #story > .card")]
  .filter((one) => one.textContent && !one.querySelector(".word") && one.id !== "takeaway").map((one) => one.outerHTML)
"""  # what shows numbers without an explained word
TRACE = "async (oracle) => (await import('./rules.js')).traceRules(oracle)"
HIDDEN = "[document.querySelector('#circuit .scroll')].map((one) => one.scrollHeight - one.clientHeight)"


def test_each_explanation_links_to_a_heading_of_the_docs():
    targets = re.findall(r'"(\w+)\.md(?:#([^"]*))?"', (module.STATIC / "words.js").read_text("utf-8"))
    assert len(targets) > 30
    pages = {name: module._render_page(name) for name, _ in targets}
    assert [one for one in targets if one[1] and f'id="{one[1]}"' not in pages[one[0]]] == []
    with pytest.raises(module.HTTPException):
        module._render_page("../README")


def test_pages_of_the_documentation_name_only_what_is_served():
    module = pytest.importorskip("gatesolve.web.server")
    pages = [page.stem for page in module.DOCS.glob("*.md")]
    for name in pages:
        shown = module._render_page(name)
        assert "<img" not in shown
        targets = re.findall(r'href="(?!https?:|#|\.\./)([^"#]*)', shown)
        assert {target for target in targets if target.removesuffix(".md") not in pages} == set()
    assert "notebooks/" in (module.DOCS / "notebooks.md").read_text("utf-8")  # links that are left out
    assert "formats</a>" in module._render_page("web")


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
    assert re.search("For the rule r|Part of several rules", page.inner_text("#circuit .says"))
    page.hover("#circuit .diffuse")
    assert page.inner_text("#circuit .says").startswith("Diffusion: 105 operations.")
    assert page.evaluate(HIDDEN) == [0]


def mark(oracle, bits, faulty=None, forced=None):
    """The states whose sign flips; one operation reads no rule, but only what was joined before, or is ``forced``."""
    wires = [*bits, *(np.zeros_like(bits[0]) for _ in range(oracle["qubits"] - len(bits)))]
    flipped = np.zeros_like(bits[0])
    for k, (_, sign, inputs, target) in enumerate(oracle["ops"]):
        values = [
            np.logical_xor.reduce([flipped & False ^ p["constant"], *(wires[w] for w in p["wires"])]) for p in inputs
        ]
        values[1:] = [~(values[1] & values[2])] if sign == "∧¬" else values[1:]
        if k == faulty:
            joined = [v for v, p in zip(values, inputs, strict=False) if any(w >= len(bits) for w in p["wires"])]
            values = joined if 0 < len(joined) < len(values) else [flipped & False | forced]
        values = [np.where(*values)] if sign == "?:" and len(values) == 3 else values
        wires.append(np.logical_and.reduce([flipped | True, *values]))
        if target < 0:
            flipped = flipped ^ wires.pop()
        else:
            wires[target] = wires[target] ^ wires.pop()
    return flipped


@NEEDS_BROWSER[0]
@NEEDS_BROWSER[1]
@pytest.mark.sampled(3)
@pytest.mark.parametrize(("family", "text"), [(name, text) for name, _, text in examples()])
def test_no_wrong_rule_is_named(page, family, text):
    found = []
    gatesolve.compile(parse(text, family), encoding="binary", presolve="none", progress=False, on_event=found.append)
    layout = [one for one in found if isinstance(one, Layout)][-1]
    oracle = list(story.tell_layout(layout))[-1]
    bits = list(layout.space.bits(np.random.default_rng(1).integers(0, layout.space.size, 4096)))
    kept = [one.holds(bits.__getitem__, bits[0] | True) for one in layout.oracle.conditions]
    assert (mark(oracle, bits) == np.logical_and.reduce(kept)).all()
    told = page.evaluate(TRACE, oracle)[: oracle["of"] // 2]
    for k, rule in ((k, rule) for k, rule in enumerate(told) if rule >= 0 and oracle["ops"][k][3] >= len(bits)):
        right = ~kept[rule] | np.logical_and.reduce(kept)
        assert all((right | ~mark(oracle, bits, k, forced)).all() for forced in (False, True))
    assert max(told) >= 0 or family in {"tents", "galaxies"}  # their rules are joined from the start
