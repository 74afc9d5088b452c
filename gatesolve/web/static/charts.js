// What the pipelines show while they run: a descent, angles, layers, a landscape, energies.

import { chart, line, write } from "./canvas.js";
import { el, grouped, percent, plural } from "./dom.js";
import { makePlayer } from "./player.js";
import { remark } from "./words.js";

const short = (value) => (Number.isInteger(value) ? String(value) : Math.abs(value) < 0.001 ? value.toExponential(1) : value.toPrecision(4));

function dot(pen, x, y, size) {
  pen.beginPath();
  pen.arc(x, y, size, 0, 7);
  pen.fill();
}

// The descent of Grover Adaptive Search, drawn anew after each improvement.
export function drawSteps(steps) {
  const known = steps.filter(([, energy]) => energy !== null);
  const label = `Value or broken rules by oracle calls: ${known.map(([calls, energy]) => `${energy} after ${calls}`).join(", ")}`;
  return chart(known.length > 1 ? 200 : 110, label, (pen, width, height, colour) => {
    if (!known.length) { write(pen, colour("quiet"), "nothing was measured so far that has an energy", 10, 30); return; }
    const [left, bottom] = [46, height - 26];
    const most = Math.max(1, ...known.map(([calls]) => calls));
    const energies = known.map(([, energy]) => energy);
    // Only as much as was measured; a single one stands in the middle.
    const [least, greatest] = [Math.min(...energies), Math.max(...energies)];
    const [low, high] = least < greatest ? [least, greatest] : [least - 1, least + 1];
    const x = (calls) => left + (calls / most) * (width - left - 40);
    const y = (energy) => bottom - ((energy - low) / (high - low)) * (bottom - 16);
    line(pen, colour("line"), 1, [[left, bottom + 8], [width, bottom + 8]]);
    for (const energy of new Set([least, greatest])) write(pen, colour("quiet"), short(energy), left - 8, y(energy) + 4, "right");
    write(pen, colour("quiet"), "0", left, height - 4, "center");
    const path = known.flatMap(([calls, energy], k) => (k ? [[x(calls), y(known[k - 1][1])], [x(calls), y(energy)]] : [[x(calls), y(energy)]]));
    line(pen, colour("hit"), 2.5, path);
    let next = width + 30; // of two numbers that would touch, the later one is written
    for (const [calls, energy] of [...known].reverse()) {
      pen.fillStyle = colour("hit");
      dot(pen, x(calls), y(energy), 5);
      const isClose = next - x(calls) < 30;
      write(pen, colour("ink"), short(energy), x(calls) + (isClose ? -9 : 9), y(energy) - 6, isClose ? "right" : "left");
      if (next - x(calls) > 24 && x(calls) - left > 16) write(pen, colour("quiet"), String(calls), x(calls), height - 4, "center");
      next = x(calls);
    }
  }).canvas;
}

// Values by how many were tried, and the least so far; it grows by `add`.
export function makeTrace(name, unit) {
  const points = [];
  const { canvas, redraw } = chart(180, `${name} by ${unit}`, (pen, width, height, colour) => {
    if (!points.length) return;
    const values = points.flatMap(([, value, best]) => [value, best]);
    values.sort((a, b) => a - b);
    const [low, high] = [values[0], values[Math.floor(0.96 * (values.length - 1))]]; // a few wild ones stand at the top
    const [left, bottom] = [Math.max(...[low, high].map((one) => pen.measureText(short(one)).width)) + 12, height - 24];
    const most = points.at(-1)[0];
    const x = (k) => left + (k / most) * (width - left - 10);
    const y = (value) => bottom - (high > low ? Math.min(1, (value - low) / (high - low)) : 0.5) * (bottom - 14);
    line(pen, colour("line"), 1, [[left, bottom], [width, bottom]]);
    for (const value of high > low ? [low, high] : [low]) write(pen, colour("quiet"), short(value), left - 8, y(value) + 4, "right");
    pen.fillStyle = colour("rest");
    for (const [k, value] of points) dot(pen, x(k), y(value), 2);
    line(pen, colour("hit"), 2.5, points.flatMap(([k, , best], j) => (j ? [[x(k), y(points[j - 1][2])], [x(k), y(best)]] : [[x(k), y(best)]])));
    write(pen, colour("quiet"), `${grouped(most)} ${most === 1 ? unit.slice(0, -1) : unit}`, width - 2, height - 6, "right");
  });
  const add = (more) => {
    if (points.length && more[0][0] <= points.at(-1)[0]) points.length = 0; // another part is searched
    points.push(...more);
    canvas.hidden = points.length < 2;
    canvas.setAttribute("aria-label", `${name} by ${unit}: ${short(points.at(-1)[2])} after ${points.at(-1)[0]}`);
    redraw();
  };
  return { canvas, add };
}

// The probability of each cost after each layer of QAOA.
export function drawLayers({ costs, layers, success, means }) {
  let at = 0;
  const most = Math.max(...layers.flat());
  const bars = chart(220, "Probability by cost", (pen, width, height, colour) => {
    const [left, bottom] = [8, height - 38];
    const step = (width - left) / costs.length;
    const tall = (p) => (p / most) * (bottom - 20);
    costs.forEach((cost, k) => {
      const x = left + k * step;
      const [p, uniform] = [layers[at][k], layers[0][k]];
      pen.fillStyle = colour("rest");
      pen.fillRect(x + step * 0.52, bottom - tall(uniform), Math.min(step * 0.3, 100), tall(uniform));
      pen.fillStyle = colour("hit");
      const wide = Math.min(step * 0.34, 110);
      pen.fillRect(x + step * 0.5 - wide, bottom - tall(p), wide, Math.max(1, tall(p)));
      if (step > 26 || k % 4 === 0) write(pen, colour("quiet"), String(cost), x + step / 2, bottom + 15, "center");
      if (p > 0.05 && step > 44) write(pen, colour("ink"), percent(p), Math.max(26, x + step * 0.5 - wide / 2), bottom - tall(p) - 5, "center");
    });
    line(pen, colour("line"), 1, [[left, bottom], [width, bottom]]);
    write(pen, colour("hit"), "■ after the layers", left, height - 6);
    write(pen, colour("rest"), "■ before", left + 130, height - 6);
    write(pen, colour("quiet"), "cost", width, height - 6, "right");
  });
  const reading = el("p", { class: "reading" });
  const show = (place) => {
    at = place;
    reading.replaceChildren(`After ${plural(at, "layer")} a measurement is a best state with probability `, el("strong", {}, percent(success[at])), `; the mean cost is ${means[at].toFixed(3)}.`);
    bars.canvas.setAttribute("aria-label", `Probability by cost after ${plural(at, "layer")}: ${costs.slice(0, 5).map((cost, k) => `cost ${cost} ${percent(layers[at][k])}`).join(", ")}`);
    bars.redraw();
    return `${plural(at, "layer")}, ${percent(success[at])}`;
  };
  const player = makePlayer(layers.length, layers.length - 1, "Layers", show);
  player.slider.id = "layer";
  player.begin();
  return [bars.canvas, player.bar, reading];
}

// The mean energy around the angles that were found: dark is low.
export function drawLandscape({ factors, means, name }) {
  const values = means.flat();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const count = factors.length;
  const middle = (count - 1) / 2;
  const label = `Mean ${name} where all phases and all mixing angles are 0 to 2 times those found: ${short(means[middle][middle])} at those found, ${short(low)} to ${short(high)} in all`;
  const land = chart(260, label, (pen, width, height, colour) => {
    const [left, bottom] = [34, height - 22];
    const [wide, tall] = [(width - left - 8) / count, (bottom - 8) / count];
    const [across, up] = [(k) => Math.round(left + k * wide), (k) => Math.round(bottom - k * tall)];
    means.forEach((row, r) => row.forEach((mean, c) => {
      pen.globalAlpha = 0.04 + (0.96 * (high - mean)) / (high - low);
      pen.fillStyle = colour("rest");
      pen.fillRect(across(c), up(r + 1), across(c + 1) - across(c), up(r) - up(r + 1));
    }));
    pen.globalAlpha = 1;
    const [x, y] = [left + (middle + 0.5) * wide, bottom - (middle + 0.5) * tall];
    pen.fillStyle = colour("card");
    dot(pen, x, y, 7);
    pen.fillStyle = colour("hit");
    dot(pen, x, y, 5);
    for (const k of [0, middle, count - 1]) {
      write(pen, colour("quiet"), short(factors[k]), left + (k + 0.5) * wide, bottom + 15, "center");
      write(pen, colour("quiet"), short(factors[k]), left - 8, bottom - (k + 0.5) * tall + 4, "right");
    }
  });
  return [remark(`Mean ${name}, exact: from ${short(low)} (full colour) to ${short(high)} (pale). To the right all phases, upwards all mixing [angles] grow from nothing to twice those found, which stand at the dot: ${short(means[middle][middle])}.`), land.canvas];
}

// How often each energy came up in reads, or among the states `isListed`, the least first; drawn anew after each batch.
export function drawEnergies(energies, isListed) {
  const shown = energies.slice(0, 24);
  const label = `${isListed ? "States" : "Reads"} by energy: ${shown.slice(0, 5).map(([energy, times]) => `${short(energy)} ${plural(times, "time")}`).join(", ")}`;
  return chart(180, label, (pen, width, height, colour) => {
    const [left, bottom] = [8, height - 34];
    const step = (width - left) / shown.length;
    const wide = Math.min(0.72 * step, 110);
    const most = Math.max(...shown.map(([, times]) => times));
    shown.forEach(([energy, times], k) => {
      pen.fillStyle = colour(k ? "rest" : "hit");
      const tall = Math.max(2, (times / most) * (bottom - 18));
      const x = left + (k + 0.5) * step;
      pen.fillRect(x - wide / 2, bottom - tall, wide, tall);
      if (step > 30 || k % 3 === 0) write(pen, colour("quiet"), short(energy), x, bottom + 14, "center");
      if (step > 24) write(pen, colour("ink"), String(times), x, bottom - tall - 4, "center");
    });
    line(pen, colour("line"), 1, [[left, bottom], [width, bottom]]);
    write(pen, colour("quiet"), `energy; above it how many ${isListed ? "states have it" : "reads ended there"}`, width, height - 4, "right");
  }).canvas;
}
