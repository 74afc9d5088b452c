// The page: what is chosen, what is typed, and the one search that runs.

import { $, el, reveal, reword, showSvg } from "./dom.js";
import { countRegions, dropMarks, revealFields, showGrid, showNumbers } from "./editor.js";
import { begin, countSteps, current, listen, record, step } from "./history.js";
import { copyLink, hasLink, readLink } from "./link.js";
import { showPieces } from "./pieces.js";
import { countPlaySteps, exportPlay, importPlay, isPlayed, showPlay, stepPlay, wantPlay } from "./play.js";
import { keepBoard, keepFamily, keepMode, recallBoard, recallFamily, recallMode } from "./store.js";
import { get, post, run } from "./stream.js";
import { explain } from "./words.js";
import { allowRuns, clearStory, describeStop, endStory, isExtra, tell, tellRun } from "./story.js";

const page = crypto.randomUUID();
const STAGES = {
  read: "Reading the board", presolve: "Deducing what the clues say, classically", oracle: "Turning rules into gates",
  certificate: "Checking the circuit on the states", lowering: "Lowering to one- and two-qubit gates", run: "Searching",
  judge: "Judging the answer by the puzzle's own rules", count: "Counting gates", prove: "Proving every layer",
  costs: "Working out costs", divide: "Dividing the board", compare: "Measuring classical backtracking for comparison", backtrack: "Measuring classical backtracking", device: "Estimating a device of today", angles: "Tuning angles", circuit: "Building the circuit", qubo: "Writing the energy",
};
let about = null;
let running = null;
let asked = 0;
let late = null;
let isRight = false; // whether the board that is typed can be run
let judged = null; // the text of the last board that was checked
let isOpened = false; // whether what is said of a stopped run is that a board was opened
let blank = null; // the board that was checked last and can be drawn: its title and picture
let returnTo = null; // gives the focus back once the cells of a step are known
let ran = null; // the run whose result is shown
let isFollowed = false; // whether the answer was brought into view, and nobody scrolled or pressed anything since

const family = () => about.families.find((one) => one.name === $("family").value);

function chosen() {
  const options = {};
  for (const select of document.querySelectorAll("#options select")) {
    if (!select.disabled && select.value !== select.dataset.default) options[select.name] = select.value;
  }
  return options;
}

const job = (action) => ({ action, page, family: $("family").value, text: $("text").value, options: chosen() });

// Choosing

// Another family shows its board as it was left, at first one to open.
function fillFamily() {
  const { name, boards, blanks, summary } = family();
  const group = (label, list, kind) => (list.length
    ? [el("optgroup", { label }, ...list.map((one, k) => el("option", { value: `${kind}${k}` }, `${kind === "e" ? "blank " : ""}${one.name}`)))] : []);
  $("open").replaceChildren(...group("Boards", boards, "b"), ...group("Empty, to draw on", blanks, "e"),
    el("option", { value: "", hidden: true }, "your own"));
  $("summary").textContent = summary;
  const known = recallBoard(name);
  const text = known?.text ?? boards[0].text;
  if (known?.answer) importPlay(name, text, known.answer);
  begin(name, text);
  keepFamily(name);
  choose(known?.options);
  show(text);
}

function openBoard() {
  const value = $("open").value;
  if (!value) return;
  const list = value[0] === "b" ? family().boards : family().blanks;
  place(list[Number(value.slice(1))].text);
}

// The board that is opened, linked or pasted: one step.
function place(text, options) {
  record($("family").value, text, { isAlone: true, options: options && chosen() });
  if (options) choose(options);
  show(text);
  keep();
}

function show(text) {
  $("text").value = text;
  nameBoard();
  showSteps();
  clearNotes();
  if (running) stop(OPENED); else if (!isOpened) forgetStop();
  $("draw").inert = true; // until the new board's cells are known: a click would write into the wrong place
  isRight = false;
  allow();
  check(true);
}

// Whether the board is one of those to open.
function nameBoard() {
  const find = (list, kind) => list.flatMap(({ text }, k) => (text === $("text").value ? [`${kind}${k}`] : []))[0];
  $("open").value = find(family().boards, "b") ?? find(family().blanks, "e") ?? "";
}

// What is kept, undone and sent

const pack = (name, text) => ({ text, options: chosen(), answer: exportPlay(name, text) });

function keep() {
  const name = $("family").value;
  if (!keepBoard(name, pack(name, $("text").value))) $("notice").textContent = "This browser stores no boards: use Copy link to keep one.";
  showSteps();
}

// While a board is played, steps are those of its answer.
function showSteps() {
  const counts = isPlayed() ? countPlaySteps() : countSteps($("family").value);
  for (const [k, [name, other]] of [["undo", "redo"], ["redo", "undo"]].entries()) {
    const hadFocus = document.activeElement === $(name);
    $(name).disabled = counts[k] === 0;
    if (hadFocus && $(name).disabled) $(other).focus();
  }
}

async function takeStep(isBack) {
  if (isPlayed()) { stepPlay(isBack); return; }
  if (isBack && dropMarks()) return;
  const found = step($("family").value, isBack, chosen());
  if (!found) return;
  returnTo ??= noteFocus();
  changeText(found.text);
  if (found.options) choose(found.options);
  clearNotes();
  forgetStop();
  nameBoard();
  keep();
  $("grid").inert = true;
  const mine = asked + 1;
  await check();
  if (mine !== asked) return;
  if ($("cell").childElementCount) showNumbers();
  returnTo?.();
  returnTo = null;
}

// The caret of whoever types stays at what a step changed.
function changeText(text) {
  const before = $("text").value;
  let same = 0;
  while (same < Math.min(text.length, before.length) && text.at(-1 - same) === before.at(-1 - same)) same += 1;
  $("text").value = text;
  $("text").setSelectionRange(text.length - same, text.length - same);
}

// Cells and fields are made anew by a step.
function noteFocus() {
  const at = document.activeElement;
  if (at.closest("#grid")) return () => $("grid").querySelector("[tabindex='0']")?.focus();
  const holder = at.closest("#cell, #pieces");
  if (!holder) return null;
  const place = Array.from(holder.querySelectorAll("input, select, button")).indexOf(at);
  at.blur();
  return () => holder.querySelectorAll("input, select, button")[place]?.focus();
}

async function openLink(link) {
  let found;
  try {
    found = await readLink(link, about);
  } catch (error) {
    $("broken").textContent = error.message;
    return;
  }
  if (found.family !== $("family").value) openFamily(found.family);
  place(found.text, found.options);
}

function openFamily(name) {
  $("family").value = name;
  fillFamily();
}

// A link in the address is opened once; a reload shows what was made of it.
function openAddress() {
  const { hash, pathname } = location;
  if (!hasLink(hash)) return;
  history.replaceState(null, "", pathname);
  openLink(hash);
}

// Text that is pasted beside every field is a board or a link.
function paste(event) {
  const text = event.clipboardData.getData("text");
  if (event.target.closest?.("input, textarea") || !text.trim()) return;
  event.preventDefault();
  if (hasLink(text)) openLink(text); else place(text);
}

function clearNotes() {
  $("notice").textContent = $("broken").textContent = "";
}

// The board goes over to the family that recognises it; the one it was pasted over stays where it was.
function showOffer(other) {
  const { value: text } = $("text");
  const capital = other && other[0].toUpperCase() + other.slice(1);
  $("offer").replaceChildren(...(other ? [`This is the text of a ${other} board.`, el("button", { type: "button", class: "small", onclick: () => {
    const name = $("family").value;
    const before = step(name, true);
    if (before) keepBoard(name, pack(name, before.text));
    openFamily(other);
    place(text);
    $("family").focus();
  } }, `Switch to ${capital}`)] : []));
}

function choose(options) {
  for (const { name, values } of about.options) {
    const select = $(`option-${name}`);
    const value = options?.[name];
    select.value = values.some((one) => one.value === value) ? value : select.dataset.default;
  }
  describeOptions();
}

function fillOptions() {
  $("options").replaceChildren(...about.options.map((option) => {
    const note = el("p", { id: `about-${option.name}` });
    const select = el("select", { name: option.name, id: `option-${option.name}`, "data-default": option.default,
      "aria-describedby": note.id }, ...option.values.map(({ value }) => el("option", { value }, value)));
    select.value = option.default;
    select.addEventListener("change", () => { describeOptions(); keep(); });
    return el("div", { class: "option" }, el("label", {}, option.label, select), explain(option.name, "?"), note);
  }));
  describeOptions();
}

function describeOptions() {
  const pipeline = $("option-pipeline").value;
  for (const option of about.options) {
    const select = $(`option-${option.name}`);
    select.disabled = !option.pipelines.includes(pipeline);
    const { about: said } = option.values.find((one) => one.value === select.value);
    $(`about-${option.name}`).textContent = select.disabled ? `Not used by ${pipeline}.` : said;
  }
  allow();
}

// A board with a fault is not run, nor are two boards at once.
function allow() {
  $("cancel").disabled = running === null;
  $("solve").disabled = !isRight || running !== null;
  $("compile").disabled = $("solve").disabled || $("option-pipeline").value === "anneal";
}

// Checking what is typed

function drawGutter(row) {
  const count = $("text").value.split("\n").length;
  $("gutter").replaceChildren(...Array.from({ length: count }, (_, k) => el("span", { class: k + 1 === row ? "bad" : "" }, `${k + 1}\n`)));
  $("gutter").scrollTop = $("text").scrollTop;
}

// An edit ends what was said of a run that was stopped or failed.
function forgetStop() {
  if (running || !($("error").textContent || $("stopped").textContent)) return;
  clearSaid();
  ran = null;
  clearStory();
}

function clearSaid() {
  $("error").textContent = $("stopped").textContent = "";
  isOpened = false;
}

function edited() {
  clearNotes();
  record($("family").value, $("text").value);
  keep();
  forgetStop();
  $("open").value = "";
  clearTimeout(late);
  asked += 1; // what is still being checked is another text
  late = setTimeout(() => check(), 150);
}

// The cells may stand elsewhere in the text now: no click may write into the wrong place.
function typed(event) {
  const { inputType } = event ?? {};
  if (hasLink($("text").value)) {
    const link = $("text").value;
    $("text").value = current($("family").value);
    openLink(link);
    return;
  }
  $("grid").inert = true;
  record($("family").value, $("text").value, { isAlone: inputType?.startsWith("insertFrom") });
  edited();
}

// The text box closes when a board `isNew`, never under the hands of whoever types into it.
async function check(isNew = false) {
  clearTimeout(late);
  const mine = ++asked;
  const [name, text] = [$("family").value, $("text").value];
  let found;
  try {
    found = await post("api/check", { family: name, text });
  } catch (error) {
    if (mine === asked) refuse(name, error.message, isNew);
    return;
  }
  if (mine !== asked) return;
  judged = text;
  // Nobody did anything wrong yet on an empty board that was just opened.
  const isUntouched = $("open").value[0] === "e";
  const fault = isUntouched ? null : found.fault;
  $("text").setAttribute("aria-invalid", String(fault !== null));
  drawGutter(fault?.row);
  showGrid(name, { ...found, fault }, edited);
  showFault(found, isUntouched);
  showOffer(found.family);
  showPieces(name, Boolean(found.cells), typed);
  $("redraw").hidden = !found.drawable;
  $("redraw").onclick = () => { $("text").value = found.drawable; edited(); check(true); };
  showPlay(name, found, isNew);
  showSteps();
  if (!found.cells) $("as-text").open = true;
  else if (isNew) $("as-text").open = false;
  isRight = found.fault === null;
  allow();
  if (found.svg || isNew) blank = found; // a fault leaves the last picture of a board, not that of another
  if ((found.svg || isNew) && !running && !(ran && isShown(ran))) {
    ran = null;
    clearStory();
    showBlank();
  }
  markStale();
}

const isShown = ({ family: name, text }) => name === $("family").value && text === $("text").value;

// A board that was changed during its run is not the one that the result is about.
function markStale() {
  $("stale").textContent = ran && !isShown(ran) ? "The board was changed after this run began: the result is of the board before." : "";
}

// Said where it is always in view, above the buttons that it disables. While regions are still being drawn, that some are
// missing is no fault either.
function showFault({ fault, note, doubt }, isUntouched) {
  // Whoever draws a Kakuro chooses a cell; its text would have a token there.
  const said = (fault?.message ?? note ?? "").replace(/write (?:\\SUM|SUM\\) in the black cell/, "choose and fill in the black cell");
  const [drawn, rows] = countRegions() ?? [0, 0];
  const isGrowing = !fault && said && drawn < rows;
  const isQuiet = isUntouched || isGrowing;
  $("fault").textContent = isQuiet ? "" : said;
  const growth = isUntouched ? "Still empty: draw on it, then solve it." : `${drawn} of ${rows} regions drawn.`;
  const remark = isQuiet && said ? growth : !said && doubt ? `Note: ${doubt}.` : "";
  $("untouched").hidden = !remark;
  $("untouched").textContent = remark;
  if ($("cell").contains(document.activeElement)) revealFields(); // what was said takes room
}

// A board that the server does not check; of one that `isNew` there is only the text.
function refuse(name, message, isNew) {
  if (isNew) {
    blank = {};
    showGrid(name, blank, edited);
    showPlay(name, blank);
    showPieces(name, false, typed);
    drawGutter();
    $("as-text").open = true;
    showBlank();
  }
  $("fault").textContent = message;
  showOffer(null);
  $("untouched").hidden = true;
  isRight = false;
  allow();
}

function showBlank() {
  $("title").textContent = blank.title ?? "Your board";
  if (blank.svg) showSvg($("picture"), blank.svg, `The board: ${blank.title}`, false);
  else $("picture").replaceChildren(el("p", {}, "Its picture comes once it has no fault."));
}

// Running

function setRunning(controller, action) {
  running = controller;
  $("progress").hidden = controller === null;
  allowRuns(controller === null, action);
  describeOptions();
}

const OPENED = "opened";

function stop(why) {
  running?.abort(why === OPENED ? why : undefined);
}

async function start(order) {
  if (running) return;
  if (!isExtra(order.action) && judged !== order.text) { // the last sign was typed just now
    await check();
    if (judged !== order.text || !isRight || running) return;
  }
  const controller = new AbortController();
  const from = document.activeElement;
  const halt = from.closest(".proof")?.querySelector(".halt") ?? $("cancel");
  setRunning(controller, order.action);
  if (from.disabled) halt.focus({ preventScroll: true });
  clearSaid();
  isFollowed = false;
  if (!isExtra(order.action)) {
    ran = order;
    clearStory(order.action);
    markStale();
    if (blank) showBlank();
  }
  // What is proved is the run that is shown, whatever the controls say by now.
  const rerun = (action) => start({ ...order, action });
  try {
    for await (const event of run(order, controller.signal)) {
      if (event.event === "stage") showStage(event, order.action);
      else if (event.event === "error") fail(event.message);
      if (event.event === "board") isFollowed = reveal($("outcome"));
      if (event.event !== "end") await tell(event, order, rerun, stop);
    }
  } catch (error) {
    if (!controller.signal.aborted) fail(error.message);
    else {
      isOpened = controller.signal.reason === OPENED;
      $("stopped").textContent = describeStop(order, isOpened);
    }
  } finally {
    const isHere = [document.body, $("cancel"), halt].includes(document.activeElement);
    setRunning(null);
    endStory(order, controller.signal.aborted, $("error").textContent !== "");
    if (isOpened) ran = null;
    markStale();
    if (!controller.signal.aborted && !$("error").textContent) $("live").textContent = $("verdict").textContent;
    if (isHere) (from.isConnected && from.matches("button") ? from : $("solve")).focus({ preventScroll: true });
    if (isFollowed) reveal($("outcome"), true); // the progress is gone, and all below it moved up
  }
}

function showStage({ stage, done, total }, action) {
  const [name, more] = stage.split(":", 2);
  const said = STAGES[name] ?? name;
  const text = `${said}${more ? `:${more}` : ""}`;
  if ($("live").textContent !== said) $("live").textContent = said;
  $("stage").textContent = total > 1 ? `${text} (${done} of ${total})` : text;
  tellRun(action, $("stage").textContent);
  if (total > 1) { $("bar").max = total; $("bar").value = done; } else $("bar").removeAttribute("value");
}

function fail(message) {
  $("error").textContent = reword(message);
}

async function open() {
  about = await get("api/about");
  $("version").textContent = about.version;
  $("family").replaceChildren(...about.families.map(({ name }) => el("option", { value: name }, name)));
  const last = recallFamily();
  fillOptions();
  if (recallMode() === "play") wantPlay();
  openFamily(about.families.some(({ name }) => name === last) ? last : "queens");
  openAddress();
  addEventListener("hashchange", openAddress);
  document.addEventListener("paste", paste);
  listen(takeStep);
  $("undo").addEventListener("click", () => takeStep(true));
  $("redo").addEventListener("click", () => takeStep(false));
  $("copy-link").addEventListener("click", () => { clearNotes(); copyLink(job(), $("notice")); });
  $("family").addEventListener("change", fillFamily);
  $("open").addEventListener("change", openBoard);
  $("text").addEventListener("input", typed);
  addEventListener("played", keep);
  addEventListener("modechanged", () => { keepMode(isPlayed()); showSteps(); if (!isPlayed()) check(); });
  $("text").addEventListener("scroll", () => { $("gutter").scrollTop = $("text").scrollTop; });
  $("setup").addEventListener("submit", (event) => { event.preventDefault(); if (!$("solve").disabled) start(job("solve")); });
  $("compile").addEventListener("click", () => start(job("compile")));
  $("cancel").addEventListener("click", stop);
  for (const one of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(one, () => { isFollowed = false; }, { passive: true });
  document.body.dataset.ready = "yes";
}

open().catch((error) => fail(error.message));
