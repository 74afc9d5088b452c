// Cages of a killer Sudoku, a grid of letters and lines of sums in the text. The cells of one are marked, then its sum is typed.

import { $, el, plural } from "./dom.js";

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
const LABEL = /^\s*(boxes|cages|board)\s*$/i;
const SUMS = /^\s*sums\b/i;
const HEADER = /^\s*(box|diagonals|sudoku)\b/i;
const NONE = { sum: "", cells: [] };
const SIDES = [["top", -1, 0], ["right", 0, 1], ["bottom", 1, 0], ["left", 0, -1]];
let cages = []; // all but the one that is being drawn: {sum, cells}, a cell being "r,c"
let drawn = NONE; // its marked cells; the text has it as soon as its sum is typed
let isTyped = false; // whether the sum was typed just now: what is marked next begins another cage

const split = (key) => key.split(",").map(Number);
const beside = (key, down, on) => { const [r, c] = split(key); return `${r + down},${c + on}`; };
const rank = (key) => { const [r, c] = split(key); return 100 * r + c; };
const all = () => [...cages, ...(drawn.sum && drawn.cells.length ? [drawn] : [])]
  .map(({ sum, cells }) => ({ sum, cells: [...cells].sort((a, b) => rank(a) - rank(b)) })).sort((a, b) => rank(a.cells[0]) - rank(b.cells[0]));

// A size such as 9 9 stands above formats of other programs, which have cages of their own.
export const canDraw = () => !/^\s*\d+\s+\d+\s*$/m.test($("text").value);

// The lines of the text, the numbers of those that tell of cages, and the cages.
function takeApart() {
  const lines = $("text").value.replace(/\n*$/, "").split("\n");
  const [own, rows, sums, found] = [[], [], new Map(), new Map()];
  let label = "board";
  lines.forEach((line, number) => {
    if (/^\s*($|;|\/\/|#)/.test(line)) return;
    const head = LABEL.exec(line);
    if (head) label = head[1].toLowerCase();
    if (SUMS.test(line)) for (const [, name, sum] of line.matchAll(/(\w+)=(\d+)/g)) sums.set(name, sum);
    const isRow = label === "cages" && !head && !SUMS.test(line) && !HEADER.test(line);
    if (isRow) rows.push(/[\s,]/.test(line.trim()) ? line.trim().split(/[\s,]+/) : Array.from(line.trim()));
    if (isRow || SUMS.test(line) || (head && label === "cages")) own.push(number);
  });
  rows.forEach((row, r) => row.forEach((name, c) => { if (name !== ".") found.set(name, [...(found.get(name) ?? []), `${r},${c}`]); }));
  return { lines, own, cages: [...found].map(([name, cells]) => ({ sum: sums.get(name) ?? "", cells })) };
}

// Take over what the text says. What is being drawn stays, unless the board is another or its cages were changed elsewhere.
export function readCages(isOther) {
  const before = { cages, drawn, isTyped, text: JSON.stringify(all()) };
  [cages, drawn, isTyped] = [takeApart().cages, NONE, false];
  if (!isOther && JSON.stringify(all()) === before.text) ({ cages, drawn, isTyped } = before);
}

// Write all cages anew at the end of the text; returns the numbers of the lines that were taken out.
function write(side) {
  const { lines, own } = takeApart();
  const kept = lines.filter((_, number) => !own.includes(number));
  const list = all();
  const names = list.length <= LETTERS.length ? LETTERS : list.map((_, k) => String(k + 1));
  const grid = Array.from({ length: side }, () => Array(side).fill("."));
  list.forEach(({ cells }, k) => cells.map(split).forEach(([r, c]) => { grid[r][c] = names[k]; }));
  const sums = list.map(({ sum }, k) => [sum, `${names[k]}=${sum}`]).filter(([sum]) => sum).map(([, said]) => said);
  if (list.length) kept.push("cages", ...grid.map((row) => row.join(names === LETTERS ? "" : " ")));
  for (let k = 0; k < sums.length; k += 12) kept.push(["sums", ...sums.slice(k, k + 12)].join(" "));
  $("text").value = `${kept.join("\n")}\n`;
  return own;
}

// The marked cells are a cage of their own; nothing is marked.
export function finishCage() {
  cages = all();
  [drawn, isTyped] = [NONE, false];
}

export const hasMarks = () => drawn.cells.length > 0;

export const isLoose = () => hasMarks() && !drawn.sum;

// Why a cell cannot be marked; null if it can be.
export function refuseMark(key) {
  const isTaken = !drawn.sum && hasMarks() && cages.some(({ cells }) => cells.includes(key));
  return isTaken ? "That cell is in another cage: type the sum of the marked cells first." : null;
}

// Mark a cell or take its mark away; a cell of a cage marks that cage. Returns as `write`, or null: the text is as it was.
export function markCell(key, side, isDragged) {
  if (isTyped) finishCage();
  const isMine = drawn.cells.includes(key);
  const other = cages.find(({ cells }) => cells.includes(key));
  if (isDragged && (isMine || other)) return null;
  if (other) {
    finishCage();
    cages = cages.filter(({ cells }) => !cells.includes(key));
    drawn = other;
    return null;
  }
  const touches = SIDES.some(([, down, on]) => drawn.cells.includes(beside(key, down, on)));
  if (drawn.sum && !isMine && !touches && !isDragged) finishCage();
  drawn = { sum: drawn.sum, cells: isMine ? drawn.cells.filter((one) => one !== key) : [...drawn.cells, key] };
  if (!drawn.sum) return null;
  const gone = write(side);
  if (!hasMarks()) finishCage();
  return gone;
}

// The cage that is being drawn is none.
export function dropCage(side) {
  const wasWritten = drawn.sum;
  [drawn, isTyped] = [NONE, false];
  return wasWritten ? write(side) : null;
}

export function dressCage(cell, r, c) {
  const key = `${r},${c}`;
  const isMarked = drawn.cells.includes(key);
  const mine = isMarked ? drawn : cages.find(({ cells }) => cells.includes(key));
  cell.classList.toggle("marked", isMarked);
  cell.setAttribute("aria-selected", String(isMarked));
  if (!mine) return;
  const edges = SIDES.filter(([, down, on]) => !mine.cells.includes(beside(key, down, on))).map(([side]) => side);
  cell.append(el("span", { class: ["cage", ...edges].join(" ") }));
  const first = [...mine.cells].sort((a, b) => rank(a) - rank(b))[0];
  if (mine.sum && first === key) cell.append(el("span", { class: "sum" }, mine.sum));
  cell.setAttribute("aria-label", `${cell.getAttribute("aria-label")}, in ${mine.sum ? `a cage of sum ${mine.sum}` : "a cage without a sum"}${isMarked ? ", marked" : ""}`);
}

// The field of the sum of the marked cells; `changed` is told what was taken out of the text, `leave` ends the field.
export function cageFields(side, changed, leave) {
  if (!hasMarks()) return [];
  const name = `Sum of the ${plural(drawn.cells.length, "marked cell")}`;
  const field = el("input", { type: "text", inputmode: "numeric", maxlength: "3", value: drawn.sum });
  const remove = el("button", { type: "button", class: "small", onclick: () => { changed(dropCage(side)); leave(); } });
  const nameButton = () => { remove.textContent = drawn.sum ? "Remove this cage" : "Unmark"; };
  nameButton();
  field.addEventListener("input", () => {
    field.value = field.value.replace(/\D/g, "");
    drawn = { ...drawn, sum: field.value };
    isTyped = field.value !== "";
    nameButton();
    changed(write(side));
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (drawn.sum) finishCage();
    leave();
  });
  return [el("label", {}, el("span", {}, name), field), remove];
}
