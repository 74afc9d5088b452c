"""What every puzzle family offers: the `Puzzle` protocol and the `Family` that reads one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType


@runtime_checkable
class Puzzle(Protocol):
    """One puzzle: its clues, its rules and its picture. It knows nothing of qubits.

    A puzzle is immutable and holds clues only. An answer is always passed in beside it, as a
    mapping from the names of the CPMpy variables to their values, so clues and answers are never
    confused. A method that takes ``solution=None`` shows the bare puzzle when none is given.
    """

    family: ClassVar[str]

    @property
    def title(self) -> str:
        """One line: the family, the size of the board and what else sets it apart."""
        ...

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where that can be told without solving; None where it cannot.

        Such a board is well formed: it is read, shown and written like any other, and is infeasible.
        """
        ...

    def to_cpmpy(self) -> cpmpy.Model:
        """The rules and clues as a CPMpy model whose variables have stable names.

        Two calls give models with the same names, so an answer to one is an answer to the other.
        """
        ...

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board, one string a cell, row by row; fit for JSON."""
        ...

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """Judge a finished board by the puzzle's own rules.

        This is the last word on an answer, so it is written apart from `to_cpmpy` and shares
        nothing with it but the parsed clues.

        Returns:
            The broken rules in words; empty when the board is right.
        """
        ...

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """Plain text in the family's file format: parsing ``text()`` gives an equal puzzle."""
        ...

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal, legible with colours off."""
        ...

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture to ``path``, as PNG or SVG by its suffix.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        ...


@dataclass(frozen=True)
class Family:
    """How one family of puzzles is read.

    Args:
        name: the family's name, as in ``Puzzle.family``.
        recognises: whether a text looks like this family. It is generous with faulty texts, so
            that `parse` gets to say what is wrong with them, and claims no other family's.
        parse: ``(text, source) -> Puzzle``; raises ``InputError`` naming ``source`` on a fault.
        summary: the rules in one line.
        example: a small puzzle in the typed format; empty for an alias of another family.
        headers: words that begin a line in boards of this family alone; a text with one is no other family's.
        alone: whether a published puzzle of this kind has exactly one solution.
    """

    name: str
    recognises: Callable[[str], bool]
    parse: Callable[[str, str], Puzzle]
    summary: str = ""
    example: str = ""
    headers: tuple[str, ...] = ()
    alone: Callable[[Any], bool] = lambda puzzle: True
