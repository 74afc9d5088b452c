"""Public names of `gatesolve`; `gatesolve.__init__` loads them when the first is asked for."""

from gatesolve.api.calls import CountEstimate, compile, count, solve
from gatesolve.api.card import card
from gatesolve.api.certify_file import export, verify
from gatesolve.api.formulate import formulate
from gatesolve.api.jobs import fetch, jobs, submit
from gatesolve.api.judge_file import judge
from gatesolve.api.landscape import Landscape, landscape
from gatesolve.api.options import Options
from gatesolve.api.pareto import pareto
from gatesolve.api.physical import estimate
from gatesolve.api.result import Result
from gatesolve.circuit.counting import Resources
from gatesolve.circuit.mcx import mcx
from gatesolve.devices.tracked import TrackedSearch
from gatesolve.errors import (
    BackendError,
    DoesNotFitError,
    GatesolveError,
    InfeasibleError,
    InputError,
    UnsupportedError,
)
from gatesolve.functions.phase_oracle import phase_oracle
from gatesolve.functions.table_lookup import table_lookup
from gatesolve.functions.xor_oracle import xor_oracle
from gatesolve.model import Model, Variable
from gatesolve.pipelines.answer import Compiled
from gatesolve.programs.program import Program
from gatesolve.puzzles import Puzzle, load
from gatesolve.qubo import Qubo

__all__ = [
    "BackendError", "Compiled", "CountEstimate", "DoesNotFitError", "GatesolveError", "InfeasibleError", "InputError",
    "Landscape",
    "Model", "Options", "Program", "Puzzle", "Qubo", "Resources", "Result", "TrackedSearch", "UnsupportedError",
    "Variable", "card", "compile", "count", "estimate", "export", "fetch", "formulate", "jobs", "judge", "landscape",
    "load",
    "mcx", "pareto", "phase_oracle", "solve", "submit", "table_lookup", "verify", "xor_oracle",
]  # fmt: skip
