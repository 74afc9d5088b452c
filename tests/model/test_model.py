"""What is no model is refused when it is made."""

import numpy as np
import pytest

from gatesolve.errors import InputError
from gatesolve.model import Model, NotEqual, Variable

A, B = Variable("a", (0, 1)), Variable("b", (0, 1))


@pytest.mark.parametrize("domain", [3, None, np.array([0, 1]), "01", (0.5, 1.5), (0, "a")])
def test_a_domain_is_of_whole_numbers(domain):
    with pytest.raises(InputError, match=r"^the domain of a is .*: give a tuple of whole numbers$"):
        Variable("a", domain)


@pytest.mark.parametrize("name", ["\ud800", "a\0", 3], ids=ascii)
def test_a_name_is_a_text_that_files_hold(name):
    with pytest.raises(InputError, match=r"^a variable is named .*: give it a text without nulls and surrogates$"):
        Variable(name, (0, 1))


@pytest.mark.parametrize("domain", [(1, 0), (0, 0), (0, 2, 1)])
def test_a_domain_rises(domain):
    with pytest.raises(InputError, match=r"^the domain of a is not sorted, or has a value twice: "):
        Variable("a", domain)


def test_a_domain_has_a_value():
    with pytest.raises(InputError, match="variable a has no value left"):
        Variable("a", ())


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((A,), r"^variables is Variable\(.*: give a tuple of Variables$"),
        ((("a",),), r"^variables is \('a',\): give a tuple of Variables$"),
        (((A, B), NotEqual("a", "b")), r"^constraints is NotEqual\(.*: give a tuple of constraints$"),
        (((A, B), ("a != b",)), r"^constraints is \('a != b',\): give a tuple of constraints$"),
    ],
)
def test_a_model_is_of_variables_and_constraints(parts, message):
    with pytest.raises(InputError, match=message):
        Model(*parts)
