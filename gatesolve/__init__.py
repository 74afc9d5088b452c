"""gatesolve: integer constraint problems to verified gate-model quantum circuits.

Nothing is loaded before it is used: ``gatesolve --help`` is quick, and Ctrl-C finds the command line awake from its
first import on.
"""

import sys
from importlib import import_module
from types import ModuleType

_FUNCTIONS = ("mcx", "pareto", "phase_oracle", "table_lookup")
"""Public functions that bear the name of their module."""


class _Package(ModuleType):
    """A package whose functions are not hidden by the modules of the same name when those are imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _FUNCTIONS or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

TYPE_CHECKING = False  # as typing has it, whose import would be half the time
if TYPE_CHECKING:
    from gatesolve.api.public import *  # noqa: F403

    __version__: str
else:

    def __getattr__(name):
        from importlib.util import find_spec

        if name == "__version__":
            return import_module(f"{__name__}.about").version()
        if name == "__all__" or not name.startswith("_"):
            if name not in _FUNCTIONS and find_spec(f"{__name__}.{name}"):
                return import_module(f"{__name__}.{name}")
            public = vars(import_module(f"{__name__}.public"))
            if name in public:
                return public[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *import_module(f"{__name__}.public").__all__})
