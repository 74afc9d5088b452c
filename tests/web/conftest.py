"""A server and a browser for the tests of the page."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from browsing import CHROMIUM, open_page

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server():
    command = [sys.executable, "-m", "gatesolve", "web", "--no-browser", "--port", "0"]
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
