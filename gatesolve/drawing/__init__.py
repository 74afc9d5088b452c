"""Pictures that are drawn from results: what was measured, amplitudes, landscapes, the front of a sweep; notebooks.

The boards of puzzles are drawn in ``puzzles`` and programs in ``programs``, which know their own looks. May import
costs, pipelines, programs, simulate, encodings, circuit, model and puzzles; it draws plain numbers. A picture is a
module here.
"""
