"""Random Kakuro boards that have an answer, and the example files."""

from pathlib import Path

from hypothesis import strategies as st

from gatesolve.puzzles.kakuro import Black, White

EXAMPLES = Path(__file__).parents[2] / "examples" / "kakuro"


@st.composite
def solved_boards(draw: st.DrawFn) -> tuple[list[list[str]], int, int]:
    """Rows of tokens, smallest and largest value; the sums are read off a Latin square: no line repeats a value."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(2, 5))
    side = max(height, width)
    low = draw(st.integers(0, 3))
    high = low + side - 1 + draw(st.integers(0, 3))
    order = draw(st.permutations(range(low, high + 1)))[:side]
    mask = draw(st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=height, max_size=height))
    mask[0][0] = mask[0][1] = True  # at least one run
    white = {(r + 1, c + 1) for r in range(height) for c in range(width) if mask[r][c]}
    white = {(r, c) for r, c in white if white & {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}}
    values = {(r, c): order[(r + c) % side] for r, c in white}
    given = draw(st.sets(st.sampled_from(sorted(white)), max_size=2))

    def run_sum(r: int, c: int, dr: int, dc: int) -> str:
        run = []
        while (r + dr, c + dc) in white:
            r, c = r + dr, c + dc
            run.append(values[r, c])
        return str(sum(run)) if len(run) > 1 else ""

    def token(r: int, c: int) -> str:
        if (r, c) in white:
            return str(values[r, c]) if (r, c) in given else "."
        sums = run_sum(r, c, 1, 0) + "\\" + run_sum(r, c, 0, 1)
        return "#" if sums == "\\" else sums

    return [[token(r, c) for c in range(width + 1)] for r in range(height + 1)], low, high


def cell_of(token: str) -> Black | White:
    """The cell that a token of `solved_boards` stands for, told without the parser."""
    if token == ".":
        return White()
    if token == "#":
        return Black()
    if "\\" not in token:
        return White(int(token))
    down, across = token.split("\\")
    return Black(int(down) if down else None, int(across) if across else None)
