"""Grover Adaptive Search: measure below ever lower thresholds until nothing lower is left."""
