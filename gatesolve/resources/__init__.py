"""Counting lowered circuits."""

from gatesolve.resources.count import Resources, count

__all__ = ["Resources", "count"]
