// What a user takes along: files, and the same run as a command line and as Python.

import { el } from "./dom.js";

export function showTakeaway(card, order, { svg, text, status, json }, proof) {
  const save = (name, kind, data) => el("button", { type: "button", onclick: async () => download(name, await make(kind, data)) }, `Save ${name}`);
  card("takeaway", "Take it along",
    el("div", { class: "actions" }, save("board.svg", "image/svg+xml", svg), save("board.png", "image/png", svg),
      status === "solved" ? save("solution.txt", "text/plain", text) : null, save("result.json", "application/json", JSON.stringify(json, null, 2))), proof,
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

async function paint(text) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  image.src = address;
  await image.decode();
  const canvas = el("canvas", { width: 3 * image.naturalWidth, height: 3 * image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

function download(name, blob) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
