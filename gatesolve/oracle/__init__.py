"""Oracles: each constraint to flags and factors, joined into one phase."""
