"""Puts this folder on the import path (pytest does, for the folder of a conftest), for ``strategies``."""
