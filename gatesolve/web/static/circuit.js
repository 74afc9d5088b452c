// The oracle's circuit by its named operations, one row a qubit.

import { el, svg } from "./dom.js";

const ROW = 16;
const COLUMN = 22;
const LEFT = 40;

export function drawCircuit({ ops, of, data, qubits }) {
  if (!ops.length) return [];
  const free = new Array(qubits).fill(0);
  const placed = ops.map(([kind, sign, reads, target]) => {
    const wires = target < 0 ? reads : [...reads, target];
    const [low, high] = [Math.min(...wires), Math.max(...wires)];
    let column = 0;
    for (let wire = low; wire <= high; wire += 1) column = Math.max(column, free[wire]);
    for (let wire = low; wire <= high; wire += 1) free[wire] = column + 1;
    return { kind, sign, reads, target, low, high, column, wires };
  }).filter((one) => one.wires.length);
  const width = LEFT + COLUMN * (Math.max(...free) + 1);
  const height = ROW * (qubits + 1);
  const y = (wire) => ROW * (wire + 0.8);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Circuit of the oracle: ${of} operations on ${qubits} qubits` });
  for (let wire = 0; wire < qubits; wire += 1) {
    drawing.append(svg("line", { class: "wire", x1: LEFT - 6, x2: width, y1: y(wire), y2: y(wire) }),
      svg("text", { x: LEFT - 10, y: y(wire) + 3, "text-anchor": "end" }, wire < data ? `q${wire}` : `a${wire - data}`));
  }
  for (const one of placed) drawing.append(drawOperation(one, LEFT + COLUMN * (one.column + 0.5), y));
  const zoom = el("input", { type: "range", min: "30", max: "200", value: "100" });
  zoom.addEventListener("input", () => {
    drawing.setAttribute("width", String((width * zoom.value) / 100));
    drawing.setAttribute("height", String((height * zoom.value) / 100));
  });
  const some = ops.length < of ? `the first ${ops.length} of ${of}` : `${of}`;
  return [el("h3", {}, `Its circuit: ${some} named operations`),
    el("p", { class: "quiet" }, "Each line is a qubit: q lines hold the board, a lines are helper qubits (ancillas) that end as zero. Dots are inputs of the box on their line. ∧ writes the AND of its inputs, † undoes it. ∧¬ writes one input AND NOT the AND of the others. + in a circle flips a qubit. Z flips the sign."),
    el("div", { class: "scroll circuit", tabindex: "0", role: "region", "aria-label": "Circuit of the oracle" }, drawing),
    el("label", {}, "Zoom", zoom)];
}

function drawOperation({ kind, sign, reads, target, low, high }, x, y) {
  const group = svg("g", { class: kind });
  if (low !== high) group.append(svg("line", { class: "op", x1: x, x2: x, y1: y(low), y2: y(high) }));
  for (const wire of reads) group.append(svg("circle", { cx: x, cy: y(wire), r: 3 }));
  if (target >= 0) {
    group.append(svg("rect", { x: x - 7, y: y(target) - 7, width: 14, height: 14, rx: sign === "+" ? 7 : 3 }),
      svg("text", { class: "name", x, y: y(target) + 3.5, "text-anchor": "middle" }, sign));
  } else {
    group.append(svg("text", { class: "name", x: x + 5, y: y(low) - 3 }, sign));
  }
  return group;
}
