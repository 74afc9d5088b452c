"""Choosing the presolve setting and the space: the first setting that fits, the space whose search is cheapest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from gatesolve.api.ladder import (
    HOPELESS,
    SETTINGS,
    Rung,
    Way,
    ceiling,
    climb_ladder,
    describe_space,
    encode_all,
    list_fitting,
    list_narrow,
    make_all,
    space_limit,
)
from gatesolve.api.options import Options
from gatesolve.circuit.lowering import lower
from gatesolve.encodings import Space, encoding_label, unenforced_constraints
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, SpaceLimitError
from gatesolve.gate_sets import GATE_SETS
from gatesolve.model import AllDifferent, Constraint, Model
from gatesolve.model.presolve import presolve
from gatesolve.oracle import Oracle
from gatesolve.oracle.synthesise import LEAF_ROWS, WINDOW_ROWS
from gatesolve.oracle.window import choose_projections, num_rows
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.events import Presolved
from gatesolve.pipelines.metric import search_key
from gatesolve.pipelines.task import Builder, Encoded, FindLevel

Made = TypeVar("Made")
Cost = TypeVar("Cost", float, tuple[float, float])
SAID_DIVIDED = "this is the whole problem in one search: to run it, solve divides it and searches the parts"
WORK_LIMIT = 1 << 19
"""Rows of truth tables from which a further space is not tried, once one has an oracle."""
WORTH_TRYING = 1 << 12
"""The same where qubits are no object: of 58 drawn boards, each at three sizes, none was cheaper on a further space
with more than 1,548 rows. Logical operations of four large boards were 5 to 30 times as many there."""


def choose_space(
    options: Options,
    clock: Clock,
    way: Way,
    model: Model,
    builder: Callable[[Model], Builder],
    level_of: FindLevel,
    is_run: bool,
) -> Encoded:
    """The presolve setting asked for, or the first rung at which a space fits and its oracle can be built.

    ``builder`` takes the presolved model and returns what makes the oracle of one of its spaces; ``level_of`` finds its
    level. Where no space can be simulated, and the circuit ``is_run``, it is refused; else the setting with the
    smallest space is taken. ``way`` says how any rung is chosen where presolve is ``auto``.
    """

    def encode(rung: Rung, spaces: list[Space], notes: Sequence[str]) -> Encoded:
        about = (rung.setting, tuple(notes), rung.deductions)
        clock.tell(Presolved(model, rung.model, rung.recovery, *about, tuple(_order(spaces))))
        with clock.stage("oracle") as report:
            space, oracle = find_cheapest(
                rung.model,
                spaces,
                _make_within(builder(rung.model), options),
                lambda space: search_key(space, None, options.optimize),
                lambda space, oracle: search_key(space, oracle, options.optimize),
                report,
                WORK_LIMIT if _is_narrow(options) else WORTH_TRYING,
            )
        return _make_encoded(rung, space, oracle, level_of, notes, options)

    notes: list[str] = []
    climbed: list[Rung] = []
    # Joining tables is a search of its own, so it comes only after all settings of presolve.
    for rung in climb_ladder(model, options, clock, way):
        climbed.append(rung)
        try:
            if rung.fitting:
                return encode(rung, rung.fitting, notes)
            if rung.is_last and not is_run:
                return _encode_large(climbed, options, encode, (SAID_DIVIDED,) if way.divides else ())
            probes = sum(one.probes for one in climbed)
            raise SpaceLimitError(_too_large(rung.spaces, rung.setting, options), least=rung.least, probes=probes)
        except DoesNotFitError as error:
            if isinstance(error, AncillaBudgetError) and options.max_qubits is None:
                raise
            if rung.is_last and way.divides and is_run:  # a part of the problem may have an oracle
                raise SpaceLimitError(str(error), least=rung.least) from error
            if rung.is_last:
                raise
            if not isinstance(error, SpaceLimitError):  # that the others were too large is what the rung taken says
                notes.append(f"{_name(rung)} not enough: {str(error).removeprefix('does not fit: ')}")
    raise AssertionError("the last setting returns or raises")


def _make_encoded(
    rung: Rung, space: Space, oracle: Oracle, level_of: FindLevel, notes: Sequence[str], options: Options
) -> Encoded:
    """Return the chosen space and oracle with their level."""
    level, beyond = level_of(rung.model, space, oracle)
    if rung.recovery.joins and level != "classical":
        said = "presolve removed variables by listing what satisfies several constraints together"
        level, beyond = "classical", (*beyond, f"{said}: the level is classical")
    budget = ancilla_budget(space, options)
    said_all = (*notes, *beyond)
    return Encoded(rung.model, rung.recovery, rung.setting, space, oracle, level, said_all, rung.deductions, budget)


def ancilla_budget(space: Space, options: Options) -> int | None:
    """Ancillas that the options leave for a space; None for as many as help."""
    if options.max_qubits is None:
        return options.ancillas
    left = max(options.max_qubits - space.num_qubits, 0)
    return left if options.ancillas is None else min(left, options.ancillas)


def _is_narrow(options: Options) -> bool:
    """Whether qubits are asked for or limited."""
    return options.optimize == "qubits" or options.ancillas is not None or options.max_qubits is not None


def _make_within(build: Builder, options: Options) -> Callable[[Space], Oracle]:
    def make(space: Space) -> Oracle:
        if options.encoding == "auto" and GATE_SETS[options.gates].has_toffoli:
            lower(space.preparation, space.num_qubits, options.gates)  # some of the encodings may need no rotation
        try:
            return build(space, ancilla_budget(space, options))
        except AncillaBudgetError as error:
            if options.max_qubits is None or (options.ancillas is not None and options.ancillas < error.least):
                raise
            needed = space.num_qubits + error.least
            raise AncillaBudgetError(
                f"does not fit: {encoding_label(space)} takes {space.num_qubits} qubits and at least {error.least} "
                f"ancillas, max_qubits is {options.max_qubits}: use max_qubits={needed} or more",
                least=needed,
            ) from error

    return make


def _name(rung: Rung) -> str:
    if rung.deductions is None:
        return f"presolve {rung.setting} was"
    return f"{rung.deductions.number} of {rung.deductions.of} deductions were"


def _encode_large(
    climbed: Sequence[Rung],
    options: Options,
    encode: Callable[[Rung, list[Space], Sequence[str]], Encoded],
    notes: Sequence[str],
) -> Encoded:
    """Where no space can be simulated: those of the weakest setting that leaves the smallest, none of them joined."""
    spaces = [encode_all(r.model, options, None) if r.is_last else r.spaces for r in climbed]
    spaces = [list_narrow(found, options) for found in spaces]
    sizes = [min((space.size for space in found), default=math.inf) for found in spaces]
    least = sizes.index(min(sizes))
    if not spaces[least]:
        needed = min(space.num_qubits for rung in climbed for space in rung.spaces)
        raise DoesNotFitError(
            f"does not fit: the narrowest space takes {needed} qubits without ancillas, max_qubits is "
            f"{options.max_qubits}: use max_qubits={needed + 1} or more"
        )
    return encode(climbed[least], spaces[least], notes)


def explain_empty_circuit(model: Model, setting: str, options: Options) -> str:
    """Return the note where presolve left no circuit, with the first weaker setting that leaves one."""
    said = f"nothing was left to search after presolve {setting}, so the circuit has no qubits"
    for weaker in SETTINGS[: SETTINGS.index("propagate" if setting == "partial" else setting)]:
        smaller, _ = presolve(model, weaker)
        for encoding in dict.fromkeys((options.encoding, "one-hot")):
            chosen = replace(options, encoding=encoding)
            most = space_limit(options)
            sizes = [s.size for s in list_fitting(make_all(smaller, chosen, most), smaller, chosen)]
            if sizes and min(sizes) > 1:  # a joint table may hold nothing but the solution
                also = "" if encoding == options.encoding else f" and encoding='{encoding}'"
                return f"{said}: use presolve='{weaker}'{also} for one that searches"
    return said


def _too_large(spaces: list[Space], setting: str, options: Options) -> str:
    space = min(spaces, key=lambda s: s.size)
    mend = []
    if options.presolve != "auto":
        mend.append("presolve='auto'")
    joins = options.encoding == "table" or (options.encoding == "auto" and ceiling(options) == "classical")
    if not joins and space.size <= HOPELESS:  # tables are not joined so far
        mend.append("encoding='table', which joins tables")
    advice = f"try {' and '.join(mend)}" if mend else "a smaller board, or one with more clues, would fit"
    return (
        f"does not fit: after presolve {setting} the space has about 2^{math.log2(space.size):.0f} states on "
        f"{space.num_qubits} qubits ({encoding_label(space)}); up to {describe_space(space_limit(options))} states"
        f"{'' if options.max_qubits is None else f' on up to {options.max_qubits} qubits'} are simulated: {advice}"
    )


def find_cheapest(
    model: Model,
    spaces: list[Space],
    make: Callable[[Space], Made],
    bound: Callable[[Space], Cost],
    cost: Callable[[Space, Made], Cost],
    report: Callable[[int, int], None],
    most_rows: int = WORK_LIMIT,
) -> tuple[Space, Made]:
    """The space on which what is made costs least, and that.

    What is made for a space costs ``bound`` of it at least; ``report`` is called with (spaces done, spaces). Once one
    is made, those are left out whose truth tables have over ``most_rows`` rows in all.
    """
    best: tuple[Cost, Space, Made] | None = None
    refusals: list[DoesNotFitError] = []
    for number, space in enumerate(_order(spaces)):
        report(number, len(spaces))
        if best is not None and (bound(space) >= best[0] or _work(model, space) > most_rows):
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


def _order(spaces: Sequence[Space]) -> list[Space]:
    """The smallest first; of equal ones the wider: its oracle is quick to make, and the other's may not be worth it."""
    return sorted(spaces, key=lambda space: (space.size, -space.num_qubits))


def _work(model: Model, space: Space) -> int:
    """Rows of all truth tables that compiling the constraints would list."""
    return sum(_list_rows(constraint, space) for constraint in unenforced_constraints(model, space))


def _list_rows(constraint: Constraint, space: Space) -> int:
    """Rows that one constraint lists: its own, or where it has too many those of its pairs; else it is computed."""
    number = num_rows(choose_projections(constraint, space))
    if number <= WINDOW_ROWS:
        return number
    pairs = constraint.pairs if isinstance(constraint, AllDifferent) else ()
    rows = (num_rows(choose_projections(pair, space)) for pair in pairs)
    return sum(number for number in rows if LEAF_ROWS < number <= WINDOW_ROWS)
