"""Sudoku: every value once in each row, column and box."""

from gatesolve.puzzles.sudoku.puzzle import FAMILY, Sudoku

__all__ = ["FAMILY", "Sudoku"]
