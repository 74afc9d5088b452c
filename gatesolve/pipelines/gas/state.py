"""What Grover Adaptive Search knows between two runs, and its form as a plain dictionary (JSON)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gatesolve.errors import InputError

VERSION = 1
"""Of the dictionary's form; older and newer ones are refused."""


@dataclass(frozen=True)
class Measurement:
    """What one run measured.

    Attributes:
        key: the state, as the caller names it.
        level: what the oracle compares with thresholds; None if the state is no codeword.
        energy: the true energy (of no meaning where ``level`` is None).
    """

    key: int | str
    level: int | None
    energy: Fraction


@dataclass(frozen=True)
class Improvement:
    """A codeword of lower energy than any before.

    Attributes:
        run: the number of the run that measured it, the first is 1.
        threshold: of that run's oracle; None for a run without one.
        iterations: of that run.
        oracle_calls: up to and with that run.
        found: the measurement.
    """

    run: int
    threshold: int | None
    iterations: int
    oracle_calls: int
    found: Measurement


@dataclass(frozen=True)
class Settings:
    """What must be the same for a search to be continued.

    Attributes:
        problem: the caller's fingerprint of what is minimised and of how it is sampled.
        size: codewords in the space.
        seed: of the search.
        lowest: a proven lower bound of the level.
        start: a proven upper bound of the lowest level, or None.
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
            raise InputError(f"the level to start from, {self.start}, is below the lowest possible, {self.lowest}")
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
        threshold: the lowest level measured (before that, one more than ``settings.start``); None before the first.
        best: the measured codeword of the lowest energy.
        stages: for each threshold the iterations of its runs that measured codewords; all but the last stage
            end with the run that found a lower level.
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
        return {
            "version": VERSION,
            "settings": dict(vars(self.settings)),
            "runs": self.runs,
            "oracle_calls": self.oracle_calls,
            "strays": self.strays,
            "threshold": self.threshold,
            "best": None if self.best is None else _measurement_dict(self.best),
            "stages": [list(stage) for stage in self.stages],
            "improvements": [
                {
                    "run": step.run,
                    "threshold": step.threshold,
                    "iterations": step.iterations,
                    "oracle_calls": step.oracle_calls,
                    "found": _measurement_dict(step.found),
                }
                for step in self.improvements
            ],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GasState:
        """The state that ``to_dict`` wrote.

        Raises:
            InputError: it is of another version, incomplete or contradicts itself.
        """
        version = data.get("version") if isinstance(data, Mapping) else None
        if version != VERSION or isinstance(version, bool):
            raise InputError(f"not a saved search of version {VERSION}; start the search afresh")
        try:
            state = _read_state(data)
        except InputError as fault:
            raise InputError(f"the saved search is damaged ({fault}); start it afresh") from fault
        except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError) as fault:
            text = " ".join(str(fault).split())
            raise InputError(
                f"the saved search is damaged ({type(fault).__name__}: {text}); start it afresh"
            ) from fault
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


def _measurement_dict(measurement: Measurement) -> dict[str, Any]:
    return {"key": measurement.key, "level": measurement.level, "energy": str(measurement.energy)}


def _read_state(data: Mapping[str, Any]) -> GasState:
    settings = data["settings"]
    return GasState(
        settings=Settings(
            problem=_text(settings["problem"]),
            size=_whole(settings["size"]),
            seed=_whole(settings["seed"]),
            lowest=_whole(settings["lowest"]),
            start=_whole_or_none(settings["start"]),
            at_least=_whole(settings["at_least"]),
            confidence=_number(settings["confidence"]),
        ),
        runs=_whole(data["runs"]),
        oracle_calls=_whole(data["oracle_calls"]),
        strays=_whole(data["strays"]),
        threshold=_whole_or_none(data["threshold"]),
        best=None if data["best"] is None else _read_measurement(data["best"]),
        stages=tuple(tuple(_whole(iterations) for iterations in stage) for stage in data["stages"]),
        improvements=tuple(_read_improvement(step) for step in data["improvements"]),
    )


def _read_improvement(data: Mapping[str, Any]) -> Improvement:
    return Improvement(
        run=_whole(data["run"]),
        threshold=_whole_or_none(data["threshold"]),
        iterations=_whole(data["iterations"]),
        oracle_calls=_whole(data["oracle_calls"]),
        found=_read_measurement(data["found"]),
    )


def _read_measurement(data: Mapping[str, Any]) -> Measurement:
    key = data["key"]
    if not isinstance(key, str):
        key = _whole(key)
    energy = _text(data["energy"])
    # Fraction itself would take "1e999999999", and take for ever.
    if not re.fullmatch(r"-?[0-9]+(/[0-9]+)?", energy):
        raise ValueError(f"{energy[:40]!r} is not an energy")
    return Measurement(key, _whole(data["level"]), Fraction(energy))


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _whole_or_none(value: object) -> int | None:
    return None if value is None else _whole(value)


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _check(state: GasState) -> None:
    """What every state that a search reaches fulfils, as far as the search relies on it."""
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
