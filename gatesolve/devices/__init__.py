"""Backends: a circuit in, counts out. They never see a puzzle."""
