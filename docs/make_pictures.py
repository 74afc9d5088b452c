"""Draws docs/pictures: one solved board of every family, and a cost card.

python docs/make_pictures.py                  all of them
python docs/make_pictures.py kakuro queens    only these
python docs/make_pictures.py card             the cost card alone

Every board is solved from its file in examples/ by ``gatesolve.solve``, accepted by its own rules, and drawn by its own
``draw``.
"""

from __future__ import annotations

import argparse
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


def main() -> int:
    """Solve, draw, and say which board went where."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", nargs="*", help="these alone")
    boards = {family: f"{family}/{name}" for family, name in BOARDS.items()} | FURTHER | {"card": CARD}
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
    result = gatesolve.solve(ROOT / "examples" / board, presolve="propagate")
    puzzle = result.problem.puzzle
    if puzzle is None or result.solution is None or puzzle.check(result.solution):
        raise SystemExit(f"{board}: {result.message}")
    puzzle.draw(path, result.solution)
    return path


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
