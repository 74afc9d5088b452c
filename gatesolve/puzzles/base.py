"""Puzzle families: classes that read their texts, judge their answers and draw their boards."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from gatesolve.errors import InputError, MissingExtraError, one_line
from gatesolve.extensions import cpmpy
from gatesolve.files import json_object, replace_file, show_json
from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.picture import ImageKind, Picture, image, kind_of, terminal
from gatesolve.puzzles.reading import Code, JsonBoard, Line, Token, is_json

if TYPE_CHECKING:
    from rich.console import RenderableType


class Fault(NamedTuple):
    """A reason why a board is not a valid board of its family.

    Attributes:
        message: the fault and its correction.
        place: the faulty part, by its key in `Draft.places`: mostly a 0-based cell, or one of a named grid such as
            ``("boxes", (0, 1))``; None for the whole board.
    """

    message: str
    place: Hashable = None


class FaultyBoardError(InputError):
    """Clues that make no valid board of their family, with their place on the board."""

    def __init__(self, fault: Fault, prefix: str = "") -> None:
        match fault.place:
            case (int(r), int(c)) | (str(), (int(r), int(c))):
                super().__init__(prefix + fault.message, row=r + 1, column=c + 1)
            case _:
                super().__init__(prefix + fault.message)
        self.fault = fault


@dataclass(frozen=True)
class Draft:
    """Clues as they were read: the fields of the puzzle in order, and their places in the file.

    ``places`` has the parts that a `Fault` can name, ``anywhere`` is the place for all others.
    """

    clues: tuple[Any, ...]
    places: Mapping[Any, Token | Line] = field(default_factory=dict)
    anywhere: Token | Line | None = None


Forms = Mapping[str, Callable[[Code], Draft]]


class Puzzle(ABC):
    """One puzzle: its clues, its rules and its picture. It is independent of qubits.

    A family is a frozen dataclass derived from this class. It contains only the clues, and raises an `InputError` where
    they make no valid board; every reader raises one with the line and the column. An answer is always a separate
    mapping from the names of the CPMpy variables to their values, so clues and answers are never confused. A method
    with ``solution=None`` shows the bare puzzle when none is given.

    Attributes:
        family: the family's name.
        summary: the rules in one line.
        example: a small puzzle in the typed format.
        headers: words that begin a line only in boards of this family.
        aliases: other names of the family.
        json_fields: fields that `read_json` reads; an object with others, except `reading.ABOUT`, is refused.
        json_mends: replacements for some fields that look like a rule but are none.
        json_doubts: possible meanings of an object that no family recognises, by a field that points to this family.
    """

    family: ClassVar[str]
    summary: ClassVar[str] = ""
    example: ClassVar[str] = ""
    headers: ClassVar[tuple[str, ...]] = ()
    aliases: ClassVar[tuple[str, ...]] = ()
    json_fields: ClassVar[tuple[str, ...]] = ("text",)
    json_mends: ClassVar[Mapping[str, str]] = {}
    json_doubts: ClassVar[Mapping[str, str]] = {}
    fault_prefix: ClassVar[str] = ""
    """Prefix that names the unit of a fault's row and column, if that is not the board."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        # The dataclass decorator would otherwise write a repr with all clues.
        if "__repr__" not in vars(cls):
            cls.__repr__ = Puzzle.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {one_line(self.title)}>"

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
        try:
            drawn = self.image("png")
        except MissingExtraError:
            return None
        # For notebooks, at half of its size. A PNG has its width and height at bytes 16 and 20.
        width, height = (int.from_bytes(drawn[k : k + 4]) for k in (16, 20))
        return drawn, {"width": width // 2, "height": height // 2}

    def __post_init__(self) -> None:
        if (fault := self.first_fault()) is not None:
            raise FaultyBoardError(fault, self.fault_prefix)

    # Reading

    @staticmethod
    def foreign() -> Forms:
        """Return readers of boards as other programs write them, by patterns for `Code.of`."""
        return {}

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Return whether a text looks like this family.

        It accepts faulty texts, so that `parse` can report the fault, but no text of another family.
        """
        words = {line.split(maxsplit=1)[0].lower() for line in text.split("\n") if line.strip()}
        return not words.isdisjoint(cls.headers) or any(Code.of(text, pattern) for pattern in cls.foreign())

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
        """Return whether a JSON object that names no family has this family's fields and contains such a board.

        An object that several families recognise is refused.
        """
        return False

    @staticmethod
    @abstractmethod
    def read(text: str) -> Draft:
        """Read the clues of a text in the family's own format."""

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        """Read the clues of a JSON object: its field ``text``, unless the family has fields of its own."""
        wanted = "string: write the lines of the puzzle into it"
        return cls.read(data.get_valid("text", lambda text: isinstance(text, str), wanted))

    @classmethod
    def read_any(cls, text: str) -> Draft:
        """Read the clues of a text that is not JSON, in a `foreign` form or the family's own format."""
        for pattern, read in cls.foreign().items():
            if (code := Code.of(text, pattern)) is not None:
                return read(code)
        return cls.read(text)

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Self:
        """Read a board of this family from its text."""
        try:
            if not is_json(text):
                return cls._make(cls.read_any(text))
            data = JsonBoard(json_object(text, source))
            if (name := data.get("family", cls.family)) not in (cls.family, *cls.aliases):
                raise InputError(f"JSON of family {show_json(name)}, read as {cls.family}: name its family")
            data.refuse_others(cls.json_fields, cls.json_mends)
            return cls._make(cls.read_json(data))
        except InputError as error:
            raise error if error.source else error.within(source) from None

    @classmethod
    def _make(cls, draft: Draft) -> Self:
        try:
            return cls(*draft.clues)
        except FaultyBoardError as error:
            # The board knows the faulty cell, and only the draft knows its place in the file.
            place = draft.places.get(error.fault.place, draft.anywhere)
            raise error if place is None else place.fault(error.fault.message) from None

    # Rules

    @property
    @abstractmethod
    def title(self) -> str:
        """Return the family, the size of the board and its other features, on one line."""

    @property
    def expects_one_solution(self) -> bool:
        """Whether a published puzzle of this kind has exactly one solution."""
        return True

    def first_fault(self) -> Fault | None:
        """Return the first fault of the clues, or None."""
        return None

    @property
    def contradiction(self) -> str | None:
        """Return the reason why the board has no solution, if it is found without solving; else None.

        Such a board is well formed: it is read, shown and written like any other, and is infeasible.
        """
        return None

    @property
    def doubt(self) -> str | None:
        """Return a likely mistake in the drawing that the rules allow; None where there is none."""
        return None

    @abstractmethod
    def to_cpmpy(self) -> cpmpy.Model:
        """Return the rules and clues as a CPMpy model whose variables have stable names.

        Two calls return models with the same names, so an answer to one is an answer to the other.
        """

    @abstractmethod
    def check(self, solution: Mapping[str, int]) -> list[str]:
        """Judge a finished board by the puzzle's own rules.

        This is the final judgement of an answer. It therefore shares only the parsed clues with `to_cpmpy`.

        Returns:
            The broken rules in words; empty when the board is right.
        """

    # Showing

    @abstractmethod
    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """Return the finished board, one string a cell, row by row, for JSON."""

    @abstractmethod
    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """Return the puzzle in its file format with answers; parsing ``text()`` gives an equal puzzle."""

    @abstractmethod
    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Return the board with an answer (``{}`` for none), for a drawing or for a terminal."""

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """Return the picture for a terminal, legible with colours off."""
        return terminal(self.picture(solution or {}, drawing=False))

    def image(self, kind: ImageKind, solution: Mapping[str, int] | None = None) -> bytes:
        """Return the picture as the bytes of a file; ``kind`` is ``png`` or ``svg``.

        Raises:
            InputError: another kind.
            MissingExtraError: matplotlib is not installed.
        """
        return image(self.picture(solution or {}, drawing=True), kind)

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
            MissingExtraError: matplotlib is not installed.
        """
        replace_file(Path(path), self.image(kind_of(Path(path)), solution))


def cell_variables(given: Mapping[Cell, int | None], low: int, high: int) -> dict[Cell, Any]:
    """Return a variable for each cell, such as ``r1c2``."""
    # A given value is a domain of one value, which costs no qubit.
    ends = {cell: (low, high) if value is None else (value, value) for cell, value in given.items()}
    return {cell: cpmpy.intvar(*values, name=cell_name(cell)) for cell, values in ends.items()}


def piece_variable(name: str, given: bool) -> Any:
    """Return a 0/1 variable for a piece on a cell, fixed at 1 where it is given."""
    return cpmpy.intvar(1, 1, name=name) if given else cpmpy.boolvar(name=name)


def differ_and_add_up(cells: Sequence[Any], total: int | None) -> list[Any]:
    """Return the constraints that cells have different values with a sum."""
    # An all-different over one cell would be a constraint that always holds.
    return [cpmpy.AllDifferent(cells)] * (len(cells) > 1) + [cpmpy.sum(cells) == total]


def count_between(variables: Sequence[Any], low: int, high: int) -> list[Any]:
    """Return the constraints that ``low`` to ``high`` of these variables are 1, without those that always hold."""
    if not variables:
        # CPMpy's sum of nothing is the number 0, and a comparison of numbers is no constraint.
        return [cpmpy.BoolVal(False)] * (low > 0)
    ones = cpmpy.sum(variables)
    if low == high:
        return [ones == low]
    return [ones >= low] * (low > 0) + [ones <= high] * (high < len(variables))


def fill_in(given: Sequence[Sequence[int | None]], solution: Mapping[str, int]) -> list[list[int | None]]:
    """Return the given values, with answers in the other cells."""
    return [
        [solution.get(cell_name((r, c))) if value is None else value for c, value in enumerate(row)]
        for r, row in enumerate(given)
    ]


def misread(
    solution: Mapping[str, int], allowed: Mapping[str, Collection[int]], stranger: str, values: str = ""
) -> list[str]:
    """List the faults of an answer's names and values, in words.

    ``stranger`` is the remark on an unknown name, such as "is not a cell of the board". ``values`` is the remark on a
    value that is not ``allowed``, such as "not 0 or 1"; the range if it is empty.
    """
    broken = [f"{name} {stranger}" for name in solution if name not in allowed]
    for name, domain in allowed.items():
        if name not in solution:
            broken.append(f"{name} has no value")
        elif solution[name] not in domain:
            broken.append(f"{name} is {solution[name]}, {values or f'outside {min(domain)}..{max(domain)}'}")
    return broken


def overwritten(solution: Mapping[str, int], given: Mapping[str, int | None]) -> list[str]:
    """Return the given values that an answer changes, in words; None for a cell without one."""
    known = ((name, value) for name, value in given.items() if value is not None)
    changed = ((name, value) for name, value in known if solution.get(name, value) != value)
    return [f"{name} is {solution[name]} where {value} is given" for name, value in changed]
