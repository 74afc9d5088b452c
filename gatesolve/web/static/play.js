// Playing: an answer is filled in on the board that is drawn, and never changes its text. The server judges it by the
// rules of its model.

import { $, el } from "./dom.js";
import { begin, countSteps, record, step as takeStep } from "./history.js";
import { CHESS_SIGNS, look } from "./looks.js";
import { describeDot, describeMark, describeRule, describeStep, isSparse, placeOf } from "./marks.js";
import { post } from "./stream.js";

const SIGNS = { queens: "♛", starbattle: "★", ...CHESS_SIGNS };
const HELP = {
  sudoku: "Choose a cell, then type a digit or press one below the board.",
  kakuro: "Choose a cell, then type a digit or press one below the board.",
  takuzu: "A click writes 0, the next 1, the next nothing; or type them.",
  tango: "A click sets a sun, the next a moon, the next nothing; or type S and M.",
  queens: "A click sets ×, the next a queen, the next nothing. Drag to set × on several cells; or type X and Q.",
  starbattle: "A click sets ×, the next a star, the next nothing. Drag to set × on several cells; or type X and S.",
  tents: "A click sets grass, the next a tent, the next nothing. Drag to set grass on several cells; or type G and T.",
  galaxies: "Choose a dot on the board or its number below, then click or drag over the cells of its galaxy. A click on them again clears them.",
  chess: "Choose a piece below the board and click cells, or type its letter. × says that a cell stays empty.",
};
const KEYS = { queens: { x: "0", q: "1" }, starbattle: { x: "0", s: "1", "*": "1" }, tents: { g: "0", x: "0", t: "1", "^": "1" }, tango: { s: "0", m: "1" }, chess: { x: "0" } };
const CHECKED = {
  agrees: "So far everything agrees with the solution.",
  several: "The board has several solutions, and what is filled in can still be completed.",
  lost: "What is filled in cannot be completed to any solution.",
  undecided: "The solver did not decide this in 3 seconds.",
  none: "The board has no solution.",
};

const SHOWN = 6; // rules of a hint in words; the cells of all are marked
const kept = new Map(); // the answers of this visit, by family and text: {marks, notes}
let board = null; // {family, text, found, look, playable, regionOf, dots, marks: those that each cell can have, given}
let answer = null;
let isPlaying = false;
let isWritten = true; // whether the text of the board is written cell by cell
let isWanted = false; // whether to play as soon as it is
let brush = null; // a chess piece, or the number of a dot
let noting = false;
let painting = null;
let asked = 0;
let late = null;
let step = null; // a hint that can be filled in
let judged = { broken: [], solved: false };
let shownWrong = [];

const keyOf = (family, text) => `${family}\n${text}`;

// The marks and notes of a board as plain JSON, to be stored and given to `importPlay` later; null if there are none.
export function exportPlay(family, text) {
  const { marks, notes } = kept.get(keyOf(family, text)) ?? { marks: {}, notes: {} };
  return Object.keys(marks).length || Object.keys(notes).length ? { marks: { ...marks }, notes: { ...notes } } : null;
}

// An answer of this visit has its steps, too: it stays.
export function importPlay(family, text, { marks, notes }) {
  const key = keyOf(family, text);
  if (!kept.has(key)) kept.set(key, { marks: { ...marks }, notes: { ...notes } });
  begin(key, JSON.stringify(kept.get(key)));
}

export const isPlayed = () => isPlaying;

// The next board is played as soon as it can be.
export const wantPlay = () => { isWanted = true; };

// A board was checked: it may be played if it has cells and no fault. One that `isNew` and can be drawn is drawn for it.
export function showPlay(family, found, isNew) {
  const can = Boolean(found.cells) && !found.fault;
  isWritten = Boolean(found.cells);
  $("play-mode").disabled = !can && !found.drawable;
  $("mode").hidden = !found.cells && !found.drawable;
  const text = $("text").value;
  if (!can) { board = null; if (isPlaying) choose(isNew && Boolean(found.drawable)); return; }
  if (board?.family === family && board.text === text) { if (isPlaying) draw(); return; }
  const lines = text.split("\n").map((line) => Array.from(line));
  const tokens = found.cells.map((row) => row.map((span) => (span ? lines[span[0]].slice(span[1], span[1] + span[2]).join("") : "")));
  const how = look(family, found.symbols);
  const dots = family === "galaxies" ? tokens.flatMap((row, r) => row.flatMap((token, c) => ("o*".includes(token) ? [[r, c]] : []))) : [];
  const regionOf = (name) => (how.regions ? tokens[placeOf(name)[0]]?.[placeOf(name)[1]] : null);
  board = { family, text, tokens, look: how, dots, regionOf, playable: [], marks: {}, given: {} };
  importPlay(family, text, {});
  answer = kept.get(keyOf(family, text));
  brush = family === "galaxies" ? "0" : null;
  judged = { broken: [], solved: false };
  forget();
  if (isPlaying) { draw(); judge(); } else if (isWanted) choose(true);
}

function choose(playing) {
  isWanted = playing && !isWritten;
  if (isWanted) { $("redraw").click(); return; }
  isPlaying = playing;
  $("draw").classList.toggle("playing", playing);
  $("play").hidden = !playing;
  $("draw-mode").setAttribute("aria-pressed", String(!playing));
  $("play-mode").setAttribute("aria-pressed", String(playing));
  window.dispatchEvent(new Event("modechanged"));
  if (playing) { say(""); draw(); judge(); }
}

// A cell of the grid and its name: Galaxies have edges between cells, Tents counts around them.
const gridPlace = (name) => placeOf(name).map((k) => (board.family === "galaxies" ? 2 * k : board.family === "tents" ? k + 1 : k));
const cellOf = (name) => { const [r, c] = gridPlace(name); return $("grid").children[r]?.children[c]; };
function nameAt([r, c]) {
  const { family, tokens } = board;
  if (family === "galaxies" && (r % 2 || c % 2)) return null;
  if (family === "tents" && (!r || !c || tokens[r][c] === "T")) return null;
  const [y, x] = family === "galaxies" ? [r / 2, c / 2] : family === "tents" ? [r - 1, c - 1] : [r, c];
  const name = `r${y + 1}c${x + 1}`;
  return board.playable.includes(name) || family === "tents" ? name : null;
}

// Asking

async function ask(what) {
  clearTimeout(late); // every answer judges, too: a hint right after a step is not lost
  const mine = ++asked;
  const told = await post("api/play", { family: board.family, text: board.text, marks: answer.marks, ask: what });
  if (mine !== asked || !isPlaying) return null;
  if (told.fault) { say(told.fault, true); return null; }
  Object.assign(board, { marks: told.marks, given: told.given, playable: Object.keys(told.marks) });
  judged = told;
  return told;
}

async function judge() {
  try {
    const told = await ask("rules");
    if (!told) return;
    draw();
    sayBroken();
  } catch (error) { say(error.message, true); }
}

function sayBroken() {
  if (judged.solved) { say("Solved by you: every cell is right.", false, "won"); return; }
  const words = few(judged.broken, 3);
  say(words.length ? `Broken: ${words.join("; ")}.` : "", words.length > 0);
}

// Rules in words, at most so many.
function few(rules, most) {
  const words = [...new Set(rules.map((rule) => describeRule(board, rule)))];
  return words.length > most ? [...words.slice(0, most), `and ${words.length - most} more`] : words;
}

function say(text, isBad = false, kind = "") {
  $("said").className = isBad ? "fault" : kind || "quiet";
  $("said").textContent = text;
  if (text && isPlaying) $("said").scrollIntoView({ block: "nearest" });
}

function offer(...pairs) {
  $("offers").replaceChildren(...pairs.map(([name, act]) => el("button", { type: "button", class: "small", onclick: act }, name)));
}

function forget() {
  step = null;
  shownWrong = [];
  $("offers")?.replaceChildren();
  $("why")?.replaceChildren();
}

// Whoever stores answers listens for `played`.
function changed() {
  record(keyOf(board.family, board.text), JSON.stringify(answer));
  window.dispatchEvent(new Event("played"));
  forget();
  draw();
  clearTimeout(late);
  asked += 1;
  late = setTimeout(judge, 120);
}

async function check() {
  forget();
  say("Checking …");
  try {
    const told = await ask("check");
    if (!told) return;
    draw();
    const { state, wrong } = told.check;
    if (told.solved) { sayBroken(); return; }
    say(state === "wrong" ? `${wrong.length === 1 ? "1 cell is" : `${wrong.length} cells are`} not as in the solution.` : CHECKED[state], state === "wrong" || state === "lost");
    if (wrong.length) offer(["Show them", () => { shownWrong = wrong; draw(); offer(); }]);
  } catch (error) { say(error.message, true); }
}

async function hint(kind = "hint") {
  if (step && kind === "hint") { fillStep(); return; }
  forget();
  say("Looking for a step …");
  try {
    const told = await ask(kind);
    if (!told) return;
    if (told.solved) { draw(); sayBroken(); return; }
    tellHint(told.hint, kind);
    draw();
    $("offers").scrollIntoView({ block: "nearest" });
  } catch (error) { say(error.message, true); }
}

function tellHint(found, kind) {
  const list = (rules) => few(rules, SHOWN).map((words) => el("li", {}, words));
  if (found.state === "unsolvable") { say(CHECKED.none, true); return; }
  if (found.state === "lost") { say("Something that is filled in is wrong: press Check.", true); return; }
  if (found.state === "none") {
    say(kind === "hint" ? "No single rule settles a cell now." : kind === "probe" ? "Trying values settles no cell either." : "The solver found no answer in time.");
    offer(...(kind === "hint" ? [["Try values", () => hint("probe")]] : []), ...(kind === "solver" ? [] : [["Ask the solver", () => hint("solver")]]));
    return;
  }
  step = { cells: found.cells, mark: found.mark, ruled: [...(found.rules ?? []), ...(found.before ?? []).slice(SHOWN), ...(found.refuted ?? []).flatMap((one) => one.rules)].flatMap((rule) => rule.cells) };
  const head = found.state === "rule" ? describeStep(board, found) : describeStep(board, { ...found, last: false, rules: [] });
  const source = { probe: "By trying values:", solver: "The solver says, without a reason:", alone: "No other galaxy reaches this cell:" }[found.state];
  say(source ? `${source} ${head}` : head);
  const tries = (found.refuted ?? []).map((one) => el("li", {}, `If ${found.cells[0]} were ${describeMark(board, one.mark)}, this would break in the end: ${few(one.rules, 3).join("; ")}`));
  const earlier = found.before?.length ? [el("p", {}, "Steps before it use:"), el("ul", {}, ...list(found.before))] : [];
  $("why").replaceChildren(...(found.rules || tries.length ? [el("ul", {}, ...tries, ...list(found.rules ?? []))] : []), ...earlier);
}

function fillStep() {
  const { cells, mark } = step;
  for (const name of cells) answer.marks[name] = mark;
  changed();
}

// Filling in

export const countPlaySteps = () => (board ? countSteps(keyOf(board.family, board.text)) : [0, 0]);

// Take a step of the answer back, or make it again.
export function stepPlay(isBack) {
  const found = board && takeStep(keyOf(board.family, board.text), isBack);
  if (!found) return;
  Object.assign(answer, JSON.parse(found.text));
  changed();
}

function put(name, mark) {
  if (!name || board.given[name] !== undefined || (answer.marks[name] ?? "") === mark) return;
  const names = [name, ...(board.family === "galaxies" ? [opposite(name, mark || answer.marks[name])] : [])].filter((one) => board.given[one] === undefined);
  for (const one of names) {
    const old = answer.marks[one];
    if (old && board.family === "galaxies") delete answer.marks[opposite(one, old)];
    delete answer.marks[one];
    if (mark) answer.marks[one] = mark;
    delete answer.notes[one];
  }
  changed();
}

// The cell opposite about a dot, if it is on the board.
function opposite(name, mark) {
  const [[r, c], [y, x]] = [placeOf(name), board.dots[mark]];
  const other = `r${y - r + 1}c${x - c + 1}`;
  return board.playable.includes(other) ? other : name;
}

function note(name, digit) {
  if (board.given[name] !== undefined || answer.marks[name]) return;
  const digits = new Set(answer.notes[name] ?? "");
  if (!digits.delete(digit)) digits.add(digit);
  answer.notes[name] = [...digits].sort().join("");
  changed();
}

const cycle = (name) => { const order = ["", "0", "1"]; return order[(order.indexOf(answer.marks[name] ?? "") + 1) % 3]; };
const isNumeric = () => board.family === "sudoku" || board.family === "kakuro";

function click(at) {
  const { family, dots } = board;
  const dot = family === "galaxies" ? dots.findIndex(([r, c]) => r === at[0] && c === at[1]) : -1;
  if (dot >= 0) { brush = String(dot); drawKeys(); return; }
  const name = nameAt(at);
  if (!name || isNumeric()) return;
  const mark = family === "galaxies" || (family === "chess" && brush) ? (answer.marks[name] === brush ? "" : brush) : cycle(name);
  put(name, family === "chess" && !brush ? (answer.marks[name] ? "" : "0") : mark);
  painting = family === "galaxies" || mark === "0" ? mark : null;
}

function typed(key, name) {
  const { family } = board;
  if (!name) return false;
  const small = key.toLowerCase();
  if (["Backspace", "Delete"].includes(key)) put(name, "");
  else if (key === " " || key === "Enter") { click(gridPlace(name)); painting = null; }
  else if (isNumeric() && /^\d$/.test(key)) press(key, name);
  else if (KEYS[family]?.[small]) put(name, KEYS[family][small]);
  else if (family === "takuzu" && (key === "0" || key === "1")) put(name, key);
  else if (family === "chess" && board.marks[name]?.includes(key.toUpperCase())) put(name, key.toUpperCase());
  else if (family === "galaxies" && /^\d$/.test(key) && board.dots[Number(key) - 1]) { brush = String(Number(key) - 1); drawKeys(); }
  else return false;
  return true;
}

// A two-digit value is written digit by digit.
function press(digit, name) {
  if (noting) { note(name, digit); return; }
  const grown = (answer.marks[name] ?? "") + digit;
  const known = board.marks[name] ?? [];
  put(name, known.includes(grown) ? grown : known.includes(digit) ? digit : answer.marks[name] ?? "");
}

// Drawing

function draw() {
  if (!$("grid").childElementCount || !board) return;
  const bad = new Set(judged.broken.flatMap((rule) => rule.cells));
  const clash = new Set(judged.broken.flatMap((rule) => rule.clash));
  board.tokens.forEach((row, r) => row.forEach((token, c) => {
    const cell = $("grid").children[r]?.children[c];
    if (!cell?.dataset.cell) return;
    const name = nameAt([r, c]);
    cell.classList.remove("clash", "ruled", "hinted", "reason", "answer", "grass", "noted", "owned", ...Array.from({ length: 16 }, (_, k) => `g${k}`));
    if (!board.playable.length && board.look.regions) cell.replaceChildren(); // letters of regions are not marks
    if (!name) { if (board.family === "galaxies") joinFields(cell, r, c); return; }
    const mark = board.given[name] ?? answer.marks[name] ?? "";
    cell.classList.toggle("answer", board.given[name] === undefined && mark !== "");
    if (clash.has(name) || shownWrong.includes(name)) cell.classList.add("clash"); else if (bad.has(name)) cell.classList.add("ruled");
    if (step?.cells.includes(name)) cell.classList.add("hinted"); else if (step?.ruled.includes(name)) cell.classList.add("reason");
    fillCell(cell, name, mark, token, r, c);
    const said = mark ? describeMark(board, mark) : answer.notes[name] ? `notes ${answer.notes[name]}` : "empty";
    const region = board.regionOf(name);
    cell.setAttribute("aria-label", `row ${placeOf(name)[0] + 1} column ${placeOf(name)[1] + 1}${region ? `, region ${region}` : ""}: ${board.given[name] === undefined ? "" : "given, "}${said}${clash.has(name) ? ", breaks a rule" : ""}`);
  }));
  drawKeys();
}

function fillCell(cell, name, mark, token, r, c) {
  const { family, look: how } = board;
  const frame = [...cell.children].filter((one) => one.matches(".cage, .sum"));
  const notes = !mark && answer.notes[name];
  cell.classList.toggle("noted", Boolean(notes));
  if (family === "galaxies") { if (mark) cell.classList.add("owned", `g${mark % 16}`); return; }
  if (family === "tents") cell.classList.toggle("grass", mark === "0");
  const sparse = isSparse(family);
  const children = notes ? [notes] : !mark ? [] : sparse && mark === "0" ? [el("span", { class: "cross" }, family === "tents" ? "" : "×")]
    : family === "tents" ? how.children("^", r, c) : family === "tango" ? how.children(mark === "0" ? "S" : "M", r, c) : [SIGNS[family === "chess" ? mark : family] ?? mark];
  cell.replaceChildren(...children, ...frame);
}

// Lines between cells: none inside a galaxy, a wall between two, a thin one where a cell is not in any yet.
function joinFields(cell, r, c) {
  const ownerAt = (y, x) => { const name = nameAt([y, x]); return name ? board.given[name] ?? answer.marks[name] : undefined; };
  const [y, x] = [r % 2, c % 2];
  const corners = [[r - y, c - x], [r - y, c + x], [r + y, c - x], [r + y, c + x]].map((at) => ownerAt(...at));
  if (corners[0] !== undefined && new Set(corners).size === 1) cell.classList.add("owned", `g${corners[0] % 16}`);
  for (const [side, one, other, isLine] of [["up", 0, 1, x], ["down", 2, 3, x], ["left", 0, 2, y], ["right", 1, 3, y]]) {
    const pair = [corners[one], corners[other]];
    const isWall = !pair.includes(undefined) && pair[0] !== pair[1];
    cell.style.setProperty(`--${side}`, isWall ? "3px" : isLine && (pair[0] === undefined || pair[0] !== pair[1]) ? "1px" : "0px");
    cell.style.setProperty(`--${side}-ink`, isWall ? "#1d1d1f" : "#8b8b92");
  }
}

function drawKeys() {
  const { family } = board;
  const values = [...new Set(Object.values(board.marks).flat())].sort((a, b) => a - b || (a > b ? 1 : -1));
  const key = (value, name, children, act, isOn, kind = "") => el("button", { type: "button", class: `brush ${kind}`, "aria-label": name, title: name, ...(isOn === null ? {} : { "aria-pressed": String(isOn) }), "data-key": value, onclick: act }, ...children);
  const focused = () => $("grid").querySelector('[tabindex="0"]')?.dataset.cell?.split(",").map(Number);
  const keys = isNumeric() ? [
    ...values.map((value) => key(value, `write ${value}`, [value], () => { const name = focused() && nameAt(focused()); if (name) { if (noting) note(name, value); else put(name, value); } }, null)),
    key("erase", "erase", ["⌫"], () => { const name = focused() && nameAt(focused()); if (name) put(name, ""); }, null),
    key("notes", "small notes", ["✎"], () => { noting = !noting; drawKeys(); }, noting),
  ] : family === "chess" ? values.map((value) => key(value, describeMark(board, value), [value === "0" ? "×" : SIGNS[value] ?? value], () => { brush = brush === value ? null : value; drawKeys(); }, brush === value))
    : family === "galaxies" ? board.dots.map((_, k) => key(String(k), describeDot(board, k), [String(k + 1)], () => { brush = String(k); drawKeys(); }, brush === String(k), `owned g${k % 16}`)) : [];
  const at = [...$("play-keys").children].indexOf(document.activeElement);
  $("play-keys").replaceChildren(...keys);
  if (at >= 0) $("play-keys").children[at]?.focus();
  $("play-help").textContent = HELP[family];
  $("clear-play").disabled = !Object.keys(answer.marks).length && !Object.keys(answer.notes).length;
  $("hint-play").textContent = step ? "Fill it in" : "Hint";
}

// Setting up: while playing, no event of the grid reaches the editor, except the arrow keys, which move in both.

const cellAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.("#grid [data-cell]");
const placeAt = (cell) => cell.dataset.cell.split(",").map(Number);

$("play").replaceChildren(
  el("div", { id: "play-keys", role: "group", "aria-label": "What is filled in" }),
  el("div", { class: "actions" },
    el("button", { type: "button", id: "check-play", onclick: check }, "Check"), el("button", { type: "button", id: "hint-play", onclick: () => hint() }, "Hint"),
    el("button", { type: "button", id: "clear-play", class: "small", onclick: () => { answer.marks = {}; answer.notes = {}; changed(); } }, "Clear")),
  el("p", { id: "said", class: "quiet", role: "status" }), el("div", { id: "why" }), el("div", { id: "offers" }),
  el("p", { id: "play-help", class: "quiet" }));
$("draw-mode").addEventListener("click", () => choose(false));
$("play-mode").addEventListener("click", () => choose(true));
$("grid").addEventListener("pointerdown", (event) => {
  if (!isPlaying) return;
  event.stopPropagation();
  const cell = cellAt(event);
  if (!cell || event.button) return;
  event.preventDefault();
  cell.focus();
  click(placeAt(cell));
}, { capture: true });
window.addEventListener("pointermove", (event) => {
  const cell = painting === null || !isPlaying ? null : cellAt(event);
  const name = cell && nameAt(placeAt(cell));
  if (!name) return;
  if (board.family === "galaxies") put(name, painting); else if (!answer.marks[name]) put(name, painting);
});
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => { painting = null; });
$("grid").addEventListener("keydown", (event) => {
  if (!isPlaying || event.key.startsWith("Arrow") || event.key === "Tab") return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.stopPropagation();
  const cell = event.target.closest("[data-cell]");
  if (!cell || !typed(event.key, nameAt(placeAt(cell)))) return;
  event.preventDefault();
}, { capture: true });
