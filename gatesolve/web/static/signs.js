// The signs of Tango between neighbouring cells: a line of the text each.

import { $, el } from "./dom.js";

const PAIR = /^\s*r(\d+)c(\d+)\s*([=x])\s*r(\d+)c(\d+)\s*$/;
const SIDES = { right: [0, 1], below: [1, 0] };
const SAID = { "=": "equal to", x: "different from" };

// The lines of the signs of a cell to its right and below it; signs in chains are left to the text.
function find(r, c) {
  const found = {};
  $("text").value.split("\n").forEach((line, number) => {
    const pair = PAIR.exec(line);
    if (!pair) return;
    const ends = [[pair[1] - 1, pair[2] - 1], [pair[4] - 1, pair[5] - 1]].sort(([a, b], [x, y]) => a - x || b - y);
    if (ends[0][0] !== r || ends[0][1] !== c) return;
    for (const [side, [down, on]] of Object.entries(SIDES)) if (ends[1][0] === r + down && ends[1][1] === c + on) found[side] = { number, sign: pair[3] };
  });
  return found;
}

export function markSigns(cell, r, c) {
  const found = find(r, c);
  for (const side of Object.keys(SIDES)) {
    if (found[side]) cell.dataset[side] = found[side].sign.replace("x", "×"); else delete cell.dataset[side];
  }
  const said = Object.entries(found).map(([side, { sign }]) => `, ${SAID[sign]} the cell ${side === "right" ? "to its right" : "below"}`);
  cell.setAttribute("aria-label", cell.getAttribute("aria-label") + said.join(""));
}

// A choice for each side on which there is a cell; `changed` is called when the text has another sign.
export function signFields(r, c, rows, columns, changed) {
  return Object.entries(SIDES).filter(([, [down, on]]) => r + down < rows && c + on < columns).map(([side, [down, on]]) => {
    const name = side === "right" ? "Sign to the right →" : "Sign below ↓";
    const select = el("select", { "aria-label": `${name}, row ${r + 1} column ${c + 1}` },
      ...[["", "none"], ["=", "= equal"], ["x", "× different"]].map(([value, said]) => el("option", { value }, said)));
    select.value = find(r, c)[side]?.sign ?? "";
    select.addEventListener("change", () => {
      const lines = $("text").value.replace(/\n*$/, "").split("\n");
      const known = find(r, c)[side];
      if (known) lines.splice(known.number, 1);
      if (select.value) lines.push(`r${r + 1}c${c + 1} ${select.value} r${r + down + 1}c${c + on + 1}`);
      $("text").value = `${lines.join("\n")}\n`;
      changed();
    });
    return el("label", {}, el("span", {}, name), select);
  });
}
