"""The table of the ICPC challenge, and what the reflections cost at least; test_open_table.py has them judged."""

import csv
import itertools
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "circuits" / "icpc-2021"


MARKED = ((), (0b111,), (0, 0b111), (0b001, 0b010, 0b100), (0b001, 0b010, 0b100, 0b111))
REFLECTIONS = range(5)
with (FOLDER / "results.csv").open() as table:
    ROWS = {row["name"]: row for row in csv.DictReader(table)}


def test_the_readme_shows_the_rows():
    text = (FOLDER / "README.md").read_text()
    shown = [
        [cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")
    ]
    rows = [[row[key] for key in ("name", "cost", "published", "cx", "depth", "scratch")] for row in ROWS.values()]
    assert [[*cells[:3], *cells[4:7]] for cells in shown[2:]] == rows
    assert [cells[3] for cells in shown[2:]] == [compare(row) for row in ROWS.values()]


def compare(row):
    if not row["published"]:
        return ""
    ours, published = float(row["cost"]), float(row["published"])
    return "ahead" if ours < published else "equal" if ours == published else "behind"


PAIRS = list(itertools.permutations(range(3), 2))


def shallowest(skeleton, needed, held=(1, 2, 4), layers=(0, 0, 0)):
    """The least depth of a circuit of these CX with a rotation by each needed parity; None if one does not appear."""
    depths = []
    ready = [wire for wire in range(3) if held[wire] in needed]
    for turned in (some for size in range(len(ready) + 1) for some in itertools.combinations(ready, size)):
        left = needed - {held[wire] for wire in turned}
        now = [layers[wire] + (wire in turned) for wire in range(3)]
        if not skeleton:
            depths += [] if left else [max(now)]
            continue
        (control, target), after = skeleton[0], list(held)
        after[target] ^= after[control]
        now[control] = now[target] = max(now[control], now[target]) + 1
        depths.append(shallowest(skeleton[1:], left, tuple(after), now))
    return min((depth for depth in depths if depth is not None), default=None)


def ends_where_it_began(skeleton):
    held = [1, 2, 4]
    for control, target in skeleton:
        held[target] ^= held[control]
    return held == [1, 2, 4]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", REFLECTIONS)
def test_no_other_rotations_by_parities_cost_less(number):
    """Seven CX on three wires lie one behind the other, two always sharing a wire: 70 + 3 * 7 is more than any row."""
    signs = {mask: [1 - 2 * ((mask & state).bit_count() % 2) for state in MARKED[number]] for mask in range(1, 8)}
    needed = frozenset(mask for mask, column in signs.items() if sum(column))
    costs = []
    for length in range(7):
        for skeleton in itertools.product(PAIRS, repeat=length):
            if ends_where_it_began(skeleton) and all(a != b for a, b in itertools.pairwise(skeleton)):
                depth = shallowest(skeleton, needed)
                costs += [] if depth is None else [10 * length + 3 * depth]
    assert min(costs) == int(ROWS[f"3-f{number}"]["cost"]) < 91
