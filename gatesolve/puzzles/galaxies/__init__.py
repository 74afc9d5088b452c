"""Galaxies (Tentai Show): cut the board into connected regions, each symmetric about its one dot."""
