// The boards that the browser keeps: the text, the options and the answer of each family, and what was shown last.

const MOST = 100_000; // characters of a board, as the server has it
const known = new Map(); // of this page; all there is where the browser stores nothing

const nameOf = (key) => `gatesolve ${key}`;

// Returns null for whatever is not stored, or was not stored by this page.
function read(key) {
  if (known.has(key)) return known.get(key);
  try {
    return JSON.parse(localStorage.getItem(nameOf(key)));
  } catch {
    return null;
  }
}

// Returns whether the value outlives the page.
function write(key, value) {
  known.set(key, value);
  try {
    localStorage.setItem(nameOf(key), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

const isWords = (one) => typeof one === "object" && one !== null && Object.values(one).every((word) => typeof word === "string");

export function recallBoard(family) {
  const board = read(`board ${family}`);
  if (typeof board?.text !== "string" || board.text.length > MOST) return null;
  const { marks, notes } = board.answer ?? {};
  return { ...board, answer: isWords(marks) && isWords(notes) ? { marks, notes } : null };
}

export const keepBoard = (family, board) => write(`board ${family}`, board);

export const recallFamily = () => read("family");

export const keepFamily = (family) => write("family", family);

export const recallMode = () => read("mode");

export const keepMode = (isPlayed) => write("mode", isPlayed ? "play" : "draw");
