"""docs/cli.md and docs/reference.md name everything there is."""

import json
import re

import pages
import pytest

import gatesolve
from gatesolve import puzzles

CLI = (pages.ROOT / "docs/cli.md").read_text(encoding="utf-8")
API = (pages.ROOT / "docs/reference.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("command", "least"), [("solve", 18), ("compile", 19), ("resources", 17), ("show", 2), ("families", 0)]
)
def test_every_option_is_described(command, least):
    printed, status = pages.run(f"gatesolve {command} --help")
    assert status == 0
    offered = set(re.findall(r"--[a-z][a-z-]*", printed)) - {"--help"}
    assert len(offered) >= least
    assert offered <= set(re.findall(r"`(--[a-z][a-z-]*)`", CLI))


@pytest.mark.parametrize("command", ["show", "families", "solve", "compile", "resources", "pareto"])
def test_every_command_is_described(command):
    assert f"- `gatesolve {command}" in CLI


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
