"""The errors a user can meet: each message names the place of the fault and the remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeVar

Call = TypeVar("Call", bound=Callable[..., Any])
INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells give it."""
RENAMED: Mapping[str, str] = {
    "aim": "angle_loss",
    "cost": "energy_from",
    "form": "formulation",
    "inside": "codewords_only",
    "keep_refutable": "search_refuted",
    "objective": "optimize",
    "patience": "backtracking_seconds",
    "value": "value_oracle",
}
"""New names of options by their former names, which are refused."""


class GatesolveError(Exception):
    """Base of every error that gatesolve raises on purpose; its text is one line for the user.

    Args:
        message: the fault; names from outside are escaped by `one_line`.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))

    def __reduce__(self) -> tuple[object, ...]:
        """Return how to restore it in another process: subclasses have other arguments than those stored."""
        return _restore_error, (type(self), self.args, vars(self))


def _restore_error(kind: type[GatesolveError], given: tuple[object, ...], state: dict[str, object]) -> GatesolveError:
    # ``__init__`` is passed over: the stored text already contains the place.
    error = kind.__new__(kind)
    error.args = given
    vars(error).update(state)
    return error


class InputError(GatesolveError):
    """The input is malformed: a file, a model or an option.

    Args:
        message: the fault and its remedy, one line.
        source: file name, or ``"<stdin>"``.
        row: 1-based row of the file, if the fault has one.
        column: 1-based column (or token number) of the file, if the fault has one.
    """

    def __init__(
        self, message: str, *, source: str | None = None, row: int | None = None, column: int | None = None
    ) -> None:
        place = source or ""
        if row is not None:
            place += f"{', ' if place else ''}row {row}"
        if column is not None:
            place += f"{', ' if place else ''}column {column}"
        # The parts are kept too, so that a caller can name another file (`within`) or mark the cell.
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.source, self.row, self.column = source, row, column

    def within(self, source: str) -> InputError:
        """Return the same fault with the name of the file that it is in."""
        return InputError(self.message, source=source, row=self.row, column=self.column)


class UnsupportedError(InputError):
    """A constraint of the model cannot be compiled; the message names it."""


class MissingExtraError(UnsupportedError):
    """An optional package is not installed.

    The message names the distribution, which is installed: pip then adds the extra to it, wherever it came from.

    Args:
        fault: which feature needs which package, one line.
        extra: the extra of this distribution that contains it.
    """

    def __init__(self, fault: str, extra: str) -> None:
        super().__init__(f'{fault}: run pip install "gatesolve-circuits[{extra}]"')


class InfeasibleError(GatesolveError):
    """The problem is well formed and was proven to have no solution.

    Args:
        message: the reason, one line.
        title: the problem's title, if it was proven before there was a model.

    Attributes:
        presolve: the presolve setting that proved it, if one did.
        probes: number of values tried to prove it.
    """

    presolve: str | None = None
    probes: int = 0

    def __init__(self, message: str, *, title: str = "") -> None:
        super().__init__(message)
        self.title = title


class DoesNotFitError(GatesolveError):
    """The problem is too large for the chosen method; the message names what would fit."""


class AncillaBudgetError(DoesNotFitError):
    """A circuit needs more ancillas than ``ancillas`` or ``max_qubits`` leaves.

    Args:
        message: which limit is too small, and which one works; one line.
        least: the smallest ``max_qubits`` that works if the message names that option, else the smallest ``ancillas``.
            For Grover Adaptive Search and QAOA it is a lower bound.
    """

    def __init__(self, message: str, *, least: int) -> None:
        super().__init__(message)
        self.least = least


class BackendError(GatesolveError):
    """A simulator or device failed to run a circuit."""


def one_line(text: str) -> str:
    r"""Return a name or a title as a terminal may show it: a line end becomes ``\n``, an escape ``\x1b``.

    Marks that change the direction of writing, and unusual spaces, are escaped too.
    """
    # The common case costs no copy.
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def refuse_renamed(names: Iterable[str], renamed: Mapping[str, str] = RENAMED) -> None:
    """Raise InputError for the first name that is the former one of an option."""
    for name in names:
        if name in renamed:
            raise InputError(f"{name} is now called {renamed[name]}: use the new name")


def refuses_renamed(call: Call) -> Call:
    """Decorate a function so that former names of its keyword arguments are refused."""

    @wraps(call)
    def run(*args: Any, **named: Any) -> Any:
        refuse_renamed(named)
        return call(*args, **named)

    return run  # type: ignore[return-value]
