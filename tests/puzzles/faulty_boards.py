"""Faulty boards of every family: the text, and the row and column that the refusal names."""

import json
from pathlib import Path

DATA = Path(__file__).parent / "data" / "faulty_boards.json"
HUGE = {
    "sudoku": [("box 2x3\n" + "\n".join(["." * 200] * 200), 38, None)],
    "tango": [("tango\n" + ("." * 200 + "\n") * 200, 52, None)],
    "galaxies": [('{"family": "galaxies", "rows": ' + "[" * 100_000, None, None)],
    "tents": [('{"family": "tents", "grid": ' + "[" * 100_000, None, None)],
}
FAULTS = {
    family: [*map(tuple, rows), *HUGE.get(family, ())]
    for family, rows in json.loads(DATA.read_text(encoding="utf-8")).items()
}
