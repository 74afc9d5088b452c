"""All claims about a compiled circuit, layer by layer, from the model down to the text of the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gatesolve.model import Model
from gatesolve.oracle import Oracle
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.levels import LEVELS
from gatesolve.programs.program import CircuitPart, Program, find_oracle, list_calling
from gatesolve.proof.blocks import prove_blocks
from gatesolve.proof.claim import Claim, leave, prove, refuse
from gatesolve.proof.meaning import prove_conditions
from gatesolve.proof.space import prove_space, reads_digits, take_apart
from gatesolve.proof.structure import lends_zeros, prove_structure
from gatesolve.simulate.certificate import Certificate

BY_RULES = frozenset({"constraints", "classical"})
"""Styles of oracles that mark what satisfies the constraints; others mark costs below a threshold."""


def prove_program(model: Model, program: Program, certificate: Certificate | None = None) -> list[Claim]:
    """Return claims about a program's operations: that its circuit is a search for solutions of the presolved model."""
    claims = [prove_space(model, program.space)]
    if claims[0].status == "refused":
        # The other layers read the model's variables off the blocks.
        return claims
    oracle = find_oracle(program)
    if oracle is None:
        return [*claims, leave("oracle", "the circuit has no oracle of constraints")]
    others = [one.oracle for one in list_calling(program)]
    if any(one is None or (one.ops, one.conditions) != (oracle.ops, oracle.conditions) for one in others):
        claims.append(leave("oracle", "sections have different oracles, of which one is looked at"))
    if oracle.style not in BY_RULES:
        # The oracle was run against costs, which nothing here reads.
        certificate = None
    listed = certificate is not None and certificate.checked == certificate.of
    if certificate is not None and listed:
        claims.append(prove("oracle", "every codeword", f"its operations run on all {certificate.of} of them"))
    if oracle.style == "classical" and program.search.level in LEVELS[:2]:
        claims.append(refuse("level", f"'{program.search.level}' is of conditions, and the oracle has none"))
    if oracle.style == "constraints":
        claims += _prove_conditions(model, program, oracle.conditions)
        claims.append(prove_structure(oracle.ops, oracle.num_data, oracle.num_qubits, oracle.conditions))
    elif not listed:
        claims.append(_tell_sample(certificate, oracle.style))
    elif not lends_zeros(oracle.ops, oracle.num_data, oracle.num_qubits):
        claims.append(leave("oracle", "a qubit that is lent as a zero is not seen to be one"))
    inner = program.section("early")
    if inner.oracle is not None:
        claims.append(_prove_early(inner.oracle, oracle, claims))
    return [*claims, prove_blocks(program)]


def _prove_conditions(model: Model, program: Program, conditions: Sequence[Condition]) -> list[Claim]:
    if reads_digits(conditions, program.space):
        return [refuse("conditions", "a condition reads a digit of a permutation block")]
    return prove_conditions(*take_apart(model, program.space), conditions, program.search.level)


def tell_absent(claims: Sequence[Claim], program: Program, part: CircuitPart) -> list[Claim]:
    """Return the claims of `prove_program`, with a remark on those about what a text leaves out."""
    absent, why = set[str](), ""
    if part == "oracle":
        absent, why = {"blocks", "early check"}, "the file, one oracle call, leaves these out"
    elif list_calling(program) and not program.iterations:
        # A section that is no iteration may call the oracle.
        called = any(section.times for section in list_calling(program))
        absent = {"blocks"} if called else {claim.layer for claim in claims} - {"space", "early check"}
        why = "the file has no iteration and leaves these out"
    return [replace(one, detail=f"{one.detail}; {why}") if one.layer in absent else one for one in claims]


def _prove_early(early: Oracle, whole: Oracle, claims: Sequence[Claim]) -> Claim:
    """Prove that an early check asks some of the conditions of the whole oracle, and nothing else."""
    if whole.style != "constraints":
        return refuse("early check", f"an oracle of style '{whole.style}' has no conditions to check early")
    proved = {claim.layer for claim in claims if claim.status == "proved"}
    meant = all(claim.status == "proved" for claim in claims if claim.layer in {"conditions", "levels"})
    # It keeps every solution if its conditions mean the constraints, or are what a right oracle computes.
    if not (meant or {"oracle", "structure"} <= proved):
        return leave("early check", "its conditions are not proved to hold for every solution")
    others = [one for one in early.conditions if one not in whole.conditions]
    if others:
        return refuse("early check", f"'{others[0].label}' is no condition of the whole oracle")
    claim = prove_structure(early.ops, early.num_data, early.num_qubits, early.conditions)
    return replace(claim, layer="early check")


def _tell_sample(certificate: Certificate | None, style: str) -> Claim:
    if certificate is None:
        return leave("oracle", f"an oracle of style '{style}' has no conditions to compare")
    return Claim("oracle", "sampled", certificate.method, f"{certificate.checked} of {certificate.of} codewords")


def is_proved(claims: Sequence[Claim]) -> bool:
    """Return whether every layer is proved, except for what a run of every codeword makes superfluous."""
    layers = {claim.layer for claim in claims if claim.status == "proved"}
    # Where every codeword was run, it does not matter what the conditions one by one are.
    done = {"conditions", "levels", "structure"} if "oracle" in layers else set[str]()
    return all(claim.status == "proved" or (claim.status != "refused" and claim.layer in done) for claim in claims)
