"""Send a board to a fake device, fetch what it measured, and judge it; no account is needed and nothing is kept."""

from pathlib import Path
from tempfile import TemporaryDirectory

import gatesolve

BOARD = Path(__file__).parent / "kakuro" / "small.txt"

with TemporaryDirectory() as name:
    folder = Path(name)  # leave it out to keep jobs in your own data folder
    sent = gatesolve.submit(BOARD, "fake_manila", presolve="none", seeds=1, shots=1024, folder=folder)
    (circuit,) = sent.as_dict()["jobs"][0]["circuits"]
    estimate = circuit["estimate"]
    print(f"{sent.status}: {estimate['two_qubit']} two-qubit gates")
    print(f"solutions among the shots: {estimate['expected']:.3f} expected, {estimate['chance']:.3f} from noise alone")

    found = gatesolve.fetch(sent.key, folder=folder)
    for row in found.board:
        print(*row)
    print(f"{found.status}:", found.as_dict()["result"]["message"])
