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
EXTREME = "arithmetic with a parameter that Qiskit may round or wrap: write the angle out"
LEAST, LARGEST, MOST_LEAVES = 0.01, 1000, 6
"""Bounds of the numbers beside a parameter: Qiskit takes factors near 10^-15 for zero, and wraps at 64 bits."""
CONTROLLED_CU = "gate cu under a control, of which Qiskit loses a phase where a gate is inverted: write cu's gates out"


def list_nodes(root: object) -> Iterator[ast.QASMNode]:
    """Yield a node of a syntax tree, or those of a list, and all below."""
    waiting = [root]
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
    parameters = loops | constants | angles
    unsigned = {node.identifier.name for node in nodes if isinstance(node, ast.ForInLoop) and _is_unsigned(node)}
    computed = set().union(*(_list_names(node) for node in nodes if isinstance(node, ast.BinaryExpression)))
    doubts = list[Doubt]()
    for node in nodes:
        found: tuple[ast.QASMNode, str] | None = None
        match node:
            case ast.BinaryExpression(lhs=left, rhs=right):
                if node.op.name == "/" and _rounds(left, right, loops | constants, angles):
                    found = right, DIVISION
                elif parameters & _list_names(node) and _may_round(node, parameters, unsigned):
                    found = node, EXTREME
            case ast.UnaryExpression(expression=part) if node.op.name == "-" and unsigned & _list_names(part):
                found = node, EXTREME
            case ast.ForInLoop(type=ast.IntType(size=size) | ast.UintType(size=size)):
                if size is not None:
                    found = node, SIZED
                elif node.identifier.name in computed and _is_doubtful_set(node):
                    found = node, EXTREME
            case ast.IndexedIdentifier():
                found = (node, COUNTED) if loops & _list_names(node.indices) else None
            case ast.QuantumPhase(argument=argument) if _holds_bits(argument):
                found = node, BITS
            case ast.QuantumGate(arguments=arguments):
                if _holds_bits(arguments):
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
    return bool((whole | angles) & _list_names(right)) or (_is_whole(left, whole) and _is_whole(right, whole))


def _is_whole(node: ast.QASMNode, names: set[str]) -> bool:
    match node:
        case ast.Identifier(name=name):
            return name in names
        case ast.UnaryExpression(expression=part):
            return _is_whole(part, names)
        case ast.BinaryExpression(lhs=left, rhs=right):
            return _is_whole(left, names) and _is_whole(right, names)
    return isinstance(node, ast.IntegerLiteral)


def _may_round(node: ast.BinaryExpression, parameters: set[str], unsigned: set[str]) -> bool:
    """Return whether an expression with parameters has many parts or large ones, or ends below zero unsigned."""
    parts = [*list_nodes(node)]
    numbers = [one for one in parts if isinstance(one, ast.IntegerLiteral | ast.FloatLiteral)]
    names = [one for one in parts if isinstance(one, ast.Identifier) and one.name in parameters]
    sums = [one for one in parts if isinstance(one, ast.BinaryExpression) and one.op.name in "+-"]
    return (
        len(numbers) + len(names) > MOST_LEAVES
        or any(map(_is_extreme, numbers))
        or any(parameters.isdisjoint(_list_names(one)) for one in sums)
        or (not unsigned.isdisjoint(_list_names(node)) and any(one.op.name == "-" for one in sums))
    )


def _is_unsigned(loop: ast.ForInLoop) -> bool:
    return isinstance(loop.type, ast.UintType)


def _is_doubtful_set(loop: ast.ForInLoop) -> bool:
    parts = [*list_nodes(loop.set_declaration)]
    is_negative = _is_unsigned(loop) and any(isinstance(one, ast.UnaryExpression) for one in parts)
    return is_negative or any(_is_extreme(one) for one in parts if isinstance(one, ast.IntegerLiteral))


def _is_extreme(number: ast.IntegerLiteral | ast.FloatLiteral) -> bool:
    return number.value != 0 and not LEAST <= abs(number.value) <= LARGEST


def _holds_bits(part: object) -> bool:
    return any(isinstance(one, ast.BitstringLiteral) for one in list_nodes(part))


def _list_names(part: object) -> set[str]:
    return {one.name for one in list_nodes(part) if isinstance(one, ast.Identifier)}


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
