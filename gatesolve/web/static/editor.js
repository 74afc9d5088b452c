// A grid to draw on. The text stays what counts: a cell is one character of it, and writing a cell writes that one.

import { $, el } from "./dom.js";

let shown = null; // {cells, symbols, walls, family}
let brush = null;
let focus = [0, 0];

export function showGrid(family, found, onChange) {
  $("draw").hidden = !found.cells;
  if (!found.cells) { shown = null; return; }
  const again = shown && shown.family === family && document.activeElement?.closest("#grid");
  const walls = found.walls ?? (shown?.family === family ? shown.walls : null);
  const isNew = !shown || shown.family !== family || shown.symbols !== found.symbols;
  shown = { ...found, walls, family, onChange };
  if (isNew || !found.symbols.includes(brush)) brush = found.symbols[family === "queens" || family === "starbattle" ? 0 : 1];
  focus = [Math.min(focus[0], found.cells.length - 1), Math.min(focus[1], found.cells[0].length - 1)];
  drawBrushes();
  drawGrid(found.fault);
  if (again) cellAt(...focus)?.focus();
}

const isRegions = () => shown.family === "queens" || shown.family === "starbattle";
const colour = (symbol) => (isRegions() ? `r${shown.symbols.indexOf(symbol) % 16}` : "");
const lines = () => $("text").value.split("\n").map((line) => Array.from(line));
const cellAt = (r, c) => $("grid").children[r]?.children[c];

function drawBrushes() {
  const choose = (symbol) => { brush = symbol; drawBrushes(); };
  const at = Array.from($("brushes").children).indexOf(document.activeElement);
  $("brushes").replaceChildren(...Array.from(shown.symbols, (symbol) => el("button", {
    type: "button", class: `${colour(symbol)} brush`, "aria-pressed": String(symbol === brush),
    "aria-label": symbol === "." ? "empty" : symbol, onclick: () => choose(symbol),
  }, symbol === "." ? "⌫" : symbol)));
  if (at >= 0) $("brushes").children[at]?.focus();
}

function drawGrid(fault) {
  const text = lines();
  const grid = $("grid");
  grid.style.setProperty("--columns", shown.cells[0].length);
  grid.replaceChildren(...shown.cells.map((row, r) => el("div", { role: "row" }, ...row.map(([line, place], c) => {
    const symbol = text[line]?.[place] ?? "";
    const bad = fault && fault.row === line + 1 && fault.column === place + 1;
    const walls = `${shown.walls?.right[r]?.[c] ? "wall-right " : ""}${shown.walls?.below[r]?.[c] ? "wall-below " : ""}`;
    return el("button", {
      type: "button", role: "gridcell", class: `${walls}${colour(symbol)}${bad ? " bad" : ""}`,
      tabindex: r === focus[0] && c === focus[1] ? "0" : "-1", "data-cell": `${r},${c}`,
      "aria-label": `row ${r + 1} column ${c + 1}: ${symbol === "." ? "empty" : symbol}`,
    }, symbol === "." ? "" : symbol);
  }))));
}

function write(r, c, symbol) {
  const [line, place] = shown.cells[r][c];
  const text = lines();
  if (text[line][place] === symbol) return;
  text[line][place] = symbol;
  $("text").value = text.map((one) => one.join("")).join("\n");
  const cell = cellAt(r, c);
  cell.textContent = symbol === "." ? "" : symbol;
  if (isRegions()) cell.className = colour(symbol);
  shown.onChange();
}

function place(event) {
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("#grid [data-cell]");
  return cell ? cell.dataset.cell.split(",").map(Number) : null;
}

function go(r, c) {
  cellAt(...focus)?.setAttribute("tabindex", "-1");
  focus = [(r + shown.cells.length) % shown.cells.length, (c + shown.cells[0].length) % shown.cells[0].length];
  const cell = cellAt(...focus);
  cell.setAttribute("tabindex", "0");
  cell.focus();
}

let painting = null;
$("grid").addEventListener("pointerdown", (event) => {
  const at = place(event);
  if (!at || event.button) return;
  event.preventDefault();
  const [line, column] = shown.cells[at[0]][at[1]];
  painting = lines()[line][column] === brush && shown.symbols.includes(".") ? "." : brush;
  go(...at);
  write(...at, painting);
});
window.addEventListener("pointermove", (event) => {
  const at = painting === null || !shown ? null : place(event);
  if (at) write(...at, painting);
});
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => { painting = null; });

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
$("grid").addEventListener("keydown", (event) => {
  if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = STEPS[event.key];
  const symbol = shown.symbols.includes(event.key) ? event.key : event.key.toUpperCase();
  if (step) go(focus[0] + step[0], focus[1] + step[1]);
  else if (event.key === " " || event.key === "Enter") write(...focus, brush);
  else if (["Backspace", "Delete", "0"].includes(event.key) && shown.symbols.includes(".") && !shown.symbols.includes(event.key)) write(...focus, ".");
  else if (event.key.length === 1 && shown.symbols.includes(symbol)) write(...focus, symbol);
  else return;
  event.preventDefault();
});
