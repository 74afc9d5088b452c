import io

import pytest
from kakuro_boards import EXAMPLES
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.puzzles import load, parse

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


def test_png_is_an_image_with_ink_of_every_kind(tmp_path):
    import matplotlib.image

    path = tmp_path / "board.PNG"
    puzzle = parse("# 3\\ 4\\\n\\3 . 1\n\\4 . .\n")
    puzzle.draw(path, {"r2c2": 2, "r3c2": 1, "r3c3": 3})
    assert path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    pixels = matplotlib.image.imread(path)
    side = pixels.shape[0] / 3.5  # three cells and two margins of a quarter of a cell

    def blue(r: int, c: int) -> bool:
        box = pixels[int((r + 0.35) * side) : int((r + 1.15) * side), int((c + 0.35) * side) : int((c + 1.15) * side)]
        return bool(((box[..., 2] > 0.6) & (box[..., 0] < 0.3)).any())

    def mean(r: int, c: int) -> float:
        middle = pixels[int((r + 0.5) * side) : int((r + 1) * side), int((c + 0.5) * side) : int((c + 1) * side), :3]
        return float(middle.mean())

    assert [[blue(r, c) for c in range(3)] for r in range(3)] == [
        [False] * 3,
        [False, True, False],
        [False, True, True],
    ]
    assert [[mean(r, c) > 0.5 for c in range(3)] for r in range(3)] == [
        [False] * 3,
        [False, True, True],
        [False, True, True],
    ]


def test_pictures_that_cannot_be_written_are_told(tmp_path):
    puzzle = load(EXAMPLES / "small.txt")
    with pytest.raises(InputError, match=r"suffix '.gif': name a .png or .svg file"):
        puzzle.draw(tmp_path / "board.gif")
    with pytest.raises(InputError, match="cannot be written"):
        puzzle.draw(tmp_path / "missing" / "board.png")
