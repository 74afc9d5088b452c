// The steps of each family's board and of each answer, to be undone and made again.

const MOST = 300;
const PAUSE = 1000; // ms; who types on sooner still makes the same step
// By the family of a board, or the key of an answer: {past, now, future}. A step that changed the options has those before it.
const lists = new Map();
let stroke = 0; // counts what is drawn without lifting the pointer
let isHeld = false;
let last = {}; // what made the last step, and when

addEventListener("pointerdown", ({ target }) => {
  stroke += 1;
  isHeld = target.closest("#grid") !== null;
}, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { isHeld = false; });

// The stroke or the field that changes the board now; null for a change that is a step of its own.
function findMaker() {
  if (isHeld) return stroke;
  return document.activeElement?.matches("textarea, input[type='text']") ? document.activeElement : null;
}

// The text of what is changed before its first step.
export function begin(key, text) {
  if (!lists.has(key)) lists.set(key, { past: [], now: text, future: [] });
}

export const current = (key) => lists.get(key).now;

// A change `isAlone` if no other joins it in one step; `options` are those before it, if it changed them.
export function record(key, text, { isAlone = false, options } = {}) {
  const list = lists.get(key);
  if (text === list.now && !options) return;
  const [maker, time] = [isAlone ? null : findMaker(), performance.now()];
  const isSame = maker !== null && maker === last.maker && key === last.key && (isHeld || time - last.time < PAUSE);
  if (!isSame) list.past.push({ text: list.now, options });
  if (list.past.length > MOST) list.past.shift();
  list.now = text;
  list.future = [];
  last = { maker, time, key };
}

// Take a step back, or make it again; returns what to show, null if there is none.
export function step(key, isBack, options) {
  const list = lists.get(key);
  const [from, to] = isBack ? [list.past, list.future] : [list.future, list.past];
  const found = from.pop();
  if (!found) return null;
  to.push({ text: list.now, options: found.options && options });
  list.now = found.text;
  last = {};
  return found;
}

export function countSteps(key) {
  const { past, future } = lists.get(key);
  return [past.length, future.length];
}

// Call `go` with whether it goes back, for every key, gesture and menu that means a step. The browser's own steps know
// nothing of what was drawn.
export function listen(go) {
  const isForeign = (one) => one.closest?.("input, textarea") && !one.closest("#setup");
  const act = (event, isBack) => {
    if (isForeign(event.target)) return;
    event.preventDefault();
    go(isBack);
  };
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "z") act(event, !event.shiftKey);
    else if (key === "y" && !event.shiftKey) act(event, false);
  });
  addEventListener("beforeinput", (event) => {
    if (event.inputType === "historyUndo" || event.inputType === "historyRedo") act(event, event.inputType === "historyUndo");
  });
}
