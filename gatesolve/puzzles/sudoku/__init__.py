"""Sudoku: every value once in each row, column and box."""
