"""Every example in README.md, docs/ and examples/ runs and prints what is shown; every link leads somewhere."""

import random
import re
import subprocess
import sys
from contextlib import nullcontext

import pages
import pytest

ROOT = pages.ROOT
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PICTURE = re.compile(r'<img src="([^"]+)"')


HEAVY = (
    "anneal",
    "notebooks",
    "cli",
    "comparison",
    "concepts",
    "cpmpy",
    "divided",
    "proofs",
    "extending",
    "families",
    "files",
    "first_steps",
    "gas",
    "hardware",
    "migrating",
    "oracles",
    "pareto",
    "pennylane",
    "physical",
    "qaoa",
    "qubo",
    "savings",
)
"""Pages whose examples take long: they are in the slow tier."""


def named(path):
    return str(path.relative_to(ROOT))


def _forgetting_rules():
    """Leave PennyLane's collection of rules as it was: a page compares figures without our rules and with them."""
    return pytest.importorskip("pennylane").decomposition.local_decomps()


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] if page.stem in HEAVY else []) for page in pages.PAGES],
    ids=named,
)
def test_outputs_are_what_the_examples_print(page):
    text = page.read_text(encoding="utf-8")
    with _forgetting_rules() if "register_pennylane()" in text else nullcontext():
        fresh = pages.fresh(text)
    assert fresh.splitlines() == text.splitlines(), "run: python docs/make_tables.py --only outputs"


PAGE = """
```python
print(1 + 1)
```

```text
2
```

<!-- file: bad.txt -->
```text
# 3\\ x
```

```console
$ gatesolve solve bad.txt
gatesolve: bad.txt, row 1, column 3: unknown token x: write # for a black cell, . for a white one, a number for a \
given value, or sums as 16\\, \\23 or 23\\7
$ echo $?
2
```
"""


def test_a_page_that_is_right_stays_as_it_is():
    assert pages.fresh(PAGE) == PAGE


@pytest.mark.parametrize(
    ("right", "wrong"), [("\n2\n```\n\n<", "\n3\n```\n\n<"), ("$?\n2", "$?\n0"), ("token x", "token y")]
)
def test_a_wrong_output_is_caught(right, wrong):
    assert PAGE.count(right) == 1
    assert pages.fresh(PAGE.replace(right, wrong)) == PAGE


FIGURES = """
```python
numbers = [3, 4]
```

The board has {} cells, and the sum of both
numbers is {}.
<!-- figures:
both numbers is {{sum(numbers)}}.
-->
A gate takes {} CX.
<!-- figures: gatesolve resources examples/kakuro/small.txt --presolve propagate --json
takes {{it["resources"]["cx"]}} CX
-->
<!-- figures:
let least = numbers[0] - 3
A gate takes {{least}} CX
-->
"""


def test_right_figures_of_a_text_are_accepted():
    page = FIGURES.format(5, 7, 0)
    assert pages.fresh(page) == page


@pytest.mark.parametrize("figures", [(5, 8, 0), (5, 7, 1)])
def test_a_wrong_figure_of_a_text_is_caught(figures):
    with pytest.raises(AssertionError, match=r"not said: '(both numbers is 7.|takes 0 CX)'"):
        pages.fresh(FIGURES.format(*figures))


def test_every_mark_of_figures_is_read():
    for page in pages.PAGES:
        text = page.read_text(encoding="utf-8")
        marked = "".join(comments for _, comments in pages._MARKED.findall(text))
        assert text.count("<!-- figures:") == len(pages._FIGURES.findall(marked)), page


@pytest.mark.parametrize("page", [page for page in pages.PAGES if ".csv\n" in page.read_text("utf-8")], ids=named)
def test_figures_from_files_are_those_of_the_files(page):
    """In the quick tier for the heavy pages, too: nothing is run."""
    for paragraph, comments in pages._MARKED.findall(page.read_text(encoding="utf-8")):
        for source, lines in pages._FIGURES.findall(comments):
            if source.endswith(".csv"):
                pages.check_figures(f"{paragraph}<!-- figures:{source}\n{lines}-->\n", {})


@pytest.mark.parametrize("language", ["sh", "console"])
def test_a_failing_command_is_caught(language):
    prompt = "$ " if language == "console" else ""
    with pytest.raises(AssertionError, match="exit status 2 of: gatesolve solve missing"):
        pages.fresh(f"```{language}\n{prompt}gatesolve solve missing.txt\n```\n")


@pytest.mark.parametrize("page", [*pages.PAGES, ROOT / "CONTRIBUTING.md", ROOT / "benchmarks/README.md"], ids=named)
def test_links_lead_to_files(page):
    text = page.read_text(encoding="utf-8")
    for target in LINK.findall(text) + PICTURE.findall(text):
        if not target.startswith(("http://", "https://", "#")):
            assert (page.parent / target.split("#")[0]).exists(), target


def test_examples_that_a_page_shows_are_the_files():
    """Without the comments of the files."""
    for page in pages.PAGES:
        for block in pages.blocks(page.read_text(encoding="utf-8")):
            if block.file and block.file.startswith("examples/"):
                lines = (ROOT / block.file).read_text(encoding="utf-8").splitlines()
                assert block.text.splitlines() == [line for line in lines if not line.startswith(";")], block.file


def test_the_readme_is_short_and_leads_to_every_page():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100
    assert "docs/index.md" in LINK.findall(text)
    linked = LINK.findall((ROOT / "docs/index.md").read_text(encoding="utf-8"))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"} <= set(linked)


def test_the_index_calls_every_page_by_its_title():
    index = (ROOT / "docs/index.md").read_text("utf-8")
    listed = re.findall(r"^- \[([^\]]+)\]\(([\w/.]+)\)", index, flags=re.MULTILINE)
    assert len(listed) > 25
    for title, name in listed:
        text = (ROOT / "docs" / name).read_text("utf-8")
        assert re.search(r'^ *"?# (.*?)(?:\\n",)?$', text, flags=re.MULTILINE)[1] == title, name


SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
NEEDS_MORE = ROOT / "examples/generate_sgt.py"  # programs of another package, and a minute


@pytest.mark.parametrize("script", [s for s in SCRIPTS if s != NEEDS_MORE], ids=named)
@pytest.mark.sampled(7)
def test_example_runs_and_says_something(script, tmp_path, sample_seed):
    """Some of them, drawn by the seed, twice: they print the same."""
    if script.stem == "ommx_adapter":
        pytest.importorskip("ommx")
    assert len(script.read_text(encoding="utf-8").splitlines()) < 60
    runs = [
        subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
        for _ in range(1 + (script in random.Random(sample_seed).sample(SCRIPTS, 3)))
    ]
    assert len(runs[0].stdout.splitlines()) >= 3
    assert {run.stdout for run in runs} == {runs[0].stdout}
    assert not list(tmp_path.iterdir())


def test_every_example_is_listed():
    text = (ROOT / "examples/README.md").read_text(encoding="utf-8")
    assert all(f"]({script.name})" in text for script in SCRIPTS)


def test_every_folder_of_boards_is_listed():
    text = (ROOT / "examples/README.md").read_text(encoding="utf-8")
    assert all(f"]({path.parent.name}/README.md)" in text for path in (ROOT / "examples").glob("*/README.md"))


def test_a_block_that_needs_what_is_not_installed_stays_as_it_is():
    page = "<!-- needs: {} -->\n```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n"
    assert pages.fresh(page.format("no_such_module")) == page.format("no_such_module")
    assert pages.fresh(page.format("json")) == page.format("json").replace("3\n", "2\n")
