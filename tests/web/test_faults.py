"""What the page says when something goes wrong, and what it shows until then."""

import re
import signal
import subprocess
import sys

import pytest
from browsing import NEEDS_BROWSER, choose, open_page, wait, wait_until_done

pytestmark = NEEDS_BROWSER
GONE = (
    "The server does not answer. Start gatesolve web again and open the address that it prints. "
    "Copy link takes this board along."
)
WATCH = """() => {
  globalThis.seen = null;
  const look = () => {
    const one = document.querySelector("#verdict");
    if (one.className !== "solved" || globalThis.seen) return;
    const images = [...document.querySelectorAll("#picture img")];
    globalThis.seen = [images.length, images[0].alt.split(",")[1], images[0].complete, document.getAnimations().length];
  };
  new MutationObserver(look).observe(document.querySelector("#verdict"), { attributes: true, childList: true });
}"""


@pytest.mark.sampled(0.3)
def test_solved_is_said_once_the_board_is_filled(browser, server):
    context = browser.new_context(reduced_motion="no-preference")
    page = open_page(context, server[1])
    page.evaluate(WATCH)
    page.click("#solve")
    page.wait_for_selector("#verdict.solved")
    count, said, is_loaded, moving = page.evaluate("globalThis.seen")
    assert (count, said.split(":")[0], is_loaded, moving) == (1, " solved", True, 0)
    wait_until_done(page)
    page.wait_for_timeout(2000)  # nothing fills it in again
    assert (page.locator("#picture img").count(), page.evaluate("document.getAnimations().length")) == (1, 0)
    context.close()


@pytest.mark.sampled(0.3)
def test_a_family_that_is_chosen_in_a_run_stops_it_and_says_so(page):
    choose(page, "queens", "linkedin 8x8", "qaoa")
    page.click("#solve")
    wait(page, "document.querySelector('#stage').textContent.startsWith('Tuning')")
    page.select_option("#family", "kakuro")
    wait_until_done(page)
    said = "The run of the queens board was stopped, because another board was opened."
    wait(page, "!document.querySelector('#solve').disabled")
    assert page.text_content("#stopped") == said
    page.select_option("#family", "tents")  # on the way to another one
    assert page.text_content("#stopped") == said
    page.select_option("#option-pipeline", "grover")
    wait(page, "!document.querySelector('#solve').disabled")
    page.click("#solve")
    assert page.text_content("#stopped") == ""
    page.wait_for_selector("#verdict.solved")
    wait_until_done(page)


def test_a_server_that_is_gone_is_named(browser):
    command = [sys.executable, "-m", "gatesolve", "web", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        address = re.search(r"http://\S+", process.stderr.readline())[0]
        context = browser.new_context(reduced_motion="reduce")
        page = open_page(context, address)
        choose(page, "queens", "linkedin 8x8", "qaoa")
        page.click("#solve")
        wait(page, "document.querySelector('#stage').textContent.startsWith('Tuning')")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stderr.read() == ""
        wait_until_done(page)
        assert page.text_content("#error") == "gatesolve web was ended: start it again"
        page.click("#solve")
        wait(page, "document.querySelector('#error').textContent.startsWith('The server')")
        assert page.text_content("#error") == GONE
        context.close()
