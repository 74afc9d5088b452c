"""Interfaces for other tools: Qiskit's transpiler (`qiskit_plugin`), dimod's samplers, OMMX's adapters.

Each module implements one tool's own interface and imports that tool; no other module imports it. May import api,
circuit and formats. A new adapter is a module here, with an entry point in ``pyproject.toml`` or a name in
``_ADAPTERS`` of the package.
"""
