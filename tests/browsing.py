"""The page in a browser, as its tests open it, choose on it and wait for it."""

import time
from pathlib import Path

import pytest

CHROMIUM = Path("/usr/bin/chromium")
PATIENCE = 60_000
NEEDS_BROWSER = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser: install Debian's chromium as {CHROMIUM}"),
    pytest.mark.sampled(0.5),
]


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
