"""Makes a small store of jobs with the checkout of gatesolve that is on the path: ``python make_store.py FOLDER``.

`asked_problems.py` has what is asked.
"""

import sys
from pathlib import Path

from asked_problems import DECODED, ELIMINATED, MODEL, QUBO

from gatesolve import devices as hardware
from gatesolve.devices.jobs.store import Store
from gatesolve.devices.plan import JobPlan
from gatesolve.devices.providers import open_device


def main(folder: Path) -> None:
    board = str(Path(__file__).parent / "board.txt")

    def submit(problem, *, device="fake_lagos", seed=3, **options):
        return hardware.submit(problem, device, folder=folder, seeds=1, shots=256, force=True, seed=seed, **options)

    for name, problem, options in (
        ("grover", board, {"presolve": "none", "mitigate": True}),
        ("eliminated", ELIMINATED, {"encoding": "one-hot", "presolve": "affine", "iterations": 1}),
        ("gas", MODEL, {"pipeline": "gas"}),
        ("qaoa", QUBO, {"pipeline": "qaoa", "layers": 1}),
    ):
        done = submit(problem, wait=True, **options)
        print(name, "finished", done.key, done.status, done.solution, done.search.result["message"])
        print(name, "open", submit(problem, again=True, **options).key)
    one_hot = {"encoding": "one-hot", "presolve": "none", "iterations": 1}
    print("decoded", "open", submit(DECODED, device="fake_guadalupe", **one_hot).key)
    print("tuned", "open", submit(MODEL, pipeline="qaoa", layers=1, rounds=1).key)
    # Killed between two jobs: what the first one measured is kept, and the second is yet to be compiled.
    half = submit(MODEL, pipeline="gas", seed=4)
    store, (job,) = Store(folder), half.jobs
    counts = open_device("fake_lagos", 4).results(job, JobPlan("fake_lagos"))
    store.mark(job, "done", counts=counts, reason="")
    print("gas", "halfway", half.key)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
