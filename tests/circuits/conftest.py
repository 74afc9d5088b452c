"""Puts the contests' folders on the import path, as running a script there does."""

import sys
from pathlib import Path

CIRCUITS = Path(__file__).parents[2] / "circuits"
FOLDERS = (
    "asteroids-2020",
    "colouring-2019",
    "icpc-2021",
    "iquhack-2023",
    "kakuro-2022",
    "logo-2026",
    "toffoli-measured",
)
sys.path += [str(CIRCUITS / name) for name in ("", *FOLDERS)]
