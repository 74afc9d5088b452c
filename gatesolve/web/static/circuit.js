// The circuit of an iteration, one row a qubit: named parts that fold, and a line about what is pointed at.

import { el, grouped, plural, svg } from "./dom.js";
import { describeOp, listParts } from "./parts.js";
import { remark } from "./words.js";

const [ROW, COLUMN, LEFT, HEAD, GAP] = [16, 22, 40, 22, 6];
const NARROW = [14, 3]; // the width of a folded part and its gap where there are very many
const [FOLDED, STRETCH] = [28, 6]; // a folded part, and how much wider parts may be where there is room
const [MANY, DENSE, EACH] = [48, 7, 4]; // of many qubits the rows are dense while all is folded, and each fourth has its name
const MOST_OPEN = 40; // operations of all parts up to which they stand open

// `blocks` name the board's cells on the qubits; `iteration` is known once the circuit is built.
export function drawCircuit(oracle, blocks, iteration) {
  const { parts, whose } = listParts(oracle, iteration);
  if (!parts.length) return null;
  const qubits = Math.max(oracle.qubits, iteration?.qubits ?? 0);
  const sizes = parts.map(({ ops }) => ops.length);
  const isSmall = sizes.reduce((sum, one) => sum + one, 0) <= MOST_OPEN;
  const open = new Set(isSmall ? parts.keys() : []);
  const cells = blocks.flatMap(({ variables, qubits: own }) => new Array(own).fill(variables.length > 3 ? `${variables.slice(0, 2).join(" ")} …` : variables.join(" ")));
  const name = (wire) => (wire < oracle.data ? `q${wire}` : `a${wire - oracle.data}`);
  const describe = (op) => {
    const read = [...new Set([...op[2].flatMap(({ wires }) => wires), op[3]])].filter((wire) => cells[wire]).slice(0, 4);
    return [describeOp(op, name), whose(op),
      read.length ? `Cells: ${read.map((wire) => `${name(wire)} is of ${cells[wire]}`).join(", ")}.` : ""].filter(Boolean).join(" ");
  };
  const START = "Point at a part or an operation, or press the arrow keys, to read here what it does.";
  const says = el("p", { class: "reading says" }, START);
  const holder = el("div", { class: "circuit scroll" });
  const zoom = el("input", { type: "range", min: "30", max: "200", value: "100" });
  const all = el("button", { type: "button", class: "small" });
  let room = 0;
  let chosen = 0; // the one item that the Tab key reaches
  const lay = (unfolded, wide, isNarrow = false) => {
    const row = qubits > MANY && !unfolded.size ? DENSE : Math.max(ROW, 120 / (qubits + 1)); // few qubits still leave room for names
    const height = row * (qubits + 1) + HEAD;
    const view = { qubits, height, y: (wire) => HEAD + row * (wire + 0.8), data: oracle.data, each: row === DENSE ? EACH : 1, room: wide, isNarrow };
    return { ...drawParts(parts, unfolded, view, describe), height };
  };
  // For a picture: as it is folded now if that fits, else all folded, at last in narrow parts.
  const still = (wide) => {
    const found = [lay(open, wide), lay(new Set(), wide), lay(new Set(), wide, true)];
    return { ...(found.find(({ width }) => width <= wide) ?? found[2]), says: title };
  };
  const draw = (focused) => {
    const { drawing, items, width, height } = lay(open, room);
    const size = () => { drawing.setAttribute("width", (width * zoom.value) / 100); drawing.setAttribute("height", (height * zoom.value) / 100); };
    const choose = (item) => {
      items[chosen]?.node.setAttribute("tabindex", "-1");
      chosen = items.indexOf(item);
      item.node.setAttribute("tabindex", "0");
      says.textContent = item.says;
    };
    const find = (node) => items.find((one) => one.node === node.closest(".item"));
    const toggle = (item) => {
      if (item?.part === undefined) return;
      if (!open.delete(item.part)) open.add(item.part);
      draw(item.part);
    };
    drawing.addEventListener("pointerover", ({ target }) => { const item = find(target); if (item) says.textContent = item.says; });
    drawing.addEventListener("focusin", ({ target }) => choose(find(target)));
    drawing.addEventListener("click", ({ target }) => { const item = find(target); if (item) { item.node.focus({ preventScroll: true }); toggle(item); } });
    drawing.addEventListener("keydown", (event) => {
      const to = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: items.length - 1 }[event.key];
      if (to !== undefined) items[Math.max(0, Math.min(items.length - 1, to))].node.focus();
      else if (event.key === "Enter" || event.key === " ") toggle(items[chosen]);
      else return;
      event.preventDefault();
    });
    zoom.oninput = size;
    size();
    all.textContent = open.size < parts.length ? "Unfold all" : "Fold all";
    holder.replaceChildren(drawing);
    chosen = Math.max(0, items.findIndex((one) => one.part === focused));
    items[chosen].node.setAttribute("tabindex", "0");
    if (focused !== undefined) items[chosen].node.focus({ preventScroll: true });
  };
  all.addEventListener("click", () => {
    if (open.size < parts.length) parts.forEach((_, k) => open.add(k)); else open.clear();
    draw();
  });
  draw();
  new ResizeObserver(() => {
    if (holder.clientWidth === room) return;
    room = holder.clientWidth;
    draw();
  }).observe(holder);
  const some = oracle.ops.length < oracle.of ? `the first ${grouped(oracle.ops.length)} of ${plural(grouped(oracle.of), "operation")}` : plural(grouped(oracle.of), "operation");
  const title = `The circuit: ${plural(parts.length, "part")}; its oracle has ${some}`;
  return Object.assign(el("div", {}, el("h3", {}, title),
    remark(`Each line is a qubit: q lines hold the board, a lines are [ancillas]. ${iteration ? "An [iteration] is the [oracle] and the [diffusion]. " : ""}A part shows how many operations are in it; press it to unfold it.`),
    el("div", {}, holder, says), el("div", { class: "slide" }, all, el("label", {}, "Zoom", zoom)),
    el("details", {}, el("summary", {}, "The signs"), el("p", { class: "quiet" }, "Dots are inputs of the box on their line. ∧ writes the AND of its inputs, † undoes it. ∧¬ writes one input AND NOT the AND of the others. ?: writes one of two inputs, chosen by a third. + in a circle flips a qubit. Z flips the sign."))), { still });
}

function drawParts(parts, open, view, describe) {
  const { qubits, height, y, data, each, room, isNarrow } = view;
  const [folded, gap] = isNarrow ? NARROW : [FOLDED, GAP];
  const items = [];
  const add = (node, says, part) => {
    node.setAttribute("tabindex", "-1");
    node.setAttribute("aria-label", says);
    items.push({ node, says, part });
    return node;
  };
  let x = LEFT;
  const packed = parts.map(({ ops }) => pack(ops, qubits));
  const widths = packed.map(({ columns }, k) => (open.has(k) ? Math.max(folded, COLUMN * columns + 4) : folded));
  const most = (room - LEFT - gap * parts.length - 2) / widths.reduce((sum, one) => sum + one, 0);
  const stretch = Math.max(1, Math.min(STRETCH, most));
  const drawn = parts.map((part, k) => {
    const { kind, name, ops, says } = part;
    const isOpen = open.has(k);
    const { placed, columns } = packed[k];
    const width = stretch * widths[k];
    const head = svg("g", { class: `item part ${kind}`, role: "button", "aria-expanded": String(isOpen) });
    const group = svg("g", {}, add(head, says, k));
    head.append(svg("rect", { class: isOpen ? "band" : "folded", x, y: 2, width, height: height - 4, rx: 5 }));
    if (isOpen) {
      const long = Math.floor((width - 18) / 6.1);
      head.append(svg("rect", { class: "head", x, y: 2, width, height: 16, rx: 5 }), svg("text", { class: "title", x: x + 5, y: 14 }, `▾ ${long < 4 ? "" : shorten(name, long)}`));
      for (const { op, ...one } of placed) group.append(add(svg("g", { class: `item ${op[0]}`, role: "img" }, ...drawOperation(op, one, x + (width * (one.column + 0.5)) / columns, y)), describe(op)));
    } else {
      for (const wire of new Set(placed.flatMap((one) => one.wires))) head.append(svg("circle", { cx: x, cy: y(wire), r: 2.5 }));
      head.append(svg("text", { class: "title", x: x + width / 2, y: 15, "text-anchor": "middle" }, isNarrow ? "" : grouped(ops.length)),
        svg("text", { class: "title", transform: `translate(${x + width / 2 + 3.5} 24) rotate(-90)`, "text-anchor": "end" }, shorten(name, Math.floor((height - 34) / 6.1))));
    }
    x += width + gap;
    return group;
  });
  const drawing = svg("svg", { viewBox: `0 0 ${x} ${height}`, role: "group", "aria-label": "Circuit: the arrow keys move, Enter folds and unfolds a part" });
  for (let wire = 0; wire < qubits; wire += 1) {
    drawing.append(svg("line", { class: "wire", x1: LEFT - 6, x2: x, y1: y(wire), y2: y(wire) }));
    if (wire % each === 0) drawing.append(svg("text", { x: LEFT - 10, y: y(wire) + 3, "text-anchor": "end" }, wire < data ? `q${wire}` : `a${wire - data}`));
  }
  drawing.append(...drawn);
  return { drawing, items, width: x };
}

const shorten = (text, most) => (text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text);

// Each operation as far to the left as its wires are free.
function pack(ops, qubits) {
  const free = new Array(qubits).fill(0);
  const placed = ops.flatMap((op) => {
    const dots = [...new Set(op[2].flatMap(({ wires }) => wires))];
    const wires = op[3] < 0 ? dots : [...dots, op[3]];
    if (!wires.length) return [];
    const [low, high] = [Math.min(...wires), Math.max(...wires)];
    const column = Math.max(...free.slice(low, high + 1));
    free.fill(column + 1, low, high + 1);
    return [{ op, dots, wires, low, high, column }];
  });
  return { placed, columns: Math.max(1, ...free) };
}

function drawOperation([, sign, , target], { dots, low, high }, x, y) {
  const shapes = low === high ? [] : [svg("line", { class: "op", x1: x, x2: x, y1: y(low), y2: y(high) })];
  for (const wire of dots) shapes.push(svg("circle", { cx: x, cy: y(wire), r: 3 }));
  if (target >= 0) {
    const wide = sign.length > 1 ? 18 : 14;
    shapes.push(svg("rect", { x: x - wide / 2, y: y(target) - 7, width: wide, height: 14, rx: sign === "+" ? 7 : 3 }),
      svg("text", { class: "name", x, y: y(target) + 3.5, "text-anchor": "middle" }, sign));
  } else {
    shapes.push(svg("text", { class: "name", x: x + 5, y: y(low) - 3 }, sign));
  }
  return shapes;
}
