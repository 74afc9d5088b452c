"""Puts this folder on the import path (pytest does, for the folder of a conftest), for ``strategies``."""

from hypothesis import settings

# How long an example takes depends on what else the machine does; that is no property of the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
