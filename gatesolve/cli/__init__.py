"""The command line: one file a group of commands.

``app.py`` combines them, ``options.py`` makes typed options of those of `gatesolve.Options`, and messages are rendered
by `gatesolve.api.words`. May import api, and of the rooms below it costs, devices, division, drawing, formats,
pipelines, planning, programs, puzzles, qubo and web. Only ``__main__`` imports it. A new command is a function in a
file here and its name in ``app.py``.
"""
