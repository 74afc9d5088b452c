"""A board on backends that you hold as objects: a Qiskit ``BackendV2`` with noise, and a sampler without.

Here Qiskit's generic backend stands for the device of any provider.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from qiskit.primitives import StatevectorSampler
from qiskit.providers.fake_provider import GenericBackendV2

import gatesolve

BOARD = Path(__file__).parent / "kakuro" / "small.txt"


def main():
    with TemporaryDirectory() as folder:  # leave it out to keep jobs in your own data folder
        device = GenericBackendV2(5, seed=1)
        sent = gatesolve.submit(BOARD, device, presolve="none", seeds=1, shots=1024, folder=Path(folder))
        # an object can be asked by this process alone, hence the wait
        found = gatesolve.fetch(sent, folder=Path(folder), wait=True)
        print(f"{device.name}: {found.status}")
        for row in found.board:
            print(*row)

    result = gatesolve.solve(BOARD, backend=StatevectorSampler(seed=1), presolve="none", encoding="table")
    print(f"without noise: {result.status}, success probability {result.success_probability}")


if __name__ == "__main__":
    main()
