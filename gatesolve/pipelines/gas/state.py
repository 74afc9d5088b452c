"""The state of Grover Adaptive Search between two runs, and its format as a plain dictionary (JSON)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gatesolve.encodings.converter import structure, unstructure
from gatesolve.errors import InputError

VERSION = 2
"""Of the dictionary's format; version 1, in which a cost was called a level, is read too."""


@dataclass(frozen=True)
class Measurement:
    """A codeword that a run measured: its number, the cost that thresholds are compared with, the true energy."""

    key: int
    cost: int
    energy: Fraction


@dataclass(frozen=True)
class Improvement:
    """A codeword of lower energy than any before, and the run that measured it.

    Attributes:
        run: its number, the first is 1.
        threshold: of its oracle; None for a run without one.
        oracle_calls: up to and with that run.
    """

    run: int
    threshold: int | None
    iterations: int
    oracle_calls: int
    found: Measurement


@dataclass(frozen=True)
class Settings:
    """Settings that must be equal for a search to be continued.

    Attributes:
        problem: the caller's fingerprint of what is minimised and of how it is sampled.
        size: codewords in the space.
        seed: of the search.
        lowest: a proven lower bound of the cost.
        start: a proven upper bound of the lowest cost, or None.
        at_least: a proven lower bound of the number of optimal codewords.
        confidence: at which to stop.
    """

    problem: str
    size: int
    seed: int
    lowest: int = 0
    start: int | None = None
    at_least: int = 1
    confidence: float = 0.999

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"the search space has {self.size} codewords; there must be at least 1")
        if not 0 < self.confidence < 1:
            raise InputError(f"the confidence is {self.confidence}; it must be above 0 and below 1")
        if not 1 <= self.at_least <= self.size:
            least = f"at least {self.at_least} solutions of {self.size} codewords"
            raise InputError(f"{least} cannot be; give a number from 1 to {self.size}")
        if self.start is not None and self.start < self.lowest:
            raise InputError(f"the cost to start from, {self.start}, is below the lowest possible, {self.lowest}")
        if self.seed < 0:
            raise InputError(f"the seed is {self.seed}; it must not be negative")


@dataclass(frozen=True)
class GasState:
    """The whole state of the search; with the settings it determines what comes next.

    Attributes:
        settings: see there.
        runs: made so far.
        oracle_calls: in all of them: their iterations, and one for each run.
        strays: how many of the latest runs in succession measured no codeword.
        threshold: the lowest cost measured (before that, one more than ``settings.start``); None before the first.
        best: the measured codeword of the lowest energy.
        stages: for each threshold the iterations of its runs that measured codewords; all but the last stage
            end with the run that found a lower cost.
        improvements: in the order of their runs.
    """

    settings: Settings
    runs: int = 0
    oracle_calls: int = 0
    strays: int = 0
    threshold: int | None = None
    best: Measurement | None = None
    stages: tuple[tuple[int, ...], ...] = ((),)
    improvements: tuple[Improvement, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; see ``from_dict``."""
        return {"version": VERSION, **unstructure(self)}

    @classmethod
    def from_dict(cls, data: Any) -> GasState:
        """The state that ``to_dict`` wrote.

        Raises:
            InputError: it is of another version, incomplete or contradicts itself.
        """
        version = data.get("version") if isinstance(data, dict) else None
        if type(version) is not int or version != VERSION:
            raise InputError(f"not a saved search of version {VERSION}; start the search afresh")
        fields = {name: value for name, value in data.items() if name != "version"}
        state = structure(fields, cls, "the saved search is damaged ({}); start it afresh")
        if unstructure(state) != fields:
            raise InputError("the saved search is damaged (a field is missing); start it afresh")
        _check(state)
        return state


def require_same(state: GasState, settings: Settings) -> None:
    """Refuse to continue another search.

    Raises:
        InputError: the state is of a search with other settings; the message names the first that differs.
    """
    for name, value in vars(settings).items():
        saved = getattr(state.settings, name)
        if saved != value:
            if name == "problem":
                raise InputError("the saved search is of another problem or of other options; start the search afresh")
            raise InputError(f"the saved search has {name} {saved}, not {value}; use that or start the search afresh")


def _check(state: GasState) -> None:
    """Check the properties of every reachable state on which the search relies."""
    judged = [iterations for stage in state.stages for iterations in stage]
    counts = (state.runs, state.oracle_calls, state.strays, *judged)
    begun = state.threshold is not None
    sound = (
        min(counts) >= 0
        and max(judged, default=0) <= state.settings.size
        and len(judged) + state.strays <= state.runs
        and sum(judged) + state.runs <= state.oracle_calls
        and len(state.stages) >= 1
        and all(state.stages[:-1])
        and (state.best is None) == (not state.improvements)
        and (begun or (state.best is None and not judged))
        and (state.threshold is None or state.threshold >= state.settings.lowest)
    )
    if not sound or (state.improvements and state.improvements[-1].found != state.best):
        raise InputError("the saved search is damaged (its counts contradict one another); start it afresh")
