"""What `gatesolve` offers under its own name; `gatesolve.__init__` loads it when the first of it is asked for."""

from gatesolve.api import compile, solve
from gatesolve.colouring import colouring
from gatesolve.compiler import Compiled
from gatesolve.errors import (
    BackendError,
    DoesNotFitError,
    GatesolveError,
    InfeasibleError,
    InputError,
    UnsupportedError,
)
from gatesolve.mcx import mcx
from gatesolve.model import Model, Variable
from gatesolve.options import Options
from gatesolve.pareto import pareto
from gatesolve.phase_oracle import phase_oracle
from gatesolve.pipelines import Program
from gatesolve.puzzles import Puzzle, load
from gatesolve.qubo import Qubo
from gatesolve.resources import Resources
from gatesolve.result import Result

__all__ = [
    "BackendError",
    "Compiled",
    "DoesNotFitError",
    "GatesolveError",
    "InfeasibleError",
    "InputError",
    "Model",
    "Options",
    "Program",
    "Puzzle",
    "Qubo",
    "Resources",
    "Result",
    "UnsupportedError",
    "Variable",
    "colouring",
    "compile",
    "load",
    "mcx",
    "pareto",
    "phase_oracle",
    "solve",
]
