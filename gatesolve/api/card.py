"""The public call `card`: the costs of a puzzle, classically and on quantum machines, in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, Literal

from gatesolve.api.calls import settle_options
from gatesolve.api.jobs import preview
from gatesolve.api.options import Options
from gatesolve.api.physical import compile_whole, estimate
from gatesolve.api.shown_progress import shown_progress
from gatesolve.costs.estimate import Estimate
from gatesolve.costs.physical import MachineName, check_models
from gatesolve.devices.providers import open_device
from gatesolve.drawing.card import Card, CardSearch, Outlook
from gatesolve.errors import DoesNotFitError, InputError, MissingExtraError, refuses_renamed
from gatesolve.formats.problem import Problem
from gatesolve.formats.sources import Source, as_problem
from gatesolve.model.presolve.branch import backtrack
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.device import LEAST_Z, NothingToSearchError
from gatesolve.pipelines.options import Encoding, Presolve
from gatesolve.planning.clock import Clock, Progress

MACHINES: tuple[MachineName, ...] = ("qubit_gate_ns_e3", "qubit_gate_us_e3")
"""Qubit models with today's error rates: gates of nanoseconds, as in superconductors, and microseconds, as in ion
traps."""


@refuses_renamed
def card(
    problem: Source,
    *,
    device: str = "fake_torino",
    machines: Sequence[MachineName] = MACHINES,
    backtracking_seconds: float = 10.0,
    seeds: int = 1,
    family: str | None = None,
    presolve: Presolve = "auto",
    encoding: Encoding = "auto",
    level: Literal["literal", "merged", "minimised"] = "merged",
    seed: int = 0,
    progress: Progress | bool | None = None,
) -> Card:
    """Compare the costs of a puzzle: a classical solver here, a device of today, an error-corrected machine.

    Plain backtracking is run and timed. A device's success is estimated from the errors that it reports; nothing is
    sent to it. Error-corrected machines are estimated as by `gatesolve.estimate`. If something is too large, or needs a
    package that is not installed, the card shows the reason instead of a number.

    Args:
        problem: puzzle file, text of standard input (``"-"``), or `Puzzle`.
        device: as for `gatesolve.submit`.
        machines: qubit models, as for `gatesolve.estimate`; the headline uses the first.
        backtracking_seconds: time limit of backtracking, in seconds.
        seeds: number of layouts and routings tried on the device; the best one counts.
        family: puzzle family of a file; None detects it from the text.
        presolve: as for `gatesolve.compile`; so are encoding, level and seed.
        encoding: encoding of the variables.
        level: how much may be worked out classically while the oracle is made.
        seed: seed of all random choices.
        progress: None for a bar, True for lines in a log too, False for neither, or a function (stage, done, total).

    Returns:
        The card: ``.draw("card.png")`` writes it, ``.as_dict()`` has its numbers.

    Raises:
        InputError: bad input or option, or a problem that is not a puzzle.
        InfeasibleError: proven to have no solution.
    """
    given = backtracking_seconds
    if not (isinstance(given, int | float) and isfinite(given) and given >= 0):
        raise InputError(f"backtracking_seconds is {given!r:.60}: give a number of seconds")
    models = check_models(machines)
    with shown_progress(progress) as told:
        clock = Clock(told)
        with clock.stage("read"):
            source = as_problem(problem, family)
        if source.puzzle is None:
            raise InputError("a card shows a puzzle's board, and this problem has none: give a puzzle")
        options = settle_options(Options(presolve=presolve, encoding=encoding, level=level, seed=seed), source)
        with clock.stage("backtrack"):
            classical = backtrack(source.model, backtracking_seconds)
        search, estimates, missing = _estimate(source, models, options, told)
        outlook = _look_at_device(source, device, seeds, options, told)
    return Card(source.puzzle, source.title, classical, search, outlook, estimates, missing)


def _estimate(
    source: Problem, models: tuple[MachineName, ...], options: Options, progress: Progress | None
) -> tuple[CardSearch | None, tuple[Estimate, ...], str]:
    """Return the search, the machines that run it, and the reason if there are none."""
    assert source.puzzle is not None
    try:
        found = estimate(source.puzzle, machines=models, progress=progress or False, **_searched(options))
    except MissingExtraError as error:
        try:
            # Without the estimator the search itself can still be described.
            compiled, _ = compile_whole(source, options, Clock(progress))
        except DoesNotFitError:
            return None, (), str(error)
        return _describe(compiled), (), str(error)
    except DoesNotFitError as error:
        return None, (), str(error)
    return _describe(found.compiled, found.success_probability), found.estimates, ""


def _searched(options: Options) -> dict[str, Any]:
    return {name: getattr(options, name) for name in ("presolve", "encoding", "level", "seed")}


def _describe(compiled: Compiled, success: float | None = None) -> CardSearch:
    return CardSearch(
        states=compiled.program.space.size,
        qubits=compiled.program.num_qubits,
        oracle_calls=compiled.oracle_calls,
        marked=compiled.certificate.marked,
        presolve=compiled.presolve,
        encoding=compiled.encoding,
        level=compiled.level or "",
        success=success,
    )


def _look_at_device(source: Problem, name: str, seeds: int, options: Options, progress: Progress | None) -> Outlook:
    """Estimate a run on a device by the errors that it reports; nothing is sent."""
    assert source.puzzle is not None
    asked, width = _searched(options), None
    try:
        width = open_device(name, options.seed, any_status=True).backend.num_qubits
        # Forced: a circuit that drowns in noise is drawn too, with a remark.
        found = preview(source.puzzle, name, seeds=seeds, force=True, progress=progress or False, **asked)
    except MissingExtraError as error:
        return Outlook(name, None, None, str(error))
    except (DoesNotFitError, NothingToSearchError) as error:
        return Outlook(name, width, None, str(error))
    # The circuit with the greatest expected success; a device that reports no errors has no expectation.
    best = max(found, key=lambda one: one["estimate"]["expected"] or 0)
    z = best["estimate"]["z"]
    return Outlook(name, width, best, "", drowned=z is not None and z < LEAST_Z, layouts=seeds)
