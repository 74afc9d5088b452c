"""The public calls and their wiring: problem in, options, choice of presolve and space, run, judge, result.

It knows pipelines only through ``registry.py``. May import everything below it: pipelines, devices, costs, drawing and
what they import. Adapters and the command line import it. A new public call is a module here and a name in
``public.py``, which is all that ``import gatesolve`` shows.
"""
