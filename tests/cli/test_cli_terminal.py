"""What a file or a name brings never steers the terminal, and the command says who it is."""

import json

import pytest
from cli_runs import SMALL

from gatesolve.api import about
from gatesolve.cli import console

HOSTILE = "a\x1b[2J\n\u202e\x9b[bold]:warning:\r"


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / f"{HOSTILE}.json"
    path.write_text(json.dumps({"terms": [[[HOSTILE], -1], [[HOSTILE, "b"], 2]]}))
    return path


def is_plain(text):
    return all(letter == "\n" or letter.isprintable() for letter in text)


@pytest.mark.parametrize(
    "words",
    ["solve", "solve --pipeline anneal", "solve --pipeline qaoa --layers 1 --evaluations 5", "resources", "qubo",
     "resources --gates clifford+t", "compile"],
)  # fmt: skip
def test_names_and_titles(gatesolve, hostile, words):
    command, *options = words.split()
    if command == "compile":
        options += ["-o", hostile.with_suffix(".qasm")]
    run = gatesolve(command, hostile, *options)
    assert run.status == 0, run
    assert run.err == ""
    assert is_plain(run.out)
    first = run.out.splitlines()[0]
    assert first.startswith(r"a\x1b[2J\n\u202e\x9b[bold]:warning:\r.json: QUBO of 2 variables"), "all of it, as it is"


def test_lines_of_error(gatesolve, tmp_path):
    assert is_plain(gatesolve("solve", tmp_path / HOSTILE).refusal())
    assert is_plain(gatesolve("solve", SMALL, f"--{HOSTILE}").refusal())
    assert is_plain(gatesolve(HOSTILE).refusal())
    assert is_plain(gatesolve("show", SMALL, "--family", HOSTILE).refusal())
    assert is_plain(gatesolve("solve", "-", stdin=b'{"family": "kakuro", "grid": "\\u001b[2J"}').refusal())


def test_whatever_is_printed_is_escaped(capsys):
    from rich.table import Table
    from rich.text import Text

    out = console.open_console()
    table = Table(title=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    for one in (HOSTILE, Text(HOSTILE), table):
        out.print(one)
    assert is_plain(capsys.readouterr().out)


def test_colours_of_our_own_stay(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    console.open_console().print(HOSTILE, style="bold")
    shown = capsys.readouterr().out
    assert "\x1b[1m" in shown
    assert "\x1b[2J" not in shown


def test_version_and_help(gatesolve):
    assert gatesolve("--version").out == f"gatesolve {about.version()}\n"
    assert gatesolve("-h").out == gatesolve("--help").out
    assert "Usage: gatesolve solve" in gatesolve("solve", "-h").out
