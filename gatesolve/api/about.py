"""What this distribution is called, and which version of it runs."""

from __future__ import annotations

DISTRIBUTION = "gatesolve-circuits"
"""Its name in `pyproject.toml`: on the public package index ``gatesolve`` is another project's."""


def version() -> str:
    """The version installed; ``unknown`` where the package runs from a folder that nothing installed."""
    from importlib import metadata

    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "unknown"
