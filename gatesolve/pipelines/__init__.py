"""Ways to search: from a space to a `Program`, its runs, and the answer that they give.

Modules here are shared: the program and its export, options as data, the protocol that every pipeline follows, the one
judge. One package a pipeline: ``grover``, ``gas``, ``qaoa``, ``anneal``; none imports another. May import simulate,
qubo, oracle, encodings, circuit and model. A new pipeline is a package here and a line in ``api/registry.py``,
or an entry point ``gatesolve.pipelines`` of another package.
"""
