"""The known families: our own, those of other packages, and those that a program registers."""

from __future__ import annotations

from pathlib import Path

from gatesolve.errors import InputError
from gatesolve.extensions import broken_extensions, extension_names, load_extension, load_extensions
from gatesolve.files import MODEL_FORMATS, json_object, model_format
from gatesolve.puzzles.base import Puzzle
from gatesolve.puzzles.chess import Chess
from gatesolve.puzzles.galaxies import Galaxies
from gatesolve.puzzles.kakuro import Kakuro
from gatesolve.puzzles.queens import Queens
from gatesolve.puzzles.reading import ABOUT, JsonBoard, is_json
from gatesolve.puzzles.starbattle import StarBattle
from gatesolve.puzzles.sudoku import Sudoku
from gatesolve.puzzles.takuzu import Takuzu, Tango
from gatesolve.puzzles.tents import Tents

GROUP = "gatesolve.families"
"""The entry points by which another package adds its families: each names a class derived from `Puzzle`."""
_NO_BOARDS = {".py", ".mzn", ".fzn"}
"""Suffixes of files that are not boards, even if their text looks like one."""

# A new family is one new name here.
_OURS: tuple[type[Puzzle], ...] = (Kakuro, Sudoku, Takuzu, Tango, Chess, Queens, StarBattle, Tents, Galaxies)

# The only state that changes while a program runs: its own registrations.
_registered: dict[str, type[Puzzle]] = {}


def register(family: type[Puzzle]) -> type[Puzzle]:
    """Add a family for the rest of the program; returns the class, so that it works as a decorator.

    Raises:
        InputError: it is not a family, or one of ours has its name.
    """
    if (fault := _unfit(family)) is not None:
        raise InputError(fault)
    _registered[family.family] = family
    return family


def all_families() -> tuple[type[Puzzle], ...]:
    """Return every family: ours, those of other packages that can be loaded, those registered."""
    installed = load_extensions(GROUP, _unfit).values()
    return tuple({f.family: f for f in (*_OURS, *installed, *_registered.values())}.values())


def families() -> tuple[str, ...]:
    """Return names of the puzzle families that can be read."""
    return tuple(name for family in all_families() for name in (family.family, *family.aliases))


def examples() -> tuple[tuple[str, str, str], ...]:
    """Return name, rules in one line, and a small puzzle in the typed format, of each family."""
    return tuple((family.family, family.summary, family.example) for family in all_families())


def family_named(name: str, source: str | None = None) -> type[Puzzle]:
    """Return the family of a name, which is in a file if there is a source."""
    for family in all_families():
        if name in (family.family, *family.aliases):
            return family
    if name in extension_names(GROUP):
        load_extension(GROUP, name, _unfit)  # raises the fault of its package
    raise InputError(_name_broken(f"unknown puzzle family {name!r:.60}: choose one of {_names()}"), source=source)


def choose_family(text: str, source: str) -> type[Puzzle]:
    """Return the family of a text: the one it names, one with its header, or the one that recognises it."""
    if Path(source).suffix.lower() in _NO_BOARDS and (mend := way_in(text, source)):
        raise InputError(mend, source=source)
    if is_json(text):
        data = JsonBoard(json_object(text, source))
        if isinstance(name := data.get("family"), str):
            return family_named(name, source)
        found = [family for family in all_families() if family.recognises_json(data)]
        for family in all_families() if not found else ():
            for doubt in (doubt for field, doubt in family.json_doubts.items() if field in data):
                raise InputError(f"{doubt}: give family={family.family} if it is one", source=source)
        # Families with all its fields are preferred.
        found = [family for family in found if data.keys() <= {*family.json_fields, *ABOUT}] or found
    else:
        words = {line.split(maxsplit=1)[0].lower() for line in text.split("\n") if line.strip()}
        headed = [family for family in all_families() if words & set(family.headers)]
        # A text with a family's header is faulty rather than foreign: its family stays, to report the fault.
        found = [family for family in headed or all_families() if family.recognises(text)] or headed
    if not found:
        fault = "not recognised as a puzzle or as a file of another solver: "
        fault += f"for a board, give family=NAME, one of {_names()}; "
        fault += f"to solve a file, give family=FORMAT, one of {', '.join(MODEL_FORMATS.values())}"
        raise InputError(way_in(text, source) or _name_broken(fault), source=source)
    if len(found) != 1:
        names = [family.family for family in found]
        mend = " or ".join(f"family={name}" for name in names)
        raise InputError(f"could be {' and '.join(names)}: give {mend}", source=source)
    return found[0]


def _names() -> str:
    return ", ".join(family.family for family in all_families())


def _name_broken(fault: str) -> str:
    """Return a fault with the families that could not be loaded: an unknown name may be theirs."""
    return "; ".join((fault, *broken_extensions(GROUP, _unfit)))


def _unfit(family: object) -> str | None:
    if not (isinstance(family, type) and issubclass(family, Puzzle) and isinstance(getattr(family, "family", 0), str)):
        mend = "derive a class from gatesolve.puzzles.Puzzle and give it a name, 'family'"
        return f"{family!r:.60} is not a family: {mend}"
    if any(family.family in (ours.family, *ours.aliases) for ours in _OURS):
        return f"there is a puzzle family {family.family!r} already: choose another name"
    return None


def way_in(text: str, source: str) -> str | None:
    """Return a sentence on how to give input that is not a puzzle; None for a text and for unknown formats."""
    if Path(source).suffix.lower() == ".py":
        return "is a program: hand a CPMpy model over in it, gatesolve.solve(model)"
    if Path(source).suffix.lower() == ".mzn":
        return "a MiniZinc model: have MiniZinc compile it for its solver org.minizinc.mzn-fzn, and give the .fzn file"
    name = model_format(text, source)
    return None if name is None else f"a problem in the format {name}, no board: solve it, or leave out family"
