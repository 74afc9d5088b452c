"""Tents & Trees: every tree gets a tent of its own beside it, and no two tents touch."""

from gatesolve.puzzles.tents.puzzle import FAMILY, Tents

__all__ = ["FAMILY", "Tents"]
