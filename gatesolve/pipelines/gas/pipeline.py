"""The pipeline ``gas``."""

from gatesolve.pipelines.gas.compile import compile_adaptive
from gatesolve.pipelines.gas.device import next_circuits
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.gas.report import report_descent
from gatesolve.pipelines.gas.run import solve_adaptive
from gatesolve.pipelines.protocol import Pipeline

PIPELINE = Pipeline(
    "gas",
    GasOptions,
    report=report_descent,
    run=solve_adaptive,
    resumes=True,
    compile=compile_adaptive,
    send=next_circuits,
)
