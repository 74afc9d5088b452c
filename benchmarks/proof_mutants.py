"""Mutants of exported files: each has to be refused or to be proved equal, its text's hash not looked at.

python benchmarks/proof_mutants.py                  5,000 texts and 1,000 certificates, seed 0
python benchmarks/proof_mutants.py --texts 100 --certificates 20 --seed 3

A text loses a gate, has one twice, two exchanged, one moved, qubits of one exchanged, an angle changed by a millionth,
a measurement moved to another bit, or a word of its legend changed. A certificate's operations lose one, have one
twice or two exchanged, a factor or a control complemented; or it loses a condition, or one of its factors changes. What
is proved all the same, by gatesolve or by circuits/recheck.py, is compared with the file as it was: a text on a random
state, where it has at most 12 qubits, by QCEC above that, operations on every codeword.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import hashlib
import importlib
import io
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from qiskit import QuantumCircuit, qasm2
from qiskit.quantum_info import Statevector

import gatesolve
from gatesolve.api.certify_file import verify_data
from gatesolve.circuit import certify
from gatesolve.errors import GatesolveError
from gatesolve.pipelines.certify import SPACE_LIMIT, phase_check
from gatesolve.proof import is_proved, restore_program

ROOT = Path(__file__).parents[1]
BOARDS = ("kakuro/small.txt", "sudoku/small.txt", "takuzu/small.txt", "queens/tiny-4x4.txt", "kakuro/contest.txt")
ENCODINGS = ("binary", "one-hot", "domain-wall", "table")
LEVELS = ("literal", "merged", "minimised")
GATE = re.compile(r"(cx|u3|[hxzst]|sdg|tdg)\b")
MOST_QUBITS = 12
SECONDS = 60
"""That QCEC is given for a pair of texts."""
Certificate = dict[str, Any]


def mutate_text(text: str, draw: random.Random) -> str:
    """One change of a text."""
    while (changed := _change_text(text, draw)) == text:
        pass
    return changed


def _change_text(text: str, draw: random.Random) -> str:
    """One change of a text, perhaps none."""
    lines = text.split("\n")
    gates = [k for k, line in enumerate(lines) if GATE.match(line)]
    first, second = draw.choice(gates), draw.choice(gates)
    match draw.randrange(8):
        case 0:
            del lines[first]
        case 1:
            lines.insert(first, lines[first])
        case 2:
            lines[first], lines[second] = lines[second], lines[first]
        case 3:
            lines.insert(second, lines.pop(first))
        case 4:
            lines[first] = re.sub(r"cx (.*),(.*);", r"cx \2,\1;", lines[first])
        case 5:
            turns = [k for k in gates if lines[k].startswith("u3")]
            if turns:
                lines[place] = re.sub(r"\(([^,]*),", _turn, lines[place := draw.choice(turns)])
        case 6:
            measured = [k for k, line in enumerate(lines) if line.startswith("measure")]
            if len(measured) > 1:
                one, other = draw.sample(measured, 2)
                ends = [lines[k].split("->")[1] for k in (one, other)]
                lines[one] = lines[one].split("->")[0] + "->" + ends[1]
                lines[other] = lines[other].split("->")[0] + "->" + ends[0]
        case _:
            legend = [k for k, line in enumerate(lines) if line.startswith("// data")]
            if legend:
                place = draw.choice(legend)
                lines[place] = lines[place].replace("=1", "=2", 1).replace("[0]", "[1]", 1)
    return "\n".join(lines)


def _turn(found: re.Match[str]) -> str:
    return f"({float(eval(found[1], {'pi': np.pi})) + 1e-6!r},"  # of a text made here


def mutate_certificate(data: Certificate, draw: random.Random) -> Certificate:
    """One change of a certificate's program."""
    while (changed := _change_certificate(data, draw)) == data:
        pass
    return changed


def _change_certificate(data: Certificate, draw: random.Random) -> Certificate:
    """One change of a certificate's program, perhaps none."""
    data = copy.deepcopy(data)
    section = draw.choice([one for one in data["program"]["sections"] if one["ops"]])
    ops = section["ops"]
    first, second = draw.randrange(len(ops)), draw.randrange(len(ops))
    conditions = data["program"]["sections"][1]["oracle"]["conditions"]
    match draw.randrange(6):
        case 0:
            del ops[first]
        case 1:
            ops.insert(first, ops[second])
        case 2:
            ops[first], ops[second] = ops[second], ops[first]
        case 3:
            words = ops[first].split(" ")
            place = draw.randrange(1, len(words)) if len(words) > 1 else 0
            words[place] = words[place].removeprefix("!") if words[place].startswith("!") else f"!{words[place]}"
            ops[first] = " ".join(words)
        case 4 if conditions:
            del conditions[draw.randrange(len(conditions))]
        case _ if conditions:
            factors = draw.choice(conditions)["factors"]
            if factors:
                place = draw.randrange(len(factors))
                factors[place] = factors[place].removeprefix("!") if "!" in factors[place] else f"!{factors[place]}"
    return data


def is_same_text(old: str, new: str, seed: int) -> bool | None:
    """Whether two texts do the same to a random state and measure alike; wide ones are QCEC's to judge.

    None where that is not installed, or finds no answer.
    """
    if sorted(re.findall(r"^(?:measure|//).*", old, re.M)) != sorted(re.findall(r"^(?:measure|//).*", new, re.M)):
        return False
    one, other = (qasm2.loads(text).remove_final_measurements(inplace=False) for text in (old, new))
    if one.num_qubits > MOST_QUBITS:
        return _ask_qcec(one, other)
    noise = np.random.default_rng(seed).normal(size=(2, 2**one.num_qubits))
    start = Statevector((noise[0] + 1j * noise[1]) / np.linalg.norm(noise))
    return bool(abs(start.evolve(one).inner(start.evolve(other))) > 1 - 1e-9)


def _ask_qcec(one: QuantumCircuit, other: QuantumCircuit) -> bool | None:
    try:
        from mqt import qcec
    except ImportError:
        return None
    found = qcec.verify(one, other, timeout=SECONDS, run_simulation_checker=False).equivalence.name
    return {"equivalent": True, "equivalent_up_to_global_phase": True, "not_equivalent": False}.get(found)


def is_same_oracle(data: Certificate) -> bool:
    """Whether a certificate's oracle marks what its model accepts, on every codeword."""
    model, program = restore_program(data["program"])
    try:
        certify(phase_check(model, program.space, program.oracle), SPACE_LIMIT, 0)
    except GatesolveError:
        return False
    return True


def write_files(draw: random.Random, folder: Path) -> tuple[str, Certificate]:
    """A text and its certificate, of a board drawn by chance."""
    options: dict[str, Any] = {"encoding": draw.choice(ENCODINGS), "level": draw.choice(LEVELS)}
    options |= {"gates": draw.choice(("cx+u", "clifford+t")), "objective": draw.choice(("cx", "depth"))}
    made = gatesolve.compile(str(ROOT / "examples" / draw.choice(BOARDS)), presolve="none", iterations=1, **options)
    written = gatesolve.export(made, folder / "board.qasm")
    assert written.is_proved, list(map(str, written.claims))
    assert written.certificate is not None
    return written.circuit.read_text(), json.loads(written.certificate.read_text())


def judge(text: str, data: Certificate) -> str:
    """The verdict, or that a line was not understood."""
    try:
        claims = [claim for claim in verify_data(text.encode(), data).claims if claim.layer != "file"]
    except GatesolveError:
        return "refused"
    return "proved" if is_proved(claims) else "refused"


def recheck_file(text: str, data: Certificate) -> bool:
    """Whether the standalone script proves the same, or all layers that it does not leave open."""
    if str(ROOT / "circuits") not in sys.path:
        sys.path.append(str(ROOT / "circuits"))
    recheck = importlib.import_module("recheck")
    data = {**data, "text_sha256": hashlib.sha256(text.encode()).hexdigest()}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return bool(recheck.Recheck(text, data).run() in {0, 3})
    except (recheck.Unreadable, recheck.Open, ValueError, LookupError, TypeError):
        return False


def count(number: int, each: int, draw: random.Random, check: Callable[[str, Certificate], str]) -> Counter[str]:
    """What was found of so many mutants, so many of each file."""
    found = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        while found.total() < number:
            text, data = write_files(draw, Path(folder))
            found.update(check(text, data) for _ in range(min(each, number - found.total())))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command of the module's docstring; exit 1 if something wrong was proved."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--texts", type=int, default=5000)
    parser.add_argument("--certificates", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    taken = parser.parse_args(arguments)
    draw = random.Random(taken.seed)

    def check_text(text: str, data: Certificate) -> str:
        changed = mutate_text(text, draw)
        if judge(changed, data) != "proved" and not recheck_file(changed, data):
            return "refused"
        same = is_same_text(text, changed, taken.seed)
        return "WRONG" if same is False else "proved, and equal" if same else "proved, not compared"

    def check_certificate(text: str, data: Certificate) -> str:
        changed = mutate_certificate(data, draw)
        if judge(text, changed) != "proved" and not recheck_file(text, changed):
            return "refused"
        return "proved, and equal" if is_same_oracle(changed) else "WRONG"

    texts = count(taken.texts, 50, draw, check_text)
    certificates = count(taken.certificates, 20, draw, check_certificate)
    for name, found in (("texts", texts), ("certificates", certificates)):
        print(f"{found.total()} {name}: " + ", ".join(f"{n} {what}" for what, n in sorted(found.items())))
    return 1 if texts["WRONG"] or certificates["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
