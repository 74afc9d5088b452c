"""The pipeline ``qaoa``."""

from gatesolve.pipelines.protocol import Pipeline
from gatesolve.pipelines.qaoa.compile import compile_ansatz
from gatesolve.pipelines.qaoa.device import next_circuits
from gatesolve.pipelines.qaoa.options import QaoaOptions
from gatesolve.pipelines.qaoa.report import report_ansatz
from gatesolve.pipelines.qaoa.run import solve_ansatz

PIPELINE = Pipeline(
    "qaoa",
    QaoaOptions,
    report=report_ansatz,
    run=solve_ansatz,
    compile=compile_ansatz,
    send=next_circuits,
)
