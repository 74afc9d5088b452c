// What is told of a search: one card for each event, in the order in which they come.

import { drawAmplitudes } from "./amplitudes.js";
import { drawEnergies, drawLandscape, drawLayers, drawSteps, makeTrace } from "./charts.js";
import { drawCircuit } from "./circuit.js";
import { $, el, grouped, percent, plural, quiet, reword, showSvg } from "./dom.js";
import { stopPlayer } from "./player.js";
import { paint } from "./files.js";
import { showShare } from "./share.js";
import { showTakeaway } from "./takeaway.js";
import { makeTree } from "./tree.js";
import { explain, phrase, remark } from "./words.js";

// What moves stands first, under the board.
const ORDER = ["tree", "search", "descent", "layers", "angles", "landscape", "energies", "presolve", "space", "oracle", "division", "certificate", "counts", "takeaway"];
let facts = {};
let live = {}; // what grows while it is told: a tree, traces, what the amplitudes were drawn of
let finished = null;
let provedFrom = null; // the card whose button was pressed
const RUNS = {
  circuit: ["Save the circuit (OpenQASM)", "The circuit is proved first, step by step. This can take a minute or more."],
  card: ["Make the cost card", "The costs of this board for a classical solver, a device of today and an error-corrected machine, in one picture. This can take a minute."],
};
const INVITATION = "Press Solve to search it, or Cost only to see how large the circuit is.";
const BEGUN = { solve: "Searching this board …", compile: "Working out the circuit; nothing is searched …" };

// Nothing is told of any run; of one that begins (`action`), that it goes on.
export function clearStory(action) {
  facts = {};
  live = {};
  $("story").replaceChildren();
  $("numbers").replaceChildren();
  $("marks").textContent = "";
  showShare(null);
  say(BEGUN[action] ?? INVITATION);
}

function say(words) {
  $("verdict").className = "quiet";
  $("verdict").textContent = words;
}

// What stands of a run at its end, where no answer was told.
export function endStory(order, isStopped, isFailed) {
  const { action } = order;
  if (action in RUNS) return;
  if (!isStopped && !isFailed) showShare(order, () => facts);
  if (isStopped) stopPlayer();
  if ($("verdict").className !== "quiet") return;
  if (isStopped || !facts["CX in all"]) say(isStopped ? "The run was stopped." : INVITATION);
  else say(`Only the cost was worked out: ${facts.qubits} qubits, ${facts["CX in all"]} CX in all. Press Solve to search this board.`);
}

// What somebody learns who stopped a run, or opened another board in the middle of one.
export function describeStop({ action, family }, isOpened) {
  if (isOpened) return `The run of the ${family} board was stopped, because another board was opened.`;
  if (action in RUNS) return "Stopped. No file was written.";
  return $("verdict").classList.contains("quiet") ? "Stopped. Nothing was found yet." : "Stopped. The answer stands; its gates were not all counted.";
}

// Returns a promise where an event takes a while to show; `rerun` runs the same board with another action.
export const tell = (event, order, rerun, stop) => TELLERS[event.event]?.(event, order, rerun, stop);

// A proof and a cost card are runs of their own: their buttons wait until the gates are counted.
const runButton = (action, rerun, stop) => el("div", { class: "proof", "data-action": action }, el("button", { type: "button", class: "prove", disabled: true, onclick: ({ target }) => {
  provedFrom = target.closest(".card");
  rerun(action);
} }, RUNS[action][0]), el("button", { type: "button", class: "halt", hidden: true, onclick: stop }, "Cancel"),
  el("progress", { hidden: true, "aria-label": `Progress: ${RUNS[action][0]}` }), quiet(RUNS[action][1]));

// `action`: the run that goes on, if it is one of these.
export function allowRuns(isAllowed, action) {
  for (const one of document.querySelectorAll(".proof")) {
    one.querySelector(".prove").disabled = !isAllowed;
    one.querySelector(".halt").hidden = one.querySelector("progress").hidden = one.dataset.action !== action;
    if (isAllowed) one.querySelector("p").textContent = RUNS[one.dataset.action][1];
  }
}

export const isExtra = (action) => action in RUNS;

export function tellRun(action, words) {
  for (const one of document.querySelectorAll(`.proof[data-action="${action}"] p`)) one.textContent = words;
}

function card(id, title, ...children) {
  const made = el("section", { class: "card", id, "aria-labelledby": `h-${id}` }, el("h2", { id: `h-${id}` }, title), ...children);
  const before = $(id);
  const isLater = (one) => ORDER.indexOf(one.id) > ORDER.indexOf(id);
  if (before) before.replaceWith(made); else $("story").insertBefore(made, Array.from($("story").children).find(isLater) ?? null);
  return made;
}

function showNumber(name, value) {
  if (value !== null && value !== undefined) facts[name] = value;
  $("numbers").replaceChildren(...Object.entries(facts).map(([key, one]) => el("div", {}, el("dt", {}, explain(key)), el("dd", {}, one))));
}

const notes = (list) => list.map((one) => quiet(`Note: ${reword(one)}.`));

function table(heads, rows, label) {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, el("table", {},
    el("thead", {}, el("tr", {}, ...heads.map((head, k) => el("th", { scope: "col", class: k ? "n" : "" }, explain(head))))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((one, k) => el("td", { class: k ? "n" : "" }, one)))))));
}

function showCircuit() {
  $("circuit").replaceChildren(drawCircuit(live.oracle, live.blocks ?? [], live.iteration) ?? "");
}

const TELLERS = {
  presolve(event) {
    const settled = event.variables.filter((one) => one.after.length === 1).length;
    const struck = event.variables.reduce((sum, one) => sum + (one.after.length ? one.before.filter((v) => !one.after.includes(v)).length : 0), 0);
    const derived = event.variables.filter((one) => !one.after.length).length;
    if (!struck && !derived) {
      card("presolve", "Presolve", remark(`Nothing was [deduced] before the search${event.setting === "none" ? " (setting none)" : ""}: no value was struck out. The clues leave ${reword(event.assignments)} ways to fill the board. ${reword(event.states)} of them are searched: groups of cells are filled only in ways that obey the rules within the group.`), ...notes(event.notes));
      return;
    }
    const chips = event.variables.map(({ name, before, after }) => el("span", { class: "chip" }, `${name} `,
      ...(after.length ? before.flatMap((v) => [el(after.includes(v) ? (after.length === 1 ? "b" : "span") : "s", {}, String(v)), " "]) : ["follows from others"])));
    card("presolve", `Presolve struck out ${plural(struck, "value")}`,
      remark(`Setting ${event.setting} of [presolve], classical work. ${plural(settled, "variable")} settled${derived ? `, ${derived} left to follow from others` : ""}.`),
      event.deductions ? quiet(`${reword(event.deductions)}.`) : null,
      el("details", { open: chips.length <= 48 }, el("summary", {}, "The candidates"), el("div", { class: "chips" }, ...chips)), ...notes(event.notes));
  },
  space(event) {
    showNumber("states", grouped(event.states));
    live.blocks = event.blocks;
    if (event.ancillas !== undefined) showNumber("qubits", grouped(event.qubits + event.ancillas));
    if (!event.qubits) {
      card("space", "Nothing is left to search", quiet("Presolve settled every variable classically, so the circuit has no qubits. Choose presolve none to see a search."));
      return;
    }
    const isFirst = (block, k) => event.blocks.findIndex(({ kind }) => kind === block.kind) === k; // one tab stop a kind
    const blocks = event.blocks.map((block, k) => el("div", { class: `block ${block.kind}` }, el("code", {}, block.variables.join(" ")),
      el("div", { class: "quiet" }, isFirst(block, k) ? explain(block.kind) : block.kind, `: ${plural(block.states, "state")}, ${plural(block.qubits, "qubit")}`)));
    const settled = event.choices > 1 ? `The first of ${event.choices} encodings; which is cheapest to search is being worked out.`
      : event.encoding ? `[encoding|Encoding] ${event.encoding}${event.ancillas === undefined ? "" : `; ${plural(event.ancillas, "[ancilla] qubit")} beside it`}.` : "";
    card("space", `The search space: ${grouped(event.states)} states on ${plural(event.qubits, "qubit")}`,
      remark(`Each [block] is a group of variables, with every way to fill it that is still possible. A [states|state] of the search takes one way from each block. ${settled}`),
      el("div", { class: "chips" }, ...blocks), event.more ? quiet(`and ${event.more} more`) : null);
  },
  oracle(event) {
    const most = Math.max(1, ...event.conditions.map((one) => one.cx));
    const rows = event.conditions.map((one) => {
      const gauge = el("span", { class: "gauge" });
      gauge.style.width = `${(100 * one.cx) / most}%`;
      return [el("div", {}, el("code", {}, one.label || one.method || "the listed states"), gauge), String(one.reads.length), String(one.cx)];
    });
    card("oracle", `The oracle: ${plural(event.conditions.length + event.more, "condition")} on ${plural(event.qubits, "qubit")}`,
      remark(`The [oracle] flips the sign of exactly the states that meet every rule. [style|Style] ${event.style}, [level] ${event.level}. CX here are estimates of each condition alone; the whole is counted below.`),
      rows.length ? table(["condition", "qubits read", "CX"], rows, "Conditions of the oracle") : null,
      event.more ? quiet(`and ${event.more} more conditions`) : null, el("div", { id: "circuit" }));
    live.oracle = event;
    live.iteration = null;
    showCircuit();
  },
  iteration(event) {
    live.iteration = event;
    if (live.oracle) showCircuit();
  },
  search(event) {
    if (event.taken !== null) showNumber("iterations", grouped(event.taken));
    const same = JSON.stringify([event.size, event.numbers]);
    if (live.amplitudes === same && (event.taken ?? event.best) === event.best) return; // drawn already, and played
    live.amplitudes = same;
    card("search", "The probability of a solution, iteration by iteration", ...drawAmplitudes(event));
  },
  tree(event) {
    if (!live.tree) {
      live.tree = makeTree();
      card("tree", "Searched in parts", remark("The whole board is too large for one search. It is divided into [parts]. Those that fit, the leaves, are searched one by one, the likeliest first. Below is what the last part shows. Its search does not know beforehand how many solutions it has."), ...live.tree.elements);
    }
    live.tree.add(event);
  },
  descent(event) {
    if (event.calls !== null) showNumber("oracle calls", grouped(event.calls));
    card("descent", "The descent", remark("Each step of the [descent] is a measurement that beat all before it; the next oracle marks only what is better."),
      remark("Upwards: the value of the pieces; on boards without values, the broken rules, of which a [solution] has none. To the right: [oracle calls] so far."),
      drawSteps(event.steps));
  },
  angles(event) {
    if (!live.angles) {
      live.angles = makeTrace("Loss", "simulations");
      card("angles", "Tuning the angles", remark("Every dot is the [loss] of one exact simulation at other [angles], the line the best so far. Lower is better: closer to states that break no rule. Which states are solutions is not asked."), live.angles.canvas);
    }
    live.angles.add(event.tried);
  },
  layers(event) {
    card("layers", "The layers", remark("How likely a measurement is to have each [cost], after each of the [layers]. Cost 0 breaks no rule."),
      ...drawLayers(event), quiet(`${plural(event.gammas.length, "layer")}; angles in radians: phases ${event.gammas.map((one) => one.toFixed(3)).join(", ")}; mixing ${event.betas.map((one) => [...new Set(one.map((b) => b.toFixed(3)))].join("/")).join(", ")}.`));
  },
  landscape(event) {
    card("landscape", "The landscape around these angles", ...drawLandscape(event));
  },
  energies(event) {
    const isListed = event.sampler === "exact";
    if (!isListed && event.energy === undefined) (live.best ??= makeTrace("Least energy", "reads")).add([[event.reads, event.best, event.best]]);
    if (event.variables) showNumber("QUBO variables", grouped(event.variables));
    showNumber(isListed ? "states" : "reads", grouped(event.reads));
    const answer = event.energy === undefined ? " so far" : `; the answer has ${event.energy}`;
    const reads = isListed ? `Presolve left ${plural(grouped(event.reads), "state")}, and every one was listed` : `Sampler ${event.sampler}: ${plural(grouped(event.reads), "read")}`;
    card("energies", "Annealing, classical", remark(`${reads}. Least [energy] ${event.best}, reached ${plural(event.hits, "time")}${answer}.`),
      el("div", { class: "charts" }, el("figure", {}, el("figcaption", {}, ...phrase(isListed ? "The [states] by energy" : "Where the [reads] ended")), drawEnergies(event.energies, isListed)),
        live.best && !live.best.canvas.hidden ? el("figure", {}, el("figcaption", {}, ...phrase("Least [energy] so far")), live.best.canvas) : null));
  },
  division(event) {
    card("division", "What the parts took", table(["parts", ""], event.lines, "Account of the divided search"));
  },
  async board(event) {
    const mine = facts;
    live.tree?.end(event.status === "solved");
    finished = event;
    const said = { solved: "Solved", infeasible: "No solution", unsolved: "Not solved" }[event.status];
    const why = event.left ? `none of the ${event.left} boards that were left is a solution` : event.message.replace(/^no solution: /, "");
    await showSvg($("picture"), event.svg, `The board, ${said.toLowerCase()}:\n${event.text}`, true);
    if (mine !== facts) return; // another board was opened meanwhile
    $("verdict").className = event.status;
    $("verdict").textContent = reword(`${said}: ${why}${event.count ? `. ${event.count}` : ""}.`);
    if (event.probability != null) showNumber("success probability", percent(event.probability));
  },
  certificate(event, order, rerun, stop) {
    const claims = el("ul", { class: "claims", id: "claims" });
    card("certificate", "What was checked", el("p", {}, ...phrase(reword(`${event.words.replace(/^checked/, "[checked|Checked]").replace(/^./, (one) => one.toUpperCase())}.`))), claims, runButton("circuit", rerun, stop));
    $("marks").replaceChildren(...(event.marked === null ? [] : phrase(`${plural(event.marked, "state")} ${event.marked === 1 ? "is" : "are"} [marked].`)));
  },
  counts(event) {
    const rows = Object.entries(event.counts).map(([name, c]) => [name, ...[c.qubits, c.cx, c.depth, c.total].map(grouped)]);
    const whole = event.counts["whole circuit"];
    if (whole) showNumber("CX in all", grouped(whole.cx));
    if (event.counts["one oracle call"]) showNumber("CX of one oracle", grouped(event.counts["one oracle call"].cx));
    if (event.iterations) showNumber("iterations", grouped(event.iterations));
    card("counts", "What the circuit costs", remark("Counted on the lowered circuit of CX and one-qubit [gates], not by a formula."),
      table(["circuit", "qubits", "CX", "depth", "gates"], rows, "Counts"), !whole ? quiet("The whole circuit is being counted.") : whole.method === "whole circuit" ? null : quiet(`Put together: ${whole.method}.`));
  },
  json(event, order, rerun, stop) {
    const runs = [...($("certificate") ? ["circuit"] : []), ...((order.options.pipeline ?? "grover") === "grover" ? ["card"] : [])];
    showTakeaway(card, order, { ...finished, json: event.json }, ...runs.map((action) => runButton(action, rerun, stop)));
  },
  circuit(event) {
    $("claims").replaceChildren(...event.claims.map(([, status, words]) => el("li", { class: status }, reword(words))));
    if (event.extent) $("claims").append(el("li", { class: "sampled" }, reword(event.extent)));
    const files = event.files.map(([name, text]) => [name, text.length, URL.createObjectURL(new Blob([text], { type: "text/plain" }))]);
    for (const one of document.querySelectorAll(".proof[data-action='circuit']")) {
      one.className = "actions";
      one.replaceChildren(...files.map(([name, length, href]) => el("a", { href, download: name, class: "qasm" },
        `Save ${name} (${[event.share, `${grouped(length)} characters`].filter(Boolean).join(", ")})`)),
      el("span", { class: "quiet" }, files.length > 1 ? "Qiskit reads .qasm, OpenQASM 2, by itself; for .qasm3 it needs the package qiskit_qasm3_import." : "OpenQASM 2 cannot say what depends on a measured bit. For OpenQASM 3 Qiskit needs the package qiskit_qasm3_import."));
    }
    provedFrom?.querySelector(".qasm")?.focus();
  },
  async card(event) {
    const holder = document.querySelector(".proof[data-action='card']");
    const files = [["cost-card.png", await paint(event.svg)], ["cost-card.svg", new Blob([event.svg], { type: "image/svg+xml" })]];
    const picture = el("div", { class: "costs" });
    holder.className = "actions";
    holder.replaceChildren(...files.map(([name, blob]) => el("a", { href: URL.createObjectURL(blob), download: name, class: "qasm" }, `Save ${name}`)), picture);
    showSvg(picture, event.svg, event.words, false);
    holder.querySelector("a").focus({ preventScroll: true });
  },
};
