"""What this distribution is called and which version of it is installed.

On the public package index the name ``gatesolve`` belongs to another project, so ours has a name of its own there.
"""

from __future__ import annotations

DISTRIBUTION = "gatesolve-circuits"


def installed_version() -> str:
    """The version that pip installed."""
    # Imported here: it takes longer than all the rest of ``import gatesolve``.
    from importlib.metadata import version

    return version(DISTRIBUTION)
