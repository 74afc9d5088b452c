"""Boards too large for one search: divided until each part fits, searched part by part, all of it accounted."""
