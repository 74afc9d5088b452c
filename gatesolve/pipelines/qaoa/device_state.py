"""What tuning QAOA's angles on a device asks for and is told, and their form as plain dictionaries (JSON)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

import numpy as np

from gatesolve.errors import InputError
from gatesolve.model.content import content_key
from gatesolve.pipelines.qaoa.angles import Angles, Schedule, Units

VERSION = 1
"""Of the dictionaries' form; others are refused."""
Aim = Literal["gibbs", "cvar", "mean"]
AIMS: tuple[Aim, ...] = get_args(Aim)
Kind = Literal["scan", "explore", "compare", "final"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Rows = tuple[tuple[float, ...], ...]
"""A schedule as plain numbers: (layers, 2), or (layers, 1 + mixers)."""
MOST_ROUNDS, MOST_BATCH, MOST_NUMBERS = 1_000, 1_000, 100_000
LARGEST = 1 << 62
"""Of levels, on either side of 0."""
CLOSE = 1e-6
"""Angles asked for again may differ by as much, from one machine's arithmetic to another's."""


@dataclass(frozen=True)
class TuningPlan:
    """All that determines a search for angles, but what the device measures.

    Attributes:
        problem: the caller's fingerprint of problem, options and device.
        schedule: where to start, without units: the exactly simulated angles.
        spread: unit of the gammas, as in ``Units``.
        mixers: units of the betas, one a mixer.
        aim: what is made small: ``gibbs``, ``cvar`` or ``mean`` of the level.
        factor: eta of ``gibbs``, in whole units of a level; the fraction of ``cvar``; of no meaning for ``mean``.
        rounds: in which angles are varied; one that compares and one with the best angles follow.
        batch: circuits of a round, at most: for each direction two, and the centre.
        shots: of each circuit but the last.
        final_shots: of the last.
        radius: how far angles are varied at first, as a share of themselves.
        seed: of the directions.
    """

    problem: str
    schedule: Rows
    spread: float
    mixers: tuple[float, ...]
    aim: Aim = "gibbs"
    factor: float = 1.0
    rounds: int = 4
    batch: int = 9
    shots: int = 1024
    final_shots: int = 4096
    radius: float = 0.25
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what no search can be made of."""
        widths = {len(row) for row in self.schedule}
        if not self.schedule or widths not in ({2}, {1 + len(self.mixers)}):
            raise InputError("a schedule to tune has a row for each layer, of a gamma and one beta, or one a mixer")
        if not all(math.isfinite(x) for row in (*self.schedule, self.mixers, (self.spread, self.factor)) for x in row):
            raise InputError("an angle to start from, or its unit, is not a finite number")
        if self.aim not in AIMS:
            raise InputError(f"the aim is {self.aim!r}; it must be one of {', '.join(AIMS)}")
        if self.factor <= 0 or (self.aim == "cvar" and self.factor > 1):
            raise InputError(f"the factor of {self.aim} is {self.factor}; it is above 0, and of cvar at most 1")
        for name, value, least, most in (
            ("rounds", self.rounds, 0, MOST_ROUNDS),
            ("batch", self.batch, 3, MOST_BATCH),
            ("shots", self.shots, 1, 1 << 31),
            ("final_shots", self.final_shots, 1, 1 << 31),
            ("seed", self.seed, 0, 1 << 63),
        ):
            if not least <= value <= most:
                raise InputError(f"{name} is {value}; it must be from {least} to {most}")
        if not 0 < self.radius <= 1:
            raise InputError(f"the radius is {self.radius}; it must be above 0 and at most 1")

    @classmethod
    def of(cls, problem: str, schedule: Schedule, units: Units, **choices: Any) -> TuningPlan:
        """A plan that starts from a schedule and its units, as ``qaoa_optimise.choose`` returns them."""
        rows = tuple(tuple(float(x) for x in row) for row in schedule)
        return cls(problem, rows, float(units.spread), tuple(map(float, units.mixers)), **choices)

    def angles(self, rows: Rows) -> Angles:
        """The angles of a schedule in radians, for ``QaoaPlan.program``."""
        return Units(self.spread, self.mixers).angles(np.array(rows, dtype=np.float64))

    def key(self) -> str:
        """A fingerprint: equal for equal plans alone."""
        return content_key(self)

    def to_dict(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; see ``from_dict``."""
        return {"version": VERSION, **vars(self), "schedule": _lists(self.schedule), "mixers": list(self.mixers)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TuningPlan:
        """The plan that ``to_dict`` wrote.

        Raises:
            InputError: it is of another version, damaged, or no search can be made of it.
        """
        return cast(TuningPlan, _read(data, _plan, "plan"))


@dataclass(frozen=True)
class Request:
    """The circuits of one round, to be run as one batch.

    Attributes:
        search: the plan's fingerprint.
        round: its number, the first is 0.
        kind: ``scan`` (gammas and betas larger and smaller), ``explore`` (the centre first, then pairs
            about it), ``compare`` (centres) or ``final`` (the best).
        schedules: one a circuit; ``TuningPlan.angles`` turns each into angles.
        shots: of each circuit.
    """

    search: str
    round: int
    kind: Kind
    schedules: tuple[Rows, ...]
    shots: int

    def to_dict(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; see ``from_dict``."""
        return {"version": VERSION, **vars(self), "schedules": [_lists(rows) for rows in self.schedules]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Request:
        """The request that ``to_dict`` wrote.

        Raises:
            InputError: it is of another version, or damaged.
        """
        return cast(Request, _read(data, _request, "request"))

    def same(self, other: Request) -> bool:
        """Whether both ask for the same, up to the rounding of angles."""
        if (self.search, self.round, self.kind, self.shots) != (other.search, other.round, other.kind, other.shots):
            return False
        if [[len(row) for row in rows] for rows in self.schedules] != [[len(r) for r in s] for s in other.schedules]:
            return False
        pairs = zip(_flat(self.schedules), _flat(other.schedules), strict=True)
        return all(abs(mine - theirs) <= CLOSE for mine, theirs in pairs)


@dataclass(frozen=True)
class Outcome:
    """What a round measured.

    Attributes:
        request: what was asked for.
        levels: for each circuit pairs of a level and its shots, the lowest first; the other shots were no codewords.
    """

    request: Request
    levels: tuple[tuple[tuple[int, int], ...], ...]

    def __post_init__(self) -> None:
        """One entry a circuit, and no more shots than asked for."""
        if len(self.levels) != len(self.request.schedules):
            raise InputError(f"{len(self.levels)} results for {len(self.request.schedules)} circuits: give one each")
        for pairs in self.levels:
            known = [level for level, _ in pairs]
            if known != sorted(set(known)) or any(shots <= 0 or abs(level) > LARGEST for level, shots in pairs):
                raise InputError("the levels of a circuit are in order, each once, with the shots it had")
            if sum(shots for _, shots in pairs) > self.request.shots:
                raise InputError(f"more shots were measured than the {self.request.shots} asked for")

    @classmethod
    def of(cls, request: Request, measured: Sequence[Mapping[int, int]]) -> Outcome:
        """From shots by level, for each circuit of the request."""
        return cls(request, tuple(tuple(sorted((k, n) for k, n in counts.items() if n)) for counts in measured))

    def to_dict(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; see ``from_dict``."""
        return {"request": self.request.to_dict(), "levels": [[list(pair) for pair in pairs] for pairs in self.levels]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Outcome:
        """The outcome that ``to_dict`` wrote.

        Raises:
            InputError: it is of another version, damaged, or contradicts itself.
        """
        return cast(Outcome, _read(data, _outcome, "outcome"))


def _read(data: object, build: Any, what: str) -> Any:
    try:
        return build(data)
    except InputError as fault:
        raise InputError(f"the saved {what} of angle tuning is damaged ({fault}); start it afresh") from fault
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as fault:
        text = " ".join(str(fault).split())[:200]
        raise InputError(
            f"the saved {what} of angle tuning is damaged ({type(fault).__name__}: {text}); start it afresh"
        ) from fault


def _plan(data: Mapping[str, Any]) -> TuningPlan:
    _check_version(data)
    return TuningPlan(
        _text(data["problem"]),
        _rows(data["schedule"]),
        _number(data["spread"]),
        tuple(_number(x) for x in _list(data["mixers"])),
        cast(Aim, _text(data["aim"])),
        _number(data["factor"]),
        _whole(data["rounds"]),
        _whole(data["batch"]),
        _whole(data["shots"]),
        _whole(data["final_shots"]),
        _number(data["radius"]),
        _whole(data["seed"]),
    )


def _request(data: Mapping[str, Any]) -> Request:
    _check_version(data)
    if data["kind"] not in KINDS:
        raise ValueError(f"{str(data['kind'])[:40]!r} is no kind of round")
    schedules = tuple(_rows(rows) for rows in _list(data["schedules"]))
    return Request(_text(data["search"]), _whole(data["round"]), data["kind"], schedules, _whole(data["shots"]))


def _outcome(data: Mapping[str, Any]) -> Outcome:
    levels = [[_list(pair) for pair in _list(pairs)] for pairs in _list(data["levels"])]
    pairs = tuple(tuple((_whole(level), _whole(shots)) for level, shots in circuit) for circuit in levels)
    return Outcome(_request(data["request"]), pairs)


def _check_version(data: Mapping[str, Any]) -> None:
    version = data["version"]
    if version != VERSION or isinstance(version, bool):
        raise ValueError(f"version {str(version)[:20]}, not {VERSION}")


def _rows(data: object) -> Rows:
    rows = tuple(tuple(_number(x) for x in _list(row)) for row in _list(data))
    if not all(math.isfinite(x) for row in rows for x in row):
        raise ValueError("an angle is not a finite number")
    return rows


def _list(value: object) -> list[Any]:
    if not isinstance(value, list) or len(value) > MOST_NUMBERS:
        raise TypeError("a list is missing, or too long")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{str(value)[:40]!r} is not a whole number")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{str(value)[:40]!r} is not a number")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:40]!r} is not a text")
    return value


def _lists(rows: Rows) -> list[list[float]]:
    return [list(row) for row in rows]


def _flat(schedules: Sequence[Rows]) -> list[float]:
    return [x for rows in schedules for row in rows for x in row]
