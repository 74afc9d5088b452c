"""gatesolve: integer constraint problems to verified gate-model quantum circuits.

Nothing is loaded before it is used: ``gatesolve --help`` is quick, and Ctrl-C finds the command line awake from its
first import on.
"""

from importlib import import_module

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
            return import_module(f"{__name__}.api.about").version()
        if name in _ADAPTERS:
            return getattr(import_module(f"{__name__}.adapters.{_ADAPTERS[name]}"), name)
        if name == "__all__":
            return [*import_module(f"{__name__}.api.public").__all__, *_ADAPTERS]
        if not name.startswith("_"):
            public = import_module(f"{__name__}.api.public")
            if name in public.__all__:
                return getattr(public, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted(__getattr__("__all__"))
