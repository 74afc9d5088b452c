// Grover's search as an arrow in two axes: solutions upwards, the rest to the right; each iteration turns it by 2 theta.

import { chart, line, write } from "./canvas.js";
import { grouped, percent, plural } from "./dom.js";

const degrees = (angle) => `${((angle * 180) / Math.PI).toFixed(1)}°`;

// `move` turns the arrow to the state after `k` iterations.
export function makeArrow({ size, marked }) {
  const theta = Math.asin(Math.sqrt(marked / size));
  let at = 0;
  const { canvas, redraw } = chart(230, "", (pen, width, height, colour) => {
    const radius = Math.min(width / 2 - 14, height / 2 - 24);
    const [x, y] = [width / 2, height / 2 + 2];
    const tip = (angle, part = 1) => [x + part * radius * Math.cos(angle), y - part * radius * Math.sin(angle)];
    line(pen, colour("line"), 1, [[x - radius - 6, y], [x + radius + 6, y]]);
    line(pen, colour("line"), 1, [[x, y - radius - 6], [x, y + radius + 6]]);
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    pen.stroke();
    write(pen, colour("hit"), "solutions", x, y - radius - 10, "center");
    write(pen, colour("rest"), "the rest", x + radius - 4, y + 14, "right");
    const angle = theta * (2 * at + 1);
    if (at) {
      line(pen, colour("rest"), 1.5, [[x, y], tip(angle - 2 * theta)]);
      turn(pen, colour("quiet"), x, y, 0.55 * radius, angle - 2 * theta, angle);
    }
    // What stands upwards is the amplitude of the solutions; its square is the probability.
    pen.setLineDash([3, 3]);
    line(pen, colour("hit"), 1.5, [tip(angle), [tip(angle)[0], y]]);
    pen.setLineDash([]);
    line(pen, colour("accent"), 3, [[x, y], tip(angle, 0.93)]);
    pen.fillStyle = colour("accent");
    pen.beginPath();
    for (const [part, off] of [[1, 0], [0.87, 0.07], [0.87, -0.07]]) pen.lineTo(...tip(angle + off, part));
    pen.fill();
    write(pen, colour("ink"), degrees(angle), x + radius + 8, y + radius + 14, "right");
  });
  const move = (k, probability) => {
    at = k;
    canvas.setAttribute("aria-label", `The state after ${plural(grouped(k), "iteration")} as an arrow: ${degrees(theta * (2 * k + 1))} from the rest towards the solutions, where 90° is a solution for certain. Probability of a solution: ${percent(probability)}. Each iteration turns it by ${degrees(2 * theta)}.`);
    redraw();
  };
  return { canvas, move, turn: degrees(2 * theta) };
}

// The turn of the last iteration.
function turn(pen, colour, x, y, radius, from, to) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(x, y, radius, -from, -to, true);
  pen.stroke();
}
