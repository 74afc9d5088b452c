"""gatesolve: integer constraint problems to verified gate-model quantum circuits.

Nothing is loaded before it is used: ``gatesolve --help`` is quick, and Ctrl-C finds the command line awake from its
first import on.
"""

from importlib import import_module

TYPE_CHECKING = False  # as typing has it, whose import would be half the time
if TYPE_CHECKING:
    from gatesolve.api.public import *  # noqa: F403

    __version__: str
else:

    def __getattr__(name):
        if name == "__version__":
            return import_module(f"{__name__}.api.about").version()
        if name == "__all__" or not name.startswith("_"):
            public = import_module(f"{__name__}.api.public")
            if name == "__all__" or name in public.__all__:
                return getattr(public, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted(import_module(f"{__name__}.api.public").__all__)
