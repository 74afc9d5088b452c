"""A sampler for D-Wave's tools that searches with a gate-model circuit: the largest cut of a graph.

The graph is networkx's and the models are dimod's own; only the sampler is gatesolve's. A spin says on which side of
the cut a vertex is. It needs `pip install ".[anneal]"`.
"""

import dimod
import networkx

from gatesolve import GroverAdaptiveSampler, QAOASampler

GRAPH = networkx.Graph([("Ada", "Ben"), ("Ben", "Cem"), ("Cem", "Dan"), ("Dan", "Ada"), ("Ada", "Cem"), ("Dan", "Eva")])


def cut(graph):
    """How many edges are not cut: 1/2 + 1/2 of the product of its two spins for each."""
    edges = dict.fromkeys(graph.edges, 0.5)
    return dimod.BinaryQuadraticModel(dict.fromkeys(graph, 0), edges, len(edges) / 2, "SPIN")


def one_apart(graph):
    """The same, where one vertex alone is on the other side."""
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(cut(graph))
    cqm.add_constraint(((vertex, 1) for vertex in graph), "==", len(graph) - 2, label="one apart")
    return cqm


def show(name, sampleset):
    best = sampleset.first
    side = sorted(vertex for vertex, spin in best.sample.items() if spin == best.sample["Ada"])
    print(f"{name}: {best.energy:g} edges not cut, with Ada: {', '.join(side)}")
    return sampleset.info


def main():
    account = show("Grover Adaptive Search", GroverAdaptiveSampler().sample(cut(GRAPH)))
    search = account["searches"][0]
    print(f"  {account['oracle_calls']} oracle calls on {account['qubits']} qubits; {search['message']}")
    account = show("QAOA", QAOASampler().sample(cut(GRAPH), num_reads=500, layers=2))
    print(f"  {account['searches'][0]['resources']['cx']} CX on {account['qubits']} qubits")
    show("One vertex apart", GroverAdaptiveSampler().sample_cqm(one_apart(GRAPH)))


if __name__ == "__main__":
    main()
