"""Exact simulation in the space, and sparse simulation of lowered circuits."""
