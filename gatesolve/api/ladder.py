"""The ladder of deductions: how far presolve goes before a space fits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from gatesolve.api.options import Options
from gatesolve.encodings import Space, encodings, make_spaces
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError
from gatesolve.model import Level, Model
from gatesolve.model.presolve import PresolveSetting, Recovery, drop_unread, presolve
from gatesolve.model.presolve.branch import probe
from gatesolve.model.presolve.propagate import Event, deduce, stop_after
from gatesolve.oracle.levels import LEVELS, space_level
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.options import SPACE_LIMIT
from gatesolve.pipelines.task import Deductions, RungName

AIM = 1 << 20
"""States of the largest space that ``auto`` stops at."""
HOPELESS = 1 << 256
"""Codewords after propagation beyond which ``auto`` neither probes, nor eliminates variables, nor divides."""
SETTINGS: tuple[PresolveSetting, ...] = ("none", "propagate", "affine")
"""Of presolve, weakest first."""


@dataclass(frozen=True)
class Rung:
    """A model as far as presolve took it, and the spaces that it has then.

    Attributes:
        setting: that of presolve, or ``partial``.
        is_last: whether no rung comes after it.
        model: after presolve.
        recovery: back to the problem's variables.
        made: spaces of the encodings asked for, of whatever level.
        options: by which spaces are judged to fit.
        deductions: how many were made, where the rung is ``partial``.
        probes: values tried before it was found that no deductions are enough.
    """

    setting: RungName
    is_last: bool
    model: Model
    recovery: Recovery
    made: list[Space]
    options: Options
    deductions: Deductions | None = None
    probes: int = 0

    @cached_property
    def spaces(self) -> list[Space]:
        """Those within the level, whatever their size."""
        return [space for space in self.made if is_within_level(space, self.model, self.options)]

    @property
    def least(self) -> int:
        """States of the smallest space, whatever its qubits and its level."""
        return min(space.size for space in self.made)

    @property
    def fitting(self) -> list[Space]:
        """The spaces small enough to simulate, on no more qubits than are allowed."""
        return list_fitting(self.made, self.model, self.options)


@dataclass(frozen=True)
class Way:
    """How the ladder is climbed where any rung will do.

    Attributes:
        is_early: whether to stop at the first deductions that are enough. A circuit that is run whole, on a device or
            its simulator, is better off with all of them: it is narrower.
        divides: whether a problem of which no space fits is divided and searched in parts.
        searches_refuted: whether what propagation refutes is searched all the same, where the deductions before that
            are enough for a space to fit.
    """

    is_early: bool = True
    divides: bool = False
    searches_refuted: bool = False


def climb_ladder(model: Model, options: Options, clock: Clock, way: Way) -> Iterator[Rung]:
    """The model at each setting of presolve asked for; at the last tables are joined until a space fits.

    Where any will do, the first deductions that are enough for a space to fit come before all of ``propagate``, as
    ``partial``; those of probing too, where that setting is not enough. Where the problem can be divided nothing comes
    after these: what eliminates variables joins constraints, classical work that a divided search does without.
    """
    try:
        yield from _climb(model, options, clock, way)
    except InfeasibleError:
        first = stop_refuted(model, options) if way.searches_refuted and options.presolve == "auto" else None
        if first is None:
            raise
        yield first
        raise


def _climb(model: Model, options: Options, clock: Clock, way: Way) -> Iterator[Rung]:
    # Joining tables is a search of its own, so it comes only after all settings of presolve.
    for rung in climb_settings(model, options, clock, joined_to=space_limit(options)):
        if rung.setting != "propagate" or options.presolve != "auto":
            yield rung
            continue
        first, probes, is_hopeless = None, 0, rung.least > HOPELESS
        if way.is_early and not is_hopeless:
            with clock.stage("presolve"):
                events, probes = (list(deduce(model)), 0) if rung.fitting else _probe(model)
                first = stop_early(model, events, options, probes)
        if rung.fitting and first is not None:
            yield first
        ends = way.divides or is_hopeless
        yield replace(rung, is_last=ends and (first is None or bool(rung.fitting)), probes=probes)
        if not rung.fitting and first is not None:
            yield replace(first, is_last=ends)
        if ends:
            return


def _probe(model: Model) -> tuple[list[Event], int]:
    """The deductions of probing, and how many values were tried for them."""
    events, walk = list[Event](), probe(model)
    while True:
        try:
            events.append(next(walk))
        except StopIteration as end:
            return events, end.value
        except InfeasibleError as error:
            error.presolve = "probing"
            raise


def climb_settings(
    model: Model,
    options: Options,
    clock: Clock,
    settings: Sequence[PresolveSetting] = SETTINGS,
    joined_to: int | None = None,
) -> Iterator[Rung]:
    """The model at each setting of presolve asked for; at the last tables are joined until a space is so small."""
    asked = [setting for setting in settings if options.presolve in ("auto", setting)]
    for setting in asked:
        is_last = setting == asked[-1]
        with clock.stage("presolve"):
            read, unread = (model, Recovery(tuple(model.domains))) if setting == "none" else _narrow(model, options)
            smaller, recovery = presolve(read, setting)
            recovery = unread.then(recovery)
            spaces = make_all(smaller, options, joined_to if is_last else None)
        yield Rung(setting, is_last, smaller, recovery, spaces, options)


def stop_early(model: Model, events: Sequence[Event], options: Options, probes: int = 0) -> Rung | None:
    """The first deductions that are enough for a space to fit; None where all are not, or none are needed.

    ``probes`` says how many values were tried to find them.
    """
    rungs: dict[int, Rung] = {}

    def take(number: int) -> Rung:
        if number not in rungs:
            rungs[number] = take_first(model, events[:number], options)
        return rungs[number]

    if not events or not take(len(events)).fitting:
        return None
    # From the end, where models are small and quick to encode, in longer and longer steps.
    enough, step = len(events), 1
    while enough and take(short := max(enough - step, 0)).fitting:
        enough, step = short, 2 * step
    if enough == 0:
        return None
    while enough - short > 1:
        tried = (enough + short) // 2
        short, enough = (short, tried) if take(tried).fitting else (tried, enough)
    counted = Deductions(enough, len(events), take(enough).least, _least_narrow(take(short), options), probes)
    return replace(take(enough), deductions=counted)


def stop_refuted(model: Model, options: Options) -> Rung | None:
    """The first deductions that are enough for a space to fit, of those before the one that refutes the model."""
    events: list[Event] = []
    with suppress(InfeasibleError):
        events.extend(deduce(model))  # keeps what comes before an error
    while events:
        with suppress(InfeasibleError):
            return stop_early(model, events, options)
        events.pop()
    return None


def _least_narrow(rung: Rung, options: Options) -> int:
    """States of the smallest space on no more qubits than are allowed; 0 where there is none."""
    return min((space.size for space in list_narrow(rung.spaces, options)), default=0)


def take_first(model: Model, events: Sequence[Event], options: Options) -> Rung:
    """The rung after some deductions."""
    try:
        read, unread = _narrow(model, options)
        smaller, recovery = stop_after(read, events)
    except InfeasibleError as error:
        error.presolve = "propagate"
        raise
    return Rung("partial", False, smaller, unread.then(recovery), make_all(smaller, options, None), options)


def _narrow(model: Model, options: Options) -> tuple[Model, Recovery]:
    """Drop variables that nothing reads, which loses solutions, from a model that may be too large with them."""
    fits = model.num_assignments <= space_limit(options)
    return (model, Recovery(tuple(model.domains))) if fits else drop_unread(model)


def space_limit(options: Options) -> int:
    """States of the largest space to simulate."""
    if options.max_space is not None:
        return options.max_space
    return AIM if options.presolve == "auto" else SPACE_LIMIT


def list_fitting(spaces: Sequence[Space], model: Model, options: Options) -> list[Space]:
    """The spaces small enough to simulate, on no more qubits than are allowed, within the level.

    Of most spaces the size says enough; to find the level can take long.
    """
    small = [space for space in list_narrow(spaces, options) if space.size <= space_limit(options)]
    return [space for space in small if is_within_level(space, model, options)]


def list_narrow(spaces: Sequence[Space], options: Options) -> list[Space]:
    """The spaces on no more qubits than are allowed, however many states they have."""
    return [space for space in spaces if options.max_qubits is None or space.num_qubits <= options.max_qubits]


def ceiling(options: Options) -> Level:
    """The level beyond which ``auto`` offers no space."""
    return "classical" if options.oracle == "classical" else options.level


def encode_all(model: Model, options: Options, fits: int | None) -> list[Space]:
    """The spaces of the encoding asked for; for ``auto`` of every one that takes the model, within the level."""
    return [space for space in make_all(model, options, fits) if is_within_level(space, model, options)]


def is_within_level(space: Space, model: Model, options: Options) -> bool:
    """Whether a space is of the level asked for: a table that presolve joined is not of one level with the others."""
    if options.encoding != "auto":
        return True
    return LEVELS.index(space_level(space, model)) <= LEVELS.index(ceiling(options))


def make_all(model: Model, options: Options, fits: int | None) -> list[Space]:
    """Return all spaces of the requested encodings, including those above the allowed level."""
    level = ceiling(options)
    if options.encoding != "auto":
        return make_spaces(model, options.encoding, fits, level)
    spaces: list[Space] = []
    for kind in encodings():
        with suppress(DoesNotFitError, InputError):  # an encoding of another package need not take every domain
            spaces += make_spaces(model, kind, fits if level == "classical" else None, level)
    return spaces


def describe_space(size: int) -> str:
    """Its states as a power of two: ``2^24``, ``2^19.4``."""
    return f"2^{math.log2(size):.1f}".removesuffix(".0")
