"""The public calls and their wiring: problem in, options, plan, compile, run, judge, result.

It reaches pipelines only through ``pipelines/registry.py``. May import everything below it: pipelines, devices, costs,
drawing and what they import. Adapters, the command line and the package's ``__init__`` import it. A new public call is
a module here and a name in ``public.py``, which lists all that ``import gatesolve`` shows.
"""

from gatesolve.extensions import load_late

_PUBLIC = {
    "gatesolve.api.calls": ("compile", "plan_problem", "settle_options"),
    "gatesolve.api.export": ("write_circuit",),
    "gatesolve.api.formulate": ("QuboReport",),
    "gatesolve.api.jobs": ("preview",),
    "gatesolve.api.options": ("Options",),
    "gatesolve.division": ("Division", "LeafEvent", "PartReached"),
    "gatesolve.formats.files": ("is_qubo_path", "parse_problem", "read_problem", "read_qubo", "write_qubo"),
    "gatesolve.formats.sources": ("as_problem",),
    "gatesolve.pipelines.events": ("Accepted",),
    "gatesolve.pipelines.registry": ("find_pipeline",),
}
"""Modules, and their names that are loaded when first asked for."""
__getattr__ = load_late(__name__, _PUBLIC)
