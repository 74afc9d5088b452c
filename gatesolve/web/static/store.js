// The boards that the browser keeps: the text and the options of each family, and the family that was shown last.

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

export function recallBoard(family) {
  const board = read(`board ${family}`);
  return typeof board?.text === "string" && board.text.length <= MOST ? board : null;
}

export const keepBoard = (family, board) => write(`board ${family}`, board);

export const recallFamily = () => read("family");

export const keepFamily = (family) => write("family", family);
