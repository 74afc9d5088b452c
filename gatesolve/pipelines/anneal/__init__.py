"""Classical annealing: samplers on the Qubo, the measure that the circuits are held against."""
