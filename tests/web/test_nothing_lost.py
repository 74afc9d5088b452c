"""Boards outlive a reload, a family, a server and a wrong step; a link takes them elsewhere."""

import base64
import json
import re
import signal
import subprocess
import sys
import zlib

import pytest
from browsing import NEEDS_BROWSER, choose, open_page, wait

from gatesolve.puzzles import examples

pytestmark = NEEDS_BROWSER
TEXTS = {name: text for name, _, text in examples()}
PAINTED = "BAAA\nBABC\nDDCC\nDDDD\n"
UNSTORED = {
    "rubbish": "try { for (const key of ['family', 'board queens']) localStorage[`gatesolve ${key}`] = '{'; } catch {}",
    "forbidden": "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }",
}


def text_is(page, text):
    wait(page, f"document.querySelector('#text').value === {json.dumps(text)}")
    wait(page, "!document.querySelector('#solve').disabled")


def paint(page):
    choose(page, "queens")
    page.click("#brushes button:first-child")
    page.click("#grid [data-cell='1,1']")
    text_is(page, PAINTED)


def copy_link(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#copy-link")
    wait(page, "document.querySelector('#notice').textContent.startsWith('Link copied.')")
    return page.evaluate("navigator.clipboard.readText()")


def paste(page, text):
    page.evaluate(
        "(text) => { const data = new DataTransfer(); data.setData('text', text); "
        "document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); }",
        text,
    )


def test_boards_and_options_survive_a_reload_and_a_change_of_family(page):
    paint(page)
    page.select_option("#option-pipeline", "qaoa")
    choose(page, "tents", "hakank 6x6")
    tents = page.input_value("#text")
    page.reload()
    text_is(page, tents)
    assert page.input_value("#family") == "tents"
    page.select_option("#family", "queens")
    text_is(page, PAINTED)
    assert page.input_value("#option-pipeline") == "qaoa"
    assert page.input_value("#open") == ""


@pytest.mark.parametrize("kind", UNSTORED)
def test_storage_that_fails_breaks_nothing(context, server, kind):
    context.add_init_script(UNSTORED[kind])
    page = open_page(context, server[1])
    text_is(page, TEXTS["queens"])
    paint(page)
    assert page.text_content("#notice").startswith("This browser stores no boards") == (kind != "rubbish")
    page.select_option("#family", "tents")
    page.select_option("#family", "queens")
    text_is(page, PAINTED)


def test_steps_are_undone_and_made_again(page):
    choose(page, "queens", "blank 5x5")
    blank = page.input_value("#text")
    page.click("#brushes button:nth-child(2)")
    first, last = (page.locator(f"#grid [data-cell='{at}']").bounding_box() for at in ("0,0", "0,4"))
    page.mouse.move(first["x"] + 9, first["y"] + 9)
    page.mouse.down()
    page.mouse.move(last["x"] + 9, last["y"] + 9, steps=12)
    page.mouse.up()
    drawn = page.input_value("#text")
    assert drawn == blank.replace("AAAAA", "BBBBB", 1)
    page.keyboard.press("Control+z")
    wait(page, f"document.querySelector('#text').value === {json.dumps(blank)}")
    wait(page, "document.activeElement.dataset.cell === '0,0'")  # who draws by keyboard goes on
    page.click("#undo")
    text_is(page, TEXTS["queens"])
    assert page.input_value("#open") == "b0"
    assert page.is_disabled("#undo")
    for key in ("Control+Shift+z", "Control+y"):
        page.keyboard.press(key)
    wait(page, f"document.querySelector('#text').value === {json.dumps(drawn)}")
    page.click("#as-text summary")
    page.focus("#text")
    page.keyboard.type("; ab")
    page.keyboard.press("Control+z")
    assert page.input_value("#text") == drawn
    assert page.evaluate("document.activeElement.id") == "text"
    page.evaluate("document.execCommand('undo')")  # the browser's own menu
    page.select_option("#family", "tents")
    assert page.is_disabled("#undo")


def test_a_link_shows_exactly_its_board_elsewhere(page, browser, server):
    paint(page)
    page.select_option("#option-encoding", "binary")
    link = copy_link(page)
    assert server[1].split("/")[-2] not in link  # the secret of this run
    context = browser.new_context(reduced_motion="reduce")
    other = open_page(context, server[1] + "#" + link.split("#")[1])
    text_is(other, PAINTED)
    assert (other.input_value("#option-encoding"), "#" in other.url) == ("binary", False)
    choose(other, "tents")
    paste(other, f"See {link}.")
    text_is(other, PAINTED)
    assert other.input_value("#family") == "queens"
    plain = base64.urlsafe_b64encode(json.dumps(["kakuro", TEXTS["kakuro"], {"level": "literal"}]).encode()).decode()
    other.click("#as-text summary")
    other.fill("#text", f"http://127.0.0.1:1/#board=j.{plain.rstrip('=')}")
    text_is(other, TEXTS["kakuro"])
    assert other.input_value("#option-level") == "literal"
    other.keyboard.press("Control+z")
    wait(other, "document.querySelector('#option-level').value === 'merged'")
    context.close()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("family", TEXTS)
def test_a_link_alone_shows_its_board_in_another_profile(page, browser, family):
    choose(page, family)
    link = copy_link(page)
    context = browser.new_context()
    other, faults = context.new_page(), []
    other.on("console", lambda said: faults.append(said.text))
    other.goto(link)
    wait(other, "document.querySelector('#text').textContent !== ''")
    assert other.text_content("#text") == TEXTS[family]
    wait(other, "document.querySelector('#picture img')?.naturalWidth > 0")
    assert other.text_content("h1") == page.text_content("#outcome h2")
    other.goto(link[:-3])
    other.reload()
    wait(other, "document.querySelector('#broken').textContent.startsWith('This link is broken')")
    assert faults == []
    context.close()


def test_a_broken_link_is_named_and_the_board_stays(page):
    paint(page)
    texts = {
        "is broken": [b"[1, 2, 3]", b'["queens", "' + b"A" * (1 << 20) + b'", {}]'],
        "was made by another version": [b'["shikaku", "A", {}]', b'["queens", "A", {"encoding": "gray"}]'],
    }
    links = [
        (said, "z." + base64.urlsafe_b64encode(zlib.compress(one)).decode()) for said in texts for one in texts[said]
    ]
    for said, packed in [*links, *(("is broken", one) for one in ("", "z.eJyLViosTU3NK1b", "j.AAAA"))]:
        page.evaluate("(packed) => { location.hash = `board=${packed.replace(/=+$/, '')}`; }", packed)
        wait(page, f"document.querySelector('#broken').textContent.startsWith('This link {said}')")
        assert page.input_value("#text") == PAINTED
        page.click("#copy-link")  # clears what was said
        wait(page, "document.querySelector('#broken').textContent === ''")


def fails(page, said):
    for button in ("#undo", "#redo"):
        page.click(button)
    wait(page, f"document.querySelector('#fault').textContent.startsWith('{said}')")


def test_a_board_outlives_its_server_and_opens_with_the_next(page, browser, tmp_path):
    file = tmp_path / "board.txt"
    file.write_text(TEXTS["tango"])
    command = [sys.executable, "-m", "gatesolve", "web", "--no-browser", "--port"]
    board, port = str(file), "0"
    for expected in (TEXTS["tango"], PAINTED):
        with subprocess.Popen([*command, port, board], stderr=subprocess.PIPE, text=True) as process:
            address = re.search(r"http://127.0.0.1:(\d+)/\S+", process.stderr.readline())
            if port == address[1]:
                fails(page, "This page is of an earlier gatesolve web")
            port = address[1]
            page = open_page(browser.new_context(reduced_motion="reduce"), address[0])
            text_is(page, expected)
            paint(page)
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
            fails(page, "The server does not answer.")
            for family, text in (("tents", TEXTS["tents"]), ("queens", PAINTED)):
                page.select_option("#family", family)
                wait(page, "document.querySelector('#title').textContent === 'Your board'")  # no other is shown
                assert (page.input_value("#text"), page.is_visible("#grid")) == (text, False)
            board = copy_link(page)


def test_a_pasted_text_goes_over_to_its_family(page):
    paint(page)
    for name in ("sudoku", "takuzu", "tango", "chess", "starbattle", "tents", "galaxies", "kakuro"):
        page.select_option("#family", "queens")
        text_is(page, PAINTED)
        paste(page, f"\n{TEXTS[name]}")
        page.click(f"text=Switch to {name.capitalize()}")
        text_is(page, f"\n{TEXTS[name]}")
        assert page.input_value("#family") == name
        assert not page.is_visible("#offer")
