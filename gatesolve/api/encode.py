"""Choosing the presolve level and the space: the first level that fits, the space whose search is cheapest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gatesolve.api.options import Options
from gatesolve.encodings import KINDS, Kind, Space, enforced, label, make_spaces, unenforced
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InfeasibleError
from gatesolve.model import Constraint, Model
from gatesolve.model.presolve import Level, Recovery, presolve
from gatesolve.oracle import Oracle
from gatesolve.oracle.levels import joint_tables, minimised_rules
from gatesolve.oracle.window import choose_views, num_rows
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.objective import Key, search_key

SPACE_LIMIT = 1 << 24
"""Codewords that are certified one by one and simulated exactly."""
HOPELESS = 1 << 256
"""Codewords after propagation beyond which ``auto`` does not try to eliminate variables too."""
WORK_LIMIT = 1 << 19
"""Rows of truth tables from which a further space is not tried, once one has an oracle."""

LEVELS: tuple[Level, ...] = ("none", "propagate", "affine")
"""Of presolve, weakest first."""

Builder = Callable[[Space], Oracle]
"""Makes the oracle of a space."""


@dataclass(frozen=True)
class Encoded:
    """A presolved model with its space and oracle.

    Attributes:
        model: after presolve.
        recovery: back to the problem's variables.
        presolve: the level used.
        space: the search space.
        oracle: its oracle.
        notes: what was decided on the way, ``listed`` included.
        listed: a note for each kind of table that covers several constraints, which makes the level ``classical``.
    """

    model: Model
    recovery: Recovery
    presolve: Level
    space: Space
    oracle: Oracle
    notes: tuple[str, ...]
    listed: tuple[str, ...] = ()


def encoded(model: Model, options: Options, clock: Clock, builder: Callable[[Model], Builder]) -> Encoded:
    """The presolve level asked for, or the first at which a space fits and its oracle can be built.

    Args:
        model: as declared.
        options: for presolve, encoding, objective.
        clock: times the stages.
        builder: given the presolved model, how to make the oracle of one of its spaces.

    Raises:
        InfeasibleError: presolve proves that there is no solution.
        DoesNotFitError: the space or the oracle is too large; the message says what would fit.
    """
    levels = tuple(level for level in LEVELS if options.presolve in ("auto", level))
    notes: list[str] = []
    for level in levels:
        last = level == levels[-1]
        with clock.stage("presolve"):
            smaller, recovery = _at_level(model, level)
            # Joining tables is a search of its own, so it comes only after all levels of presolve.
            spaces = _spaces(smaller, options.encoding, SPACE_LIMIT if last else None)
        fitting = [s for s in spaces if s.size <= SPACE_LIMIT]
        last = last or (level == "propagate" and min(s.size for s in spaces) > HOPELESS)
        try:
            if not fitting:
                raise DoesNotFitError(_too_large(spaces, level, options))
            with clock.stage("oracle") as report:
                space, oracle = _cheapest(smaller, fitting, options, builder(smaller), report)
            listed = joint_tables(smaller, space, compiled_rules(smaller, space, options))
            return Encoded(smaller, recovery, level, space, oracle, (*notes, *listed), listed)
        except AncillaBudgetError:
            raise
        except DoesNotFitError as error:
            if last:
                raise
            notes.append(f"presolve {level} was not enough: {str(error).removeprefix('does not fit: ')}")
    raise AssertionError("the last level returns or raises")


def nothing_left(model: Model, level: str, options: Options) -> str:
    """What to say where presolve left no circuit: so, and the first weaker level that leaves one.

    Args:
        model: as declared.
        level: of presolve, that finished it.
        options: for the encoding.
    """
    said = f"nothing was left to search after presolve {level}, so the circuit has no qubits"
    for weaker in LEVELS[: LEVELS.index(level)]:
        smaller, _ = presolve(model, weaker)
        for encoding in dict.fromkeys((options.encoding, "one-hot")):
            sizes = [s.size for s in _spaces(smaller, encoding, SPACE_LIMIT) if s.size <= SPACE_LIMIT]
            if sizes and min(sizes) > 1:  # a joint table may hold nothing but the solution
                also = "" if encoding == options.encoding else f" and encoding='{encoding}'"
                return f"{said}: use presolve='{weaker}'{also} for one that searches"
    return said


def _at_level(model: Model, level: Level) -> tuple[Model, Recovery]:
    """Presolve; a proof of infeasibility names the level."""
    try:
        return presolve(model, level)
    except InfeasibleError as error:
        error.presolve = level
        raise


def compiled_rules(model: Model, space: Space, options: Options) -> Sequence[Constraint]:
    """The constraints that the oracle computes, merged where it merges them."""
    if options.pipeline in {"gas", "qaoa"}:
        return unenforced(model, space)
    if options.oracle == "classical":
        return ()
    if options.level == "literal":
        return [c for c in model.constraints if not enforced(c, space)]
    return minimised_rules(model, space)[1]


def _spaces(model: Model, encoding: str, fits: int | None) -> list[Space]:
    kinds: tuple[Kind, ...] = KINDS if encoding == "auto" else tuple(k for k in KINDS if k == encoding)
    return [space for kind in kinds for space in make_spaces(model, kind, fits)]


def _too_large(spaces: list[Space], level: str, options: Options) -> str:
    space = min(spaces, key=lambda s: s.size)
    mend = []
    if level == "none":
        mend.append("presolve='propagate'")
    if options.encoding not in {"auto", "table"}:
        mend.append("encoding='table'")
    advice = f"try {' and '.join(mend)}" if mend else "a smaller board, or one with more clues, would fit"
    return (
        f"does not fit: after presolve {level} the space has about 2^{math.log2(space.size):.0f} states on "
        f"{space.num_qubits} qubits ({label(space)}); up to 2^24 states are verified and simulated: {advice}"
    )


def _cheapest(
    model: Model, spaces: list[Space], options: Options, build: Builder, report: Callable[[int, int], None]
) -> tuple[Space, Oracle]:
    """The space whose whole search is best by the objective, with its oracle."""
    best: tuple[Key, Space, Oracle] | None = None
    refusals: list[DoesNotFitError] = []
    # Of equal spaces the wider first: its oracle is quick to make, and the other's may not be worth making.
    for number, space in enumerate(sorted(spaces, key=lambda s: (s.size, -s.num_qubits))):
        report(number, len(spaces))
        if best is not None and (
            search_key(space, None, options.objective) >= best[0] or _work(model, space) > WORK_LIMIT
        ):
            continue
        try:
            oracle = build(space)
        except DoesNotFitError as error:
            refusals.append(error)
            continue
        cost = search_key(space, oracle, options.objective)
        if best is None or cost < best[0]:
            best = (cost, space, oracle)
    if best is None:
        raise min(refusals, key=lambda error: getattr(error, "least", math.inf))
    return best[1], best[2]


def _work(model: Model, space: Space) -> int:
    """Rows of all truth tables that compiling the constraints would list."""
    return sum(num_rows(choose_views(c, space)) for c in unenforced(model, space))
