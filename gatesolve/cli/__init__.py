"""The command line: one file a group of commands.

``app.py`` puts them together, ``options.py`` makes the options of `gatesolve.Options` into typed ones, ``words.py``
turns advice that names options as Python does into what is typed. May import api, and of the rooms below it costs,
devices, division, drawing, formats, pipelines, planning, programs, puzzles, qubo and web. Only ``__main__`` imports it.
A new command is a function in a file here and its name in ``app.py``.
"""
