"""The choices a user makes, checked once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Self

from gatesolve.circuit.lowering import GATE_SETS
from gatesolve.encodings import KINDS
from gatesolve.errors import InputError

PIPELINES = ("auto", "grover", "gas", "qaoa", "anneal")
MIXERS = ("auto", "xy-ring", "xy-complete", "grover", "x", "grover-global")
ANGLES = ("optimised", "transfer", "ramp")
AIMS = ("gibbs", "cvar", "mean")
BETAS = ("shared", "own")
ORACLES = ("constraints", "classical")
ENCODINGS = ("auto", *KINDS)
PRESOLVES = ("auto", "none", "propagate", "affine")
BACKENDS = ("space", "aer", "pennylane")
SCHEDULES = ("auto", "known", "unknown")
LEVELS = ("minimised", "literal")
VALUES = ("auto", "counter", "fourier")
SAMPLERS = ("auto", "sa", "tabu", "exact")
FORMS = ("model", "published")
COSTS = ("violations", "penalties")
OBJECTIVES = ("cx", "t", "depth", "t_depth", "qubits")
MOST_ITERATIONS = 1_000_000
MOST_WINDOW = 12
MOST_SHOTS = 10_000_000
MOST_SEED = 2**31 - 1


@dataclass(frozen=True)
class Options:
    """How to solve.

    Attributes:
        pipeline: ``grover``, ``gas`` (Grover Adaptive Search), ``qaoa`` or ``anneal`` (classical samplers on the Qubo);
            ``auto`` is ``gas`` for a Qubo and ``grover`` for everything else.
        oracle: ``constraints`` computes every constraint in the circuit; ``classical`` marks solutions found first.
        encoding: ``auto`` takes the cheapest whole circuit.
        presolve: ``auto`` takes the first level whose space fits.
        backend: ``space`` simulates exactly in the space, ``aer`` and ``pennylane`` the whole circuit.
        shots: measurements to draw.
        seed: of everything random.
        gates: gate set for counts and export.
        ancillas: most ancillas; None for as many as help.
        objective: what candidates and rules are chosen by: ``cx``, ``t``, ``depth``, ``t_depth`` or ``qubits``.
        level: ``literal`` compiles each constraint alone; ``minimised`` also uses the other constraints, in
            windows, as don't-cares. The oracle style ``classical`` is a level of its own in every report.
        window: of the level ``minimised``: most qubits looked at together.
        measured: logical ANDs erased by measurement and a correction instead of by gates.
        iterations: of the circuit; None for the likeliest number.
        exact: phases matched so that the search succeeds with certainty.
        value: of ``gas``: how the oracle finds the cost: ``counter`` (flags and adders), ``fourier`` (phases and an
            inverse Fourier transform), ``auto`` the cheaper.
        cost: of ``gas``: ``violations`` counts broken constraints, ``penalties`` takes the Qubo's energy.
        penalty: weight of a broken constraint, in units of the objective; None for one that is proven to do.
        threshold: of ``gas``: only energies below it are looked for; None to start from the first measurement.
        confidence: of ``gas``: stop when an improvement would have been found with this probability.
        form: of ``anneal``: the Qubo of the ``model``, or the ``published`` formula of the puzzle's family.
        sampler: of ``anneal``: ``sa`` (simulated annealing), ``tabu``, ``exact`` (every state listed), ``auto``.
        reads: of ``anneal``: most states to sample.
        sweeps: of ``anneal``: passes over all variables for each.
        layers: of ``qaoa``: how often phase and mixer are applied.
        mixer: of ``qaoa``: ``xy-ring`` or ``xy-complete`` for blocks of one qubit a value, ``grover`` for any block,
            ``x`` for free bits, ``grover-global`` over the whole space; ``auto`` takes what suits each block.
        angles: of ``qaoa``: ``optimised`` by gradients, ``transfer`` from small instances, or the best of some ramps.
        aim: of ``qaoa``: what angles make small: ``gibbs`` (low levels count most), ``cvar``, ``mean`` of the level.
        betas: of ``qaoa``: one angle a layer for all mixers, ``shared``, or one for each mixer of its ``own``.
        evaluations: of ``qaoa``: most simulations to choose angles; None for up to 500, fewer in large spaces.
        schedule: ``known`` uses the number of solutions that the certificate counted, ``unknown`` the
            growing random schedule, ``auto`` the first where there is such a count.

    Raises:
        InputError: an option or a value that is not offered; the message names those that are.
    """

    pipeline: str = "auto"
    oracle: str = "constraints"
    encoding: str = "auto"
    presolve: str = "auto"
    backend: str = "space"
    shots: int = 1024
    seed: int = 0
    gates: str = "cx+u"
    ancillas: int | None = None
    schedule: str = "auto"
    objective: str = "cx"
    level: str = "minimised"
    window: int = 6
    measured: bool = False
    iterations: int | None = None
    exact: bool = False
    value: str = "auto"
    cost: str = "violations"
    penalty: float | None = None
    threshold: float | None = None
    confidence: float = 0.999
    form: str = "model"
    sampler: str = "auto"
    reads: int = 10_000
    sweeps: int = 1_000
    layers: int = 8
    mixer: str = "auto"
    angles: str = "optimised"
    aim: str = "gibbs"
    betas: str = "shared"
    evaluations: int | None = None

    def __new__(cls, *_: Any, **named: Any) -> Self:
        """A misspelt option is a user's error, so it is met before Python's own check of keywords."""
        check_names(named)
        return object.__new__(cls)

    def __post_init__(self) -> None:
        for name, offered in (
            ("pipeline", PIPELINES),
            ("oracle", ORACLES),
            ("encoding", ENCODINGS),
            ("presolve", PRESOLVES),
            ("backend", BACKENDS),
            ("gates", GATE_SETS),
            ("schedule", SCHEDULES),
            ("objective", OBJECTIVES),
            ("level", LEVELS),
            ("value", VALUES),
            ("cost", COSTS),
            ("sampler", SAMPLERS),
            ("form", FORMS),
            ("mixer", MIXERS),
            ("angles", ANGLES),
            ("aim", AIMS),
            ("betas", BETAS),
        ):
            if getattr(self, name) not in offered:
                raise InputError(f"unknown {name} '{getattr(self, name)}': choose one of {', '.join(offered)}")
        for name, least, most in (
            ("shots", 1, MOST_SHOTS),
            ("seed", 0, MOST_SEED),
            ("ancillas", 0, math.inf),
            ("iterations", 0, MOST_ITERATIONS),
            ("window", 1, MOST_WINDOW),
            ("reads", 1, MOST_SHOTS),
            ("sweeps", 1, MOST_SHOTS),
            ("layers", 0, math.inf),
            ("evaluations", 1, MOST_SHOTS),
        ):
            _check_number(name, getattr(self, name), least, most)
        for name in ("measured", "exact"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name} is {getattr(self, name)!r}: give True or False")
        _check_real("penalty", self.penalty, 0, math.inf)
        _check_real("threshold", self.threshold, -math.inf, math.inf)
        _check_real("confidence", self.confidence, 0, 1)
        if self.exact and self.iterations is not None:
            raise InputError("exact sets the number of iterations itself: leave out iterations")
        if self.exact and self.schedule == "unknown":
            raise InputError("exact needs the number of solutions: leave out schedule='unknown'")


def check_names(named: Iterable[str], others: Iterable[str] = ()) -> None:
    """Refuse a misspelt option.

    Args:
        named: the keywords that were given.
        others: keywords that are taken beside the fields of `Options`.

    Raises:
        InputError: with the nearest option.
    """
    offered = (*Options.__dataclass_fields__, *others)
    for name in named:
        if name not in offered:
            near = get_close_matches(name, offered, n=1)
            mend = f"did you mean {near[0]}?" if near else f"choose among {', '.join(offered)}"
            raise InputError(f"unknown option '{name}': {mend}")


OPTIONAL_NUMBERS = ("ancillas", "iterations", "evaluations")
"""Options that may be None: left to the compiler."""


def _check_real(name: str, value: object, above: float, below: float) -> None:
    """A finite number strictly between the ends, or None."""
    if value is None:
        return
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise InputError(f"{name} is {value!r}: give a number")
    if not above < value < below:
        allowed = f"a number above {above:g}" if below == math.inf else f"a number between {above:g} and {below:g}"
        raise InputError(f"{name} is {value}: give {allowed}")


def _check_number(name: str, value: object, least: int, most: float) -> None:
    if value is None and name in OPTIONAL_NUMBERS:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{name} is {value!r}: give a whole number")
    if not least <= value <= most:
        allowed = f"{least} or more" if most == math.inf else f"a number from {least} to {most}"
        raise InputError(f"{name} is {value}: give {allowed}")
