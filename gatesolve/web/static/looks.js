// What a cell of each family looks like, what it is called, and what a key writes into it.

import { el, svg } from "./dom.js";

export const CHESS_NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };
export const CHESS_SIGNS = { K: "♚", Q: "♛", R: "♜", B: "♝", N: "♞", P: "♟" };
const NAMES = {
  "": "choose a cell, write nothing", cage: "cage: mark its cells, then type its sum", "=": "equal: click between two cells", x: "different: click between two cells", ".": "empty", T: "tree", "^": "tent", o: "white dot", "*": "black dot", "#": "closed", "@": "outside",
  ...CHESS_NAMES, S: "sun", M: "moon",
};
const HINTS = {
  kakuro: "Paint cells black or white. A black cell that is chosen takes its sums below the board, a white one a given value.",
  tents: "The numbers above and left of the board are counts: choose one and type it.",
  tango: "A sign: choose = or × and click between two cells; or type it, then an arrow key; or choose a cell (☞) and its signs below the board.",
  sudoku: "A cage of a killer: choose cage and click its cells, or type c on each; then type its sum.",
  galaxies: "A dot stands in a cell, on an edge or on a corner.",
  chess: "A piece on the board is given: it stands there from the beginning.",
};
const TOOLS = { tango: ["", "=", "x"], sudoku: ["cage"] };
const hasRegions = (family, symbols) => family === "queens" || family === "starbattle" || (family === "chess" && symbols.startsWith("AB"));
const PATHS = { T: "M9 18v-4H3l4-5H5l5-7 5 7h-2l4 5h-6v4z", "^": "M10 3 2 17h5l3-6 3 6h5z", S: "M4 10a6 6 0 1 1 12 0 6 6 0 1 1-12 0z", M: "M12 3a7 7 0 1 0 5 10 6 6 0 0 1-5-10z" };
const DRAWN = { tents: { T: "a-tree", "^": "a-tent" }, tango: { S: "a-sun", M: "a-moon" } };
const isSum = (token) => token === "#" || token.includes("\\");

// Of Galaxies every second row and column are edges.
const between = (r, c) => r % 2 || c % 2;
const blank = (family, r, c) => (family === "galaxies" ? [".", "|", "-", "+"][2 * (r % 2) + (c % 2)] : ".");

export function look(family, symbols) {
  const regions = hasRegions(family, symbols);
  const isCount = (r, c) => family === "tents" && (r === 0 || c === 0);
  const nameOf = (symbol) => (regions && /[A-Z]/.test(symbol) ? symbol : family === "kakuro" ? { ".": "white", "#": "black" }[symbol] ?? symbol : { galaxies: { "#": "hole" } }[family]?.[symbol] ?? NAMES[symbol] ?? symbol);
  return {
    isNumber: (r, c) => isCount(r, c) || family === "kakuro",
    first: regions ? symbols[0] : symbols[1] ?? symbols[0],
    nameOf,
    regions,
    tools: TOOLS[family] ?? [], // what is chosen like a symbol, and is none
    hint: describeDrawing(family, regions, symbols) + (HINTS[family] ?? ""),
    sign: (symbol) => {
      if (!symbol) return ["☞"];
      if (symbol === "x") return ["×"];
      if (family === "kakuro") return [symbol === "." ? "□" : "■"];
      if (symbol === ".") return [regions ? "·" : "⌫"];
      return family === "galaxies" ? [{ o: "○", "*": "●" }[symbol] ?? symbol] : symbol === "#" ? ["#"] : symbol === "@" ? ["@"] : drawToken(family, regions, symbol, 1, 1);
    },
    colour: (symbol) => (regions && /[A-Z]/.test(symbol) ? `r${symbols.indexOf(symbol) % 16}` : symbol === "#" || (family === "kakuro" && isSum(symbol)) ? "closed" : symbol === "@" ? "outside" : ""),
    // A sum or a given value is kept when its cell is painted black or white.
    same: (symbol, token) => (family === "kakuro" ? isSum(symbol) === isSum(token) : symbol === token),
    fits: (symbol, r, c) => !isCount(r, c) && !(family === "galaxies" && symbol === "#" && between(r, c)),
    blank: (r, c) => blank(family, r, c),
    children: (token, r, c) => drawToken(family, regions, token, r, c),
    place: (r, c) => describePlace(family, r, c),
    label: (token, r, c) => `${describePlace(family, r, c)}: ${describeToken(family, token, nameOf, isCount(r, c))}`,
    kind: (r, c) => (isCount(r, c) ? "count" : family === "galaxies" ? (between(r, c) ? `edge ${r % 2 ? "h" : ""} ${c % 2 ? "v" : ""}` : "centre") : ""),
    numbers: (token, r, c) => listNumbers(family, token, r, c, isCount(r, c)),
  };
}

function describeDrawing(family, regions, symbols) {
  if (family === "galaxies") return "Choose a sign above and click, or type it; the arrow keys move. ";
  if (family === "kakuro" || family === "tents") return "Choose above what to draw, then click cells or drag over them; the arrow keys move. ";
  const [what, typed] = regions ? ["a letter", "letters"] : family === "takuzu" || family === "sudoku" ? ["a digit", family === "sudoku" ? "digits (0 for an empty cell)" : "digits"] : ["a sign", `letters (${Array.from(symbols).filter((one) => /[A-Z]/.test(one)).join(" ")})`];
  return `Choose ${what} above and ${regions ? "drag over cells" : "click cells"}, or type ${typed}; the arrow keys move. `;
}

function describePlace(family, r, c) {
  if (family === "tents") return r === 0 ? `count of column ${c}` : c === 0 ? `count of row ${r}` : `row ${r} column ${c}`;
  if (family !== "galaxies") return `row ${r + 1} column ${c + 1}`;
  const where = (k, word) => (k % 2 ? `between ${word}s ${(k + 1) / 2} and ${(k + 3) / 2}` : `${word} ${k / 2 + 1}`);
  return `${where(r, "row")} ${where(c, "column")}`;
}

function describeToken(family, token, nameOf, isCount) {
  if (isCount) return token === "?" ? "not given" : token;
  if (family === "galaxies" && "|-+".includes(token)) return "empty";
  const sums = /^(\d*)\\(\d*)$/.exec(token);
  if (!sums) return nameOf(token);
  return `black, ${[sums[1] && `${sums[1]} down`, sums[2] && `${sums[2]} right`].filter(Boolean).join(", ") || "no sums"}`;
}

function drawToken(family, regions, token, r, c) {
  const sums = family === "kakuro" && /^(\d*)\\(\d*)$/.exec(token);
  if (sums) return [el("span", { class: "down" }, sums[1]), el("span", { class: "right" }, sums[2])];
  if (family === "kakuro" && token === "#") return [];
  if (family === "galaxies") return "o*".includes(token) ? [el("span", { class: token === "o" ? "dot" : "dot black" })] : [];
  if (token === "." || token === "@" || (token === "#" && !regions)) return [];
  if (family === "chess" && !regions) return [CHESS_SIGNS[token] ?? token];
  const drawn = (family !== "tents" || (r && c)) && DRAWN[family]?.[token];
  if (drawn) return [svg("svg", { viewBox: "0 0 20 20", class: drawn }, svg("path", { d: PATHS[token] }))];
  return [token];
}

// The numbers of a cell that has some: what each is called, its value, and the token with another value.
function listNumbers(family, token, r, c, isCount) {
  if (isCount) return [{ name: `Tents in ${r === 0 ? `column ${c}` : `row ${r}`}`, value: token === "?" ? "" : token, write: (value) => value || "?" }];
  if (family !== "kakuro") return [];
  if (!isSum(token)) return [{ name: "Given value", value: /\d/.test(token) ? token : "", write: (value) => value || "." }];
  const [down, right] = token === "#" ? ["", ""] : token.split("\\");
  const join = (one, other) => (one || other ? `${one}\\${other}` : "#");
  return [{ name: "Sum to the right →", value: right, write: (value, now) => join(now === "#" ? "" : now.split("\\")[0], value) },
    { name: "Sum downwards ↓", value: down, write: (value, now) => join(value, now === "#" ? "" : now.split("\\")[1]) }];
}
