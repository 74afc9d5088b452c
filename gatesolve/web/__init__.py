"""The page on this machine: server, events, static files.

The server delivers files and checks boards. Every search runs in a separate process, which sends each step to the page
and is ended when the page is closed. May import api, circuit, division, formats, model, pipelines, planning, programs,
puzzles and simulate. The events of a search are in ``story.py``. An example board is one file in ``examples/``. The
page itself is in ``static/``, plain files without a build step.
"""
