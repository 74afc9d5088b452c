"""The tutorial notebooks run without a warning, show what is kept of them, and have the form of all."""

import ast
import copy
import re

import nbformat
import notebook_pages as books
import pages
import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook


@pytest.fixture(params=books.NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return books.read(path)


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.sampled(1)
def test_it_runs_and_shows_what_is_kept(notebook):
    shown, kept = books.shown(books.fresh(notebook)), books.shown(notebook)
    for now, before in zip(shown, kept, strict=True):
        assert now == before, "run: python docs/make_tables.py --only notebooks"


def test_it_has_the_form_of_all(notebook):
    nbformat.validate(notebook)
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert len(notebook.cells) <= 15
    names = [cell.id for cell in notebook.cells]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in names), "ids are words, so that a change shows"
    assert all(cell.metadata == {} for cell in notebook.cells)
    assert notebook.cells[0].source.startswith("# ")
    assert [cell.execution_count for cell in code_of(notebook)] == [*range(1, len(code_of(notebook)) + 1)]


def test_it_is_short_and_uses_public_names_alone(notebook):
    for cell in code_of(notebook):
        tree = ast.parse(cell.source)
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert all(name == "gatesolve" for name in imported if name.startswith("gatesolve"))
        private = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr[0] == "_"]
        assert private == []
        assert len(cell.source.splitlines()) <= 18
        assert max(map(len, cell.source.splitlines())) <= 110, "or its page on the site would have to be scrolled"


def test_no_error_and_no_warning_is_kept(notebook):
    outputs = [one for cell in code_of(notebook) for one in cell.outputs]
    assert outputs
    assert {one.output_type for one in outputs} <= {"stream", "display_data", "execute_result"}
    assert {one.name for one in outputs if one.output_type == "stream"} <= {"stdout"}


def test_each_is_listed_where_people_look():
    for page in ("docs/index.md", "docs/notebooks.md"):
        text = (pages.ROOT / page).read_text(encoding="utf-8")
        assert {f"(notebooks/{path.name})" for path in books.NOTEBOOKS} <= set(re.findall(r"\(notebooks/\S+\)", text))
    assert len(books.NOTEBOOKS) == 7


def a_notebook(*sources):
    return new_notebook(cells=[new_code_cell(source) for source in sources])


@pytest.mark.slow
@pytest.mark.parametrize("source", ["1 / 0", "import warnings\nwarnings.warn('old')"])
def test_a_cell_that_fails_or_warns_is_caught(source):
    with pytest.raises(CellExecutionError):
        books.fresh(a_notebook("1 + 1", source))


def a_shown_notebook():
    notebook = a_notebook("one", "two")
    output = {"output_type": "execute_result", "metadata": {}, "execution_count": 1}
    notebook.cells[0]["outputs"] = [
        nbformat.from_dict({**output, "data": {"text/html": '<p>so</p><img src="data:image/png;base64,AAAA">'}}),
        nbformat.from_dict({**output, "data": {"image/png": "BBBB\n", "text/plain": "<a picture>"}}),
    ]
    notebook.cells[1]["outputs"] = [nbformat.from_dict({"output_type": "stream", "name": "stdout", "text": "5\n"})]
    notebook.cells.insert(0, new_markdown_cell("# Title\n\nA text."))
    return notebook


@pytest.mark.parametrize(
    ("kind", "change", "same"), [("png", "CC", True), ("html", "not so", False), ("text", "6", False)]
)
def test_other_outputs_are_caught_but_not_other_points_of_a_picture(kind, change, same):
    before, after = a_shown_notebook(), a_shown_notebook()
    html, png = after.cells[1].outputs
    if kind == "png":
        png.data["image/png"] = change
        html.data["text/html"] = html.data["text/html"].replace("AAAA", change)
    elif kind == "html":
        html.data["text/html"] = html.data["text/html"].replace("so", change)
    else:
        after.cells[2].outputs[0]["text"] = change
    assert (books.shown(after) == books.shown(before)) is same
    assert books.shown(copy.deepcopy(before)) == books.shown(before)


def test_it_becomes_a_page():
    page = books.as_markdown(nbformat.writes(a_shown_notebook()), "name")
    assert page.startswith("# Title\n\nA text.\n\n[Download this notebook](path:name.ipynb)")
    assert "```python\none\n```\n\n<div><p>so</p>" in page
    assert 'src="data:image/png;base64,BBBB">' in page
    assert page.endswith("```python\ntwo\n```\n\n```text\n5\n```\n")
    wide = a_shown_notebook()
    wide.cells[2].outputs[0]["text"] = "word " * 50
    assert max(map(len, books.as_markdown(nbformat.writes(wide), "name").splitlines())) <= books.WIDTH
