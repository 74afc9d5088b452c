"""Tango: suns and moons, half of each in every line, never three equal in line, with ``=`` and ``x`` signs."""
