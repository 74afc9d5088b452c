import itertools
import json
from pathlib import Path

import pytest
from checks import answers
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.formats import from_cpmpy
from gatesolve.puzzles import load, parse
from gatesolve.puzzles.grid import cut, lines, take_step, windows

EXAMPLES = Path(__file__).parents[2] / "examples" / "queens"
RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "queens.jsonl").read_text().splitlines()]


def test_csplib_files_are_the_boards_of_the_records():
    by_id = {record["id"]: record for record in RECORDS}
    assert load(EXAMPLES / "csplib079-diag-8-4-7.param") == parse(json.dumps(by_id["csplib:diag-8-4-7:first4"]))
    record = by_id["csplib:block-10-58-1"]
    blocks = ",".join(f"[{r + 1},{c + 1}]" for r, c in record["blocked"])
    text = f"language ESSENCE' 1.b.a\nletting n be {record['size']}\nletting blocks be [{blocks}]\n"
    assert parse(text) == parse(json.dumps(record))


def test_finished_boards_are_read_and_contradict_themselves_if_two_queens_attack():
    for order in itertools.permutations(range(5)):
        marks = "\n".join("." * c + "Q" + "." * (4 - c) for c in order)
        if any(abs(order[i] - order[j]) == j - i for i, j in itertools.combinations(range(5), 2)):
            assert parse(marks).contradiction.endswith("attack each other")
        else:
            assert parse(marks).text() == f"queens\nboard\n{marks}\n"


@pytest.mark.parametrize(
    "regions", ["QQ..\nQ...\n....\n....\n", "b o a r d\n" + "b b b b b\n" * 4, "Q#\n##\n"], ids=["Q", "board", "closed"]
)
def test_regions_that_read_as_queens_or_headers_stay_regions(regions):
    board = parse(f"regions\n{regions}", "queens")
    assert parse(board.text()) == parse(board.text(), "queens") == board


# --- The general form of Queens: the model against the checker, on every assignment of small boards ---


STEPS = st.tuples(st.integers(-2, 2), st.integers(-3, 3)).filter(any)
SIZES = st.tuples(st.integers(1, 5), st.integers(1, 5))
WRAPS = st.sampled_from(["none", "cylinder", "torus"])


@settings(deadline=None)
@given(STEPS, SIZES, WRAPS)
def test_lines_hold_every_cell_once_and_follow_the_step(step, size, wrap):
    found = lines(step, size, wrap)
    inside = [cell for line in found for cell in line.cells]
    assert len(inside) == len(set(inside))
    for line in found:
        for here, there in itertools.pairwise(line.cells):
            assert take_step(here, step, size, wrap) == there
        after = take_step(line.cells[-1], step, size, wrap)
        assert after == (line.cells[0] if line.closed else None)
    for cell in itertools.product(range(size[0]), range(size[1])):
        steps = (step, (-step[0], -step[1]))
        alone = all(take_step(cell, way, size, wrap) in (None, cell) for way in steps)
        assert (cell in inside) != alone


@settings(deadline=None)
@given(STEPS, SIZES, WRAPS, st.integers(0, 6))
def test_windows_join_exactly_the_cells_within_reach(step, size, wrap, reach):
    for line in lines(step, size, wrap):
        joined = {frozenset(pair) for window in windows(line, reach) for pair in itertools.combinations(window, 2)}
        n = len(line.cells)
        for (i, a), (j, b) in itertools.combinations(enumerate(line.cells), 2):
            apart = min(j - i, n - j + i) if line.closed else j - i
            assert (frozenset((a, b)) in joined) == (apart <= reach)


@settings(deadline=None)
@given(STEPS, SIZES, WRAPS, st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=4))
def test_cutting_leaves_out_the_stops_and_joins_nothing_across_them(step, size, wrap, stops):
    for line in lines(step, size, wrap):
        pieces = cut(line, stops)
        assert not stops & {cell for piece in pieces for cell in piece.cells}
        for piece in pieces:
            for here, there in itertools.pairwise(piece.cells):
                assert take_step(here, step, size, wrap) == there
        if not stops & set(line.cells):
            assert pieces == [line]


def pairs_apart(text: str) -> set[tuple[str, str]]:
    """The pairs of cells of a board of any number of queens that cannot both hold one."""
    model = from_cpmpy(parse(text).to_cpmpy())
    names = list(model.domains)
    return {
        pair
        for pair in itertools.combinations(names, 2)
        if not model.check({name: int(name in pair) for name in names})
    }


def test_reach_of_each_direction():
    """Down to the right two steps, down to the left one; the other way round a queen is seen, too."""
    text = "queens *\nsize 3\nslopes +1/+1*2 +1/-1*1\n"
    right = {("r1c1", "r2c2"), ("r1c1", "r3c3"), ("r2c2", "r3c3"), ("r1c2", "r2c3"), ("r2c1", "r3c2")}
    left = {("r1c2", "r2c1"), ("r1c3", "r2c2"), ("r2c2", "r3c1"), ("r2c3", "r3c2")}
    assert pairs_apart(text) == right | left
    assert pairs_apart(text.replace("+1/-1*1", "+1/-1*0")) == right
    assert pairs_apart(text.replace("+1/-1*1", "").replace("3", "1 4").replace("+1/+1", "0/+1")) == {
        ("r1c1", "r1c2"), ("r1c1", "r1c3"), ("r1c2", "r1c3"), ("r1c2", "r1c4"), ("r1c3", "r1c4"),
    }  # fmt: skip


@pytest.mark.parametrize("header", ["reach 2", "reach: 2", "reach=2", "reach all"])
def test_a_grid_may_follow_the_reach_of_all_queens(header):
    grid = "\n" + "....\n" * 4
    assert pairs_apart(f"queens *\n{header}{grid}") == pairs_apart(f"{header}\nqueens *{grid}")


def test_one_way_with_a_reach_for_each_cell():
    """Only the cell that sees far, and only ahead of it."""
    text = "queens *\nsize 1 5\nslopes 0/+1\nreach\n0 0 2 0 0\n"
    assert pairs_apart(text) == {("r1c3", "r1c4"), ("r1c3", "r1c5")}
    assert pairs_apart(text.replace("0/+1", "0/-1")) == {("r1c1", "r1c3"), ("r1c2", "r1c3")}
    assert pairs_apart(text.replace("0/+1", "0/1*all").replace("slopes", "slopes 0/+1")) == pairs_apart(
        "queens *\nsize 1 5\nslopes 0/1\n"
    )
    ring = text.replace("0 0 2 0 0", "0 0 0 0 2") + "cylinder\n"
    assert pairs_apart(ring) == {("r1c1", "r1c5"), ("r1c2", "r1c5")}


def test_cells_with_attacks_of_their_own():
    text = "queens *\nsize 3\nslopes none\nattack r1c1: r2c3 r3c2\nattack r3c3: r1c1\n"
    assert pairs_apart(text) == {("r1c1", "r2c3"), ("r1c1", "r3c2"), ("r1c1", "r3c3")}
    solution = {f"r{r}c{c}": int((r, c) in ((1, 1), (2, 3))) for r in (1, 2, 3) for c in (1, 2, 3)}
    assert parse(text).check(solution) == ["queens at r1c1 and r2c3 attack each other"]
    beside = "BAAA\nBBBC\nDDCC\nDDDD\n"
    assert len(answers(parse(beside))) == 1
    (cells,) = [[name for name, value in board.items() if value] for board in answers(parse(beside))]
    assert answers(parse(beside + f"queens\nattack {cells[0]}: {cells[2]}\n")) == []
