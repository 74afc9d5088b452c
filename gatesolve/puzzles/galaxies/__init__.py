"""Galaxies (Tentai Show): cut the board into connected regions, each symmetric about its one dot."""

from gatesolve.puzzles.galaxies.puzzle import FAMILY, Galaxies

__all__ = ["FAMILY", "Galaxies"]
