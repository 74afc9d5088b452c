// The tree of parts of a divided board: it grows while its leaves are searched.

import { el, grouped, plural, svg } from "./dom.js";

const MOST = 1500;
const NAMES = { open: "still to come", searching: "being searched", cut: "refuted by propagation", infeasible: "searched, nothing in it", unsolved: "searched, nothing found", solved: "the solution" };

export function makeTree() {
  const parts = new Map(); // by "0.2.1": {number, said, state}
  const holder = el("div", { class: "scroll tree", tabindex: "0", role: "region", "aria-label": "Tree of parts" });
  const said = el("p", { class: "reading" });
  const list = el("p", { class: "quiet", id: "leaf" });
  const legend = el("p", { class: "quiet" }, ...Object.entries(NAMES).filter(([state]) => state !== "infeasible").flatMap(([state, name]) => [el("span", { class: `key ${state}` }), `${name} `]));
  const add = ({ parts: changed, nodes, cut, searched, left }) => {
    for (const [number, name, state] of changed) {
      const key = number.join(".");
      parts.set(key, { number, state, said: name || parts.get(key)?.said || "" });
      if (state !== "open" && state !== "cut" && state !== "inner" && name) list.textContent = `${state === "searching" ? "Searching" : "Last leaf"}: ${name}`;
    }
    const done = searched ?? [...parts.values()].filter(({ state }) => ["solved", "unsolved", "infeasible"].includes(state)).length;
    const share = left === undefined ? "" : `; ${((1 - left) * 100).toFixed(0)} % of the tree is done`;
    said.textContent = `${plural(grouped(nodes), "part")} so far, ${grouped(cut)} refuted classically, ${plural(grouped(done), "leaf").replace("leafs", "leaves")} searched${share}.`;
    draw();
  };
  let waiting = null;
  const draw = () => { waiting ??= requestAnimationFrame(() => { waiting = null; holder.replaceChildren(drawParts(parts)); }); };
  const end = (solved) => {
    if (solved) said.append(" The others were not needed.");
    for (const part of parts.values()) if (part.state === "open" && !solved) part.state = "cut";
    draw();
  };
  return { elements: [said, holder, list, legend], add, end };
}

function drawParts(parts) {
  const shown = [...parts.values()].sort((a, b) => compare(a.number, b.number)).slice(0, MOST);
  const places = new Map();
  const deepest = Math.max(...shown.map(({ number }) => number.length));
  let next = 0;
  // Leaves of the tree side by side, from the left; a part above the middle of its own.
  const children = Map.groupBy(shown.slice(1), ({ number }) => number.slice(0, -1).join("."));
  const put = ({ number }) => {
    const own = (children.get(number.join(".")) ?? []).filter((part) => part.number.length === number.length + 1);
    const x = own.length ? own.map(put).reduce((sum, one) => sum + one, 0) / own.length : next++;
    places.set(number.join("."), x);
    return x;
  };
  if (shown.length) put(shown[0]);
  const step = Math.max(9, Math.min(26, 620 / Math.max(1, next)));
  const [width, height] = [step * next + 8, 34 * deepest + 26];
  const x = (number) => 4 + step * (places.get(number.join(".")) + 0.5);
  const y = (number) => 13 + 34 * number.length;
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Tree of ${shown.length} parts` });
  for (const { number } of shown) if (number.length) drawing.append(svg("line", { x1: x(number), y1: y(number), x2: x(number.slice(0, -1)), y2: y(number.slice(0, -1)) }));
  for (const { number, state, said } of shown) {
    drawing.append(svg("circle", { cx: x(number), cy: y(number), r: state === "searching" || state === "solved" ? 6 : 4, class: state }, svg("title", {}, [said, NAMES[state]].filter(Boolean).join(": "))));
  }
  return drawing;
}

function compare(a, b) {
  for (let k = 0; k < Math.min(a.length, b.length); k += 1) if (a[k] !== b[k]) return a[k] - b[k];
  return a.length - b.length;
}
