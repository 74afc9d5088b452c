"""Draws docs/pictures: one solved board of every family, a cost card, and the page of `gatesolve web`.

python docs/make_pictures.py                  all of them
python docs/make_pictures.py kakuro queens    only these
python docs/make_pictures.py card             the cost card alone
python docs/make_pictures.py page             the page in a browser; needs Debian's chromium

Every board is solved from its file in examples/ by ``gatesolve.solve``, accepted by its own rules, and drawn by its own
``draw``.
"""

from __future__ import annotations

import argparse
import re
import signal
import subprocess
import sys
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

import gatesolve
from gatesolve.drawing.card import Card

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs/pictures"
BOARDS = {
    "kakuro": "contest.txt",
    "sudoku": "sgt-2x3di1.txt",
    "takuzu": "hakank-4x4.txt",
    "tango": "brohit-2025-04-20.txt",
    "chess": "max-3x3-types.txt",
    "queens": "linkedin-6x6.txt",
    "starbattle": "irregular-6x6-1.txt",
    "tents": "weak-3x5.txt",
    "galaxies": "blog-5x5.txt",
}
"""The board of each family that docs/families.md shows as text and as a picture. Each has one solution."""
FURTHER = {"jigsaw-killer": "sudoku/sgt-6jkde1.txt"}
"""Pictures beside those, by name: the board in examples/."""
CARD = "queens/linkedin-8x8.txt"
"""The board of the cost card."""
PAGE = "kakuro/contest.txt"
"""The board that is solved on the page."""


def main() -> int:
    """Solve, draw, and say which board went where."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", nargs="*", help="these alone")
    boards = {family: f"{family}/{name}" for family, name in BOARDS.items()} | FURTHER | {"card": CARD, "page": PAGE}
    chosen = parser.parse_args().family or list(boards)
    PICTURES.mkdir(exist_ok=True)
    for name in chosen:
        path = draw(name, boards[name])
        sys.stdout.write(f"{path.relative_to(ROOT)}: {boards[name]}, {path.stat().st_size} bytes\n")
    return 0


def draw(name: str, board: str) -> Path:
    """A board, solved; or its cost card."""
    path = PICTURES / f"{name}.png"
    if name == "card":
        card = gatesolve.card(ROOT / "examples" / board)
        card.draw(path)
        stamp(path, card_figures(card))
        return path
    if name == "page":
        photograph(path, Path(board).stem)
        return path
    result = gatesolve.solve(ROOT / "examples" / board, presolve="propagate")
    puzzle = result.problem.puzzle
    if puzzle is None or result.solution is None or puzzle.check(result.solution):
        raise SystemExit(f"{board}: {result.message}")
    puzzle.draw(path, result.solution)
    return path


def photograph(path: Path, board: str) -> None:
    """Save a picture of the page in the browser, on which a Kakuro was solved without deductions."""
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "gatesolve", "web", "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
            page.set_default_timeout(60_000)
            assert server.stderr is not None
            page.goto(re.findall(r"http://\S+", server.stderr.readline())[0])
            page.wait_for_selector("#picture img")
            page.select_option("#family", "kakuro")
            page.select_option("#open", label=board)
            page.select_option("#option-presolve", "none")
            page.click("#solve:enabled")
            page.wait_for_selector("#takeaway")
            page.screenshot(path=path)
            browser.close()
        finally:
            server.send_signal(signal.SIGINT)


def card_figures(card: Card) -> str:
    """Return the texts of a card that are the same in every run: all but the classical solver's time."""
    return "\n".join([card.facts, *("\n".join([one.headline, *one.lines]) for one in card.panels[1:])])


def stamp(path: Path, figures: str) -> None:
    """Write the numbers of a picture into its file, where a test compares them with a new run."""
    notes = PngInfo()
    notes.add_itxt("Description", figures)
    with Image.open(path) as picture:
        picture.save(path, pnginfo=notes)


def read_stamp(path: Path) -> str:
    """Return the numbers that a picture's file holds."""
    with Image.open(path) as picture:
        return str(picture.text["Description"])  # type: ignore[attr-defined]


if __name__ == "__main__":
    raise SystemExit(main())
