"""Logical ANDs erased by a measurement and a correction that depends on it."""
