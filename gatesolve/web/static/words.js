// One line about each word and number of the page, with a link to the page of the documentation that says more.

import { el } from "./dom.js";

// By the word as the page writes it; some are written in several ways.
const WORDS = {
  amplitude: ["The square of a state's amplitude is the probability of measuring that state.", "concepts.md#terms"],
  ancillas: ["Helper qubits: they are zero before and after each oracle call.", "concepts.md#ancillas"],
  angles: ["The rotations of QAOA's layers, one angle for the phases and one for the mixing of each layer.", "qaoa.md#angles"],
  binary: ["The qubits hold the position of the value in the variable's domain.", "encodings.md"],
  block: ["A few variables on a few qubits. All their states start with the same amplitude.", "concepts.md#terms"],
  checked: ["The oracle is run on the states and compared with the puzzle's rules.", "concepts.md#checks"],
  condition: ["A rule of the board as a function of qubits that the oracle computes.", "oracles.md#from-a-constraint-to-gates"],
  cost: ["The number of broken rules, weighted by penalties, or the value to minimise.", "qaoa.md"],
  CX: ["Controlled-X gates: each acts on two qubits. On most machines they cause most of the errors.", "concepts.md#gate-sets"],
  deduced: ["Values that cannot be part of any solution are removed classically before the search.", "concepts.md#presolve"],
  depth: ["The number of layers of gates. Gates of one layer act on different qubits.", "concepts.md#terms"],
  descent: ["Each oracle marks only states that are better than the best one so far.", "gas.md"],
  diffusion: ["The step that replaces each amplitude by twice the mean of all amplitudes minus itself.", "concepts.md#terms"],
  "domain-wall": ["The i-th value of a variable is i ones followed by zeros.", "encodings.md"],
  encoding: ["The rule that lays the variables out on qubits.", "encodings.md"],
  energy: ["The value to minimise. In a puzzle, a broken rule raises it.", "qubo.md#penalties"],
  gates: ["All operations of the circuit after lowering: CX and gates on one qubit.", "concepts.md#gate-sets"],
  iterations: ["One iteration is one oracle call and one diffusion.", "concepts.md#terms"],
  "joint-table": ["Several rules together: the qubits hold the number of an allowed combination of values.", "encodings.md#joint-tables"],
  layers: ["One layer of QAOA adds a phase for the cost and then mixes the states.", "qaoa.md#structure-of-the-circuit"],
  level: ["How much of the oracle was worked out classically. It rises from literal to classical.", "oracles.md#levels"],
  loss: ["The number that the tuning of the angles minimises.", "qaoa.md#angles"],
  marked: ["A state is marked if the oracle flips its sign. Marked states are solutions.", "concepts.md#terms"],
  "one-hot": ["A variable has one qubit for each value, and exactly one of them is 1.", "encodings.md"],
  oracle: ["The part of the circuit that flips the sign of the solutions.", "oracles.md"],
  "oracle calls": ["How often the circuits that were run use the oracle, over all measurements.", "gas.md#cost"],
  parts: ["A large board is divided by trying the values of some variables.", "divided.md"],
  permutation: ["Variables that take as many values, each once, are shuffled by qubits of their own.", "encodings.md#permutations"],
  pipeline: ["The way to search: Grover, Grover Adaptive Search, QAOA or classical annealing.", "concepts.md#terms"],
  presolve: ["Classical deductions that make the board smaller before the search.", "concepts.md#presolve"],
  qubits: ["Data qubits hold the board. Ancillas are helper qubits.", "concepts.md#ancillas"],
  "QUBO variables": ["Variables with the values 0 and 1 of the energy that is minimised.", "qubo.md"],
  reads: ["How many samples the annealer took.", "anneal.md#reads-until-an-answer"],
  seed: ["The same seed draws the same random numbers again.", "cli.md"],
  solution: ["An assignment that satisfies all rules of the board.", "concepts.md#terms"],
  states: ["The ways to fill the board that the search goes through.", "concepts.md#terms"],
  style: ["How the oracle combines its conditions.", "oracles.md#one-phase-for-all-conditions"],
  "success probability": ["The probability that one run of the circuit measures a solution.", "concepts.md#counts-and-probabilities"],
  table: ["The qubits hold the number of a combination of values that satisfies a rule.", "encodings.md#tables"],
};
const ALSO = {
  ancilla: "ancillas", encodings: "encoding", "CX in all": "CX", "CX of one oracle": "CX", "qubits read": "qubits",
  iteration: "iterations", "marked state": "marked", "marked states": "marked", reflection: "diffusion",
};

export const define = (word) => WORDS[word] ?? WORDS[ALSO[word]];

let made = 0;

// The word as a button that opens its line; a word without one as it is.
export function explain(word, shown = word) {
  const found = define(word);
  if (!found) return shown;
  const [says, page] = found;
  const note = el("span", { class: "note", popover: "auto", id: `word-${(made += 1)}` }, says, " ",
    el("a", { href: `docs/${page}`, target: "_blank", rel: "noopener" }, "More about it", el("span", { class: "hidden" }, `: ${word} (opens a new tab)`)));
  const button = el("button", { type: "button", class: shown === "?" ? "word ask" : "word", popovertarget: note.id, "aria-describedby": note.id }, shown);
  if (shown === "?") button.setAttribute("aria-label", `What is meant by ${word}`);
  note.addEventListener("toggle", () => place(note, button));
  return el("span", { class: "explained" }, button, note);
}

// Below its word, or above where there is no room; inside the window.
function place(note, button) {
  const [at, own] = [button.getBoundingClientRect(), note.getBoundingClientRect()];
  const top = at.bottom + own.height + 10 > innerHeight ? at.top - own.height - 6 : at.bottom + 6;
  note.style.top = `${scrollY + Math.max(6, top)}px`;
  note.style.left = `${Math.max(8, Math.min(at.left, innerWidth - own.width - 8))}px`;
}

// A sentence of the page in which [word] and [word|as shown] are explained.
export const phrase = (text) => text.split(/\[([^\]]+)\]/).map((part, k) => (k % 2 ? explain(...part.split("|")) : part));

export const remark = (text) => el("p", { class: "quiet" }, ...phrase(text));
