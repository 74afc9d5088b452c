"""docs/cli.md and docs/reference.md name everything there is."""

import functools
import inspect
import json
import re

import pages
import pytest

import gatesolve
from gatesolve import puzzles

CLI = (pages.ROOT / "docs/cli.md").read_text(encoding="utf-8")
API = (pages.ROOT / "docs/reference.md").read_text(encoding="utf-8")


COMMANDS = re.findall(r"^│ ([a-z]+) ", pages.run("gatesolve --help")[0], flags=re.MULTILINE)
ELSEWHERE = {"pareto": "pareto.md", "qubo": "qubo.md"}
"""Commands whose options another page lists."""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_described(command):
    printed, status = pages.run(f"gatesolve {command} --help")
    offered = set(re.findall(r"--[a-z][a-z-]*", printed)) - {"--help"}
    assert status == 0
    assert len(offered) >= {"solve": 18, "compile": 19, "resources": 17, "families": 0}.get(command, 1)
    text = section(command)
    for heading in ("Common options", "Options"):
        text += section(heading)
    if command in ELSEWHERE:
        text += (pages.ROOT / "docs" / ELSEWHERE[command]).read_text(encoding="utf-8")
    assert offered <= set(re.findall(r"`(--[a-z][a-z-]*)", text))


def section(heading):
    return CLI.split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_section_that_the_first_table_links_to(command):
    assert f"`gatesolve {command}" in section(command)
    assert f"[`{command}`](#{command})" in CLI.split("\n## ")[0]


def test_every_family_is_described():
    (row,) = (line for line in CLI.splitlines() if line.startswith("| `--family`"))
    assert {name for name, _, _ in puzzles.examples()} <= set(re.findall(r"`(\w+)`", row))


def keys(data):
    for key, value in data.items():
        yield key
        if key in {"resources", "oracle_resources", "certificate"}:
            yield from value


@pytest.mark.parametrize("command", ["solve", "resources"])
def test_every_json_field_is_described(command):
    printed, _ = pages.run(f"gatesolve {command} {pages.ROOT}/examples/kakuro/contest.txt --json")
    found = set(keys(json.loads(printed)))
    assert len(found) > 10
    assert found <= set(re.findall(r"`([a-z_0-9]+)`", CLI.split("## JSON")[1]))


def test_every_public_name_is_described():
    described = set(re.findall(r"`([A-Za-z_]+)", API))
    assert set(dir(gatesolve)) <= described


def test_no_first_line_of_a_property_reads_as_a_type():
    """The pages show what stands before a colon as the type of the property."""
    classes = [one for one in (getattr(gatesolve, name) for name in dir(gatesolve)) if inspect.isclass(one)]
    lines = {
        f"{kind.__name__}.{name}": (found.__doc__ or "").split("\n")[0]
        for kind in classes
        for name, found in inspect.getmembers_static(kind)
        if isinstance(found, property | functools.cached_property) and not name.startswith("_")
    }
    assert len(lines) > 30
    assert {name for name, line in lines.items() if ": " in re.sub(r"``.*?``", "", line)} == set()
