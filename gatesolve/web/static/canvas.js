// A canvas that is sharp on every screen, redrawn when it changes its size or the page its colours.

import { el } from "./dom.js";

const drawings = new WeakMap();

// The function that draws a chart.
export const drawingOf = (canvas) => drawings.get(canvas);

export function chart(height, label, draw) {
  const canvas = el("canvas", { role: "img", "aria-label": label });
  canvas.style.height = `${height}px`;
  const redraw = () => {
    const width = canvas.clientWidth;
    if (!width) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(canvas);
    pen.font = `12px ${style.fontFamily}`;
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    draw(pen, width, height, colour);
  };
  drawings.set(canvas, draw);
  new ResizeObserver(redraw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  return { canvas, redraw };
}

export function line(pen, colour, width, points) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}

export function write(pen, colour, text, x, y, align = "left") {
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.fillText(text, x, y);
}
