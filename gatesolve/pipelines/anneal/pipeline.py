"""The pipeline ``anneal``; it has no circuit."""

from gatesolve.pipelines.anneal.options import AnnealOptions
from gatesolve.pipelines.anneal.report import report_samples
from gatesolve.pipelines.anneal.run import prepare_energy, solve_annealing
from gatesolve.pipelines.protocol import Pipeline

PIPELINE = Pipeline("anneal", AnnealOptions, report=report_samples, run=solve_annealing, prepare=prepare_energy)
