"""Tables of README.md and docs/ against fresh measurements: whole where cheap, rows of them where not."""

import re

import comparison_rows
import cpmpy
import make_pictures
import make_tables
import pages
import pytest

from gatesolve.puzzles import parse


def shown(name):
    path = make_tables.TABLES[name][0]
    return pages.sections(path.read_text(encoding="utf-8"))[name]


def line(row):
    """A row as the table prints it."""
    return make_tables.table([""] * len(row), [row]).splitlines()[2]


@pytest.mark.parametrize(
    "name",
    [
        "front",
        "blog-known",
        "blog",
        "peers",
        "comparison",
        "families-peers",
        "contests",
        "mutants",
        "encodings",
        "hardware",
        "fractional",
        "anneal",
        "phase-oracles",
        "estimators",
        "cpmpy-suite",
        "options",
        "job-options",
    ],
)
def test_table_is_up_to_date(name):
    assert shown(name) == make_tables.TABLES[name][1]()


@pytest.mark.sampled(1)
@pytest.mark.quick("merged-table")
@pytest.mark.parametrize(
    ("level", "kind"),
    [("literal", "table"), ("merged", "table"), ("literal", "binary"), ("minimised", "binary"),
     ("minimised", "one-hot"), ("classical", "binary"), ("classical", "table")],
)  # fmt: skip
def test_row_of_the_contest_board_is_up_to_date(level, kind):
    assert line(make_tables.k7_row(level, kind)) in shown("k7").splitlines()


@pytest.mark.sampled(1)
@pytest.mark.quick("contest", "small")
@pytest.mark.parametrize("path", make_tables.BOARDS, ids=lambda path: path.stem)
def test_row_of_a_board_is_up_to_date(path):
    assert line(make_tables.board_row(path)) in shown("boards").splitlines()


def test_every_family_has_a_section_and_a_picture():
    text = (pages.ROOT / "docs/families.md").read_text(encoding="utf-8")
    for family in make_pictures.BOARDS:
        picture = make_pictures.PICTURES / f"{family}.png"
        assert f'<img src="pictures/{family}.png"' in text
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert picture.stat().st_size < 80_000


def test_every_board_of_the_families_page_has_one_solution():
    text = (pages.ROOT / "docs/families.md").read_text(encoding="utf-8")
    files = [block.text for block in pages.blocks(text) if (block.file or "").startswith("examples/")]
    objects = re.findall(r"`(\{\"family\": .+?\})`", text)
    assert (len(files), len(objects)) == (10, 2)
    for board in (*files, *objects):
        model = parse(board).to_cpmpy()
        if model.has_objective():
            model.solve()
            model = cpmpy.Model(model.constraints, model.objective_ == model.objective_value())
        assert model.solveAll(solution_limit=2) == 1, board


def test_what_is_said_of_depths_beside_the_tables_is_what_the_file_has():
    text = " ".join((pages.ROOT / "README.md").read_text(encoding="utf-8").split())
    boards = comparison_rows.by_board()
    peers = {name: comparison_rows.best_peer(rows) for name, rows in boards.items()}
    for name, rows in boards.items():
        shallow = comparison_rows.own(rows, variant="for depth")
        assert int(shallow["depth"]) <= min(int(row["depth"]) for row in rows if row["library"] != "gatesolve")
        assert int(shallow["cx"]) < int(peers[name]["cx"])
    deeper = [
        name
        for name in comparison_rows.LARGEST
        if int(comparison_rows.own(boards[name])["depth"]) > int(peers[name]["depth"])
    ]
    assert deeper == ["magic square 3x3", "8 queens as columns", "Sudoku 9x9, no givens"]
    assert "deeper than the peer's for the Sudoku, the magic square and the queens" in text
