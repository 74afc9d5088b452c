// The signs of Tango between neighbouring cells: lines of the text, each a sign or a chain of them.

import { $, el } from "./dom.js";

const CELL = "(?:r\\d+c\\d+|\\(\\s*\\d+\\s*,\\s*\\d+\\s*\\))";
const CHAIN = new RegExp(`^\\s*${CELL}(?:\\s*[=x×≠]\\s*${CELL})+\\s*$`, "i");
const FIELDS = { right: [0, 1], below: [1, 0] };
export const SIDES = { ...FIELDS, left: [0, -1], above: [-1, 0] };
const SAID = { "=": "equal to", x: "different from" };

const nameOf = ([r, c]) => `r${r + 1}c${c + 1}`;

// All signs: the number of the line, the sign, its cells.
function list() {
  return $("text").value.split("\n").flatMap((line, number) => {
    if (!CHAIN.test(line)) return [];
    const cells = Array.from(line.matchAll(new RegExp(CELL, "gi")), ([one]) => one.match(/\d+/g).map((k) => Number(k) - (/^r/i.test(one) ? 1 : 0)));
    const signs = line.replace(new RegExp(CELL, "gi"), "").match(/\S/g);
    return signs.map((sign, k) => ({ number, sign: sign === "=" ? "=" : "x", cells: [cells[k], cells[k + 1]] }));
  });
}

const isBetween = ({ cells: [a, b] }, one, other) => [[a, b], [b, a]].some((pair) => String(pair) === String([one, other]));

const find = (signs, r, c, side) => signs.find((sign) => isBetween(sign, [r, c], [r + SIDES[side][0], c + SIDES[side][1]]));

// Write a sign at a side of a cell, "" for none; returns the number of the line that was taken out, in a list. The rest of
// a chain stays.
function putSign(r, c, side, mark) {
  const [signs, lines] = [list(), $("text").value.replace(/\n*$/, "").split("\n")];
  const known = find(signs, r, c, side);
  const ends = [[r, c], [r + SIDES[side][0], c + SIDES[side][1]]].sort(([a, b], [x, y]) => a - x || b - y);
  const rest = signs.filter((sign) => known && sign !== known && sign.number === known.number);
  if (known) lines.splice(known.number, 1);
  for (const { sign, cells } of [...rest, ...(mark ? [{ sign: mark, cells: ends }] : [])]) lines.push(cells.map(nameOf).join(` ${sign} `));
  $("text").value = `${lines.join("\n")}\n`;
  return known ? [known.number] : [];
}

// The same sign once more takes it away.
export function toggleSign(r, c, side, mark) {
  return putSign(r, c, side, find(list(), r, c, side)?.sign === mark ? "" : mark);
}

export function markSigns(cell, r, c) {
  const signs = list();
  for (const side of Object.keys(FIELDS)) {
    const found = find(signs, r, c, side);
    if (found) cell.dataset[side] = found.sign.replace("x", "×"); else delete cell.dataset[side];
    if (found) cell.setAttribute("aria-label", `${cell.getAttribute("aria-label")}, ${SAID[found.sign]} the cell ${side === "right" ? "to its right" : "below"}`);
  }
}

// A choice for each side on which there is a cell; `changed` is told what was taken out of the text.
export function signFields(r, c, rows, columns, changed) {
  return Object.entries(FIELDS).filter(([, [down, on]]) => r + down < rows && c + on < columns).map(([side]) => {
    const name = side === "right" ? "Sign to the right →" : "Sign below ↓";
    const select = el("select", { "aria-label": `${name}, row ${r + 1} column ${c + 1}` },
      ...[["", "none"], ["=", "= equal"], ["x", "× different"]].map(([value, said]) => el("option", { value }, said)));
    select.value = find(list(), r, c, side)?.sign ?? "";
    select.addEventListener("change", () => changed(putSign(r, c, side, select.value)));
    return el("label", {}, el("span", {}, name), select);
  });
}
