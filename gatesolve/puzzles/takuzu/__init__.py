"""Takuzu (Binairo): zeros and ones, half of each in every line, never three equal in line."""

from gatesolve.puzzles.takuzu.puzzle import FAMILY, Takuzu

__all__ = ["FAMILY", "Takuzu"]
