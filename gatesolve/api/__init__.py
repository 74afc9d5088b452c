"""The public calls and their wiring: problem in, options, plan, compile, run, judge, result.

It reaches pipelines only through ``pipelines/registry.py``. May import everything below it: pipelines, devices, costs,
drawing and what they import. Adapters, the command line and the package's ``__init__`` import it. A new public call is
a module here and a name in ``public.py``, which lists all that ``import gatesolve`` shows.
"""

from gatesolve.extensions import load_late

_PUBLIC = {
    "Accepted": "gatesolve.pipelines.events",
    "Division": "gatesolve.division",
    "LeafEvent": "gatesolve.division",
    "Options": "gatesolve.api.options",
    "PartReached": "gatesolve.division",
    "QuboReport": "gatesolve.api.formulate",
    "as_problem": "gatesolve.formats.sources",
    "compile": "gatesolve.api.calls",
    "find_pipeline": "gatesolve.pipelines.registry",
    "is_qubo_path": "gatesolve.formats.files",
    "parse_problem": "gatesolve.formats.files",
    "plan_problem": "gatesolve.api.calls",
    "preview": "gatesolve.api.jobs",
    "read_problem": "gatesolve.formats.files",
    "read_qubo": "gatesolve.formats.files",
    "settle_options": "gatesolve.api.calls",
    "write_circuit": "gatesolve.api.export",
    "write_qubo": "gatesolve.formats.files",
}
"""Names that are loaded when first asked for, and the modules that have them."""
__getattr__ = load_late(__name__, _PUBLIC)
