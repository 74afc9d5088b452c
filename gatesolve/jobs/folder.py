"""Where jobs are kept: a folder of the user's own, closed to everybody else."""

from __future__ import annotations

import os
from pathlib import Path

from gatesolve.errors import InputError

VARIABLE = "GATESOLVE_HOME"
"""Environment variable that names another folder."""
PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


def data_folder() -> Path:
    """The folder named by ``GATESOLVE_HOME``, else the platform's folder for a user's data."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("gatesolve", appauthor=False)


def private_folder(folder: Path) -> Path:
    """Make the folder if it is not there, and close it to other users.

    Raises:
        InputError: it cannot be made.
    """
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        folder.chmod(PRIVATE_FOLDER)
    except OSError as error:
        raise _unusable(folder, error) from error
    return folder


def private_file(path: Path) -> Path:
    """Make an empty file that others cannot read, or close the one that is there.

    Raises:
        InputError: it cannot be made or written to.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE))
        path.chmod(PRIVATE_FILE)
    except OSError as error:
        raise _unusable(path, error) from error
    return path


def _unusable(place: Path, error: OSError) -> InputError:
    mend = f"set {VARIABLE} to a folder you can write to"
    return InputError(f"jobs cannot be kept here ({error.strerror}): {mend}", source=str(place))
