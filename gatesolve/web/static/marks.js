// Marks and rules in words. The server names a rule by the kind, the cells and the numbers of its constraint.

import { plural } from "./dom.js";
import { CHESS_NAMES } from "./looks.js";

const PIECES = { queens: "queen", starbattle: "star", tents: "tent", chess: "piece" };
const CLASHES = { queens: "attack each other", starbattle: "touch", tents: "touch", chess: "threaten each other" };

export const isSparse = (family) => family in PIECES;
export const placeOf = (name) => name.match(/\d+/g).map((k) => Number(k) - 1);
const range = (cells) => (cells.length > 2 ? `${cells[0]} to ${cells.at(-1)}` : cells.join(" and "));

// `board`: {family, playable: names of cells, regionOf: a cell's region, dots: their places on the grid of Galaxies, marks:
// those that each cell can have}.
export function describeMark(board, mark) {
  const { family } = board;
  if (family === "chess" && mark !== "0") return describePiece(mark);
  if (isSparse(family)) return mark === "0" ? `no ${PIECES[family]}` : `a ${PIECES[family]}`;
  if (family === "tango") return mark === "0" ? "a sun" : "a moon";
  return family === "galaxies" ? describeDot(board, mark) : mark;
}

const describePiece = (kind) => `a ${CHESS_NAMES[kind] ?? `piece ${kind}`}`;

export function describeDot({ dots }, mark) {
  const [r, c] = dots[mark];
  const cell = (y, x) => `r${y + 1}c${x + 1}`;
  const [ends, whole] = [[cell(r >> 1, c >> 1), cell((r + 1) >> 1, (c + 1) >> 1)], !(r % 2 || c % 2)];
  return whole ? `the dot at ${ends[0]}` : `the dot between ${ends.join(" and ")}`;
}

function describePlace({ family, playable, regionOf }, cells) {
  const places = cells.map(placeOf);
  const isAll = (test) => cells.every(test) && cells.length === playable.filter(test).length;
  for (const [k, word] of ["Row", "Column"].entries()) {
    const at = places[0][k];
    if (isAll((one) => placeOf(one)[k] === at)) return `${word} ${at + 1}`;
  }
  const region = regionOf(cells[0]);
  if (region && isAll((one) => regionOf(one) === region)) return `Region ${region}`;
  const [rows, columns] = [0, 1].map((k) => new Set(places.map((place) => place[k])).size);
  const side = Math.sqrt(playable.length);
  if (family === "sudoku" && rows > 1 && columns > 1 && cells.length > 2) {
    if (cells.length < side) return `Cage ${cells.join(" ")}`;
    return rows === side && columns === side ? "Diagonal" : rows * columns === cells.length ? `Box ${range(cells)}` : `Region of ${cells[0]}`;
  }
  return rows === 1 || columns === 1 ? range(cells) : cells.join(" ");
}

export function describeRule(board, rule) {
  const { family } = board;
  const { kind, cells, names, relation, bound, factors = [] } = rule;
  const where = cells.length ? describePlace(board, cells) : "The board";
  const piece = PIECES[family];
  if (kind === "impossible") return cells.length > 1 ? `${cells.join(" and ")}: opposite cells are in the same galaxy` : `${where}: ${NEVER[family] ?? "this mark is not possible here"}`;
  if (kind === "AllDifferent" || kind === "NotEqual") return `${where}: no value twice`;
  if (kind === "Table" && family === "galaxies") return `Galaxy of ${describeDot(board, names[0].split("_d")[1])}: in one piece, and symmetric about its dot`;
  if (kind === "Table") {
    const [low, high] = family === "tango" ? ["suns", "moons"] : ["zeros", "ones"];
    const half = rule.sums.length === 1 && rule.sums[0] * 2 === cells.length;
    return `${where}: ${half ? `as many ${low} as ${high}, ` : rule.sums.length === 1 ? `${rule.sums[0]} ${high}, ` : ""}never three alike side by side`;
  }
  if (kind !== "Linear") return `${where}: a rule of kind ${kind}`;
  if (family === "galaxies") return `${where}: in exactly one galaxy`;
  if (treeOf(board, rule)) return `Tree at ${treeOf(board, rule)}: exactly 1 tent`;
  if (piece && relation === "==") return `${where}: ${bound ? `exactly ${plural(bound, piece)}` : `no ${piece}`}`;
  if (piece && factors[0] < 0) return `${where}: at least ${plural(-bound, piece)}`;
  if (family === "chess" && listKinds(board, rule)) return describeThreat(where, cells, listKinds(board, rule));
  if (piece) return `${where}: at most ${plural(bound, piece)}${/^(Row|Column|Region)/.test(where) || cells.length < 2 ? "" : `, since two would ${CLASHES[family]}`}`;
  if (relation === "!=") return `${describeLines(cells)}: not alike`;
  if ((family === "takuzu" || family === "tango") && factors.length === 2) return `${range(cells)}: ${factors[0] === -factors[1] ? "equal" : "different"}`;
  if (relation === "==") return `${where}: the sum is ${bound}`;
  return `${where}: ${factors[0] < 0 ? `at least ${-bound}` : `at most ${bound}`}`;
}

// The tree whose tent a rule is about.
function treeOf({ family }, { relation, names }) {
  const trees = new Set(names.map((one) => one.split("_")[0]));
  return family === "tents" && relation === "==" && names.length > 1 && trees.size === 1 ? [...trees][0] : null;
}

// The kinds of pieces in each cell of a rule, where it is not about all kinds that can stand there.
function listKinds({ marks }, { cells, names }) {
  const kinds = cells.map((cell) => names.flatMap((one) => (/^r\d+c\d+/.exec(one)[0] === cell ? [one.slice(cell.length).replace(/^_/, "")] : [])));
  const isWhole = cells.every((cell, k) => (marks[cell] ?? []).every((mark) => mark === "0" || kinds[k].includes(mark)));
  return isWhole ? null : kinds.map((list) => list.map(describePiece).join(" or "));
}

function describeThreat(where, cells, kinds) {
  const alike = [...new Set(kinds)];
  if (alike.length === 1 && /^(Row|Column|Region)/.test(where)) return `${where}: at most ${alike[0].replace("a ", "1 ").replaceAll(" or a ", " or ")}`;
  const parts = alike.map((kind) => `${kind} on ${cells.filter((_, k) => kinds[k] === kind).join(" or ")}`);
  return `At most 1 of these, since two would threaten each other: ${parts.join(", ")}`;
}

const NEVER = { tents: "no tree beside it", galaxies: "no shape of that galaxy reaches it" };

function describeLines(cells) {
  const [rows, columns] = [0, 1].map((k) => [...new Set(cells.map((one) => placeOf(one)[k] + 1))]);
  return rows.length === 2 ? `Rows ${rows.join(" and ")}` : `Columns ${columns.join(" and ")}`;
}

// What a hint settles, in a sentence.
export function describeStep(board, { cells, mark, last, rules }) {
  const { family } = board;
  const what = describeMark(board, mark);
  // A row, a column, a box or a tree has a place left for it; of two cells with a sign the other one says what it is.
  if (last && (isSparse(family) || family === "sudoku" || family === "kakuro")) {
    const tree = treeOf(board, rules[0]);
    const place = tree ? `The tree at ${tree}` : describePlace(board, rules[0].cells);
    return `${place} ${/^r\d/.test(place) ? "have" : "has"} room for ${tree ? "its tent" : what} only at ${cells[0]}.`;
  }
  if (isSparse(family)) return `${what[0].toUpperCase()}${what.slice(1)} stands on ${cells.join(", ")}.`;
  if (family === "galaxies") return `${cells.join(", ")} ${cells.length > 1 ? "belong" : "belongs"} to ${what}.`;
  return `${cells.join(", ")} can only be ${what}.`;
}
