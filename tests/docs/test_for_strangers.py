"""The files that strangers look for agree with the package."""

import importlib.util
import re
import tomllib

import pages

from gatesolve.api import about

ROOT = pages.ROOT
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", text, flags=re.MULTILINE)[1] == PROJECT["version"]
    assert re.search(r"^license: (.+)$", text, flags=re.MULTILINE)[1] == PROJECT["license"]


def load_build_hook():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_on_the_package_index_every_link_of_readme_is_absolute():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = load_build_hook().make_absolute(readme, "https://host/owner/name", "v1.2.3")
    assert "](https://host/owner/name/raw/v1.2.3/docs/overview.png)" in text
    assert "](https://host/owner/name/blob/v1.2.3/docs/index.md#limits)" in text
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) == len(re.findall(r"\]\(([^)]+)\)", readme))
    assert all(link.startswith("https://") for link in links)


def test_the_same_pythons_are_tested_published_and_supported():
    stated = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    for name in ("tests", "publish"):
        text = (ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8")
        assert re.findall(r"3\.\d+", re.search(r"python: \[(.+)\]", text)[1]) == stated
    assert (
        re.findall(r"\b3\.\d+", re.search("Linux with Python .+", (ROOT / "SUPPORT.md").read_text("utf-8"))[0])
        == stated
    )
    assert about.DISTRIBUTION in (ROOT / ".github/workflows/publish.yml").read_text(encoding="utf-8")


def test_every_extra_is_listed():
    table = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/index.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {*table} == PROJECT["optional-dependencies"].keys() - {"docs", "test"}
