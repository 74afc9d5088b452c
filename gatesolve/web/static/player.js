// A slider through frames, and a button that plays them up to the one that counts.

import { el } from "./dom.js";

let latest = () => {};

// Nothing goes on moving.
export const stopPlayer = () => latest();

// `show` draws the frame of a number and returns what it is, in words.
export function makePlayer(count, goal, label, show) {
  let playing = null;
  const slider = el("input", { type: "range", min: "0", max: String(count - 1), value: "0" });
  const move = (place) => {
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", show(place));
  };
  const stop = () => { cancelAnimationFrame(playing); playing = null; button.textContent = "▶ Play"; };
  const play = () => {
    const begin = performance.now();
    const long = Math.min(3200, 350 + 260 * goal);
    button.textContent = "■ Stop";
    latest = stop;
    const step = (now) => {
      const part = Math.min(1, Math.max(0, (now - begin) / long)); // a frame can be older than the click
      move(Math.round(part * goal));
      if (part < 1 && slider.isConnected) playing = requestAnimationFrame(step); else stop();
    };
    playing = requestAnimationFrame(step);
  };
  const button = el("button", { type: "button", class: "small", onclick: () => (playing === null ? play() : stop()) }, "▶ Play");
  slider.addEventListener("input", () => { stop(); move(Number(slider.value)); });
  const begin = () => {
    move(0);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) move(goal); else play();
  };
  return { slider, begin, bar: el("div", { class: "slide" }, button, el("label", {}, label, slider)) };
}
