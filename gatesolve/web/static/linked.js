// The page without the secret: it shows the board of a link and asks nothing of the server.

import { $, el } from "./dom.js";
import { hasLink, unpackLink } from "./link.js";
import { look } from "./looks.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRST";

// The cells of a text: the most tokens in lines of one length, below each other; no lines of words or of cells' names.
function findCells(family, text) {
  const runs = [[]];
  for (const written of text.split("\n")) {
    const line = family === "sudoku" ? written.replace(/[|\s]/g, "") : written;
    if (family === "sudoku" && /^[-+]+$/.test(line)) continue; // a line between boxes
    const tokens = /\s/.test(line.trim()) ? line.trim().split(/\s+/) : Array.from(line.trim());
    const isCells = tokens.length > 1 && !/^\s*[a-z;{]{2}|^\s*;|r\d+c\d+/.test(line);
    if (family === "tents" && isCells && runs.flat().length === 0) tokens.unshift(""); // the corner above the row counts
    if (!isCells || tokens.length !== runs.at(-1)[0]?.length) runs.push([]);
    if (isCells) runs.at(-1).push(tokens);
  }
  const size = (run) => run.length * (run[0]?.length ?? 0);
  return runs.reduce((most, run) => (size(run) > size(most) ? run : most));
}

function drawBoard(family, text) {
  const rows = findCells(family, text);
  if (rows.length < 2) return;
  const hasRegions = family === "queens" || family === "starbattle" || /^regions$/m.test(text);
  const how = look(family, hasRegions ? LETTERS.slice(0, rows[0].length) : ".");
  $("grid").className = family;
  $("grid").style.setProperty("--columns", rows[0].length);
  $("grid").replaceChildren(...rows.map((row, r) => el("div", { role: "row" }, ...row.map((token, c) => el("button", {
    type: "button", disabled: true, class: `${how.colour(token)} ${how.kind(r, c)}`,
  }, ...how.children(token, r, c))))));
}

async function show() {
  for (const id of ["grid", "text", "broken"]) $(id).replaceChildren();
  $("title").textContent = "gatesolve";
  if (!hasLink(location.hash)) return;
  try {
    const { family, text } = await unpackLink(location.hash);
    $("title").textContent = `A board of ${family.replace(/^./, (one) => one.toUpperCase())}`;
    $("grid").setAttribute("aria-label", `Board of ${family}; its text is below`);
    $("text").textContent = text;
    drawBoard(family, text);
  } catch (error) { $("broken").textContent = error.message; }
}

addEventListener("hashchange", show);
show();
