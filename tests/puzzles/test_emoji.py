"""Boards drawn in emoji are the boards of the same letters; what cannot be told is refused in one line."""

from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from checks import assert_refused
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import grow_regions

from gatesolve.errors import InputError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.puzzles import parse

EXAMPLES = Path(__file__).parents[2] / "examples"
SQUARES, CIRCLES = "🟥🟧🟨🟩🟦🟪🟫⬛⬜", "🔴🟠🟡🟢🔵🟣🟤⚫⚪"
HEARTS = ["❤️", "🧡", "💛", "💚", "💙", "💜", "🤎", "🖤", "🤍"]
FIVE = ["AABBC", "AABBC", "DDEEC", "DDEEC", "DDDEC"]
EIGHT = [line for line in (EXAMPLES / "queens/linkedin-8x8.txt").read_text().split("\n") if line[:1].isalpha()]


def drawn(rows, signs, gap="", queens=(), crown="👑"):
    """Rows of letters in signs, with a crown on some cells."""
    names = list(dict.fromkeys("".join(rows)))
    lines = (
        gap.join(crown if (r, c) in queens else signs[names.index(name)] for c, name in enumerate(row))
        for r, row in enumerate(rows)
    )
    return "\n".join(lines) + "\n"


def answer(puzzle):
    """The cells of the queens of its one solution."""
    (solution,) = find_solutions(from_cpmpy(puzzle.to_cpmpy()), 2)
    return {(r, c) for r, c in puzzle.usable() if solution[f"r{r + 1}c{c + 1}"]}


@pytest.mark.more_examples(100)
@settings(max_examples=40)
@given(
    st.text(alphabet="🟥🟧🟨🟩❤️👑👸🏽🔴⬜⬛\u200d\u20e3\u200b \n.Q#A,;", max_size=50), st.sampled_from([None, "queens"])
)
def test_any_drawing_is_a_board_or_one_clear_line(text, family):
    message = ""
    try:
        puzzle = parse(text, family)
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text()) == puzzle


@pytest.mark.parametrize("gap", ["", " ", "\t", ","])
@pytest.mark.parametrize(
    "signs", [SQUARES, CIRCLES, HEARTS, "🍎🍊🍋🥝🫐🍇🥥🍓"], ids=["squares", "circles", "hearts", "any"]
)
def test_queens_in_coloured_signs(signs, gap):
    puzzle = parse("\n".join(EIGHT))
    names = list(dict.fromkeys("".join(EIGHT)))
    found = parse(drawn(EIGHT, signs, gap))
    assert [[names["ABCDEFGH".index(name)] for name in row] for row in found.colours] == [*map(list, EIGHT)]
    assert answer(found) == answer(puzzle)
    assert parse(found.text()) == found


@pytest.mark.parametrize("crown", ["👑", "👸", "👸🏽", "♛", "♕️"])
def test_crowns_are_queens_on_the_colour_below_them(crown):
    queens = answer(parse("\n".join(EIGHT)))
    bare = parse(drawn(EIGHT, SQUARES))
    for some in (queens, sorted(queens)[:1]):
        found = parse(drawn(EIGHT, SQUARES, queens=some, crown=crown))
        assert found.colours == bare.colours
        assert set(found.list_given()) == set(some)


def grown(random):
    """The regions of a board, each a connected one around its queen, and the queens."""
    size = random.randint(4, 7)
    columns = random.choice([p for p in permutations(range(size)) if all(abs(a - b) > 1 for a, b in pairwise(p))])
    return grow_regions(random, columns), list(enumerate(columns))


@pytest.mark.more_examples(60)
@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_a_colour_below_a_crown_is_right_or_refused(seed):
    random = Random(seed)
    rows, queens = grown(random)
    names = dict(zip("ABCDEFG", SQUARES, strict=False))
    squares = ["".join(map(names.get, row)) for row in rows]
    some = {cell for cell in queens if random.random() < 0.8}
    try:
        found = parse("\n".join("".join("👑" if (r, c) in some else sign for c, sign in enumerate(row))
                                for r, row in enumerate(squares)) + "\n", "queens")  # fmt: skip
    except InputError:
        return
    assert found.colours == parse("\n".join(squares)).colours
    assert set(found.list_given()) == some


def test_circles_among_squares_are_queens_on_their_colour():
    queens = answer(parse("\n".join(EIGHT)))
    text = drawn(EIGHT, SQUARES).split("\n")
    text = "\n".join(
        "".join(CIRCLES[SQUARES.index(sign)] if (r, c) in queens else sign for c, sign in enumerate(row))
        for r, row in enumerate(text)
    )
    assert set(parse(text).list_given()) == queens
    assert parse(text).colours == parse(drawn(EIGHT, SQUARES)).colours
    # elsewhere they are colours like others
    eight = parse(drawn(EIGHT, "🟥🟧🟨🟩🔴🟠🟡🟢"))
    assert eight.colours == parse(drawn(EIGHT, SQUARES)).colours
    assert eight.list_given() == []


@pytest.mark.parametrize(
    ("text", "row", "column", "message"),
    [
        (
            drawn(FIVE, "🟥🟧🟨🟩🟩"),
            1,
            None,
            "4 colours in 4 areas for 5 rows: a region has no colour of its own; write a letter for each",
        ),
        (drawn(FIVE, "🟥🟧🟦🟩🟥").replace("🟩🟩🟩", "🟧🟩🟩"), 1, None, "4 colours in 6 areas for 5 rows"),
        (drawn(FIVE, "🟥🟧🟨🟩🟥", queens=[(4, 4)]), 1, None, "4 colours in 5 areas for 5 rows"),
        # a queen between two colours, neither of which has another queen; one on a region of one cell
        ("👑🟥🟥🟥\n🟧🟧🟨🟨\n🟧🟨🟨🟩\n🟩🟩🟩🟩\n", 1, 1, "the colour below this queen does not follow"),
        ("🟥🟥👑🟥\n👑🟧🟧🟧\n🟧🟧🟧👑\n🟩👑🟧🟧\n", 1, 3, "the colour below this queen does not follow"),
        ("🟥🟥🟧🟧\n🟥🟥🟧\n🟨🟨🟩🟩\n🟨🟨🟩🟩\n", 2, 4, "3 cells here but 4 in the board's first row"),
        ("🟥🟥🟧🟧\n🟥🟥❤️?🟧\n🟨🟨🟩🟩\n🟨🟨🟩🟩\n", 2, 5, "5 cells here but 4"),
        ("regions\n👑🟥🟧🟧\n🟥🟥🟧🟧\n🟨🟨🟩🟩\n🟨🟨🟩🟩\nboard\n👑...\n....\n....\n....\n", 7, None, "both grids"),
    ],
)
def test_what_cannot_be_told_is_refused(text, row, column, message):
    assert_refused(text, row, column, message)


TANGO = "tango\nS...\n.M..\n...M\n....\n"


@pytest.mark.parametrize("pair", ["☀🌑", "🌞🌙", "☀🌚", "🟡🔵", "🟠🌙"])
@pytest.mark.parametrize("empty", ["⬜", "⬛️", "🔲", "."])
def test_tango_in_suns_and_moons(pair, empty):
    text = TANGO.replace("tango\n", "")
    looked = {"S": pair[0] + "\ufe0f", "M": pair[1], ".": empty}
    drawing = "\n".join("".join(looked[one] for one in row) for row in text.split("\n"))
    assert parse(drawing) == parse(TANGO)
    assert parse(drawing + "r1c1 = r2c1\n") == parse(TANGO + "r1c1 = r2c1\n")


TAKUZU = "...1\n.1..\n..0.\n.1.1\n"


@pytest.mark.parametrize("signs", ["⚪⚫⬜", "⚪⚫⬛", "🔴🔵⬜", "🟥🟦⬜", "⬜⬛🔲", "⬜⬛.", "⚪⚫_"])
@pytest.mark.parametrize("gap", ["", " ", "\ufe0f"])
def test_takuzu_in_pairs_of_signs(signs, gap):
    looked = dict(zip("01.", signs, strict=True))
    drawing = "\n".join(gap.join(looked[one] for one in row) for row in TAKUZU.split())
    assert parse(drawing) == parse(TAKUZU)


def test_takuzu_of_one_kind_of_circle():
    assert parse(TAKUZU.replace("0", ".").replace("1", "⚫️")) == parse(TAKUZU.replace("0", "."), "takuzu")
    assert_refused("⚪..⚫\n.⚫..\n..🍎.\n.⚫.⚫\n", None, None, "not recognised as a puzzle")
    with pytest.raises(InputError, match=r"f, row 3, column 4: unknown cell '\\U0001f34e': write 0, 1 or \. for"):
        parse("⚪️..⚫\n.⚫..\n⚪️⚪️.🍎\n.⚫.⚫\n", "takuzu", "f")


def test_star_battle_in_coloured_squares():
    rows = ["AABB", "ABBB", "CCDD", "CDDD"]
    assert parse("stars 1\n" + drawn(rows, SQUARES)) == parse("stars 1\n" + "\n".join(rows))
    starred = "board\n....\n⭐...\n....\n....\n"
    assert parse("stars 1\n" + drawn(rows, HEARTS) + starred) == parse(
        "stars 1\n" + "\n".join(rows) + "\n" + starred.replace("⭐", "*")
    )


@pytest.mark.parametrize("row", [0, 3, 7])
@pytest.mark.parametrize("more", [" ; note", "  // first row", ",", "\u00ad x"])
def test_no_row_of_a_drawing_is_lost(row, more):
    lines = (EXAMPLES / "queens/emoji-8x8.txt").read_text(encoding="utf-8").splitlines()  # two are comments
    lines[row + 2] += more
    with pytest.raises(InputError):
        parse("\n".join(lines))


def test_a_joiner_between_digits_joins_nothing():
    text = "box 2x2\n12..\n....\n....\n...2\n"
    assert parse(text.replace("12", "1\u200d2")) == parse(text)
