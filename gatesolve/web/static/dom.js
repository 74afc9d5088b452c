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

const shown = new WeakMap();

export const shownSvg = (holder) => shown.get(holder);

// Put a picture in place of another. Of a `fresh` one the promise lasts until all of it is seen, or it was replaced.
export async function showSvg(holder, text, alt, fresh) {
  shown.set(holder, text);
  const image = el("img", { alt, class: fresh ? "new" : "" });
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  image.addEventListener("load", () => URL.revokeObjectURL(address));
  image.src = address;
  const before = holder.firstChild;
  if (fresh) await soon(image.decode());
  if (fresh && holder.firstChild !== before) return;
  if (fresh && !isStill() && !document.hidden) {
    holder.append(image);
    await soon(Promise.all(image.getAnimations().map((one) => one.finished)));
    if (!image.isConnected) return;
    image.className = ""; // what is put in again is animated again
  }
  holder.replaceChildren(image);
}

// A promise that never fails and takes 2 s at most: nothing moves in a tab that is hidden meanwhile.
const soon = (promise) => Promise.race([promise.catch(() => {}), new Promise((done) => { setTimeout(done, 2000); })]);

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
