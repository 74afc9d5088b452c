"""Compile integer constraint problems to verified quantum circuits that search for a solution.

State the rules. gatesolve builds the circuit, checks it, counts its gates, and runs it on a simulator:

>>> import gatesolve
>>> result = gatesolve.solve("x, y in 0..3; x + y == 4; x > y")
>>> print(result.solution, result.resources.qubits, "qubits")
{'x': 3, 'y': 1} 2 qubits

- search: solve, count, compile, submit, fetch, jobs; options: Options
- output: export, verify, judge, Result, CountEstimate, TrackedSearch, Compiled, Program, Resources, Landscape
- costs: estimate, pareto, card, landscape
- problems: load, formulate, Puzzle, Model, Variable, Qubo
- circuits of functions: mcx, phase_oracle, xor_oracle, table_lookup
- other packages: register_cpmpy, register_pennylane, GroverAdaptiveSampler, QAOASampler
- errors: GatesolveError, InputError, UnsupportedError, InfeasibleError, DoesNotFitError, BackendError

``help(gatesolve.solve)`` describes one name. ``gatesolve --help`` describes the command line.
"""

# Nothing is loaded before it is used: `gatesolve --help` is quick, and Ctrl-C finds the command line awake from its
# first import on. The public names are those of `api/public.py` and `_ADAPTERS`; `dir(gatesolve)` lists them. There is
# no `__all__` here: with one, help(gatesolve) prints the whole documentation of every class, about 2,700 lines.

from importlib import import_module as _import_module

TYPE_CHECKING = False  # as typing has it, whose import would be half the time
_ADAPTERS = {
    "GroverAdaptiveSampler": "dimod_sampler",
    "QAOASampler": "dimod_sampler",
    "register_cpmpy": "cpmpy_solver",
    "register_pennylane": "pennylane_plugin",
}
if TYPE_CHECKING:
    from gatesolve.adapters.cpmpy_solver import register_cpmpy as register_cpmpy
    from gatesolve.adapters.dimod_sampler import GroverAdaptiveSampler as GroverAdaptiveSampler
    from gatesolve.adapters.dimod_sampler import QAOASampler as QAOASampler
    from gatesolve.adapters.pennylane_plugin import register_pennylane as register_pennylane
    from gatesolve.api.public import *  # noqa: F403

    __version__: str
else:

    def __getattr__(name):
        if name == "__version__":
            return _import_module(f"{__name__}.api.about").version()
        if name in _ADAPTERS:
            return getattr(_import_module(f"{__name__}.adapters.{_ADAPTERS[name]}"), name)
        if name in ("api", "formats"):
            return _import_module(f"{__name__}.{name}")
        if not name.startswith("_"):
            public = _import_module(f"{__name__}.api.public")
            if name in public.__all__:
                return getattr(public, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        from importlib.util import find_spec

        # help() asks for every name of this list, and those of dimod's samplers raise an error without dimod.
        adapters = [name for name, module in _ADAPTERS.items() if module != "dimod_sampler" or find_spec("dimod")]
        return sorted((*_import_module(f"{__name__}.api.public").__all__, *adapters))
