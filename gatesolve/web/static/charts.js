// The descent of Grover Adaptive Search, and the levels of QAOA.

import { chart, line, write } from "./canvas.js";
import { percent } from "./dom.js";

export function drawSteps(steps) {
  const known = steps.filter(([, energy]) => energy !== null);
  const label = `Broken rules or energy by oracle calls: ${known.map(([calls, energy]) => `${energy} after ${calls}`).join(", ")}`;
  return chart(200, label, (pen, width, height, colour) => {
    if (!known.length) { write(pen, colour("quiet"), "nothing was measured that has an energy", 10, 30); return; }
    const [left, bottom] = [46, height - 26];
    const most = Math.max(1, ...known.map(([calls]) => calls));
    const energies = known.map(([, energy]) => energy);
    const [low, high] = [Math.min(0, ...energies), Math.max(1, ...energies)];
    const x = (calls) => left + (calls / most) * (width - left - 40);
    const y = (energy) => bottom - ((energy - low) / (high - low)) * (bottom - 16);
    line(pen, colour("line"), 1, [[left, y(0)], [width, y(0)]]);
    write(pen, colour("quiet"), String(high), left - 8, y(high) + 4, "right");
    write(pen, colour("quiet"), String(low), left - 8, y(low) + 4, "right");
    const path = known.flatMap(([calls, energy], k) => (k ? [[x(calls), y(known[k - 1][1])], [x(calls), y(energy)]] : [[x(calls), y(energy)]]));
    line(pen, colour("hit"), 2.5, path);
    for (const [calls, energy] of known) {
      pen.fillStyle = colour("hit");
      pen.beginPath();
      pen.arc(x(calls), y(energy), 5, 0, 7);
      pen.fill();
      write(pen, colour("ink"), String(energy), x(calls) + 9, y(energy) - 6);
      write(pen, colour("quiet"), String(calls), x(calls), height - 6, "center");
    }
  }).canvas;
}

export function drawBars(levels) {
  const label = `Probability by cost: ${levels.slice(0, 5).map(([cost, p]) => `cost ${cost} ${(100 * p).toFixed(1)} percent`).join(", ")}`;
  return chart(220, label, (pen, width, height, colour) => {
    const [left, bottom] = [46, height - 38];
    const step = (width - left) / levels.length;
    const most = Math.max(...levels.flatMap(([, p, u]) => [p, u]));
    const tall = (p) => (p / most) * (bottom - 20);
    levels.forEach(([cost, p, uniform], k) => {
      const x = left + k * step;
      pen.fillStyle = colour("rest");
      pen.fillRect(x + step * 0.52, bottom - tall(uniform), Math.min(step * 0.3, 30), tall(uniform));
      pen.fillStyle = colour("hit");
      const wide = Math.min(step * 0.34, 34);
      pen.fillRect(x + step * 0.5 - wide, bottom - tall(p), wide, Math.max(1, tall(p)));
      if (step > 26 || k % 4 === 0) write(pen, colour("quiet"), String(cost), x + step / 2, bottom + 15, "center");
      if (p > 0.05) write(pen, colour("ink"), percent(p), x + step * 0.5 - wide / 2, bottom - tall(p) - 5, "center");
    });
    line(pen, colour("line"), 1, [[left, bottom], [width, bottom]]);
    write(pen, colour("hit"), "■ after the layers", left, height - 6);
    write(pen, colour("rest"), "■ uniform", left + 130, height - 6);
    write(pen, colour("quiet"), "cost", width, height - 6, "right");
  }).canvas;
}
