"""Passes over lists of gates: each takes gates and gives fewer, or the same in fewer layers."""
