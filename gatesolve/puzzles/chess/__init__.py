"""Chess piece puzzles: pieces that do not threaten each other, one a region or worth as much as can be."""
