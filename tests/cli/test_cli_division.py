"""What the command line prints of a divided search."""

from __future__ import annotations

import pytest

INKALA = "examples/sudoku/inkala-2010.txt"


@pytest.mark.slow
def test_the_command_prints_the_account(gatesolve) -> None:
    printed = gatesolve("solve", INKALA, "--max-space", "2^12")
    assert "divided search" in printed.out
    assert "plain classical backtracking here" in printed.out
    assert "oracle calls in all" in printed.out
