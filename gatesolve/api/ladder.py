"""The ladder of deductions: how far presolve goes before a space fits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from gatesolve.api.options import Options
from gatesolve.encodings import Space, encodings, make_spaces
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError
from gatesolve.model import Level, Model
from gatesolve.model.presolve import PresolveSetting, Recovery, presolve
from gatesolve.model.presolve.probe import probe
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
        spaces: of the encodings asked for.
        options: by which spaces are judged to fit.
        deductions: how many were made, where the rung is ``partial``.
    """

    setting: RungName
    is_last: bool
    model: Model
    recovery: Recovery
    spaces: list[Space]
    options: Options
    deductions: Deductions | None = None

    @property
    def least(self) -> int:
        """States of the smallest space, whatever its qubits."""
        return min(space.size for space in self.spaces)

    @property
    def fitting(self) -> list[Space]:
        """The spaces small enough to simulate, on no more qubits than are allowed."""
        return list_fitting(self.spaces, self.options)


@dataclass(frozen=True)
class Way:
    """How the ladder is climbed where any rung will do.

    Attributes:
        is_early: whether to stop at the first deductions that are enough. A circuit that is run whole, on a device or
            its simulator, is better off with all of them: it is narrower.
        divides: whether a problem of which no space fits is divided and searched in parts.
        keeps_refutable: whether what propagation refutes is searched all the same, where the deductions before that
            are enough for a space to fit.
    """

    is_early: bool = True
    divides: bool = False
    keeps_refutable: bool = False


def climb_ladder(model: Model, options: Options, clock: Clock, way: Way) -> Iterator[Rung]:
    """The model at each setting of presolve asked for; at the last tables are joined until a space fits.

    Where any will do, the first deductions that are enough for a space to fit come before all of ``propagate``, as
    ``partial``; those of probing too, where that setting is not enough. Where the problem can be divided nothing comes
    after these: what eliminates variables joins constraints, classical work that a divided search does without.
    """
    try:
        yield from _climb(model, options, clock, way)
    except InfeasibleError:
        first = stop_refuted(model, options) if way.keeps_refutable and options.presolve == "auto" else None
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
        first, is_hopeless = None, rung.least > HOPELESS
        if way.is_early and not is_hopeless:
            with clock.stage("presolve"):
                first = stop_early(model, list(deduce(model) if rung.fitting else _probe(model)), options)
        if rung.fitting and first is not None:
            yield first
        ends = way.divides or is_hopeless
        yield replace(rung, is_last=ends and (first is None or bool(rung.fitting)))
        if not rung.fitting and first is not None:
            yield replace(first, is_last=ends)
        if ends:
            return


def _probe(model: Model) -> Iterator[Event]:
    try:
        yield from probe(model)
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
            smaller, recovery = presolve(model, setting)
            spaces = encode_all(smaller, options, joined_to if is_last else None)
        yield Rung(setting, is_last, smaller, recovery, spaces, options)


def stop_early(model: Model, events: Sequence[Event], options: Options) -> Rung | None:
    """The first deductions that are enough for a space to fit; None where all are not, or none are needed."""
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
    counted = Deductions(enough, len(events), take(enough).least, _least_narrow(take(short), options))
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
        smaller, recovery = stop_after(model, events)
    except InfeasibleError as error:
        error.presolve = "propagate"
        raise
    return Rung("partial", False, smaller, recovery, encode_all(smaller, options, None), options)


def space_limit(options: Options) -> int:
    """States of the largest space to simulate."""
    if options.max_space is not None:
        return options.max_space
    return AIM if options.presolve == "auto" else SPACE_LIMIT


def list_fitting(spaces: Sequence[Space], options: Options) -> list[Space]:
    """The spaces small enough to simulate, on no more qubits than are allowed."""
    return [space for space in list_narrow(spaces, options) if space.size <= space_limit(options)]


def list_narrow(spaces: Sequence[Space], options: Options) -> list[Space]:
    """The spaces on no more qubits than are allowed, however many states they have."""
    return [space for space in spaces if options.max_qubits is None or space.num_qubits <= options.max_qubits]


def ceiling(options: Options) -> Level:
    """The level beyond which ``auto`` offers no space."""
    return "classical" if options.oracle == "classical" else options.level


def encode_all(model: Model, options: Options, fits: int | None) -> list[Space]:
    """The spaces of the encoding asked for; for ``auto`` of every one that takes the model, within the level."""
    level = ceiling(options)
    if options.encoding != "auto":
        return make_spaces(model, options.encoding, fits, level)
    spaces: list[Space] = []
    for kind in encodings():
        with suppress(DoesNotFitError, InputError):  # an encoding of another package need not take every domain
            spaces += make_spaces(model, kind, fits if level == "classical" else None, level)
    # A table that presolve joined is one constraint of its model, but not of one level with the others.
    return [space for space in spaces if LEVELS.index(space_level(space, model)) <= LEVELS.index(level)]


def describe_space(size: int) -> str:
    """Its states as a power of two: ``2^24``, ``2^19.4``."""
    return f"2^{math.log2(size):.1f}".removesuffix(".0")
