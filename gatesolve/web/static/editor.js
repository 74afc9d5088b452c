// A grid to draw on. The text stays what counts: a cell is some characters of it, and writing a cell writes those.

import { $, el } from "./dom.js";
import { look } from "./looks.js";
import { markSigns, signFields } from "./signs.js";

let shown = null; // {family, cells, symbols, walls, fault, onChange, look}
let brush = null;
let focus = [0, 0];

export function showGrid(family, found, onChange) {
  $("grid").inert = $("draw").inert = false;
  $("draw").hidden = !found.cells;
  if (!found.cells) { shown = null; return; }
  const again = shown && shown.family === family && document.activeElement?.closest("#grid");
  const walls = found.walls ?? (shown?.family === family ? shown.walls : null);
  const isNew = !shown || shown.family !== family || shown.symbols !== found.symbols;
  const isOther = isNew || shown.cells.length !== found.cells.length;
  shown = { ...found, walls, family, onChange, look: look(family, found.symbols) };
  if (isNew || !found.symbols.includes(brush)) brush = shown.look.first;
  if (isOther) focus = family === "tents" ? [1, 1] : [0, 0];
  focus = [Math.min(focus[0], found.cells.length - 1), Math.min(focus[1], found.cells[0].length - 1)];
  drawBrushes();
  drawGrid();
  if (isOther) $("cell").replaceChildren();
  if (isOther) $("refused").textContent = "";
  if (again) cellAt(...focus)?.focus();
}

const lines = () => $("text").value.split("\n").map((line) => Array.from(line));
const cellAt = (r, c) => $("grid").children[r]?.children[c];

function read(r, c) {
  const [line, start, length] = shown.cells[r][c];
  return lines()[line]?.slice(start, start + length).join("") ?? "";
}

function drawBrushes() {
  const choose = (symbol) => { brush = symbol; drawBrushes(); };
  const at = Array.from($("brushes").children).indexOf(document.activeElement);
  $("brushes").replaceChildren(...[...(shown.family === "tango" ? [""] : []), ...shown.symbols].map((symbol) => el("button", {
    type: "button", class: `${shown.look.colour(symbol)} brush`, "aria-pressed": String(symbol === brush),
    "aria-label": shown.look.nameOf(symbol), title: shown.look.nameOf(symbol), onclick: () => choose(symbol),
  }, ...shown.look.sign(symbol))));
  $("hint").textContent = shown.look.hint;
  if (at >= 0) $("brushes").children[at]?.focus();
}

function drawGrid() {
  const grid = $("grid");
  grid.className = shown.family;
  grid.style.setProperty("--columns", shown.cells[0].length);
  grid.replaceChildren(...shown.cells.map((row, r) => el("div", { role: "row" }, ...row.map((span, c) => {
    if (!span) return el("span", { role: "gridcell", class: "corner" });
    const cell = el("button", { type: "button", role: "gridcell", tabindex: r === focus[0] && c === focus[1] ? "0" : "-1", "data-cell": `${r},${c}` });
    dress(cell, r, c);
    return cell;
  }))));
}

function dress(cell, r, c) {
  const token = read(r, c);
  const { look: how, walls, fault } = shown;
  const bad = fault?.cell?.[0] === r && fault.cell[1] === c;
  cell.className = [walls?.right[r]?.[c] && "wall-right", walls?.below[r]?.[c] && "wall-below", bad && "bad", how.colour(token), how.kind(r, c)].filter(Boolean).join(" ");
  cell.setAttribute("aria-label", how.label(token, r, c));
  cell.replaceChildren(...how.children(token, r, c));
  if (shown.family === "tango") markSigns(cell, r, c);
}

function write(r, c, token) {
  const span = shown.cells[r][c];
  const [line, start, length] = span;
  if (read(r, c) === token) return;
  const text = lines();
  const wide = Array.from(token).length;
  text[line].splice(start, length, ...token);
  $("text").value = text.map((one) => one.join("")).join("\n");
  // What stands behind it in its line moves along.
  for (const other of shown.cells.flat()) if (other && other[0] === line && other[1] > start) other[1] += wide - length;
  span[2] = wide;
  dress(cellAt(r, c), r, c);
  shown.onChange();
}

function paint(r, c, symbol) {
  if (!symbol || !shown.look.fits(symbol, r, c) || shown.look.same(symbol, read(r, c))) return;
  write(r, c, symbol === "." ? shown.look.blank(r, c) : symbol);
}

// However a cell came by the focus: what is typed goes there.
$("grid").addEventListener("focusin", ({ target }) => {
  const at = target.dataset.cell?.split(",").map(Number);
  if (!at || !shown || (at[0] === focus[0] && at[1] === focus[1])) return;
  cellAt(...focus)?.setAttribute("tabindex", "-1");
  focus = at;
  target.setAttribute("tabindex", "0");
  showNumbers();
});

function place(event) {
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("#grid [data-cell]");
  return cell ? cell.dataset.cell.split(",").map(Number) : null;
}

function go(r, c) {
  const [rows, columns] = [shown.cells.length, shown.cells[0].length];
  const [to, on] = [(r + rows) % rows, (c + columns) % columns];
  if (!shown.cells[to][on]) { go(to === focus[0] ? to : to + Math.sign(r - focus[0]), on === focus[1] ? on : on + Math.sign(c - focus[1])); return; }
  cellAt(to, on).focus();
  showNumbers();
}

// Numbers have fields of their own, so that a phone shows its digits.
function showNumbers() {
  const [r, c] = focus;
  $("cell").replaceChildren(...shown.look.numbers(read(r, c), r, c).map(({ name, value, write: make }) => {
    const field = el("input", { type: "text", inputmode: "numeric", maxlength: "3", value, "aria-label": `${name}, ${shown.look.place(r, c)}` });
    field.addEventListener("input", () => {
      field.value = field.value.replace(/\D/g, "");
      write(r, c, make(field.value, read(r, c)));
    });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      cellAt(r, c)?.focus();
    });
    return el("label", {}, el("span", {}, name), field);
  }), ...(shown.family === "tango" ? signFields(r, c, shown.cells.length, shown.cells[0].length, () => {
    dress(cellAt(r, c), r, c);
    $("grid").inert = true; // until it is known where the cells stand now
    shown.onChange();
  }) : []));
}

let painting = null;
$("grid").addEventListener("pointerdown", (event) => {
  const at = place(event);
  if (!at || event.button) return;
  $("refused").textContent = "";
  event.preventDefault();
  const token = read(...at);
  const erases = shown.family !== "kakuro" && shown.look.same(brush, token) && shown.symbols.includes(".");
  paint(...at, erases ? "." : brush);
  painting = shown.family === "galaxies" ? null : erases ? "." : brush; // dots are set one at a time
  go(...at);
});
window.addEventListener("pointermove", (event) => {
  const at = painting === null || !shown ? null : place(event);
  if (at) paint(...at, painting);
});
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => { painting = null; });

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
$("grid").addEventListener("keydown", (event) => {
  if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = STEPS[event.key];
  const symbol = shown.symbols.includes(event.key) ? event.key : shown.symbols.includes(event.key.toUpperCase()) ? event.key.toUpperCase() : event.key.toLowerCase();
  const erases = ["Backspace", "Delete", "0"].includes(event.key) && !shown.symbols.includes(event.key);
  const isNumber = shown.look.isNumber(...focus) && /^\d$/.test(event.key);
  if (step) go(focus[0] + step[0], focus[1] + step[1]);
  else if (isNumber) startNumber(event.key);
  else if (event.key === " " || event.key === "Enter") paintHere(brush);
  else if (erases && shown.look.numbers(read(...focus), ...focus).length) { write(...focus, shown.look.numbers(read(...focus), ...focus)[0].write("", "#")); showNumbers(); }
  else if (erases && shown.symbols.includes(".")) paintHere(".");
  else if (event.key.length === 1 && shown.symbols.includes(symbol)) { paintHere(symbol); if (shown.look.fits(symbol, ...focus)) goOn(); }
  else { if (event.key.length === 1) refuse(event.key); return; }
  event.preventDefault();
  $("refused").textContent = "";
});

function refuse(key) {
  const signs = shown.look.isNumber(...focus) ? ["a number"] : [];
  if (!shown.look.isNumber(...focus) || shown.family === "kakuro") signs.push(...shown.symbols);
  $("refused").textContent = `${key} cannot stand here. What can: ${signs.join(" ")}.`;
}

// How many regions are drawn, and how many rows there are; null for a board without regions.
export function countRegions() {
  if (!shown?.look.regions) return null;
  const names = new Set(shown.cells.flatMap((row, r) => row.map((_, c) => read(r, c))).filter((one) => /[A-Z]/.test(one)));
  return [names.size, shown.cells.length];
}

// To the next cell, as a text goes on; in Tents the first of a row is its count.
function goOn() {
  const [r, c] = focus;
  if (c + 1 < shown.cells[0].length) go(r, c + 1);
  else if (r + 1 < shown.cells.length) go(r + 1, shown.family === "tents" ? 1 : 0);
}

function paintHere(symbol) {
  paint(...focus, symbol);
  showNumbers();
  if (shown.look.isNumber(...focus) && shown.family === "tents") $("cell").querySelector("input")?.focus();
}

function startNumber(digit) {
  showNumbers();
  const field = $("cell").querySelector("input");
  field.focus();
  field.value = digit;
  field.dispatchEvent(new Event("input"));
}
