"""Proofs of what is shipped, for any number of states: each layer from the model to the text of the file.

``prove.py`` makes the claims about a program, ``text.py`` the one about its text; ``record.py`` keeps a program in a
certificate; ``entry.py`` judges oracles of other makers by running them. May import pipelines, programs, simulate,
oracle, encodings, circuit and model. A new proof goes here as a file of its own.
"""

from gatesolve.proof.claim import Claim
from gatesolve.proof.entry import prove_circuit
from gatesolve.proof.entry_words import QubitLayout
from gatesolve.proof.prove import is_proved, prove_program
from gatesolve.proof.record import record_program, restore_program
from gatesolve.proof.text import prove_text

__all__ = [
    "Claim", "QubitLayout", "is_proved", "prove_circuit", "prove_program", "prove_text", "record_program",
    "restore_program",
]  # fmt: skip
