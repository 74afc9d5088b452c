"""Name of this distribution, its running version, and the version of its JSON."""

from __future__ import annotations

DISTRIBUTION = "gatesolve-circuits"
"""The name in `pyproject.toml`: on the public package index ``gatesolve`` is another project."""
SCHEMA_VERSION = 2
"""Version of the JSON that ``--json`` prints: raised when an entry changes its name or its meaning."""


def version() -> str:
    """Return the installed version; ``unknown`` where the package runs from a folder that was not installed."""
    from importlib import metadata

    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "unknown"
