// A grid to draw on. The text stays what counts: a cell is some characters of it, and writing a cell writes those.

import { cageFields, canDraw, dressCage, dropCage, finishCage, hasMarks, isLoose, markCell, readCages, refuseMark } from "./cages.js";
import { $, el } from "./dom.js";
import { look } from "./looks.js";
import { SIDES, markSigns, signFields, toggleSign } from "./signs.js";

let shown = null; // {family, cells, symbols, walls, fault, onChange, look}
let brush = null;
let focus = [0, 0];
let sign = null; // a sign of Tango that was typed and waits for an arrow key

export function showGrid(family, found, onChange) {
  const isOpened = $("draw").inert;
  const isTyped = $("grid").inert;
  $("grid").inert = $("draw").inert = false;
  $("draw").hidden = !found.cells;
  if (!found.cells) { shown = null; return; }
  const again = shown && shown.family === family && document.activeElement?.closest("#grid");
  const isNew = !shown || shown.family !== family || shown.symbols !== found.symbols;
  const isOther = isNew || isOpened || shown.cells.length !== found.cells.length || shown.cells[0].length !== found.cells[0].length;
  const walls = found.walls ?? (isOther || isTyped ? null : shown.walls); // of a fault that was drawn just now the walls stay
  shown = { ...found, walls, family, onChange, look: look(family, found.symbols) };
  if (isNew || ![...found.symbols, ...shown.look.tools].includes(brush)) brush = shown.look.first;
  if (family === "sudoku") readCages(isOther);
  sign = null;
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
  const tools = shown.look.tools.filter((one) => one !== "cage" || canDraw());
  $("brushes").replaceChildren(...[...tools.filter((one) => !one), ...shown.symbols, ...tools.filter(Boolean)].map((symbol) => el("button", {
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
  if (shown.family === "sudoku") dressCage(cell, r, c);
}

// What is drawn between cells or around them changed; `gone`: the numbers of the lines that were taken out of the text,
// null if it is as it was.
function redraw(gone) {
  for (const span of shown.cells.flat()) if (span) span[0] -= (gone ?? []).filter((number) => number < span[0]).length;
  shown.cells.forEach((row, r) => row.forEach((span, c) => span && dress(cellAt(r, c), r, c)));
  if (gone) shown.onChange();
}

function mark([r, c], isDragged = false) {
  const refused = isDragged ? null : refuseMark(`${r},${c}`);
  $("refused").textContent = refused ?? "";
  if (refused) return;
  redraw(markCell(`${r},${c}`, shown.cells.length, isDragged));
  showNumbers();
}

function putSign(r, c, side, mark) {
  const [down, on] = SIDES[side];
  if (shown.cells[r + down]?.[c + on]) redraw(toggleSign(r, c, side, mark));
  else $("refused").textContent = "There is no cell on that side.";
}

// The side of a cell at which somebody clicked, among those with a cell behind them.
function sideAt(event, r, c) {
  const box = cellAt(r, c).getBoundingClientRect();
  const reach = ([down, on]) => down * (event.clientY - box.top - box.height / 2) + on * (event.clientX - box.left - box.width / 2);
  const inside = Object.entries(SIDES).filter(([, [down, on]]) => shown.cells[r + down]?.[c + on]);
  return inside.sort(([, one], [, other]) => reach(other) - reach(one))[0][0];
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
export function showNumbers() {
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
  }), ...(shown.family === "tango" ? signFields(r, c, shown.cells.length, shown.cells[0].length, redraw) : []),
  ...(shown.family === "sudoku" ? cageFields(shown.cells.length, redraw, () => { redraw(null); cellAt(...focus).focus(); showNumbers(); }) : []));
}

// The fields of a cell come into view, though not while somebody drags.
export function revealFields() {
  if ($("cell").childElementCount) $("cell").scrollIntoView({ block: "nearest" });
}
$("grid").addEventListener("pointerup", revealFields);

let painting = null;
$("grid").addEventListener("pointerdown", (event) => {
  const at = place(event);
  if (!at || event.button) return;
  $("refused").textContent = "";
  event.preventDefault();
  sign = null;
  if (brush === "cage" || brush === "=" || brush === "x") {
    go(...at);
    if (brush === "cage") { mark(at); painting = "cage"; } else { putSign(...at, sideAt(event, ...at), brush); showNumbers(); }
    return;
  }
  const token = read(...at);
  const erases = shown.family !== "kakuro" && shown.look.same(brush, token) && shown.symbols.includes(".");
  paint(...at, erases ? "." : brush);
  painting = shown.family === "galaxies" ? null : erases ? "." : brush; // dots are set one at a time
  go(...at);
});
window.addEventListener("pointermove", (event) => {
  const at = painting === null || !shown ? null : place(event);
  if (at && painting === "cage") mark(at, true); else if (at) paint(...at, painting);
});
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => { painting = null; });

const STEPS = { ArrowUp: "above", ArrowDown: "below", ArrowLeft: "left", ArrowRight: "right" };
$("grid").addEventListener("keydown", (event) => {
  if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
  if (useTool(event.key)) { event.preventDefault(); return; }
  const side = STEPS[event.key];
  const symbol = shown.symbols.includes(event.key) ? event.key : shown.symbols.includes(event.key.toUpperCase()) ? event.key.toUpperCase() : event.key.toLowerCase();
  const erases = ["Backspace", "Delete", "0"].includes(event.key) && !shown.symbols.includes(event.key);
  const isNumber = shown.look.isNumber(...focus) && /^\d$/.test(event.key);
  if (side) go(focus[0] + SIDES[side][0], focus[1] + SIDES[side][1]);
  else if (isNumber) startNumber(event.key);
  else if (event.key === " " || event.key === "Enter") paintHere(brush);
  else if (erases && shown.look.numbers(read(...focus), ...focus).length) { write(...focus, shown.look.numbers(read(...focus), ...focus)[0].write("", "#")); showNumbers(); }
  else if (erases && shown.symbols.includes(".")) { paintHere("."); if (event.key === "0") goOn(); }
  else if (event.key.length === 1 && shown.symbols.includes(symbol)) { paintHere(symbol); if (shown.look.fits(symbol, ...focus)) goOn(); }
  else { if (event.key.length === 1) refuse(event.key); return; }
  event.preventDefault();
  $("refused").textContent = "";
});

// Whether a key draws around cells or between them: c and a sum a cage, a sign and an arrow key a sign.
function useTool(key) {
  const { tools } = shown.look;
  const waiting = sign;
  sign = null;
  if (waiting && STEPS[key]) { $("refused").textContent = ""; putSign(...focus, STEPS[key], waiting); showNumbers(); return true; }
  const typed = key === " " || key === "Enter" ? brush : key.toLowerCase().replace("×", "x");
  if (tools.includes("=") && (typed === "=" || typed === "x")) {
    sign = typed;
    $("refused").textContent = `${typed.replace("x", "×")} on which side? Press an arrow key.`;
    return true;
  }
  if (!tools.includes("cage") || !canDraw()) return false;
  if (typed === "c" || typed === "cage") { brush = "cage"; drawBrushes(); mark(focus); revealFields(); return true; }
  if (!hasMarks()) return false;
  if (/^\d$/.test(key)) startNumber(key);
  else if (key === "Escape") { finishCage(); redraw(null); showNumbers(); }
  else if (key === "Backspace" || key === "Delete") { redraw(dropCage(shown.cells.length)); showNumbers(); } else return false;
  return true;
}

function refuse(key) {
  const signs = shown.look.isNumber(...focus) ? ["a number"] : [];
  if (!shown.look.isNumber(...focus) || shown.family === "kakuro") signs.push(...shown.symbols);
  $("refused").textContent = `${key} cannot stand here. What can: ${signs.join(" ")}.`;
}

// Unmark the cells of a cage without a sum, which the text does not have; returns whether there were any.
export function dropMarks() {
  if (shown?.family !== "sudoku" || !isLoose()) return false;
  finishCage();
  redraw(null);
  showNumbers();
  return true;
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
