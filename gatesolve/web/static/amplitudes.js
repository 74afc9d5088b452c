// The amplitudes after so many iterations, and the probability of a solution: exact, in the space.

import { makeArrow } from "./arrow.js";
import { chart, line, write } from "./canvas.js";
import { el, grouped, percent, plural } from "./dom.js";
import { makePlayer } from "./player.js";
import { explain, phrase } from "./words.js";

const MOST_BARS = 220;

export function drawAmplitudes({ size, marked, numbers, best, taken, frames }) {
  let at = 0;
  const top = 1.08 / Math.sqrt(marked);
  const bars = chart(230, "Amplitude of each state", (pen, width, height, colour) => {
    const [, hit, rest] = frames[at];
    const left = 48;
    // Below zero only as much room as the amplitudes took so far.
    const low = 1.08 * Math.min(-0.06 * top, ...frames.slice(0, at + 1).flatMap(([, one, other]) => [one, other]));
    const y = (value) => 8 + ((top - value) / (top - low)) * (height - 16);
    for (const value of [-1, 0, 1].map((one) => one / Math.sqrt(marked)).filter((one) => one >= low)) {
      line(pen, colour("line"), 1, [[left, y(value)], [width, y(value)]]);
      write(pen, colour("quiet"), value.toFixed(2), left - 6, y(value) + 4, "right");
    }
    const count = Math.min(size, MOST_BARS);
    const step = (width - left) / count;
    const fill = Math.max(1, step - (step > 4 ? 1.5 : 0.3));
    pen.fillStyle = colour("rest");
    for (let k = 0; k < count; k += 1) pen.fillRect(left + k * step, Math.min(y(0), y(rest)), fill, Math.max(1, Math.abs(y(rest) - y(0))));
    const wide = Math.max(fill, 3);
    for (const number of numbers) {
      const x = left + (Math.floor((number / size) * count) + 0.5) * step - wide / 2;
      pen.fillStyle = colour("card");
      pen.fillRect(x - 1, 0, wide + 2, height);
      pen.fillStyle = colour("hit");
      pen.fillRect(x, Math.min(y(0), y(hit)), wide, Math.max(2, Math.abs(y(hit) - y(0))));
    }
  });
  const curve = chart(230, "Probability of a solution by the number of iterations", (pen, width, height, colour) => {
    const left = 48;
    const bottom = height - 22;
    const last = frames[frames.length - 1][0];
    const x = (k) => left + (k / last) * (width - left - 8);
    const y = (p) => bottom - p * (bottom - 10);
    for (const p of [0, 0.5, 1]) {
      line(pen, colour("line"), 1, [[left, y(p)], [width, y(p)]]);
      write(pen, colour("quiet"), `${100 * p} %`, left - 6, y(p) + 4, "right");
    }
    line(pen, colour("line"), 1, [[x(best), y(1)], [x(best), bottom]]);
    write(pen, colour("quiet"), `peak: ${grouped(best)}`, x(best), height - 5, "center");
    line(pen, colour("hit"), 2, frames.map(([k, , , p]) => [x(k), y(p)]));
    pen.fillStyle = colour("hit");
    if (frames.length < 40) for (const [k, , , p] of frames) { pen.beginPath(); pen.arc(x(k), y(p), 2.5, 0, 7); pen.fill(); }
    const [k, , , p] = frames[at];
    pen.fillStyle = colour("accent");
    pen.beginPath();
    pen.arc(x(k), y(p), 6, 0, 7);
    pen.fill();
  });
  const reading = el("p", { class: "reading", id: "reading" });
  const arrow = makeArrow({ size, marked });
  const show = (place) => {
    at = place;
    const [k, , , p] = frames[at];
    const where = k === best ? "the first peak" : k > best ? "past the first peak: it falls and rises again" : "it is still rising";
    reading.replaceChildren(`After ${plural(grouped(k), "iteration")} a measurement is a solution with probability `,
      el("strong", {}, p < 0.001 ? `${(100 * p).toFixed(5)} %` : percent(p)), ` (${where}).`);
    bars.redraw();
    curve.redraw();
    arrow.move(k, p);
    return `${plural(k, "iteration")}, ${percent(p)}`;
  };
  const player = makePlayer(frames.length, frames.findIndex(([k]) => k === (taken ?? best)), "Iterations: drag past the peak", show);
  player.slider.id = "iterations";
  player.begin();
  const many = size > MOST_BARS ? ` ${size < 1.5 * MOST_BARS ? "Some bars stand for two states" : `Bars stand for about ${grouped(Math.round(size / MOST_BARS))} states each`}; ${marked === 1 ? "the solution has" : "solutions have"} a bar of ${marked === 1 ? "its" : "their"} own.` : "";
  return [
    el("p", { class: "quiet" }, el("span", { class: "key hit" }), ...phrase(`${grouped(marked)} [${marked === 1 ? "marked state" : "marked states"}]`), el("span", { class: "key rest" }), `the other ${grouped(size - marked)}. Exact, not sampled.${many}`),
    el("div", { class: "charts three" },
      el("figure", {}, el("figcaption", {}, explain("amplitude", "Amplitude"), " of each state"), bars.canvas),
      el("figure", { id: "arrow" }, el("figcaption", {}, ...phrase(`+${arrow.turn} an [iteration]`)), arrow.canvas),
      el("figure", {}, el("figcaption", {}, "Probability of a ", explain("solution")), curve.canvas)),
    player.bar,
    reading,
  ];
}
