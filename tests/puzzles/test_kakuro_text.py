import io
import itertools
import json

import cpmpy
import pytest
from cpmpy.transformations.get_variables import get_variables_model
from faulty_boards import MINIZINC
from hypothesis import given
from hypothesis import strategies as st
from kakuro_boards import EXAMPLES, cell_of, solved_boards
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.puzzles import Puzzle, cell_name, families, load, parse
from gatesolve.puzzles.kakuro.grid import Black, White
from gatesolve.puzzles.kakuro.puzzle import Kakuro


def fault(text: str, family: str | None = "kakuro") -> tuple[int | None, int | None, str]:
    with pytest.raises(InputError) as caught:
        parse(text, family, "f.txt")
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    return caught.value.row, caught.value.column, str(caught.value)


@given(solved_boards(), st.sampled_from([" ", "   ", "\t", " \t "]), st.sampled_from(["\n", "\r\n", "\r", "\n\n"]))
def test_parses_what_was_written(board, gap, end):
    rows, low, high, _ = board
    text = end.join(["\ufeff; a comment", f"values {low}..{high}", *(gap + gap.join(row) for row in rows)])
    puzzle = parse(text)
    assert puzzle == Kakuro(tuple(tuple(cell_of(t) for t in row) for row in rows), low, high)


@given(solved_boards())
def test_json_is_the_same_board(board):
    rows, low, high, _ = board
    record = {"id": "x", "family": "kakuro", "grid": [" ".join(row) for row in rows], "values": [low, high]}
    text = "\n".join([f"values {low}..{high}", *record["grid"]])
    assert parse(json.dumps(record)) == parse(text)


def test_tokens_mean_what_they_say():
    puzzle = parse("values 0..4\n# # 4\\ 5\\\n# 3\\3 . _\n\\6 2 . 3\n# . # #\n", "kakuro")
    assert puzzle.grid == (
        (Black(), Black(), Black(down=4), Black(down=5)),
        (Black(), Black(down=3, across=3), White(), White()),
        (Black(across=6), White(2), White(), White(3)),
        (Black(), White(), Black(), Black()),
    )


def test_title_sums_the_board_up():
    assert load(EXAMPLES / "contest.txt").title == "Kakuro 4x4: 7 cells, 6 runs, values 0..3"


def test_a_board_of_30_by_30_parses():
    head, line = "# " + "45\\ " * 9, "\\45 " + ". " * 9
    block = [head * 3] + [line * 3] * 9
    assert len(parse("\n".join(block * 3)).runs) == 162


SMALL = "#  3\\ 4\\\n\\3 .  .\n\\4 .  .\n"


def test_a_board_made_in_python_is_judged_too():
    with pytest.raises(InputError, match="row 1, column 1: sum 9 across has no white cell") as caught:
        Kakuro(((Black(across=9), Black()), (Black(down=3), Black()), (White(), White()), (White(), White())))
    assert (caught.value.row, caught.value.column) == (1, 1)


def test_family_is_found_or_asked_for():
    assert "kakuro" in families()
    assert parse(SMALL) == parse(SMALL, "kakuro")
    with pytest.raises(InputError, match="unknown puzzle family 'crossword': choose one of kakuro"):
        parse(SMALL, "crossword")
    assert "not recognised as a puzzle: give family=NAME, one of" in fault("hello world", None)[2]
    assert (
        "unknown puzzle family 'crossword': choose one of kakuro"
        in fault('{"family": "crossword", "grid": "..."}', None)[2]
    )


# --- kakuro formats ---


INDEVRUS = """:   23: 30:   :     :     27: 12: 16:
:16 _   _     :     17:24 _   _   _
:17 _   _     15:29 _     _   _   _
:35 _   _     _     _     _   12: :
:   :7  _     _     7:8   _   _   7:
:   11: 10:16 _     _     _   _   _
:21 _   _     _     _     :5  _   _
:6  _   _     _     :     :3  _   _
"""


def parsed(text):
    assert Kakuro.recognises(text)
    return Kakuro.parse(text, "f.txt")


def test_colon_sums():
    assert parsed(INDEVRUS) == load(EXAMPLES / "wikipedia-8x8.txt", "kakuro")


def test_minizinc_data():
    assert parsed(MINIZINC) == load(EXAMPLES / "minizinc-6x6-easy.txt", "kakuro")


@pytest.mark.parametrize("prefix", ["", "https://puzz.link/p?", "http://pzv.jp/p.html?"])
def test_puzz_link_address(prefix):
    address = prefix + "kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3"
    assert parsed(f"; a comment\n{address}\n") == load(EXAMPLES / "pzpr-6x6.txt", "kakuro")


@given(solved_boards())
def test_comma_and_colon_sums_mean_what_backslashes_mean(board):
    rows, low, high, _ = board
    native = Kakuro(tuple(tuple(cell_of("." if t.isdecimal() else t) for t in row) for row in rows), low, high)
    comma = [[{"#": "-", ".": "0"}.get(t, t.replace("\\", ",")) for t in row] for row in rows]
    colon = [[{"#": ":", ".": "_"}.get(t, t.replace("\\", ":")) for t in row] for row in rows]
    for tokens in (comma, colon):
        empty = ["0", "_"][tokens is colon]
        text = "\n".join(" ".join(empty if t.isdecimal() else t for t in row) for row in tokens)
        if any("\\" in t and not t.endswith("\\") for row in rows for t in row):
            assert Kakuro.recognises(text)
            assert Kakuro.parse(f"values {low}..{high}\n{text}", "f") == native


def link_of(rows) -> str:
    """The address of a board without given values, written apart from the reader."""
    signs = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def sums(token):
        down, across = token.split("\\") if "\\" in token else ("", "")
        return signs[int(down or 0)], signs[int(across or 0)]

    inner = [row[1:] for row in rows[1:]]
    body = "".join("k" if t == "." else "." if t == "#" else "".join(sums(t)) for row in inner for t in row)
    for k in range(16, 1, -1):
        body = body.replace("k" * k, chr(ord("j") + k))
    body += "".join(sums(rows[0][c + 1])[0] for c, t in enumerate(inner[0]) if t == ".")
    body += "".join(sums(rows[r + 1][0])[1] for r, row in enumerate(inner) if row[0] == ".")
    return f"kakuro/{len(inner[0])}/{len(inner)}/{body}"


@given(solved_boards())
def test_addresses_say_the_same(board):
    rows = [["." if t.isdecimal() else t for t in row] for row in board[0]]
    sums = [int(part) for row in rows for t in row for part in t.split("\\") if part.isdecimal()]
    native = "\n".join(" ".join(row) for row in rows)
    try:
        puzzle = Kakuro.parse(native, "f")
    except InputError:  # a sum that values from 1 cannot make
        return
    if max(sums) <= 45:
        assert parsed(link_of(rows)) == puzzle


def test_a_line_with_the_size_is_skipped_in_the_comma_dialect():
    board = "- 17, 16, -\n,16 0 0 -\n,17 0 0 -\n- - - -\n"
    assert parsed("4 4\n" + board) == parsed(board)


# --- kakuro rules ---


K7 = {"r2c2": 2, "r2c3": 1, "r3c2": 3, "r3c3": 2, "r3c4": 0, "r4c3": 0, "r4c4": 1}


def all_solutions(puzzle: Puzzle, limit: int) -> list[dict[str, int]]:
    model = puzzle.to_cpmpy()
    variables = get_variables_model(model)
    found: list[dict[str, int]] = []
    model.solveAll(
        solver="ortools",
        solution_limit=limit,
        display=lambda: found.append({v.name: int(v.value()) for v in variables}),
    )
    return found


def test_contest_board():
    puzzle = load(EXAMPLES / "contest.txt")
    assert all_solutions(puzzle, limit=5) == [K7]
    assert puzzle.board(K7) == [list("####"), list("#21#"), list("#320"), list("##01")]
    runs = {tuple(cell_name(cell) for cell in run.cells): run.total for run in puzzle.runs}
    assert runs == {
        ("r2c2", "r2c3"): 3,
        ("r3c2", "r3c3", "r3c4"): 5,
        ("r4c3", "r4c4"): 1,
        ("r2c2", "r3c2"): 5,
        ("r2c3", "r3c3", "r4c3"): 3,
        ("r3c4", "r4c4"): 1,
    }


@pytest.mark.parametrize(("name", "solutions"), [("contest", 1), ("small", 2)])
def test_checker_accepts_no_other_assignment(name, solutions):
    puzzle = load(EXAMPLES / f"{name}.txt")
    cells = [v.name for v in get_variables_model(puzzle.to_cpmpy())]
    tries = (dict(zip(cells, values, strict=True)) for values in itertools.product(range(4), repeat=len(cells)))
    assert sum(not puzzle.check(attempt) for attempt in tries) == solutions


def test_each_rule_is_named_when_broken():
    puzzle = parse("values 0..3\n# 3\\ 6\\\n\\5 . .\n\\4 1 .\n# # .\n")
    right = {"r2c2": 2, "r2c3": 3, "r3c2": 1, "r3c3": 3, "r4c3": 0}
    assert puzzle.check(right) == ["column 3: 3 is repeated in 3 + 3 + 0 (down)"]
    assert puzzle.check({**right, "r2c2": 3, "r3c2": 0}) == [
        "r3c2 is 0 where 1 is given",
        "row 2: 3 + 3 = 6, not 5 (across)",
        "row 2: 3 is repeated in 3 + 3 (across)",
        "row 3: 0 + 3 = 3, not 4 (across)",
        "column 3: 3 is repeated in 3 + 3 + 0 (down)",
    ]
    assert "r2c3 is 4, outside 0..3" in puzzle.check({**right, "r2c3": 4})
    assert "r1c1 is not a white cell" in puzzle.check({**right, "r1c1": 1})
    assert "nonsense is not a white cell" in puzzle.check({**right, "nonsense": 1})
    assert len(puzzle.check({})) == 5


def test_repeats_that_keep_every_sum_are_rejected():
    puzzle = parse("# 4\\ 4\\\n\\4 . .\n\\4 . .\n")
    assert puzzle.check({"r2c2": 1, "r2c3": 3, "r3c2": 3, "r3c3": 1}) == []
    assert len(puzzle.check({"r2c2": 2, "r2c3": 2, "r3c2": 2, "r3c3": 2})) == 4


def test_a_given_value_is_a_domain_of_one():
    puzzle = parse("values 0..3\n# 3\\ 4\\\n\\3 2 .\n\\4 . .\n")
    domains = {v.name: (v.lb, v.ub) for v in get_variables_model(puzzle.to_cpmpy())}
    assert domains == {"r2c2": (2, 2), "r2c3": (0, 3), "r3c2": (0, 3), "r3c3": (0, 3)}
    assert puzzle.grid[1][1] == White(2)
    assert len(all_solutions(puzzle, limit=5)) == 1


def test_a_kakuro_is_a_puzzle_and_its_model_is_made_anew_each_time():
    puzzle = load(EXAMPLES / "small.txt")
    assert isinstance(puzzle, Puzzle)
    first = puzzle.to_cpmpy()
    first += cpmpy.BoolVal(False)
    assert puzzle.to_cpmpy().solve()


def test_a_board_with_a_sum_on_one_cell_is_solved_and_judged():
    puzzle = parse("#  6\\ 2\\\n\\3  .  .\n\\5  .  #\n")
    model = puzzle.to_cpmpy()
    assert model.solve()
    found = {
        str(v): int(v.value()) for c in model.constraints for v in cpmpy.transformations.get_variables.get_variables(c)
    }
    assert found == {"r2c2": 1, "r2c3": 2, "r3c2": 5}
    assert puzzle.check(found) == []
    assert parse(puzzle.text()) == puzzle


def test_a_sum_on_one_cell_out_of_range_is_a_contradiction():
    said = parse("#  6\\ 12\\\n\\3  .  .\n\\5  .  #\n").contradiction
    assert said == "the sum 12 down of the one cell r2c3 is outside 1..9"


# --- kakuro picture ---


K4 = {"r2c2": 0, "r2c3": 3, "r3c2": 3, "r3c3": 1}
WIDEST = "values 0..99\n" + "\n".join(["# " + "171\\ " * 9] + ["\\171 " + ". " * 9] * 2)


def shown(puzzle, solution=None, *, colour=False, encoding="utf-8") -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    system = {"force_terminal": True, "color_system": "truecolor"} if colour else {"no_color": True}
    Console(file=file, width=80, **system).print(puzzle.render(solution))
    file.flush()
    return file.buffer.getvalue().decode(encoding)


def test_terminal_picture_without_colours():
    assert shown(load(EXAMPLES / "small.txt"), K4).split("\n") == [
        "┌───┬───┬───┐",
        "│ # │3\\ │4\\ │",
        "├───┼───┼───┤",
        "│ \\3│ 0 │ 3 │",
        "├───┼───┼───┤",
        "│ \\4│ 3 │ 1 │",
        "└───┴───┴───┘",
        "",
    ]


def test_answers_are_bold_and_givens_are_not():
    text = shown(parse("# 3\\ 4\\\n\\3 . 1\n\\4 . .\n"), {"r2c2": 2, "r2c3": 1}, colour=True)
    assert "\x1b[1m 2 \x1b[0m" in text
    assert "\x1b[4m 1 \x1b[0m" in text


def test_terminal_picture_on_a_console_without_box_characters():
    assert "| \\3| 0 | 3 |" in shown(load(EXAMPLES / "small.txt"), K4, encoding="ascii")


@pytest.mark.parametrize("text", [WIDEST, (EXAMPLES / "wikipedia-8x8.txt").read_text()], ids=["widest", "wikipedia"])
def test_boards_keep_one_line_a_row_within_80_columns(text):
    puzzle = parse(text)
    lines = shown(puzzle).split("\n")
    assert len(lines) == 2 * len(puzzle.grid) + 2
    assert len({len(line) for line in lines[:-1]}) == 1
    assert len(lines[0]) <= 80
    assert "…" not in "".join(lines)


def test_pictures_that_cannot_be_written_are_told(tmp_path):
    puzzle = load(EXAMPLES / "small.txt")
    with pytest.raises(InputError, match=r"suffix '.gif': name a .png or .svg file"):
        puzzle.draw(tmp_path / "board.gif")
    with pytest.raises(InputError, match="cannot be written"):
        puzzle.draw(tmp_path / "missing" / "board.png")
