"""Choosing the presolve setting and the space: the first setting that fits, the space whose search is cheapest."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from gatesolve.api.options import Options
from gatesolve.encodings import Space, encoding_label, encodings, make_spaces, unenforced_constraints
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InputError
from gatesolve.model import Level, Model
from gatesolve.model.presolve import PresolveSetting, Recovery, presolve
from gatesolve.oracle.levels import LEVELS, space_level
from gatesolve.oracle.synthesise import WINDOW_ROWS
from gatesolve.oracle.window import choose_projections, num_rows
from gatesolve.pipelines.certify import SPACE_LIMIT
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.objective import search_key
from gatesolve.pipelines.task import Builder, Encoded, Judge

Made = TypeVar("Made")
Cost = TypeVar("Cost", float, tuple[float, float])
HOPELESS = 1 << 256
"""Codewords after propagation beyond which ``auto`` does not try to eliminate variables too."""
WORK_LIMIT = 1 << 19
"""Rows of truth tables from which a further space is not tried, once one has an oracle."""

SETTINGS: tuple[PresolveSetting, ...] = ("none", "propagate", "affine")
"""Of presolve, weakest first."""


@dataclass(frozen=True)
class Rung:
    """A model as far as presolve took it at a setting, and the spaces that it has then."""

    setting: PresolveSetting
    is_last: bool
    model: Model
    recovery: Recovery
    spaces: list[Space]

    @property
    def fitting(self) -> list[Space]:
        """The spaces small enough to simulate."""
        return [space for space in self.spaces if space.size <= SPACE_LIMIT]


def choose_space(
    options: Options,
    clock: Clock,
    model: Model,
    builder: Callable[[Model], Builder],
    judge: Judge,
    is_run: bool,
) -> Encoded:
    """The presolve setting asked for, or the first at which a space fits and its oracle can be built.

    ``builder`` takes the presolved model and says how the oracle of one of its spaces is made; ``judge`` says of which
    level that is. Where no space can be simulated, and the circuit ``is_run``, it is refused; else the setting with the
    smallest space is taken.
    """

    def encode(rung: Rung, spaces: list[Space], notes: Sequence[str]) -> Encoded:
        with clock.stage("oracle") as report:
            space, oracle = find_cheapest(
                rung.model,
                spaces,
                builder(rung.model),
                lambda space: search_key(space, None, options.objective),
                lambda space, oracle: search_key(space, oracle, options.objective),
                report,
            )
        level, beyond = judge(rung.model, space, oracle)
        if rung.recovery.joins and level != "classical":
            said = "presolve removed variables by listing what satisfies several constraints together"
            level, beyond = "classical", (*beyond, f"{said}: the level is classical")
        return Encoded(rung.model, rung.recovery, rung.setting, space, oracle, level, (*notes, *beyond))

    notes: list[str] = []
    climbed: list[Rung] = []
    # Joining tables is a search of its own, so it comes only after all settings of presolve.
    for rung in climb_settings(model, options, clock, joined_to=SPACE_LIMIT):
        climbed.append(rung)
        last = rung.is_last or (rung.setting == "propagate" and min(s.size for s in rung.spaces) > HOPELESS)
        try:
            if rung.fitting:
                return encode(rung, rung.fitting, notes)
            if last and not is_run:
                return _encode_large(climbed, options, encode)
            raise DoesNotFitError(_too_large(rung.spaces, rung.setting, options))
        except AncillaBudgetError:
            raise
        except DoesNotFitError as error:
            if last:
                raise
            notes.append(f"presolve {rung.setting} was not enough: {str(error).removeprefix('does not fit: ')}")
    raise AssertionError("the last setting returns or raises")


def _encode_large(
    climbed: Sequence[Rung], options: Options, encode: Callable[[Rung, list[Space], Sequence[str]], Encoded]
) -> Encoded:
    """Where no space can be simulated: those of the weakest setting that leaves the smallest, none of them joined."""
    spaces = [_encode_all(r.model, options, None) if r.is_last else r.spaces for r in climbed]
    least = min(range(len(climbed)), key=lambda number: min(space.size for space in spaces[number]))
    return encode(climbed[least], spaces[least], ())


def explain_empty_circuit(model: Model, setting: str, options: Options) -> str:
    """What to say where presolve left no circuit: so, and the first weaker setting that leaves one."""
    said = f"nothing was left to search after presolve {setting}, so the circuit has no qubits"
    for weaker in SETTINGS[: SETTINGS.index(setting)]:
        smaller, _ = presolve(model, weaker)
        for encoding in dict.fromkeys((options.encoding, "one-hot")):
            chosen = replace(options, encoding=encoding)
            sizes = [s.size for s in _encode_all(smaller, chosen, SPACE_LIMIT) if s.size <= SPACE_LIMIT]
            if sizes and min(sizes) > 1:  # a joint table may hold nothing but the solution
                also = "" if encoding == options.encoding else f" and encoding='{encoding}'"
                return f"{said}: use presolve='{weaker}'{also} for one that searches"
    return said


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
            spaces = _encode_all(smaller, options, joined_to if is_last else None)
        yield Rung(setting, is_last, smaller, recovery, spaces)


def _ceiling(options: Options) -> Level:
    """The level beyond which ``auto`` offers no space."""
    return "classical" if options.oracle == "classical" else options.level


def _encode_all(model: Model, options: Options, fits: int | None) -> list[Space]:
    """The spaces of the encoding asked for; for ``auto`` of every one that takes the model, within the level."""
    level = _ceiling(options)
    if options.encoding != "auto":
        return make_spaces(model, options.encoding, fits, level)
    spaces: list[Space] = []
    for kind in encodings():
        with suppress(DoesNotFitError, InputError):  # an encoding of another package need not take every domain
            spaces += make_spaces(model, kind, fits if level == "classical" else None, level)
    # A table that presolve joined is one constraint of its model, but not of one level with the others.
    within = [space for space in spaces if LEVELS.index(space_level(space, model)) <= LEVELS.index(level)]
    return within


def _too_large(spaces: list[Space], setting: str, options: Options) -> str:
    space = min(spaces, key=lambda s: s.size)
    mend = []
    if setting == "none":
        mend.append("presolve='propagate'")
    joins = options.encoding == "table" or (options.encoding == "auto" and _ceiling(options) == "classical")
    if not joins and space.size <= HOPELESS:  # tables are not joined so far
        mend.append("encoding='table'")
    advice = f"try {' and '.join(mend)}" if mend else "a smaller board, or one with more clues, would fit"
    return (
        f"does not fit: after presolve {setting} the space has about 2^{math.log2(space.size):.0f} states on "
        f"{space.num_qubits} qubits ({encoding_label(space)}); up to 2^24 states are simulated: {advice}"
    )


def find_cheapest(
    model: Model,
    spaces: list[Space],
    make: Callable[[Space], Made],
    bound: Callable[[Space], Cost],
    cost: Callable[[Space, Made], Cost],
    report: Callable[[int, int], None],
) -> tuple[Space, Made]:
    """The space on which what is made costs least, and that.

    What is made for a space costs ``bound`` of it at least; ``report`` is called with (spaces done, spaces).
    """
    best: tuple[Cost, Space, Made] | None = None
    refusals: list[DoesNotFitError] = []
    # Of equal spaces the wider first: its oracle is quick to make, and the other's may not be worth making.
    for number, space in enumerate(sorted(spaces, key=lambda s: (s.size, -s.num_qubits))):
        report(number, len(spaces))
        if best is not None and (bound(space) >= best[0] or _work(model, space) > WORK_LIMIT):
            continue
        try:
            made = make(space)
        except DoesNotFitError as error:
            refusals.append(error)
            continue
        price = cost(space, made)
        if best is None or price < best[0]:
            best = (price, space, made)
    if best is None:
        raise min(refusals, key=lambda error: getattr(error, "least", math.inf))
    return best[1], best[2]


def _work(model: Model, space: Space) -> int:
    """Rows of all truth tables that compiling the constraints would list."""
    rows = (num_rows(choose_projections(c, space)) for c in unenforced_constraints(model, space))
    return sum(number for number in rows if number <= WINDOW_ROWS)  # what has more is computed, not listed
