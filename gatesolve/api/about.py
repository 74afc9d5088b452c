"""Name of this distribution, its running version, and the version of its JSON."""

from __future__ import annotations

DISTRIBUTION = "gatesolve-circuits"
"""Its name in `pyproject.toml`: on the public package index ``gatesolve`` is another project's."""
SCHEMA_VERSION = 2
"""Of the JSON that ``--json`` prints: raised when an entry changes its name or its meaning."""


def version() -> str:
    """The version installed; ``unknown`` where the package runs from a folder that nothing installed."""
    from importlib import metadata

    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "unknown"
