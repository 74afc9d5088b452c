"""What users hand in is data: nothing in the package unpickles or evaluates it, and no option takes a secret."""

import ast
from pathlib import Path

import pytest
from syntax import list_nodes, read_tree

ROOT = Path(__file__).parents[2] / "gatesolve"
MODULES = {"pickle", "cPickle", "dill", "marshal", "shelve", "cloudpickle", "joblib"}
CALLS = {"eval", "exec", "__import__"}


def faults(tree: ast.Module) -> list[str]:
    """Imports and calls by which data becomes code."""
    found = []
    for node in list_nodes(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] in MODULES]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            found.append(str(node.module))
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in CALLS:
                found.append(node.func.id)
            found += [
                "allow_pickle" for k in node.keywords if k.arg == "allow_pickle" and ast.unparse(k.value) != "False"
            ]
        elif isinstance(node, ast.keyword) and node.arg == "shell" and ast.unparse(node.value) == "True":
            found.append("shell")
    return found


@pytest.mark.parametrize(
    "source", ["import pickle", "from dill import loads", "eval(x)", "np.load(f, allow_pickle=True)"]
)
def test_faults_are_seen(source):
    assert faults(ast.parse(source))


def test_nothing_turns_data_into_code():
    sources = sorted(ROOT.rglob("*.py"))
    assert len(sources) > 100
    assert {str(path): found for path in sources if (found := faults(read_tree(path)))} == {}


def test_no_option_takes_a_secret():
    words = [word for path in ROOT.glob("cli/*.py") for word in path.read_text(encoding="utf-8").lower().split('"')]
    assert not [
        word for word in words if word.startswith("--") and ("token" in word or "key" in word or "pass" in word)
    ]
