"""The files that strangers look for agree with the package."""

import re
import tomllib

import pages

ROOT = pages.ROOT
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", text, flags=re.MULTILINE)[1] == PROJECT["version"]
    assert re.search(r"^license: (.+)$", text, flags=re.MULTILINE)[1] == PROJECT["license"]


def test_what_the_ecosystem_checks_of_the_package():
    assert len(PROJECT["description"]) <= 135
    (qiskit,) = (line for line in PROJECT["dependencies"] if re.match(r"qiskit[<>=]", line))
    assert qiskit.endswith(",<3")
    assert PROJECT["description"] in (ROOT / "docs/contributors/ecosystem.md").read_text(encoding="utf-8")


def test_every_issue_form_asks_for_what_reruns_the_fault():
    forms = {path.stem: path.read_text("utf-8") for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")}
    assert set(forms) == {"bug", "idea", "number", "config"}
    asked = {name: set(re.findall(r"^    id: (\w+)$", text, flags=re.MULTILINE)) for name, text in forms.items()}
    assert asked["bug"] == {"input", "command", "seen", "version"}
