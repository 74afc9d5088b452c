"""Ways to write a multi-controlled Z, each with the ancillas it wants and its declared cost: MCX and AND rules."""
