"""Puts docs/ on the import path: its scripts are tested here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
