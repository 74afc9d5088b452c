"""Where other tools call us: Qiskit's transpiler (`qiskit_plugin`), dimod's samplers, OMMX's adapters.

Each module answers to one tool in that tool's own interface and imports it; nothing else imports the module. May import
api, circuit and formats. A new adapter is a module here, with an entry point in ``pyproject.toml`` or a name that the
package itself offers, in its ``_ADAPTERS``.
"""
