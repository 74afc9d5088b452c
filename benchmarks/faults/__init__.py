"""Campaigns that look for faults: changed sources, circuits, proofs and files."""
