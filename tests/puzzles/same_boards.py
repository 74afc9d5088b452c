"""One board of every family in all its formats."""

import json

MINIZINC = """% InDevRus's board is not this one: MiniZinc's 6x6 easy
h = 6; w = 6;
grid_data = [|
 0, 0, 0, 0, 0, 0|
 0, 0, 1, 1, 1, 0|
 0, 1, 1, 1, 1, 0|
 0, 1, 1, 0, 1, 1|
 0, 0, 1, 1, 1, 1|
 0, 0, 1, 1, 1, 0
|];
n_h = 6;
h_clue = [| 2, 2, 3, 8| 3, 1, 4, 15| 4, 1, 2, 9| 4, 4, 2, 8| 5, 2, 4, 22| 6, 2, 3, 15 |];
n_v = 6;
v_clue = [| 2, 2, 2, 3| 1, 3, 5, 34| 1, 4, 2, 4| 4, 4, 2, 17| 1, 5, 5, 15| 3, 6, 2, 4 |];
"""


def _object(family, **fields):
    return json.dumps({"family": family, **fields})


HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
ROWS = [HARD[k : k + 9] for k in range(0, 81, 9)]
BOXED = [" | ".join(" ".join(row[k : k + 3]) for k in (0, 3, 6)) for row in ROWS]
RULED = "\n------+-------+------\n".join("\n".join(BOXED[k : k + 3]) for k in (0, 3, 6))
AREAS = "boxes\nAABB\nAABC\nDDBC\nDDCC\ncages\nppp.\n....\n.q..\n.q..\nsums p=9 q=6\n"
REGIONS = ["AABB", "AABC", "DDBC", "DDCC"]
SUMS = [{"sum": 9, "cells": [[0, 1], [0, 0], [0, 2]]}, {"sum": 6, "cells": [[2, 1], [3, 1]]}]
CLUES = "- - 4 3\n- - - 1\n- 2 - -\n- - - -\n"
TAKUZU = [".1.0", "..0.", ".0..", "11.0"]
TANGO = "tango\nS...\n.M..\n...M\n....\nr1c1 = r1c2\nr2c3 x r3c3\n"
WALLS = [[[0, 0], [0, 1], "="], [[1, 2], [2, 2], "x"]]
QUEENS = ["BAAA", "BBBC", "DDCC", "DDDD"]
NUMBERS = [["BACD".index(name) for name in row] for row in QUEENS]
KAKURO = """:   23: 30:   :     :     27: 12: 16:
:16 _   _     :     17:24 _   _   _
:17 _   _     15:29 _     _   _   _
:35 _   _     _     _     _   12: :
:   :7  _     _     7:8   _   _   7:
:   11: 10:16 _     _     _   _   _
:21 _   _     _     _     :5  _   _
:6  _   _     _     :     :3  _   _
"""


def _link(board):
    """The body of a puzz.link address: a digit a value, a letter for each run of empty cells."""
    for blanks in range(20, 0, -1):
        board = board.replace("." * blanks, chr(ord("g") + blanks - 1))
    return board


SAME = {
    "sudoku, in rows and lines": [
        HARD,
        *(HARD.replace(".", blank) for blank in "0_*"),
        HARD + ":1:" + "." * 81,
        " ".join(HARD),
        "\r\n".join(["; comment", "# comment", "", *ROWS]),
        "\n".join(" ".join(row) for row in ROWS).replace(".", "-"),
        "9 9\n" + "\n".join(" ".join(row) for row in ROWS).replace(".", "-"),
        "\n".join(ROWS).replace(".", "-"),
        RULED,
        "box 3x3\n" + HARD,
        "sudoku\n" + "\n".join(ROWS),
        _object("sudoku", grid=HARD, size=9, box=[3, 3]),
        _object("sudoku", grid=ROWS),
        _object("sudoku", grid=[[0 if t == "." else int(t) for t in row] for row in ROWS]),
        f"https://puzz.link/p?sudoku/9/9/{_link(HARD)}",
        f"sudoku/9/9/{_link(HARD)}",
    ],
    "sudoku, with boxes and cages": [
        AREAS,
        _object("sudoku", size=4, regions=REGIONS, cages=SUMS),
        _object("sudoku", size=4, regions=REGIONS, cages=SUMS, grid="." * 16),
    ],
    "sudoku, two grids": [
        "boxes\nAAAB\nABBB\nCCDD\nCCDD\nboard\n..43\n...1\n.2..\n....\n",
        "4 4\n" + CLUES + "1 1 1 3\n1 3 3 3\n2 2 4 4\n2 2 4 4\n",
    ],
    "takuzu": [
        "unique yes\n" + "\n".join(TAKUZU) + "\n",
        "; note\n.1.0\n\n..0.\n.0..\n11.0",
        "takuzu\n" + "\n".join(TAKUZU),
        "_1_0\r\n__0_\r\n_0__\r\n11_0",
        "- 1 - 0\n- - 0 -\n- 0 - -\n1 1 - 0\n",
        _object("takuzu", grid=TAKUZU),
        _object("takuzu", grid=TAKUZU, signs=[]),
    ],
    "takuzu, below its size": [
        "unique no\n" + "\n".join(TAKUZU),
        "4 4\n- b - w\n- - w -\n- w - -\nb b - w",
        ("takuzu", "4 4\n- 2 - 1\n- - 1 -\n- 1 - -\n2 2 - 1"),
    ],
    "takuzu, signs and regions": [
        "unique yes\n....\n....\nregion 1 r1c1 r1c2\nr1c1 x r2c3 = (1,3)\n",
        _object(
            "takuzu",
            grid=["....", "...."],
            lines=["region 1 r1c1 r1c2"],
            signs=[[[0, 0], [1, 2], "x"], ["1,2", "1,3", "="]],
        ),
    ],
    "tango": [
        TANGO,
        "S . . .\n. M . .\n. . . M\n. . . .\n(0,0)=(0,1)\n(1,2)x(2,2)\n",
        "☀...\n.🌑..\n...☾\n....\nr1c1=r1c2\nr2c3×r3c3\n",
        "☀️_ _ _\n_🌙_ _\n_ _ _M\n----\nr1c1=r1c2\nr2c3 x r3c3\n",
        "tango\n0...\n.1..\n...1\n....\nr1c1 = r1c2\nr2c3 x r3c3\n",
        _object("tango", grid=["0...", ".1..", "...1", "...."], signs=WALLS),
        json.dumps({"size": 4, "symbols": [[0, 0, "S"], [1, 1, "M"], [2, 3, "M"]], "walls": WALLS}),
        json.dumps(
            {
                "size": 4,
                "prefilled": {"0,0": "☀️", "1,1": "🌑", "2,3": "🌑"},
                "constraints": [["0,0", "0,1", "="], ["1,2", "2,2", "x"]],
            }
        ),
    ],
    "tango, signs alone": ["(0,1)x(1,1)\n(1,0)x(1,1)\n", "tango 6x6\n" + "......\n" * 6 + "r1c2 x r2c2\nr2c1 x r2c2\n"],
    "queens": [
        "\n".join(QUEENS),
        _object("queens_linkedin", size=4, stars=1, regions=QUEENS),
        json.dumps({"colorRegions": [list(row) for row in QUEENS]}),
        "regions\n" + "\n".join(QUEENS),
        "queens\n\n; all its queens\nregions\n" + "\n".join(",".join(row) for row in QUEENS),
        "queens 1\nreach 1\nregions 1\nsize 4\nrows 1 1 1 1\n" + "\n".join(QUEENS),
    ],
    "queens, regions by numbers": [
        json.dumps({"board": NUMBERS}),
        ("queens", "\n".join(" ".join(map(str, row)) for row in NUMBERS)),
        json.dumps(
            {
                "size": 4,
                "regions": [
                    {"cells": [[r, c] for r in range(4) for c in range(4) if NUMBERS[r][c] == k]} for k in range(4)
                ],
            }
        ),
    ],
    "queens, of CSPLib, that stand already": [
        "queens/nauck-8x8.txt",
        "letting n =  8\nletting init =  [[4, 1],\n [3, 3]]\n",
    ],
    "queens, of CSPLib": [
        "n =  8\nnumdiags =  1\ndiags =  [[3, 0], [11, 0]]\n",
        "letting n = 8\nletting diags = [[3, 0]]\n",
        "language ESSENCE' 1.b.a\nletting n be 8\nletting diags be [[3,0]] $ one\n",
    ],
    "galaxies": [
        "o|.|.\n-+-o-\no|.|.\n",
        "; a comment\no|.|.\n-+-o-\no|.|.\n",
        ("galaxies", "  o....\n  ...o.\n\n  O.|..\n"),
        ("galaxies", "0 3 -\n0 - -\n"),
        ("galaxies", "2 3\n0 3 -\n0 - -\n"),
        _object("galaxies", rows=2, cols=3, dots_half=[[3, 1], [1, 1], [2, 4]]),
        ("galaxies", "3x2:ahb"),
        ("galaxies", "3x2dn:ahb"),
        "tentaisho/3/2/0m20j",
        "https://puzz.link/p?tentaisho/3/2/0m20j00",
    ],
    "galaxies, black dots": ["*|.|.\n-+-o-\no|.|.\n", "3x2:Ahb"],
    "tents": [
        "2 0 0 1\n1 . T . .\n? . . . T\n1 T . . .\n1 . . . .\n",
        "; a comment\n   2 0 0 1\n\n1 . T . .\n? . . . T\n1 T . . .\n1 . . . .\n",
        " 2 0 0 1 \n1 .T..\n? ...T\n1 T...\n1 ....\n",
        "2 0 0 1\n1 ? 1 1\n- x - -\n- - - x\nx - - -\n- - - -\n",
        "4 4\n2 0 0 1\n1 - 1 1\n- x - -\n- - - x\nx - - -\n- - - -\n",
        ",2,0,0,1\n1,,t,,\n?,,,,t\n1,t,,,\n1,,,,\n",
        _object("tents", grid=[".T..", "...T", "T...", "...."], row_counts=[1, None, 1, 1], col_counts=[2, 0, 0, 1]),
        "tents/4/4/20011g11i507",
        "% data\nn = 4; a = [| 0,1,0,0| 0,0,0,1| 1,0,0,0| 0,0,0,0|];\nrow_sums = [1,-1,1,1];\ncol_sums = [2,0,0,1];",
    ],
    "tents, every count": ["2 0 0 1\n1 . T . .\n0 . . . T\n1 T . . .\n1 . . . .\n", "4x4:ae_g,2,0,0,1,1,0,1,1"],
    "tents, counts left out": [
        "2 ? 0 ? ?\n1 . . T . .\n? . . . . .\n? . T . . T\n? . . . T .\n1 . T . . .\n",
        "https://puzz.link/p?tents/5/5/2g0h1i1j82323",
    ],
    "kakuro, sums with colons": ["kakuro/wikipedia-8x8.txt", KAKURO],
    "kakuro, of MiniZinc": ["kakuro/minizinc-6x6-easy.txt", MINIZINC],
    "kakuro, an address": [
        "kakuro/pzpr-6x6.txt",
        *(f"; a comment\n{site}kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3\n" for site in ("", "https://puzz.link/p?")),
        "http://pzv.jp/p.html?kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3",
    ],
    "kakuro, sums with commas": [
        "#  17\\  16\\  #\n\\16 . . #\n\\17 . . #\n# # # #\n",
        "- 17, 16, -\n,16 0 0 -\n,17 0 0 -\n- - - -\n",
        "4 4\n- 17, 16, -\n,16 0 0 -\n,17 0 0 -\n- - - -\n",
    ],
    "kakuro, JSON": [
        "values 0..3\n# 3\\ 4\\\n\\3 . 2\n\\4 . .\n",
        _object("kakuro", grid=["# 3\\ 4\\", "\\3 . 2", "\\4 . ."], values=[0, 3]),
        _object("kakuro", grid=[["#", "3\\", "4\\"], ["\\3", None, 2], ["\\4", "", "."]], values=[0, 3]),
    ],
    "star battle": [
        "stars 1\nAABB\nABBB\nCCDD\nCDDD\n",
        ("starbattle", "AABB\nABBB\nCCDD\nCDDD\n"),
        "AABB\nABBB\nCCDD\nCDDD\nstars: 1\n",
        "4 4 1\n1 1 2 2\n1 2 2 2\n3 3 4 4\n3 4 4 4\n",
        "stars 1\n1,1,2,2,1,2,2,2,3,3,4,4,3,4,4,4",
    ],
}
"""Texts of one board, the first a typed one or a file of examples/; a family stands before those that need its name."""
