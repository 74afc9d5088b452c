"""QAOA in a space: a phase by the energy and a mixer that never leaves the codewords, in turn."""
