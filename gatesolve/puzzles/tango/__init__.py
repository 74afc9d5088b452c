"""Tango: suns and moons, half of each in every line, never three equal in line, with ``=`` and ``x`` signs."""

from gatesolve.puzzles.tango.puzzle import FAMILY, Tango

__all__ = ["FAMILY", "Tango"]
