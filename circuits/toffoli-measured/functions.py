"""The benchmarks' functions, read off what their wires hold at the end."""

from __future__ import annotations

from fields import Field, combine, find_forms
from statement import ONE, Statement

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import list_bits

ADDER_CARRIES = ("c1", "c3", "d3", "c5", "d5", "e5", "c7")
QCLA_CARRIES = ("c0", "c1", "c2", "d2", "c3", "c4", "d4", "c5", "d5", "c6", "d6", "c7", "c8", "d8", "c9", "e")
CSLA_SUMS = ("c0", "d0", "c1", "d1", "e1", "c2", "d2", "e2")
RED_CARRIES = ("c1", "c2", "c3", "c4", "d4")


def tof(controls: int) -> Statement:
    """A chain of Toffoli gates down and up, the wires between in any state: each may add to the chain."""
    names = [str(k) for k in range(1, 2 * controls)]
    target = "4" if controls == 3 else names[-1]
    between = [name for name in names[controls:] if name != target]
    one = Statement(" ".join(names))
    chain = one.both(one["1"], one["2"])
    for name, ancilla in zip(names[2:controls], between, strict=True):
        chain = one.both(chain ^ one[ancilla], one[name])
    one.add(target, chain)
    return one


def barenco_tof(controls: int) -> Statement:
    """The AND of all controls onto the last wire; the wires between hold anything and are left alone."""
    one = Statement(" ".join(str(k) for k in range(1, 2 * controls)))
    chain = one["1"]
    for k in range(2, controls + 1):
        chain = one.both(chain, one[str(k)])
    one.add(str(2 * controls - 1), chain)
    return one


def mod5_4() -> Statement:
    """1 where b + 2c + 4d + 8e is a multiple of 5."""
    one = Statement("b c d e a")
    one.add("a", one.both(one.xor("b", "d") ^ ONE, one.xor("c", "e") ^ ONE))
    return one


def mod_mult_55() -> Statement:
    """Multiply x by a constant mod 55, as the benchmark's gates do it, added to any y."""
    one = Statement("x0 x1 x2 y0 y1 y2 y3 y4 y5")
    middle = one.both(one["x1"], one.xor("x0", "x2", "y4", "y5"))
    outer = one.both(one["x0"], one["x2"])
    last = one.both(one["x1"], one.xor("x2", "y5") ^ outer)
    one.add("y0", one.xor("x0", "x1", "x2", "y3", "y4", "y5"), last, ONE)
    one.add("y1", one.xor("x2", "y3", "y5"), middle, outer)
    one.add("y2", one.xor("x1", "y3"), last)
    one.add("y3", one.xor("x2", "y5"), middle, outer)
    one.add("y4", one.xor("x0", "x2", "y5"))
    one.add("y5", one["x1"], middle)
    return one


def vbe_adder_3() -> Statement:
    """A ripple adder; the wires 3 and 6 are XORed with its carries."""
    one = Statement(" ".join(map(str, range(10))))
    carry = one["0"]
    for low in (0, 3, 6):
        a, b, name = one[str(low + 1)], one[str(low + 2)], str(low + 2)
        one.add(name, a, carry)
        carry = one.majority(a, b, carry) ^ one[str(low + 3)]
    one.final["9"] = carry
    return one


def rc_adder_6() -> Statement:
    """Put b + a on b and the carry on z; e is XORed with the first carry."""
    one = Statement("b0 a0 e b1 a1 b2 a2 b3 a3 b4 a4 b5 a5 z")
    one.add("b0", one["a0"])
    carry = one.both(one["a0"], one["b0"]) ^ one["e"]
    for k in range(1, 6):
        one.add(f"b{k}", one[f"a{k}"], carry)
        carry = one.majority(one[f"a{k}"], one[f"b{k}"], carry)
    one.add("z", carry)
    return one


def adder_8(zeros: tuple[str, ...] = ()) -> Statement:
    """Put b + a on b and the carry on z, the carries looked ahead for being XORed with whatever their wires hold."""
    one = Statement("b0 a0 b1 a1 c1 b2 a2 b3 a3 c3 d3 b4 a4 b5 a5 c5 d5 e5 b6 a6 b7 a7 z c7", zeros)
    carries = [ONE ^ ONE]
    ahead = {2: ("c1", {}), 4: ("c3", {"d3": 2}), 6: ("c5", {"d5": 4}), 8: (None, {"e5": 4, "c7": 6})}
    for k in range(8):
        one.add(f"b{k}", one[f"a{k}"], carries[k])
        carry = one.majority(one[f"a{k}"], one[f"b{k}"], carries[k])
        added, propagated = ahead.get(k + 1, (None, {}))
        carries.append(_look_ahead(one, carry, added, propagated, carries))
    one.add("z", carries[8])
    return one


def qcla_adder_10(zeros: tuple[str, ...] = ()) -> Statement:
    """The sum of a and b on the wires of the carries, which may hold anything before."""
    wires = "a0 b0 c0 a1 b1 c1 a2 b2 c2 d2 a3 b3 c3 a4 b4 c4 d4 a5 b5 c5 d5 a6 b6 c6 d6 a7 b7 c7 a8 b8 c8 d8 a9 b9 c9 e"
    one = Statement(wires, zeros)
    one.add("e", one.xor("a0", "b0"))
    one.add("c8", one.xor("a9", "b9"))
    carries = [ONE ^ ONE]
    held = ("c0", "c1", "d2", "c3", "d4", "d5", "d6", "c7", "d8", "c9")
    ahead: dict[int, dict[str, int]] = {4: {"c2": 2}, 6: {"c4": 4}, 8: {"c6": 6, "c5": 4}, 10: {"c8": 8}}
    for k, name in enumerate(held):
        carry = one.majority(one[f"a{k}"], one[f"b{k}"], carries[k])
        carries.append(_look_ahead(one, carry, name, ahead.get(k + 1, {}), carries))
        one.final[name] = carries[-1]
        if k < 9 and name != "d8":
            one.add(name, one.xor(f"a{k + 1}", f"b{k + 1}"))
    return one


def _look_ahead(one, carry, added, propagated, carries):  # type: ignore[no-untyped-def]
    """A carry with what its wires held: ``added`` to it, and what each of others times an earlier carry is."""
    more = [one[added]] if added else []
    more += [one.both(one[name], carries[place]) for name, place in propagated.items()]
    result = carry
    for parity in more:
        result = result ^ parity
    return result


def csla_mux_3(zeros: tuple[str, ...] = ()) -> Statement:
    """A carry-select adder: both sums of each place, and the one that cin chooses."""
    one = Statement("cin a0 b0 c0 d0 a1 b1 c1 d1 e1 a2 b2 c2 d2 e2", zeros)
    cin, pair1, pair2 = one["cin"], one.xor("a1", "b1"), one.xor("a2", "b2")
    first = one.both(one["a0"], one["b0"])
    one.add("b0", one.xor("cin", "a0"))
    one.add("c0", one.xor("a0", "b0"), first)
    one.add("d0", one["c0"], first)
    chosen = one.both(cin, one.xor("a0", "b0", "d0", "d1"))
    one.add("b1", one.xor("a0", "b0", "c0", "a1"), first, chosen)
    one.add("d1", one.xor("c0", "d0", "a1", "b1"), first, chosen)
    high = one.majority(one["a1"], one["b1"], one.final["c0"])
    differ = one.both(one.xor("a0", "b0", "d0"), pair1) ^ one["e1"]
    one.add("c1", high)
    one.add("e1", one["c1"], high, differ, one["e1"])
    chosen = one.both(cin, differ ^ one["d2"])
    one.add("b2", one["a2"], one.final["c1"], chosen)
    one.add("d2", one.final["c1"], differ, pair2, chosen)
    last = one.both(pair2, differ)
    if zeros:  # the chosen carry is at hand
        top = one.majority(one["a2"], one["b2"], high ^ chosen)
    else:
        top = one.majority(one["a2"], one["b2"], one.final["c1"]) ^ one.both(cin, last ^ one["e2"])
    one.add("c2", top)
    one.add("e2", one["c2"], top, last)
    return one


def mod_red_21(zeros: tuple[str, ...] = ()) -> Statement:
    """Take 21 from x where z is 1 and x is above 21, to which d4 is turned; the benchmark leaves 21 itself."""
    one = Statement("x0 x1 c1 x2 c2 x3 c3 x4 c4 d4 z", zeros)
    x0, x1, x2, x3, x4 = (one[f"x{k}"] for k in range(5))
    low = one.both(x1, x2) ^ one["c2"]
    high = one.both(low, x3 ^ ONE) ^ x3 ^ one["c3"]
    one.add("d4", one.both(x4, high))
    less = one.both(one["z"], one.final["d4"]) ^ one["c4"]
    first = one.both(x0, less)
    second = one.both(less ^ first, x1 ^ ONE) ^ less ^ one.both(one["c1"], less)
    third = one.both(x2, second) ^ one.both(one["c2"], less)
    # Where wires are as meant, 21 is taken only from 22 or more, and x4 always turns then.
    fourth = less if zeros else third ^ one.both(x3, less ^ third) ^ one.both(one["c3"], less)
    for name, added in (("x0", less), ("x1", less ^ first), ("x2", second), ("x3", less ^ third), ("x4", fourth)):
        one.add(name, added)
    return one


def csum_mux_9() -> Statement:
    """Conditional sums: each multiplexer's two data wires are XORed, so it takes one product."""
    one = Statement(
        "c00 c01 c10 c11 e10 e11 c20 c21 c30 c31 a0 a1 e30 e31 c40 c41 c50 c51 e50 e51 "
        "c60 c61 c70 c71 b0 b1 b2 b3 e70 e71"
    )

    def choose(name: str, select: str, low: str, high: str) -> None:
        one.add(name, one[low], one.both(one[select], one.xor(low, high)))

    def choose_made(name: str, select: str, low: str, high: str) -> None:
        one.add(name, one.final[low], one.both(one.final[select], one.final[low] ^ one.final[high]))

    choose("e10", "c00", "c10", "c11")
    choose("e11", "c01", "c10", "c11")
    choose("a0", "c20", "c30", "c31")
    choose("a1", "c21", "c30", "c31")
    choose("e50", "c40", "c50", "c51")
    choose("e51", "c41", "c50", "c51")
    choose("b0", "c60", "c70", "c71")
    choose("b1", "c61", "c70", "c71")
    choose_made("e30", "e10", "a0", "a1")
    choose_made("e31", "e11", "a0", "a1")
    choose_made("b2", "e50", "b0", "b1")
    choose_made("b3", "e51", "b0", "b1")
    choose_made("e70", "e30", "b2", "b3")
    choose_made("e71", "e31", "b2", "b3")
    return one


def gf2_mult(degree: int) -> Statement:
    """A product in GF(2^n) onto c, after c's own bits but the last were shifted by n and reduced."""
    field, forms = Field(degree), find_forms(degree)
    one = Statement(" ".join(f"{letter}{k}" for letter in "abc" for k in range(degree)))
    products = [one.both(*(one.xor(*(f"{x}{k}" for k in list_bits(form))) for x in "ab")) for form in forms]
    for bit, row in enumerate(combine(field, forms)):
        shifted = [one[f"c{k}"] for k in range(degree - 1) if field.reduce(1 << degree + k) >> bit & 1]
        last = [one[f"c{bit}"]] if bit == degree - 1 else []
        one.final[f"c{bit}"] = Parity.xor_all([*shifted, *last, *(products[k] for k in list_bits(row))])
    return one
