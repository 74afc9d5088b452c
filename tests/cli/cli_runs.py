"""Running the command line in this process, as its entry point does."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gatesolve.cli.app import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "kakuro"
CONTEST, SMALL = EXAMPLES / "contest.txt", EXAMPLES / "small.txt"


@dataclass(frozen=True)
class Run:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        """Its one JSON object; nothing else may be on standard output."""
        return json.loads(self.out)

    def refusal(self, status: int = 2) -> str:
        """Its one line on standard error, after the program's name; asserts that there is nothing else."""
        assert self.status == status, self
        assert self.out == ""
        assert self.err.endswith("\n")
        (line,) = self.err.splitlines()
        assert line.startswith("gatesolve: ")
        assert "Traceback" not in line
        return line.removeprefix("gatesolve: ")


class Terminal:
    """Runs ``gatesolve ...`` and catches both streams."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *arguments: object, stdin: bytes | None = None) -> Run:
        self.monkeypatch.setattr(sys, "argv", ["gatesolve", *map(str, arguments)])
        if stdin is not None:
            self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        captured = self.capsys.readouterr()
        return Run(end.value.code, captured.out, captured.err)
