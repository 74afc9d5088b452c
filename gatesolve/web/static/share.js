// One picture of a run: the board, the charts, the circuit and a caption, always in the light colours.

import { drawingOf } from "./canvas.js";
import { $, el, shownSvg, svg } from "./dom.js";
import { download, paint } from "./files.js";
import { penSvg } from "./pen.js";

const [WIDTH, EDGE, BOARD, GAP] = [1200, 40, 400, 36];
const LOW = 680; // the most height of a circuit
const LETTER = 0.56; // the width that a letter takes on average, a pixel of its size
const PIPELINES = { grover: "Grover's search", gas: "Grover Adaptive Search", qaoa: "QAOA", anneal: "classical annealing" };
const CHARTS = ["#arrow canvas", "#search figure:last-child canvas", "#descent canvas", "#layers canvas", "#landscape canvas", "#energies canvas"];

// The buttons under the result; none for `order` null. `facts` are the numbers shown, by their names.
export function showShare(order, facts) {
  const holder = $("share");
  holder.replaceChildren();
  if (!order) return;
  const draw = () => compose(order, facts());
  const png = async () => paint(draw(), 2);
  const name = `gatesolve-${order.family}`;
  const said = el("span", { class: "quiet", role: "status" });
  const button = (label, act) => el("button", { type: "button", class: "small", onclick: async () => {
    said.textContent = "";
    try { await act(); } catch { said.textContent = "This browser did not take the picture: use Save picture."; }
  } }, label);
  holder.append(button("Save picture", async () => download(`${name}.png`, await png())),
    ...(window.ClipboardItem && navigator.clipboard?.write ? [button("Copy picture", async () => {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png() })]);
      said.textContent = "Picture copied.";
    })] : []),
    button("Save as SVG", () => download(`${name}.svg`, new Blob([draw()], { type: "image/svg+xml" }))), said);
}

const rules = () => Array.from(document.styleSheets[0].cssRules);
const light = () => rules().find((one) => one.selectorText === ":root").style;

// The text of the picture as SVG.
function compose(order, facts) {
  const colour = (name) => light().getPropertyValue(`--${name}`).trim();
  const font = getComputedStyle(document.body).fontFamily;
  const made = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: WIDTH, "font-family": font });
  const style = rules().filter((one) => one.selectorText?.includes(".circuit")).map((one) => one.cssText).join("\n");
  const text = (x, y, size, ink, words, more = {}) => made.append(svg("text", { x, y, "font-size": size, fill: colour(ink), ...more }, words));
  text(EDGE, 58, 27, "ink", shorten($("title").textContent, 27, WIDTH - 2 * EDGE - 170), { "font-weight": 700 });
  text(WIDTH - EDGE, 58, 20, "accent", "gatesolve", { "text-anchor": "end", "font-weight": 700 });
  const [right, top] = [EDGE + BOARD + GAP, 92];
  const charts = CHARTS.map((one) => document.querySelector(one)).filter((one) => one && !one.hidden).slice(0, 2);
  const told = Object.fromEntries(Object.entries(facts).filter(([name]) => name !== "CX of one oracle"));
  let low = drawNumbers(text, made, told, right, top, colour);
  low = drawCharts(made, text, charts, right, low + 30, colour, font);
  low = drawCircuit(made, text, Math.max(top + BOARD, low) + 34);
  drawCaption(text, order, told, low + 34);
  const height = low + 84;
  made.setAttribute("height", height);
  made.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
  const head = `<style>:root { ${light().cssText} }\n${style}</style><rect width="${WIDTH}" height="${height}" fill="#fff"/>`;
  const board = nest(shownSvg($("picture")) ?? "", EDGE, top, BOARD);
  return new XMLSerializer().serializeToString(made).replace(/>/, () => `>${head}${board}`);
}

// Styles become no elements of the page, whose policy forbids them.
function nest(text, x, y, size) {
  const inner = text.slice(Math.max(0, text.indexOf("<svg")));
  return inner.replace(/<svg\b[^>]*>/, (tag) => tag.replace(/\s(width|height)="[^"]*"/g, "").replace("<svg", `<svg x="${x}" y="${y}" width="${size}" height="${size}"`));
}

const shorten = (text, size, wide) => { const most = Math.floor(wide / (LETTER * size)); return text.length > most ? `${text.slice(0, most - 1)}…` : text; };

function place(made, one, x, y, width, height) {
  for (const [name, value] of Object.entries({ x, y, width, height })) one.setAttribute(name, value);
  made.append(one);
}

// The numbers as on the page, three in a row; returns where they end.
function drawNumbers(text, made, facts, x, y, colour) {
  const wide = (WIDTH - EDGE - x - 24) / 3;
  const shown = Object.entries(facts);
  shown.forEach(([name, value], k) => {
    const [left, top] = [x + (k % 3) * (wide + 12), y + 8 + 70 * Math.floor(k / 3)];
    made.append(svg("rect", { x: left, y: top, width: wide, height: 60, rx: 10, fill: colour("soft") }));
    text(left + 12, top + 22, 13, "quiet", name);
    text(left + 12, top + 47, 20, "ink", value, { "font-weight": 650 });
  });
  return y + 70 * Math.ceil(shown.length / 3);
}

// Charts side by side, an arrow in a square; returns where they end.
function drawCharts(made, text, charts, x, y, colour, font) {
  let left = x;
  charts.forEach((canvas, k) => {
    const isFirst = k === 0 && charts.length > 1;
    const wide = isFirst ? (canvas.closest("#arrow") ? 250 : 310) : WIDTH - EDGE - left;
    const caption = canvas.closest("figure")?.querySelector("figcaption") ?? canvas.closest(".card").querySelector("h2");
    text(left, y, 13, "quiet", shorten(readCaption(caption), 13, wide));
    const chart = penSvg(drawingOf(canvas), wide, canvas.clientHeight, colour, font);
    chart.setAttribute("transform", `translate(${left} ${y + 10})`);
    made.append(chart);
    left += wide + 28;
  });
  return Math.max(y, ...charts.map((canvas) => y + 10 + canvas.clientHeight));
}

// The explanations of words stand in the page's text and not in the picture.
function readCaption(caption) {
  const copy = caption.cloneNode(true);
  for (const one of copy.querySelectorAll(".note")) one.remove();
  return copy.textContent;
}

function drawCircuit(made, text, y) {
  const still = $("circuit")?.firstElementChild?.still?.(WIDTH - 2 * EDGE);
  if (!still) return y - 34;
  const { drawing, width, height, says } = still;
  const scale = Math.min(1.35, (WIDTH - 2 * EDGE) / width, LOW / height);
  text(EDGE, y, 13, "quiet", says);
  const group = svg("g", { class: "circuit" });
  place(group, drawing, EDGE, y + 12, width * scale, height * scale);
  made.append(group);
  return y + 12 + height * scale;
}

function drawCaption(text, { pipeline = "grover", options, action }, facts, y) {
  const way = options.pipeline ?? pipeline;
  const numbers = Object.entries(facts).map(([name, value]) => (name.endsWith("probability") ? `${name} ${value}` : `${value} ${value === "1" ? name.replace(/s$/, "") : name}`));
  const chosen = Object.entries(options).filter(([name]) => name !== "pipeline").map(([name, value]) => `${name} ${value}`);
  const isListed = way === "anneal" && !facts.reads; // presolve left so few states that none was sampled
  const how = action === "compile" ? "Compiled on this computer, not searched" : isListed ? "Every state was listed on this computer, classical work" : way === "anneal" ? "Annealed on this computer, classical work" : "Simulated exactly on this computer";
  const words = [`${$("title").textContent.split(":")[0]} with ${isListed ? "classical presolve" : PIPELINES[way]}: ${numbers.join(", ")}`,
    [`${how} by gatesolve ${$("version").textContent}`, `options: ${chosen.length ? chosen.join(", ") : "defaults"}`].join("; ")];
  words.forEach((one, k) => text(EDGE, y + 22 * k, 14.5, k ? "quiet" : "ink", shorten(`${one}.`, 14.5, WIDTH - 2 * EDGE)));
}
