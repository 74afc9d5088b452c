"""Kakuro: fill the white cells so that every run makes its sum with different values."""

from gatesolve.puzzles.kakuro.puzzle import FAMILY, Kakuro

__all__ = ["FAMILY", "Kakuro"]
