"""Measurements of gatesolve beside other libraries, and campaigns that look for faults: see README.md."""
