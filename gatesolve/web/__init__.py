"""The page on this machine: server, events, static files.

The server hands out files and checks boards. Every search runs in a process of its own, which tells the page of each
step and is ended when the page goes. May import api, circuit, division, pipelines, planning, programs, puzzles and
simulate. What the page is told of a search is in ``story.py``; an example board is one file in ``examples/``; how it
looks is in ``static/``, plain files without a build step.
"""
