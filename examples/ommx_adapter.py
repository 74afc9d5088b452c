"""An instance of OMMX solved and sampled by its adapter for gatesolve: how many of two goods a box should hold.

Needs ``pip install ".[ommx]"`` in the checkout.
"""

from ommx.v1 import DecisionVariable, Instance, Solution

from gatesolve.adapters.ommx_adapter import OMMXGatesolveAdapter


def main():
    tea, salt = (DecisionVariable.integer(k, lower=0, upper=2, name=name) for k, name in enumerate(("tea", "salt")))
    instance = Instance.from_components(
        decision_variables=[tea, salt],
        objective=3 * tea + 2 * salt,
        constraints=[2 * tea + salt <= 4],
        sense=Instance.MAXIMIZE,
    )
    solution = OMMXGatesolveAdapter.solve(instance)
    print("best value:", solution.objective, "by", dict(solution.state.entries))
    print("proven to be the best:", solution.optimality == Solution.OPTIMAL)
    samples = OMMXGatesolveAdapter.sample(instance, pipeline="qaoa", num_reads=200, seed=1)
    print("best of 200 measurements of a QAOA circuit:", samples.best_feasible.objective)


if __name__ == "__main__":
    main()
