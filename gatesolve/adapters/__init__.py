"""Where other tools call us: the plugin by which Qiskit's transpiler uses our multi-controlled gates.

Each module answers to one tool in that tool's own interface and imports it; nothing else imports the module. May import
api and circuit. A new adapter is a module here and an entry point in ``pyproject.toml``.
"""
