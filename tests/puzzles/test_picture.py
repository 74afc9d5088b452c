"""Edges that meet and notes below the board, in a terminal and in a drawing."""

from dataclasses import replace

import pytest

from gatesolve.puzzles import Look, Picture, picture

CELLS = (("a", "b", "c"), ("d", "e", "f"))


def board(wrap=(False, False), notes=(), left=(), above=(), mark=""):
    cells = tuple(tuple(Look(symbol, mark=mark) for symbol in row) for row in CELLS)
    return Picture(cells, lambda r, c: c == 2, lambda r, c: r == 1, above, left, {}, wrap, notes)


@pytest.mark.parametrize(
    ("wrap", "lines"),
    [
        ((False, False), "┏━━━┯━━━┯━━━┓ ┃ a │ b │ c ┃ ┠───┼───┼───┨ ┃ d │ e │ f ┃ ┗━━━┷━━━┷━━━┛"),
        ((True, False), "┏━━━┯━━━┯━━━┓ ┇ a │ b │ c ┇ ┠───┼───┼───┨ ┇ d │ e │ f ┇ ┗━━━┷━━━┷━━━┛"),
        ((False, True), "┏┅┅┅┯┅┅┅┯┅┅┅┓ ┃ a │ b │ c ┃ ┠───┼───┼───┨ ┃ d │ e │ f ┃ ┗┅┅┅┷┅┅┅┷┅┅┅┛"),
        ((True, True), "┏┅┅┅┯┅┅┅┯┅┅┅┓ ┇ a │ b │ c ┇ ┠───┼───┼───┨ ┇ d │ e │ f ┇ ┗┅┅┅┷┅┅┅┷┅┅┅┛"),
    ],
)
def test_edges_that_meet_are_dashed_in_a_terminal(wrap, lines):
    drawn = str(picture.terminal(board(wrap, ("one note", "another"))))
    assert drawn.split("\n")[:5] == split(lines)
    assert drawn.split("\n")[5:] == ["one note", "another"]


def split(lines):
    """Five lines of 13 characters, a blank between them."""
    return [lines[k * 14 : k * 14 + 13] for k in range(5)]


@pytest.mark.parametrize(
    ("wrap", "beyond"),
    [
        ((False, False), {}),
        ((True, False), {(-1, 0): "c", (3, 0): "a", (-1, 1): "f", (3, 1): "d"}),
        ((False, True), {(0, -1): "d", (1, -1): "e", (2, -1): "f", (0, 2): "a", (1, 2): "b", (2, 2): "c"}),
    ],
)
def test_cells_beyond_edges_that_meet_are_drawn_pale(wrap, beyond):
    texts, lines = {}, []

    def keep(axes, points):
        texts.update({(int(t.get_position()[0] // 1), int(t.get_position()[1] // 1)): t for t in axes.texts})
        lines.extend(axes.lines)

    picture.image(replace(board(wrap), paint=keep), "svg")
    pale = {place: t.get_text() for place, t in texts.items() if t.get_alpha() < 1}
    assert pale == beyond
    assert {(c, r): CELLS[r][c] for r in range(2) for c in range(3)} == {
        place: t.get_text() for place, t in texts.items() if place not in beyond
    }
    dashed = sum(line.get_linestyle() != "-" for line in lines)
    assert dashed == (4 if wrap[0] else 0) + (6 if wrap[1] else 0)
    assert len(lines) == 10


def test_a_torus_has_corners_too():
    texts = []
    picture.image(replace(board((True, True)), paint=lambda axes, points: texts.extend(axes.texts)), "svg")
    assert sorted(t.get_text() for t in texts) == sorted("abcdef" + "abcdef" + "acdf" + "acdf")


def test_notes_and_long_texts_beside_the_board_fit_its_sheet():
    inside = []

    def measure(axes, points):
        sheet = axes.figure.get_window_extent()
        for text in axes.texts:
            box = text.get_window_extent()
            inside.append(sheet.x0 <= box.x0 and box.x1 <= sheet.x1 and sheet.y0 <= box.y0 and box.y1 <= sheet.y1)

    notes = ("a note with many words " * 9, "another")
    picture.image(replace(board((True, True), notes, ("0..1", "10..12")), paint=measure), "png")
    assert len(inside) > 26
    assert all(inside)


def test_marks_stay_in_their_cells():
    widths = []

    def measure(axes, points):
        marks = [text for text in axes.texts if text.get_text() == "LONGNAME NEXT"]
        widths.extend(text.get_window_extent().transformed(axes.transData.inverted()).width for text in marks)

    picture.image(replace(board(mark="LONGNAME NEXT"), paint=measure), "png")
    assert len(widths) == 6
    assert max(widths) < 0.94
