"""Changed exports before both checkers: nothing wrong may be proved, nothing right refused.

python -m benchmarks proof-mutants                         60 files, 2,000 texts, 1,500 certificates, 300 right texts
python -m benchmarks proof-mutants --files 8 --texts 60    a sample; --certificates and --right for the others
python -m benchmarks proof-mutants --jobs 2 --keep wrong   in two processes; faults are written to the folder `wrong`

Files are those of `proof_files.py`, changes those of `proof_changes.py`. Each case is judged by `gatesolve verify` and
by `circuits/recheck.py`, the text's hash set right before. What a checker accepts is compared with the truth of
`proof_truth.py`. A text is accepted where a checker proves that it is the program, whatever other layer is open.

A fault is a wrong file that is proved (WRONG), an unchanged file that is refused, a checker that ends in a traceback or
takes longer than `PATIENCE`, and a control character or a second verdict in what it prints. Exit status 1 if there is
one. Right texts, rewritten without effect, need not be proved; they are counted.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import json
import random
import re
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.core.places import ROOT
from benchmarks.core.processes import TooSlow, time_limit
from benchmarks.core.suite import make_parser
from benchmarks.faults import proof_changes as changes
from benchmarks.faults import proof_truth as truth
from benchmarks.faults.proof_files import Exported, export_row, list_rows
from gatesolve.cli.app import main as run_gatesolve

PATIENCE = 30.0
"""Seconds of CPU that a checker may take for a file."""
MEMORY = 6 << 30
"""Bytes of address space that a process of this script gets."""
READERS = {"sudoku", "kakuro", "queens", "starbattle", "tents"}
"""Families whose boards the standalone script reads."""
LINE = re.compile(r"^([a-z ]+): (proved|sampled|unchecked|open|refused)\b", re.M)
MODEL_LAYERS = {"model", "board"}


@dataclass(frozen=True)
class Case:
    """A changed file: ``file`` is the number of the one whose certificate it was."""

    file: int
    change: str
    text: str
    certificate: str


class Answer(NamedTuple):
    """What a checker ended with: its exit status, its layers by name, and what is wrong with how it ended."""

    status: int
    layers: dict[str, str]
    fault: str

    @property
    def is_text_proved(self) -> bool:
        """Whether the text is said to be the program's."""
        return self.status in {0, 3} and self.layers.get("text") == "proved"

    @property
    def is_search_proved(self) -> bool:
        """Whether all layers but the model's are proved."""
        left = {layer for layer, status in self.layers.items() if status != "proved"} - MODEL_LAYERS - {"verdict"}
        left -= {"conditions", "levels", "structure"} if self.layers.get("oracle") == "proved" else set()
        return self.status == 0 or (self.is_text_proved and not left)

    @property
    def is_problem_proved(self) -> bool:
        """Whether the model is said to be the problem's."""
        return self.status == 0 or (self.status == 3 and any(self.layers.get(one) == "proved" for one in MODEL_LAYERS))


def run_checkers(text: str, certificate: str, suffix: str) -> dict[str, Answer]:
    """Return the answers of both checkers on a text and its certificate."""
    if str(ROOT / "circuits") not in sys.path:
        sys.path.append(str(ROOT / "circuits"))
    recheck = importlib.import_module("recheck")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"board{suffix}"
        path.write_text(text, encoding="utf-8")
        path.with_suffix(".cert.json").write_text(certificate, encoding="utf-8", errors="surrogatepass")
        return {
            "verify": run(lambda: _call_gatesolve("verify", str(path))),
            "recheck": run(lambda: recheck.main([str(path)])),
        }


def _call_gatesolve(*words: str) -> int:
    kept, sys.argv = sys.argv, ["gatesolve", *words]
    try:
        run_gatesolve()
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        sys.argv = kept
    return 0


def run(call: Callable[[], int]) -> Answer:
    """Return what a checker ends with, in this process."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with time_limit(PATIENCE, processor=True), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = call()
    except (Exception, TooSlow) as error:
        return Answer(2, {}, f"ends in {type(error).__name__}: {str(error)[:80]}")
    said = out.getvalue()
    odd = {c for c in said + err.getvalue() if c != "\n" and not c.isprintable()}
    verdicts = len(re.findall(r"^verdict: ", said, re.M))
    fault = f"prints {sorted(odd)}" if odd else "prints two verdicts" if verdicts > 1 else ""
    return Answer(status, dict(LINE.findall(said)), fault or ("" if status in {0, 1, 2, 3} else f"status {status}"))


def is_right(case: Case, original: Exported, answer: Answer) -> bool | None:
    """Tell whether all that a checker proved of a case is true; None where that was not found out."""
    try:
        readings = truth.list_readings(case.certificate)
        found = [_is_reading_right(case.text, data, original, answer) for data in readings]
    except (truth.Meaningless, LookupError, TypeError):  # a field that is needed is missing or damaged
        return False
    return False if False in found else None if None in found else True


def _is_reading_right(text: str, data: Any, original: Exported, answer: Answer) -> bool | None:
    same = True if not answer.is_text_proved else truth.is_same_text(original.text, text)
    if same and _list_ops(data) != _list_ops(original.certificate):
        same = truth.does_program_match(text, data)
    if same and answer.is_search_proved:
        same = truth.find_meaning(data) == truth.find_meaning(original.certificate)
    if same and answer.is_problem_proved and data["problem"] != original.certificate["problem"]:
        same = truth.is_problem_right(data)
    return same


def _list_ops(data: Any) -> list[Any]:
    return [data["part"], *((one["times"], one["ops"]) for one in data["program"]["sections"])]


def judge(case: Case, original: Exported) -> dict[str, str]:
    """Return the outcome of each checker on a changed file."""
    outcomes = {}
    for name, answer in run_checkers(case.text, case.certificate, original.row.suffix).items():
        if answer.fault:
            outcomes[name] = f"FAULT: {answer.fault}"
        elif not (answer.is_text_proved or answer.is_search_proved):
            outcomes[name] = "refused" if answer.status in {1, 2} else "open"
        else:
            right = is_right(case, original, answer)
            outcomes[name] = "WRONG" if right is False else "proved" if right else "not compared"
    return outcomes


def judge_original(file: Exported) -> dict[str, str]:
    """Return the outcome of each checker on an unchanged file, WRONG where the docs promise more."""
    answers = run_checkers(file.text, json.dumps(file.certificate), file.row.suffix)
    options, problem = file.row.options, file.certificate["problem"]
    is_search = options.get("pipeline", "grover") == "grover" and not options.get("exact")
    is_plain = is_search and options["presolve"] == "none"
    followed = problem["kind"] == "model" or problem["family"] in READERS
    is_first = options.get("level") == "literal" and "early_check" not in options and file.row.problem != "logic"
    promised = {"verify": is_plain, "recheck": is_plain and followed and is_first}
    return {
        name: f"FAULT: {answer.fault}"
        if answer.fault
        else "proved"
        if answer.status == 0
        else "open"
        if answer.status == 3 and not promised[name]
        else f"REFUSED: status {answer.status}, {_list_left(answer)}"
        for name, answer in answers.items()
    }


def _list_left(answer: Answer) -> str:
    return ", ".join(f"{layer} {status}" for layer, status in answer.layers.items() if status != "proved")


def make_case(kind: str, number: int, seed: int, files: Sequence[Exported]) -> Case:
    """Return a changed file; changes take their turn, and files that have nothing to change are passed over."""
    for attempt in range(100):
        draw = random.Random(f"{seed} {kind} {number} {attempt}")
        place, other = draw.randrange(len(files)), draw.choice(files)
        with contextlib.suppress(LookupError, ValueError, TypeError, AttributeError):
            # If no file has anything for this change, the next one takes its turn.
            change, text, certificate = CHANGES[kind](files[place], other, number + attempt // 50, draw)
            return Case(place, change, text, certificate)
    raise LookupError(f"no file has anything to change: {kind} {number}")


def _change_text(
    edits: dict[str, changes.Edit], file: Exported, number: int, draw: random.Random
) -> tuple[str, str, str]:
    change = list(edits)[number % len(edits)]
    text = changes.edit_text(file.text, edits[change], draw)
    return change, text, _set_hash(file.certificate, text)


def _change_certificate(file: Exported, other: Exported, number: int, draw: random.Random) -> tuple[str, str, str]:
    data, foreign = file.certificate, other.certificate
    change = ("a field", "an operation", "a part of another file", "a model", "a name twice", "another file's text")[
        number % 6
    ]
    match number % 6:
        case 0:
            made = changes.change_field(data, foreign, draw)
        case 1:
            made = changes.change_op(data, foreign, draw)
        case 2:
            made = changes.splice(data, foreign, draw)
        case 3:
            change = list(changes.MODEL_EDITS)[number // 6 % len(changes.MODEL_EDITS)]
            made = changes.edit_models(data, changes.MODEL_EDITS[change], draw)
        case 4:
            return change, file.text, changes.write_twice(data, foreign, draw)
        case _:
            text = _splice_text(file.text, other.text, draw)
            return change, text, _set_hash(data, text)
    if made == data:
        raise LookupError("nothing changed")
    return change, file.text, json.dumps(made)


def _splice_text(text: str, other: str, draw: random.Random) -> str:
    """Return another text, or a text with some of its lines replaced by another's."""
    lines, others = text.split("\n"), other.split("\n")
    if draw.random() < 0.3 or text == other:
        return other
    start, number = draw.randrange(len(lines)), draw.choice((1, 3, 10))
    place = draw.randrange(len(others))
    return "\n".join([*lines[:start], *others[place : place + number], *lines[start + number :]])


def _set_hash(data: changes.Certificate, text: str) -> str:
    return json.dumps({**data, "text_sha256": hashlib.sha256(text.encode()).hexdigest()})


CHANGES: dict[str, Callable[[Exported, Exported, int, random.Random], tuple[str, str, str]]] = {
    "text": lambda file, _, number, draw: _change_text(changes.WRONG, file, number, draw),
    "right": lambda file, _, number, draw: _change_text(changes.RIGHT, file, number, draw),
    "certificate": _change_certificate,
}
_FILES: list[Exported] = []


def _start(files: Sequence[Exported]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    _FILES[:] = files


def _work(task: tuple[str, int, int]) -> tuple[str, str, Case, dict[str, str]]:
    kind, number, seed = task
    if kind == "unchanged":
        file = _FILES[number]
        case = Case(number, "none", file.text, json.dumps(file.certificate))
        return f"{kind} {number}", kind, case, judge_original(file)
    case = make_case(kind, number, seed, _FILES)
    return f"{kind} {number}", kind, case, judge(case, _FILES[case.file])


def campaign(
    numbers: dict[str, int], count: int, seed: int, jobs: int
) -> Iterator[tuple[str, str, Case, Exported, dict[str, str]]]:
    """Yield each case with its outcomes, unchanged files first."""
    rows = list_rows()
    chosen = sorted(random.Random(seed).sample(range(len(rows)), min(count, len(rows))))
    with ProcessPoolExecutor(jobs) as pool:
        files = list(pool.map(export_row, [rows[k] for k in chosen]))
    tasks = [("unchanged", number, seed) for number in range(len(files))]
    tasks += [(kind, number, seed) for kind, number_ in numbers.items() for number in range(number_)]
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(files,)) as pool:
        for name, kind, case, outcomes in pool.map(_work, tasks, chunksize=4):
            yield name, kind, case, files[case.file], outcomes


def keep_case(folder: Path, name: str, case: Case, suffix: str) -> None:
    """Write a case's files to a folder."""
    folder.mkdir(exist_ok=True, parents=True)
    path = folder / f"{name.replace(' ', '-')}{suffix}"
    path.write_text(case.text, encoding="utf-8")
    path.with_suffix(".cert.json").write_text(case.certificate, encoding="utf-8", errors="surrogatepass")


def main(arguments: Sequence[str]) -> int:
    """Run the command of the module's docstring."""
    parser = make_parser(__doc__)
    for name, number in (("files", 60), ("texts", 2000), ("certificates", 1500), ("right", 300), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path)
    taken = parser.parse_args(arguments)
    numbers = {"text": taken.texts, "certificate": taken.certificates, "right": taken.right}
    found: dict[tuple[str, str], dict[str, Counter[str]]] = {}
    faults = 0
    for name, kind, case, file, outcomes in campaign(numbers, taken.files, taken.seed, taken.jobs):
        tally = found.setdefault((kind, case.change), {checker: Counter() for checker in outcomes})
        for checker, outcome in outcomes.items():
            word, _, more = outcome.partition(": ")
            tally[checker][word] += 1
            if word in {"WRONG", "FAULT", "REFUSED"}:
                faults += 1
                print(f"{word} by {checker}: {name} ({case.change}) of {file.row}: {more}", flush=True)
                if taken.keep:
                    keep_case(taken.keep, name, case, file.row.suffix)
    for (kind, change), tallies in found.items():
        counts = "; ".join(
            f"{checker} " + ", ".join(f"{n} {word}" for word, n in sorted(tally.items()))
            for checker, tally in tallies.items()
        )
        print(f"{kind}, {change}: {counts}")
    print(f"{faults} faults")
    return 1 if faults else 0
