"""Settling the options of a call by its problem."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gatesolve.api.options import Options, check_pipeline
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats.problem import Problem
from gatesolve.gate_sets import GATE_SETS
from gatesolve.pipelines.registry import find_pipeline, name_pipelines


def settle_options(options: Options, problem: Problem, named: Iterable[str] = ()) -> Options:
    """Return the options with the pipeline that ``auto`` stands for; unfit and idle ones are refused.

    In a gate set of Toffoli gates ``cx`` stands for ``t``: an AND is no CX there, and is priced as three.
    """
    if problem.qubo is not None:
        if options.pipeline != "auto" and not find_pipeline(options.pipeline).minimises:
            mend = name_pipelines(lambda one: one.minimises)
            raise UnsupportedError(f"a Qubo has no constraints for a plain search to mark: use {mend}")
        if options.presolve not in {"auto", "none"}:
            raise InputError("presolve does not know the terms of a Qubo: leave out presolve")
        options = replace(options, presolve="none")
    if options.pipeline == "auto":
        options = replace(options, pipeline="grover" if problem.qubo is None else "gas")
    check_pipeline(options, named)
    find_pipeline(options.pipeline).check(problem, options)
    by_ands = options.optimize == "cx" and GATE_SETS[options.gates].has_toffoli
    return replace(options, optimize="t") if by_ands else options
