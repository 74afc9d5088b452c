"""On the public package index ``gatesolve`` is another project: nothing of ours may tell a user to install that."""

import re
import tomllib
from pathlib import Path

import pytest

from gatesolve.api import about

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGES = sorted(
    path
    for folder in (".ci", "benchmarks", "circuits", "docs", "examples", "gatesolve")
    for path in (ROOT / folder).rglob("*")
    if path.name == "run" or path.suffix in {".py", ".md", ".sh", ".toml", ".txt", ".json", ".ipynb"}
)
PAGES += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "pyproject.toml")]
INSTALL = re.compile(
    r"(?:pip3?|pipx|uv|uvx|poetry|conda) +(?:install|add|run) +(.*?)(?:&&|;|\||`| in |$)", re.MULTILINE
)


def told(text):
    """What the installing commands of a text take from the index under a name that starts like ours.

    Not an extra of the distribution: pip takes that from the installed one.
    """
    return [one for one in INSTALL.findall(text) if "gatesolve" in re.sub(r'"gatesolve-circuits\[.*?\]"', "", one)]


def test_the_distribution_has_a_name_of_its_own():
    assert PROJECT["name"] == about.DISTRIBUTION != "gatesolve"
    assert about.version() == PROJECT["version"]


def test_the_changelog_has_a_section_of_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(PROJECT['version'])}\]( - \d{{4}}-\d\d-\d\d)?$", text, re.MULTILINE)
    workflow = (ROOT / ".github/workflows/publish.yml").read_text(encoding="utf-8")
    assert 'grep -qEx "## \\[${TAG#v}\\] - [0-9]{4}-[0-9]{2}-[0-9]{2}" CHANGELOG.md' in workflow


def test_extras_that_name_extras_name_this_distribution():
    wanted = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    wanted += PROJECT["dependencies"]
    named = [line for line in wanted if line.startswith("gatesolve")]
    assert named
    assert all(line.startswith(f"{about.DISTRIBUTION}[") for line in named)


def test_no_page_and_no_message_installs_from_the_index():
    found = {path.relative_to(ROOT).as_posix(): lines for path in PAGES if (lines := told(path.read_text("utf-8")))}
    assert found == {}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("pip install 'gatesolve[ibm]'", 1),
        ("`pip install gatesolve`", 1),
        ('run pip install "gatesolve-circuits[ibm]" gatesolve', 1),
        ("python -m pip install -U gatesolve-circuits", 1),
        ('pip install ".[ibm]"', 0),
        ('run pip install "gatesolve-circuits[ibm]"', 0),
        ("pip install . && gatesolve solve board.txt", 0),
        ("/tmp/peer/bin/pip install pennylane", 0),
    ],
)
def test_the_search_finds_what_it_looks_for(text, number):
    assert len(told(text)) == number
