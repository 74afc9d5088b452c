// Elements from plain values. A text is always a text node: nothing that a board brings becomes markup.

export const $ = (id) => document.getElementById(id);

export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value !== "string") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((one) => one !== null && one !== undefined));
  return made;
}

export function svg(tag, props = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export const quiet = (text) => el("p", { class: "quiet" }, text);

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function showSvg(holder, text, alt, fresh) {
  const image = el("img", { alt, class: fresh ? "new" : "" });
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  image.addEventListener("load", () => URL.revokeObjectURL(address));
  image.src = address;
  // The solved board fills in over the empty one, once: its class goes first, as what is put in again is animated again.
  if (fresh) image.addEventListener("animationend", () => { image.className = ""; holder.replaceChildren(image); });
  if (fresh && !isStill()) holder.append(image); else holder.replaceChildren(image);
}

// Brings what came off screen into view, and says whether it had to; what can be seen stays where it is, unless `isUnderWay`.
export function reveal(one, isUnderWay = false) {
  const { top } = one.getBoundingClientRect();
  const isOff = isUnderWay || top < -16 || top >= innerHeight - 200;
  if (isOff) one.scrollIntoView({ behavior: isStill() ? "auto" : "smooth" });
  return isOff;
}

export const plural = (number, noun) => `${number} ${noun}${Number(number) === 1 ? "" : "s"}`;

export function grouped(number) {
  const text = String(number);
  return text.length > 12 ? Number(text).toExponential(2).replace("e+", "e") : text.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// A sentence of the server with numbers and words as the page writes its own.
export const reword = (text) => text.replaceAll("codeword", "state").replace(/(?<![\w^.])\d{4,}(?!\w|\.\w)/g, grouped).replace(/\^(\d+)\.0(?!\d)/g, "^$1");

// Rounded down: a probability below one never reads as certainty.
export const percent = (p) => `${(Math.floor(p * 1e4 + 1e-9) / 100).toFixed(2)} %`;
