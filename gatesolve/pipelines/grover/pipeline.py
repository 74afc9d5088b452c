"""The pipeline ``grover``."""

from gatesolve.pipelines.grover.compile import compile_search
from gatesolve.pipelines.grover.device import next_circuits
from gatesolve.pipelines.grover.options import GroverOptions
from gatesolve.pipelines.grover.report import report_search
from gatesolve.pipelines.grover.run import solve_search
from gatesolve.pipelines.protocol import Pipeline

PIPELINE = Pipeline(
    "grover",
    GroverOptions,
    report=report_search,
    run=solve_search,
    compile=compile_search,
    send=next_circuits,
)
