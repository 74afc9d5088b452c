"""Families of other packages, and those that a program registers."""

from pathlib import Path

import pytest
from packages import install

from gatesolve.errors import InputError
from gatesolve.puzzles import Takuzu, examples, families, parse, register


class Binox(Takuzu):
    family = "binox"
    example = "binox\n.X\nX.\n"
    headers = ("binox",)

    @staticmethod
    def read(text):
        return Takuzu.read(text.replace("binox", "takuzu").replace("X", "1"))


@pytest.fixture(autouse=True)
def _as_before(monkeypatch):
    monkeypatch.setattr("gatesolve.puzzles.registry._registered", {})


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


def test_a_family_of_another_package_is_found_by_its_entry_point(monkeypatch, tmp_path):
    install(monkeypatch, tmp_path, "", families=f"binox = {__name__}:Binox")
    assert type(parse(Binox.example)) is Binox


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("no_such_package.here:Family", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("pathlib:Path", "is not a family: derive a class from gatesolve.puzzles.Puzzle"),
        ("gatesolve.puzzles.takuzu:Takuzu", "there is a puzzle family 'takuzu' already"),
    ],
)
def test_a_broken_family_is_named_only_where_it_may_be_the_one_that_is_missed(
    monkeypatch, tmp_path, caplog, value, says
):
    install(monkeypatch, tmp_path, "", families=f"odd = {value}")
    assert parse(Takuzu.example).family == "takuzu"
    assert "odd" not in families()
    assert not caplog.records
    with pytest.raises(InputError) as named:
        parse(Takuzu.example, "odd")
    line = str(named.value)
    assert line.startswith(f"the family 'odd' ({value}) cannot be used: ")
    assert says in line
    assert line.endswith(": correct its package, or uninstall it")
    assert "\n" not in line
    for text, family, start in (
        (Takuzu.example, "binox", "unknown puzzle family 'binox': choose one of "),
        ("nobody's\n1 2 3\n", None, "<text>: not recognised as a puzzle or as a file of another solver: "),
    ):
        with pytest.raises(InputError) as missed:
            parse(text, family)
        assert str(missed.value).startswith(start)
        assert str(missed.value).endswith(f"; {line}")


@pytest.mark.parametrize("other", [Path, Takuzu, 7])
def test_what_is_no_family_is_not_registered(other):
    with pytest.raises(InputError, match=r"not a family|already"):
        register(other)
