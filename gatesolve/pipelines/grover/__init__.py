"""Grover search: compile an oracle, iterate it as often as pays, judge what is measured."""
