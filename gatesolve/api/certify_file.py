"""A circuit's certificate, in a file next to it: the proved claims, and all data needed to prove them again."""

from __future__ import annotations

import glob
import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gatesolve.api.export import NO_TEXT, NOT_READ, find_part, write_circuit
from gatesolve.circuit.kickmix import count_kickmix
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.files import as_path, read_bytes, replace_file
from gatesolve.formats.problem import Narrowing, Problem
from gatesolve.formats.problem_record import record_problem, restore_problem
from gatesolve.model import Constraint, Model, Table
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.certify import phase_check
from gatesolve.pipelines.options import SPACE_LIMIT
from gatesolve.programs.program import CircuitPart, Program, describe_extent, find_oracle, limit_iterations
from gatesolve.proof.claim import Claim, leave, prove, refuse
from gatesolve.proof.prove import BY_RULES, is_proved, prove_program, tell_absent
from gatesolve.proof.record import FAULT, record_program, restore_program
from gatesolve.proof.space import prove_space
from gatesolve.proof.text import list_words, prove_text, write_rules
from gatesolve.proof.words import Words, read_words
from gatesolve.qubo.numerals import count_noun
from gatesolve.simulate.certificate import Certificate, CertificateError, certify

VERSION = 1
FIELDS = {
    *("gatesolve_certificate", "circuit", "part", "extent", "text_sha256", "problem_sha256", "program_sha256"),
    *("claims", "codewords", "presolve", "encoding", "level", "problem", "program", "rules", "words"),
}
"""Fields of a certificate."""
WHOLE = "this circuit is the whole search"
NARROWED = {
    "branched": ("of one part of the problem", "values were branched on: the circuit searches one part of the problem"),
    "bounded": ("for a better objective", "the objective was bounded: the circuit searches for better solutions alone"),
}
"""For each way to narrow a problem the end of a circuit's extent, and why its model differs from the problem's."""
MOST_NAME = 60
"""Number of characters shown of a model's name in a certificate."""
MOST_BYTES = 1 << 28
"""Largest certificate and largest text that are read."""


@dataclass(frozen=True)
class Written:
    """The files of a compiled problem, and the claims about them, layer by layer.

    The certificate is None where such a problem cannot be stored in one. The extent is the part of the search in the
    file, empty for the whole search.
    """

    circuit: Path
    certificate: Path | None
    claims: tuple[Claim, ...]
    extent: str

    @property
    def is_proved(self) -> bool:
        """Return whether every layer is proved for every state."""
        return is_proved(self.claims)


@dataclass(frozen=True)
class FileVerdict:
    """The outcome of verifying a file: claims layer by layer, and the title that its maker gave the problem.

    The extent describes the contents of the circuit, by the proved operations of its text; else it is empty.
    """

    claims: tuple[Claim, ...]
    title: str
    extent: str

    @property
    def status(self) -> str:
        """Return ``proved``, ``refused``, or ``sampled`` where some layer is only sampled or unchecked."""
        if any(claim.status == "refused" for claim in self.claims):
            return "refused"
        return "proved" if is_proved(self.claims) else "sampled"


def export(compiled: Compiled, path: str | Path, part: CircuitPart = "whole") -> Written:
    """Write a compiled problem's circuit, and a certificate next to it: ``board.cert.json`` for ``board.qasm``.

    If ``board.cert.json`` belongs to ``board.qasm3``, it is ``board.qasm.cert.json``. Of a search of over a million
    gates only the preparation and one iteration are written, and a comment in the file states this.

    Args:
        compiled: the compiled problem.
        path: the file of the circuit; its suffix determines the format.
        part: the whole measured circuit, or one oracle call.

    Returns:
        The files written and the claims about them.

    Raises:
        InputError: no `Compiled`, an unknown suffix, or a place that cannot be written to.
        UnsupportedError: OpenQASM 2 for a program with measured erasure.
    """
    _check_compiled(compiled)
    path = as_path(path, "path")
    place = place_certificate(path)
    program = limit_iterations(compiled.program) if part == "whole" else compiled.program
    text = write_circuit(program, path, part)
    # The certificate is about the whole problem, so its model may differ from the compiled one.
    problem, narrowing = compiled.problem.widen(), compiled.problem.narrowing
    presolve = compiled.presolve if narrowing is None else narrowing.how
    claims = (
        _prove_model(problem, compiled.model, program, presolve),
        *tell_absent(prove_program(compiled.model, program, compiled.certificate), program, part),
        text,
    )
    extent = _describe(program, part, narrowing)
    # kickmix has other gates and another width than the program.
    if text is NOT_READ:
        extent += f" in kickmix ({count_kickmix(path.read_text())}), not lowered"
    try:
        record, posed = record_program(compiled.model, program), record_problem(problem)
    except UnsupportedError:
        return Written(path, None, claims, extent)
    data = {
        "gatesolve_certificate": VERSION,
        "circuit": path.name,
        "part": part,
        "extent": extent or WHOLE,
        "text_sha256": _hash(path.read_bytes()),
        "problem_sha256": _hash(json.dumps(posed).encode()),
        "program_sha256": _hash(json.dumps(record).encode()),
        "claims": [asdict(claim) for claim in claims],
        "codewords": {**asdict(compiled.certificate), "of": str(compiled.certificate.of)},
        "presolve": presolve,
        "encoding": compiled.encoding,
        "level": compiled.level,
        "problem": posed,
        "program": record,
        "rules": write_rules(program, part),
        "words": list_words(program, part),
    }
    replace_file(place, json.dumps(data, indent=1).encode())
    return Written(path, place, claims, extent)


def _describe(program: Program, part: CircuitPart, narrowing: Narrowing | None) -> str:
    """Say what part of the search for the whole problem's solutions a circuit is; nothing if it is all of it."""
    extent = describe_extent(program) if part == "whole" else "this circuit is one oracle call"
    return extent if narrowing is None else f"{extent or WHOLE} {NARROWED[narrowing.how][0]}"


def _check_compiled(given: object) -> None:
    if not isinstance(given, Compiled):
        mend = "give what gatesolve.compile returns, or the compiled of a result"
        raise InputError(f"compiled is a {type(given).__name__}, which has no circuit to certify: {mend}")


def find_certificate(path: Path) -> Path:
    """Return the place of a circuit's certificate: made for its text, else for its name, else the shorter place."""
    short, long = _list_places(path)
    # Reading a certificate takes a while, and nearly always there is one of them.
    if not long.exists():
        return short
    text, owners = _hash_file(path), [_read_owner(place) for place in (short, long)]
    of_text = [owner is not None and owner.text == text for owner in owners]
    of_name = [owner is not None and owner.name == path.name for owner in owners]
    return long if (of_text[1], of_name[1]) > (of_text[0], of_name[0]) else short


def _list_places(path: Path) -> tuple[Path, Path]:
    return path.with_suffix(".cert.json"), path.with_name(f"{path.name}.cert.json")


@dataclass(frozen=True)
class _Owner:
    """The circuit that a certificate was written for: its name and the hash of its text."""

    name: str
    text: str


def _read_owner(place: Path) -> _Owner | None:
    """Return the circuit that a certificate was written for; None where it is absent or no certificate."""
    try:
        kept = json.loads(read_bytes(place, MOST_BYTES, ""))
        return _Owner(Path(str(kept["circuit"])).name, str(kept["text_sha256"]))
    except (InputError, ValueError, LookupError, TypeError, RecursionError):
        return None


def _hash_file(path: Path) -> str | None:
    try:
        return _hash(read_bytes(path, MOST_BYTES, ""))
    except InputError:
        return None


def place_certificate(path: Path) -> Path:
    """Return where a circuit's certificate is written, so that no other circuit loses its own."""
    places = _list_places(path)
    owners = [_read_owner(place) for place in places]
    served = [None if owner is None else _list_served(path, owner) for owner in owners]
    if [path.name] in served:
        return places[served.index([path.name])]
    for place, circuits in zip(places, served, strict=True):
        # A certificate whose circuit is gone serves nobody.
        if not place.exists() or circuits == []:
            return place
    raise InputError(
        f"{places[0].name} and {places[1].name} belong to other files: choose another name", source=str(path)
    )


def _list_served(path: Path, owner: _Owner) -> list[str]:
    """Return the circuits next to a path that a certificate is for, by their text and else by their name."""
    beside = [file for file in path.parent.glob(f"{glob.escape(path.stem)}.*") if not file.name.endswith(".cert.json")]
    by_text = sorted(file.name for file in beside if _hash_file(file) == owner.text)
    by_name = [owner.name] if path.with_name(owner.name).exists() or owner.name == path.name else []
    return by_text or by_name


def verify(path: str | Path, certificate: str | Path | None = None) -> FileVerdict:
    """Prove the claims of a certificate again, from the problem, the program and the text.

    The claims in the certificate themselves are not used.

    Args:
        path: the circuit, OpenQASM 2 or 3; for QPY only the hash is compared with the certificate's.
        certificate: its certificate; next to it when None.

    Returns:
        The verdict, with one claim for each layer.

    Raises:
        InputError: a file cannot be read, or is not a certificate or not a circuit.
    """
    circuit = as_path(path, "path")
    own = None if certificate is None else as_path(certificate, "certificate")
    text = read_bytes(circuit, MOST_BYTES, "verify smaller circuits")
    place = find_certificate(circuit) if own is None else own
    return verify_data(text, read_certificate(place))


def verify_data(text: bytes, data: dict[str, Any]) -> FileVerdict:
    """Verify a text by a certificate's fields; a damaged one is refused."""
    part, problem = find_part(data["part"]), restore_problem(data["problem"])
    model, program = restore_program(data["program"])
    # Run again: the claims and the counts in the certificate are only its maker's.
    checked, wrong = _run_codewords(model, program)
    proved = tell_absent(prove_program(model, program, checked), program, part)
    claims = [_prove_model(problem, model, program, data["presolve"]), *wrong, *proved]
    read = _prove_text(program, text, part, read_words(data["words"]))
    claims.append(read)
    if data["rules"] != write_rules(program, part):
        claims.append(refuse("rules", "the certificate decomposes multi-controlled operations in another way"))
    # The hash comes last: a changed text whose normal form is equal is still proved in the layers above.
    if data["text_sha256"] != _hash(text):
        claims.append(refuse("file", "it is not the text that the certificate was made for, by its hash"))
    extent = _tell_extent(program, part) if read.status == "proved" else ""
    return FileVerdict(tuple(claims), tell_problem(problem), extent)


def read_certificate(path: Path) -> dict[str, Any]:
    """Return the fields of a certificate; it is refused if one is missing."""
    text = read_bytes(path, MOST_BYTES, "verify smaller circuits")
    try:
        data = json.loads(text, object_pairs_hook=_read_fields, parse_constant=_refuse_number)
    except InputError as error:
        raise InputError(str(error), source=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise InputError("not a certificate: it is not JSON", source=str(path)) from error
    # ``is`` refuses true and 1.0, which are equal to 1.
    if not isinstance(data, dict) or data.get("gatesolve_certificate") is not VERSION:
        raise InputError(f"not a certificate of version {VERSION}: compile the problem again", source=str(path))
    for name in ("text_sha256", "part", "presolve"):
        if not isinstance(data.get(name), str):
            raise InputError(FAULT.format(f"{name} is missing"), source=str(path))
    # An unknown field could make a reader believe something that is not verified here.
    if unknown := sorted(data.keys() - FIELDS):
        raise InputError(FAULT.format(f"unknown field {unknown[0][:40]!r}"), source=str(path))
    return {"problem": None, "program": None, "rules": None, "words": {}, **data}


def _read_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    # Of two fields with one name different readers would use different ones.
    if len(found) < len(pairs):
        raise InputError(FAULT.format("a field is there twice"))
    return found


def _refuse_number(word: str) -> None:
    raise InputError(FAULT.format(f"{word} is not a number"))


def tell_problem(problem: Problem) -> str:
    """Return the title of a puzzle, from its text; for a model its size and its name, marked as its maker's."""
    if problem.puzzle is not None:
        return problem.title
    name = problem.name if len(problem.name) <= MOST_NAME else problem.name[: MOST_NAME - 1] + "…"
    named = f", called {name!r} by its maker" if name else ""
    variables = count_noun(len(problem.model.variables), "variable")
    return f"a model of {variables} and {count_noun(len(problem.model.constraints), 'constraint')}{named}"


def tell_aside(problem: Problem) -> str:
    """Return the remark that the objective or energy, if there is one, is not part of the search."""
    return "" if problem.goal is None else f"the {problem.goal_name} is no part of the search"


def _tell_extent(program: Program, part: CircuitPart) -> str:
    """Return the contents of a circuit by its operations alone."""
    if part == "oracle":
        return "this circuit is one oracle call"
    # Only counts are stated: how many iterations a search needs is not proved.
    times = Counter[str]()
    for one in program.sections:
        times["early-check round" if one.name == "early" else one.name] += one.times
    counts = [f"{number} {name}{'' if number == 1 else 's'}" for name, number in times.items()]
    return "this circuit is " + " and ".join(counts).replace("1 preparation", "the preparation", 1)


def _prove_model(problem: Problem, model: Model, program: Program, presolve: str) -> Claim:
    """Return the claim that a model is the problem's own; deductions of presolve are not proved."""
    original = problem.model
    # Compared as sets: neither the order nor the repetition of constraints changes the solutions.
    same = original.domains == model.domains and _name_rules(original) == _name_rules(model)
    if same:
        number = f"{len(original.variables)} variables and {len(original.constraints)} constraints"
        oracle = find_oracle(program)
        by_rules = oracle is not None and oracle.style in BY_RULES
        found = [f"nothing was deduced: the problem's own {number}", tell_aside(problem) if by_rules else ""]
        return prove("model", "comparison", "; ".join(filter(None, found)))
    if presolve == "none":
        return refuse("model", "it differs from the problem's, although nothing was deduced")
    deduced = f"presolve {presolve[:40]!r} deduced it classically"
    return leave("model", NARROWED[presolve][1] if presolve in NARROWED else deduced)


def _name_rules(model: Model) -> set[tuple[Constraint, bool]]:
    """Return the constraints, each with whether it is a table that joins several, on which levels depend."""
    return {(one, isinstance(one, Table) and one.joins) for one in model.constraints}


def _run_codewords(model: Model, program: Program) -> tuple[Certificate | None, list[Claim]]:
    oracle = find_oracle(program)
    if oracle is None or oracle.style not in BY_RULES or program.space.size > SPACE_LIMIT:
        return None, []
    # Codewords of a wrong space would crash the run or prove nothing.
    if prove_space(model, program.space).status == "refused":
        return None, []
    try:
        return certify(phase_check(model, program.space, oracle), SPACE_LIMIT, 0)[0], []
    except (CertificateError, TypeError) as error:
        return None, [refuse("oracle", str(error).removesuffix(": please report this as a bug"))]


def _prove_text(program: Program, text: bytes, part: CircuitPart, words: Words) -> Claim:
    if text.startswith((b"QISKIT", b"# kickmix")):
        return NO_TEXT if text.startswith(b"QISKIT") else NOT_READ
    try:
        return prove_text(program, text.decode(), part, words)
    except UnicodeDecodeError:
        return refuse("text", "it is not UTF-8")
    except InputError as error:
        return refuse("text", str(error))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
