// A pen that writes a chart as SVG: it has those calls of a canvas that the charts use.

import { svg } from "./dom.js";

const round = (value) => Number(value.toFixed(2));

// `draw` is called as for a canvas: with the pen, the size, and a function from a name to a colour.
export function penSvg(draw, width, height, colour, font) {
  const made = svg("g", { "font-family": font, "font-size": 12 });
  let path = "";
  let dash = "";
  const add = (tag, props, ...children) => made.append(svg(tag, props, ...children));
  const point = (x, y) => `${round(x)} ${round(y)}`;
  const fade = () => (pen.globalAlpha < 1 ? { opacity: round(pen.globalAlpha) } : {});
  const pen = {
    fillStyle: "", strokeStyle: "", lineWidth: 1, textAlign: "left", globalAlpha: 1,
    beginPath() { path = ""; },
    moveTo(x, y) { path += `M${point(x, y)}`; },
    lineTo(x, y) { path += `${path ? "L" : "M"}${point(x, y)}`; },
    arc(x, y, radius, from, to, isBack = false) {
      const at = (angle) => point(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
      const full = Math.abs(to - from) >= 2 * Math.PI;
      const stops = full ? [from, from + Math.PI, from + 2 * Math.PI] : [from, (from + to) / 2, to];
      path += `${path ? "L" : "M"}${at(stops[0])}`;
      for (const stop of stops.slice(1)) path += `A${round(radius)} ${round(radius)} 0 0 ${isBack ? 0 : 1} ${at(stop)}`;
    },
    stroke() { add("path", { d: path, fill: "none", stroke: pen.strokeStyle, "stroke-width": pen.lineWidth, ...(dash ? { "stroke-dasharray": dash } : {}), ...fade() }); },
    fill() { add("path", { d: path, fill: pen.fillStyle, ...fade() }); },
    fillRect(x, y, wide, tall) { add("rect", { x: round(x), y: round(y), width: round(wide), height: round(tall), fill: pen.fillStyle, ...fade() }); },
    fillText(text, x, y) { add("text", { x: round(x), y: round(y), fill: pen.fillStyle, "text-anchor": { left: "start", center: "middle", right: "end" }[pen.textAlign] }, text); },
    setLineDash(list) { dash = list.join(" "); },
  };
  draw(pen, width, height, colour);
  return made;
}
