"""The ladder of deductions: how far presolve goes before a space fits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from gatesolve.encodings import Space, encodings, make_spaces
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError
from gatesolve.model import Model
from gatesolve.model.presolve import PresolveSetting, Recovery, drop_unread, presolve
from gatesolve.model.presolve.branch import probe
from gatesolve.model.presolve.propagate import Event, deduce, stop_after
from gatesolve.oracle.levels import LEVELS, space_level
from gatesolve.planning.clock import Clock
from gatesolve.planning.layout import SpaceLimits
from gatesolve.programs.provenance import Deductions, RungName

HOPELESS = 1 << 256
"""Codewords after propagation beyond which ``auto`` neither probes, nor eliminates variables, nor divides."""
SETTINGS: tuple[PresolveSetting, ...] = ("none", "propagate", "affine")
"""Settings of presolve, weakest first."""


@dataclass(frozen=True)
class Rung:
    """A model as far as presolve took it, and the spaces that it has then.

    Attributes:
        setting: that of presolve, or ``partial``.
        is_last: whether no rung comes after it.
        model: after presolve.
        recovery: back to the problem's variables.
        made: spaces of the requested encodings, at every level.
        limits: decide whether a space fits.
        deductions: how many were made, where the rung is ``partial``.
        probes: values tried before it was found that no deductions are enough.
    """

    setting: RungName
    is_last: bool
    model: Model
    recovery: Recovery
    made: list[Space]
    limits: SpaceLimits
    deductions: Deductions | None = None
    probes: int = 0

    @cached_property
    def spaces(self) -> list[Space]:
        """Spaces of an allowed level, of any size."""
        return [space for space in self.made if is_within_level(space, self.model, self.limits)]

    @property
    def least(self) -> int:
        """States of the smallest space, of any width and level."""
        return min(space.size for space in self.made)

    @property
    def fitting(self) -> list[Space]:
        """The spaces small enough to simulate, on no more qubits than are allowed."""
        return list_fitting(self.made, self.model, self.limits)


def climb_ladder(model: Model, limits: SpaceLimits, clock: Clock) -> Iterator[Rung]:
    """Yield the model at each requested setting of presolve; at the last one tables are joined until a space fits.

    With ``auto``, a rung ``partial`` makes only the first deductions that let a space fit, by propagation or else by
    probing. Where the problem can be divided, no rung follows ``propagate`` and ``partial``.

    Raises:
        InfeasibleError: the model is proven to have no solution.
    """
    try:
        yield from _climb(model, limits, clock)
    except InfeasibleError:
        # The deductions before the contradiction make a rung that can be searched. The error comes after it.
        first = stop_refuted(model, limits) if limits.searches_refuted and limits.presolve == "auto" else None
        if first is None:
            raise
        yield first
        raise


def _climb(model: Model, limits: SpaceLimits, clock: Clock) -> Iterator[Rung]:
    # Joining tables is a search of its own, so it comes only after all settings of presolve.
    for rung in climb_settings(model, limits, clock, joined_to=limits.most_states):
        if rung.setting != "propagate" or limits.presolve != "auto":
            yield rung
            continue
        first, probes, is_hopeless = None, 0, rung.least > HOPELESS
        if limits.is_early and not is_hopeless:
            with clock.stage("presolve"):
                events, probes = (list(deduce(model)), 0) if rung.fitting else _probe(model)
                first = stop_early(model, events, limits, probes)
        if rung.fitting and first is not None:
            yield first
        # Eliminating variables joins constraints, which is classical work that a divided search for any solution does
        # without.
        ends = (limits.divides and model.objective is None) or is_hopeless
        # ``partial`` comes before a rung that fits. Else it comes from probing, which goes further, and follows it.
        yield replace(rung, is_last=ends and (first is None or bool(rung.fitting)), probes=probes)
        if not rung.fitting and first is not None:
            yield replace(first, is_last=ends)
        if ends:
            return


def _probe(model: Model) -> tuple[list[Event], int]:
    """Return the deductions of probing, and how many values were tried for them."""
    events, walk = list[Event](), probe(model)
    # The number of values is what the generator returns at its end, which a ``for`` loop would drop.
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
    limits: SpaceLimits,
    clock: Clock,
    settings: Sequence[PresolveSetting] = SETTINGS,
    joined_to: int | None = None,
) -> Iterator[Rung]:
    """Yield the model at each requested setting of presolve; the last joins tables down to ``joined_to`` states."""
    asked = [setting for setting in settings if limits.presolve in ("auto", setting)]
    for setting in asked:
        is_last = setting == asked[-1]
        with clock.stage("presolve"):
            read, unread = (model, Recovery(tuple(model.domains))) if setting == "none" else _narrow(model, limits)
            smaller, recovery = presolve(read, setting)
            recovery = unread.then(recovery)
            spaces = make_all(smaller, limits, joined_to if is_last else None)
        yield Rung(setting, is_last, smaller, recovery, spaces, limits)


def stop_early(model: Model, events: Sequence[Event], limits: SpaceLimits, probes: int = 0) -> Rung | None:
    """Return the rung of the first deductions that let a space fit; None where all are not enough, or none is needed.

    ``probes`` says how many values were tried to find them.
    """
    rungs: dict[int, Rung] = {}

    def take(number: int) -> Rung:
        if number not in rungs:
            try:
                read, unread = _narrow(model, limits)
                smaller, recovery = stop_after(read, events[:number])
            except InfeasibleError as error:
                error.presolve = "propagate"
                raise
            spaces = make_all(smaller, limits, None)
            rungs[number] = Rung("partial", False, smaller, unread.then(recovery), spaces, limits)
        return rungs[number]

    if not events or not take(len(events)).fitting:
        return None
    # Steps double from the end, where models are small and quick to encode. Then bisection keeps ``short`` too short
    # and ``enough`` enough.
    enough, step = len(events), 1
    while enough and take(short := max(enough - step, 0)).fitting:
        enough, step = short, 2 * step
    if enough == 0:
        return None
    while enough - short > 1:
        tried = (enough + short) // 2
        short, enough = (short, tried) if take(tried).fitting else (tried, enough)
    before = min((space.size for space in limits.list_narrow(take(short).spaces)), default=0)
    counted = Deductions(enough, len(events), take(enough).least, before, probes)
    return replace(take(enough), deductions=counted)


def stop_refuted(model: Model, limits: SpaceLimits) -> Rung | None:
    """Return the rung of the first deductions that let a space fit, before the one that refutes the model."""
    events: list[Event] = []
    with suppress(InfeasibleError):
        # ``extend`` keeps the deductions that come before the error.
        events.extend(deduce(model))
    while events:
        with suppress(InfeasibleError):
            return stop_early(model, events, limits)
        events.pop()
    return None


def _narrow(model: Model, limits: SpaceLimits) -> tuple[Model, Recovery]:
    # Dropping variables that nothing reads loses solutions, so only a model that would be too large loses them.
    fits = model.num_assignments <= limits.most_states
    return (model, Recovery(tuple(model.domains))) if fits else drop_unread(model)


def list_fitting(spaces: Sequence[Space], model: Model, limits: SpaceLimits) -> list[Space]:
    """Return the spaces of an allowed level that are small enough to simulate, on no more qubits than are allowed."""
    # The size rules out most spaces quickly; finding the level can take long.
    small = [space for space in limits.list_narrow(spaces) if space.size <= limits.most_states]
    return [space for space in small if is_within_level(space, model, limits)]


def encode_all(model: Model, limits: SpaceLimits, fits: int | None) -> list[Space]:
    """Return the spaces within the level of the requested encoding; for ``auto`` of each that takes the model."""
    return [space for space in make_all(model, limits, fits) if is_within_level(space, model, limits)]


def is_within_level(space: Space, model: Model, limits: SpaceLimits) -> bool:
    """Return whether the level of a space is allowed; it always is where an encoding was asked for."""
    if limits.encoding != "auto":
        return True
    # A table that presolve joined may be of a higher level than the other blocks.
    return LEVELS.index(space_level(space, model)) <= LEVELS.index(limits.level)


def make_all(model: Model, limits: SpaceLimits, fits: int | None) -> list[Space]:
    """Return all spaces of the requested encodings, including those above the allowed level."""
    level = limits.level
    if limits.encoding != "auto":
        return make_spaces(model, limits.encoding, fits, level)
    spaces: list[Space] = []
    for kind in encodings():
        # An encoding of another package need not take every domain.
        with suppress(DoesNotFitError, InputError):
            spaces += make_spaces(model, kind, fits if level == "classical" else None, level)
    return spaces


def describe_space(size: int) -> str:
    """Format a number of states as a power of two: ``2^24``, ``2^19.4``."""
    return f"2^{math.log2(size):.1f}".removesuffix(".0")


def explain_empty_circuit(model: Model, setting: str, limits: SpaceLimits) -> str:
    """Return the note where presolve left no circuit, with the first weaker setting that leaves one."""
    said = f"nothing was left to search after presolve {setting}, so the circuit has no qubits"
    for weaker in SETTINGS[: SETTINGS.index("propagate" if setting == "partial" else setting)]:
        smaller, _ = presolve(model, weaker)
        for encoding in dict.fromkeys((limits.encoding, "one-hot")):
            chosen = replace(limits, encoding=encoding)
            sizes = [s.size for s in list_fitting(make_all(smaller, chosen, limits.most_states), smaller, chosen)]
            # A joint table may hold nothing but the solution.
            if sizes and min(sizes) > 1:
                also = "" if encoding == limits.encoding else f" and encoding='{encoding}'"
                return f"{said}: use presolve='{weaker}'{also} for one that searches"
    return said
