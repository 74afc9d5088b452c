"""The syntax tree of an OpenQASM 3 text: parts that Qiskit reads otherwise than the language are found or mended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openqasm3 import ast

Doubt = tuple[int, int, str]
"""Row and column in the text, counted from 1 and 0, and what is wrong there."""
DIVISION = "a division of whole numbers or angles, which OpenQASM and Qiskit round differently: write the quotient"
SIZED = "a loop's variable with a size, which Qiskit ignores: leave the size out"
COUNTED = "a gate on a qubit that a for loop counts is not read: write out the loop"
BITS = "bits as an angle, of which Qiskit makes radians: write a number"
EXTREME = "a number beyond 10^6 or below 10^-6 beside a parameter, which Qiskit may round: write the angle out"
LARGEST = 1e6
"""Qiskit takes products of a parameter with numbers near 10^-15 for zero, and whole numbers beyond 64 bits wrap."""
CONTROLLED_CU = "gate cu under a control, of which Qiskit loses a phase where a gate is inverted: write cu's gates out"


def list_nodes(root: ast.QASMNode) -> Iterator[ast.QASMNode]:
    """Yield a node of a syntax tree and all below it."""
    waiting: list[object] = [root]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, ast.QASMNode):
            yield one
            waiting += vars(one).values()


def find_doubt(nodes: Sequence[ast.QASMNode]) -> Doubt | None:
    """Find the first part that Qiskit reads otherwise than OpenQASM 3, or does not read."""
    loops = {node.identifier.name for node in nodes if isinstance(node, ast.ForInLoop)}
    constants = {node.identifier.name for node in nodes if isinstance(node, ast.ConstantDeclaration)}
    angles = {one.name for node in nodes if isinstance(node, ast.QuantumGateDefinition) for one in node.arguments}
    modifiers = [node.modifier.name for node in nodes if isinstance(node, ast.QuantumGateModifier)]
    computed = set().union(*(_list_names(node) for node in nodes if isinstance(node, ast.BinaryExpression)))
    doubts = list[Doubt]()
    for node in nodes:
        found: tuple[ast.QASMNode, str] | None = None
        match node:
            case ast.BinaryExpression(lhs=left, rhs=right):
                if node.op.name == "/" and _rounds(left, right, loops | constants, angles):
                    found = right, DIVISION
                elif (loops | constants | angles) & _list_names(node) and _holds_extreme(node):
                    found = node, EXTREME
            case ast.ForInLoop(type=ast.IntType(size=size) | ast.UintType(size=size)):
                if size is not None:
                    found = node, SIZED
                elif node.identifier.name in computed and _holds_extreme(node.set_declaration):
                    found = node, EXTREME
            case ast.IndexedIdentifier():
                found = (node, COUNTED) if loops & _list_names(node.indices) else None
            case ast.QuantumGate(arguments=arguments):
                if any(isinstance(one, ast.BitstringLiteral) for one in arguments):
                    found = node, BITS
                elif {"inv", "pow"} & {*modifiers} and _is_controlled_cu(node):
                    found = node, CONTROLLED_CU
        if found is not None and (span := found[0].span) is not None:
            doubts.append((span.start_line, span.start_column, found[1]))
    return min(doubts, default=None)


def _rounds(left: ast.QASMNode, right: ast.QASMNode, whole: set[str], angles: set[str]) -> bool:
    """Return whether a quotient is a whole number in OpenQASM, and not one of two literals, which Qiskit rounds too."""
    if isinstance(left, ast.IntegerLiteral) and isinstance(right, ast.IntegerLiteral):
        return False
    return bool(angles & _list_names(right)) or (_is_whole(left, whole) and _is_whole(right, whole))


def _is_whole(node: ast.QASMNode, names: set[str]) -> bool:
    match node:
        case ast.Identifier(name=name):
            return name in names
        case ast.UnaryExpression(expression=part):
            return _is_whole(part, names)
        case ast.BinaryExpression(lhs=left, rhs=right):
            return _is_whole(left, names) and _is_whole(right, names)
    return isinstance(node, ast.IntegerLiteral)


def _holds_extreme(part: ast.QASMNode) -> bool:
    """Return whether a number other than 0 in an expression is very large or very small."""
    numbers = (one.value for one in list_nodes(part) if isinstance(one, ast.IntegerLiteral | ast.FloatLiteral))
    return any(number and not 1 / LARGEST <= abs(number) <= LARGEST for number in numbers)


def _list_names(part: object) -> set[str]:
    root = ast.DiscreteSet(values=part) if isinstance(part, list) else part
    return {one.name for one in list_nodes(root) if isinstance(one, ast.Identifier)}  # type: ignore[arg-type]


def _is_controlled_cu(gate: ast.QuantumGate) -> bool:
    return gate.name.name == "cu" and any("ctrl" in one.modifier.name for one in gate.modifiers)


def order_parameters(nodes: Sequence[ast.QASMNode]) -> None:
    """Rename the parameters of each gate so that they are in alphabetical order: Qiskit assigns them by that."""
    for gate in nodes:
        if not isinstance(gate, ast.QuantumGateDefinition):
            continue
        names = {one.name: f"p{place:09}_{one.name}" for place, one in enumerate(gate.arguments)}
        called = {id(node.name) for node in list_nodes(gate) if isinstance(node, ast.QuantumGate)}
        for node in list_nodes(gate):
            if isinstance(node, ast.Identifier) and node is not gate.name and id(node) not in called:
                node.name = names.get(node.name, node.name)
