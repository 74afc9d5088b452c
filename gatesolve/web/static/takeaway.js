// What a user takes along: files, and the same run as a command line and as Python.

import { el } from "./dom.js";
import { download, paint } from "./files.js";

export function showTakeaway(card, order, { svg, text, status, json }, ...runs) {
  const save = (name, kind, data) => el("button", { type: "button", onclick: async () => download(name, await make(kind, data)) }, `Save ${name}`);
  card("takeaway", "Take it along",
    el("div", { class: "actions" }, save("board.svg", "image/svg+xml", svg), save("board.png", "image/png", svg),
      status === "solved" ? save("solution.txt", "text/plain", text) : null, save("result.json", "application/json", JSON.stringify(json, null, 2))), ...runs,
    el("h3", {}, "The same run as a command line"),
    quote(`gatesolve solve board.txt --family ${order.family}${Object.entries(order.options).map(([name, value]) => ` --${name} ${value}`).join("")}`),
    el("p", { class: "quiet" }, "board.txt is the board as you gave it: ", el("button", { type: "button", class: "small", onclick: () => download("board.txt", new Blob([order.text])) }, "Save it")),
    el("h3", {}, "The same run as Python"), quote(python(order)));
}

function python({ family, text, options }) {
  const board = text.replace(/\n$/, "").split("\n").map((one) => `    ${JSON.stringify(`${one}\n`)}`).join("\n");
  const chosen = Object.entries(options).map(([name, value]) => `, ${name}=${JSON.stringify(value)}`).join("");
  return `import gatesolve\nfrom gatesolve.puzzles import parse\n\nboard = (\n${board}\n)\nresult = gatesolve.solve(parse(board, "${family}")${chosen})\nprint(result.message)\nprint(result.board)`;
}

function quote(text) {
  const copy = el("button", { type: "button", class: "small", onclick: async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  } }, "Copy");
  return el("div", { class: "code" }, el("pre", { tabindex: "0" }, text), copy);
}

function make(kind, data) {
  return kind === "image/png" ? paint(data) : new Blob([data], { type: kind });
}
