"""Pictures that are drawn from results: the front of a sweep.

The boards of puzzles are drawn in ``puzzles``, which know their own looks. May import costs, pipelines, simulate,
encodings, circuit, model and puzzles; it draws plain rows and writes one picture file. A new picture is a module here.
"""
