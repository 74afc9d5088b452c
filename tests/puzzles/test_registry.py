"""Families of other packages, and those that a program registers."""

import logging
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gatesolve.errors import InputError
from gatesolve.puzzles import examples, families, parse, register
from gatesolve.puzzles import families as registry_names
from gatesolve.puzzles.registry import _installed, _registered
from gatesolve.puzzles.takuzu.puzzle import Takuzu


class Binox(Takuzu):
    family = "binox"
    example = "binox\n.X\nX.\n"
    headers = ("binox",)

    @staticmethod
    def read(text, source):
        return Takuzu.read(text.replace("binox", "takuzu").replace("X", "1"), source)


@pytest.fixture(autouse=True)
def _as_before():
    yield
    _installed.cache_clear()
    _registered.clear()


def installed(monkeypatch, *points):
    """As if packages with these entry points were installed."""
    found = [EntryPoint(name, value, "gatesolve.families") for name, value in points]
    monkeypatch.setattr("gatesolve.puzzles.registry.entry_points", lambda group: found)
    _installed.cache_clear()


def test_a_registered_family_is_known_by_its_header_its_name_and_in_json():
    with pytest.raises(InputError, match="unknown puzzle family 'binox'"):
        parse(Binox.example, "binox")
    assert register(Binox) is Binox
    assert families()[-1] == "binox"
    assert ("binox", Takuzu.summary, Binox.example) in examples()
    for puzzle in (
        parse(Binox.example),
        parse(Binox.example, "binox"),
        parse('{"family": "binox", "grid": [".1", "1."]}'),
    ):
        assert type(puzzle) is Binox
        assert puzzle.board({}) == [[".", "1"], ["1", "."]]


def test_a_family_of_another_package_is_found_by_its_entry_point(monkeypatch):
    installed(monkeypatch, ("binox", f"{__name__}:Binox"))
    assert type(parse(Binox.example)) is Binox


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("no_such_package.here:Family", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("pathlib:Path", "is no family: derive a class from gatesolve.puzzles.Puzzle"),
        ("gatesolve.puzzles.takuzu.puzzle:Takuzu", "there is a puzzle family 'takuzu' already"),
    ],
)
def test_a_broken_entry_point_is_one_warning_and_no_crash(monkeypatch, caplog, value, says):
    installed(monkeypatch, ("odd", value))
    with caplog.at_level(logging.WARNING, "gatesolve"):
        assert parse(Takuzu.example).family == "takuzu"
        assert "binox" not in registry_names()
    (record,) = caplog.records
    assert record.getMessage().startswith(f"puzzle family left out, entry point odd = {value}: ")
    assert says in record.getMessage()
    assert "\n" not in record.getMessage()


@pytest.mark.parametrize("other", [Path, Takuzu, 7])
def test_what_is_no_family_is_not_registered(other):
    with pytest.raises(InputError, match=r"no family|already"):
        register(other)
