"""gatesolve: integer constraint problems to verified gate-model quantum circuits."""
