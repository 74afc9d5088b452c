"""One file for each suite: `python -m benchmarks NAME` runs it."""
