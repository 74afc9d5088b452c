"""Where jobs are kept: a folder of the user's own, closed to everybody else."""

from __future__ import annotations

import os
from collections.abc import Sequence
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


def private_folder(folder: Path, own: Sequence[str]) -> Path:
    """Make the folder if it is not there, and close it to other users, unless it holds files of others too.

    Such a folder, a home folder for example, stays open as it is; our files in it are closed one by one.
    """
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        if all(any(path.match(pattern) for pattern in own) for path in folder.iterdir()):
            folder.chmod(PRIVATE_FOLDER)
    except OSError as error:
        raise refuse_place(folder, error.strerror) from error
    return folder


def private_file(path: Path) -> Path:
    """Make an empty file that others cannot read, or close the one that is there."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE))
        path.chmod(PRIVATE_FILE)
    except OSError as error:
        raise refuse_place(path, error.strerror) from error
    return path


def refuse_place(place: Path, why: str | None) -> InputError:
    """Jobs cannot be kept in a place."""
    return InputError(
        f"jobs cannot be kept here ({why}): set {VARIABLE} to a folder of your own on a local disk", source=str(place)
    )
