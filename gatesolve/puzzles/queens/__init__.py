"""Queens: N-queens, LinkedIn Queens, and the general form with counts, regions, reaches and wrapped boards."""
