"""The page before anything is typed: families with boards to open, and options with a sentence each."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

from gatesolve.api.options import FIELDS, pipelines_of
from gatesolve.api.words import OPTIONS
from gatesolve.pipelines.registry import PIPELINES
from gatesolve.puzzles import examples, read_text
from gatesolve.puzzles.registry import choose_family, family_named

BOARDS = Path(__file__).parent / "examples"
MOST_CHARACTERS = 100_000

SENTENCES = {
    "pipeline": {
        "grover": "Grover's search: marks the solutions and amplifies them. The plain choice for a puzzle.",
        "gas": "Grover Adaptive Search: starts anywhere and keeps looking for fewer broken rules.",
        "qaoa": "QAOA: layers of phases and mixing with tuned angles. Likely answers, no certainty.",
        "anneal": "Simulated annealing: classical, no circuit. For comparison.",
    },
    "encoding": {
        "auto": "Takes whatever makes the whole circuit cheapest.",
        "one-hot": "One qubit for each value of a variable.",
        "binary": "The value as a binary number: few qubits, dearer checks.",
        "domain-wall": "A row of ones, then zeros; the value is where it turns.",
        "table": "Several variables together, only in combinations that a rule allows.",
        "permutation": "Cells that are all different, as a shuffle of their values.",
    },
    "presolve": {
        "auto": "Deduces values classically only until the board is small enough to simulate.",
        "none": "Deduces nothing: strikes out no value that the clues leave.",
        "propagate": "Strikes out every value that one rule refutes, again and again.",
        "affine": "The same, and also replaces variables that equations determine.",
    },
    "level": {
        "literal": "Every rule is computed by itself in the circuit.",
        "merged": "Rules on the same cells are joined before they become gates.",
        "minimised": "Rules are joined and simplified in small windows. Slower to make, fewer gates.",
    },
}
"""A sentence for each value that the page offers."""

SIDES: dict[str, dict[str, str]] = {
    "sudoku": {f"{n}x{n}": f"box {box}\n" + ("." * n + "\n") * n for n, box in ((4, "2x2"), (6, "2x3"), (9, "3x3"))},
    "takuzu": {f"{n}x{n}": "unique yes\n" + ("." * n + "\n") * n for n in (4, 6, 8)},
    "tango": {f"{n}x{n}": f"tango {n}x{n}\n" + ("." * n + "\n") * n for n in (4, 6)},
    "queens": {f"{n}x{n}": ("A" * n + "\n") * n for n in (5, 6, 7, 8, 9)},
    "starbattle": {f"{n}x{n}": "stars 1\n" + ("A" * n + "\n") * n for n in (5, 6, 8)},
    "tents": {f"{n}x{n}": " " + " ?" * n + "\n" + ("?" + " ." * n + "\n") * n for n in (5, 6, 8)},
    "galaxies": {f"{n}x{n}": ("-" + "+-" * (n - 1) + "\n").join([".|" * (n - 1) + ".\n"] * n) for n in (5, 7)},
    "kakuro": {f"{n}x{n}": "#" + "  #" * (n - 1) + "\n" + ("#" + "  ." * (n - 1) + "\n") * (n - 1) for n in (4, 5, 6)},
    "chess": {f"{n}x{n}": "chess max\npieces Q N\nweights Q=3 N=2\nboard\n" + ("." * n + "\n") * n for n in (3, 4, 5)},
}
"""Empty boards to draw on, by family and size."""


def list_families() -> list[dict[str, Any]]:
    """Return name, rules in a line, boards to open and empty boards of each family."""
    return [
        {
            "name": name,
            "summary": summary,
            "boards": [
                {"name": "small example", "text": example},
                *(
                    {"name": file.stem.removeprefix(f"{name}-").replace("-", " "), "text": file.read_text("utf-8")}
                    for file in sorted(BOARDS.glob(f"{name}-*.txt"))
                ),
            ],
            "blanks": [{"name": size, "text": text} for size, text in SIDES.get(name, {}).items()],
        }
        for name, summary, example in examples()
    ]


def make_fragment(source: str, family: str | None = None) -> str:
    """Return the end of the page's address that opens a board, from a link of the page or from a file.

    Raises:
        InputError: the file cannot be read, or its family is unknown.
    """
    _, mark, packed = source.partition("#board=")
    if not mark:
        text, name = read_text(source, MOST_CHARACTERS, "give a smaller board")
        found = choose_family(text, name) if family is None else family_named(family)
        data = zlib.compress(json.dumps([found.family, text, {}]).encode())
        mark, packed = "#board=", "z." + base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    return mark + re.split(r"[^\w.-]", packed, maxsplit=1, flags=re.ASCII)[0]


def label(option: str) -> str:
    """Return the page's name of an option; for options that it does not offer, the command line's."""
    return option.capitalize() if option in SENTENCES else OPTIONS[option]


def list_options() -> list[dict[str, Any]]:
    """Return each option of the page: its values with a sentence each, its default, and its pipelines."""
    return [
        {
            "name": name,
            "label": label(name),
            "default": "grover" if name == "pipeline" else FIELDS[name].default,
            "pipelines": pipelines_of(name) if name != "pipeline" else tuple(PIPELINES),
            "values": [{"value": value, "about": about} for value, about in sentences.items()],
        }
        for name, sentences in SENTENCES.items()
    ]
