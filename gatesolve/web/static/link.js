// A whole board in the fragment of an address: "#board=", how it is packed, and the packed family, text and options.

import { el } from "./dom.js";

const LINK = /#board=(?:([zj])\.([\w-]+))?/;
const MOST = 1 << 19; // bytes of an unpacked board
const BROKEN = "This link is broken: copy the whole link again.";
const UNKNOWN = "This link was made by another version of gatesolve: its family or one of its options is unknown here.";

export const hasLink = (text) => LINK.test(text);

const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

// A few bytes can be unpacked into so many that the page would stand still.
async function pass(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  for (let length = 0; length <= MOST;) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    length += value.length;
  }
  throw new Error(BROKEN);
}

// The address has no secret: on every computer the page has another one.
export async function writeLink({ family, text, options }) {
  const bytes = new TextEncoder().encode(JSON.stringify([family, text, options]));
  const isPlain = typeof CompressionStream === "undefined";
  const packed = isPlain ? bytes : await pass(bytes, new CompressionStream("deflate"));
  return `${location.origin}/#board=${isPlain ? "j" : "z"}.${toText(packed)}`;
}

// Returns the board of a link, wherever it stands in a text.
export async function unpackLink(link) {
  const [, way, packed] = LINK.exec(link);
  let found;
  try {
    const bytes = toBytes(packed);
    found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(way === "j" ? bytes : await pass(bytes, new DecompressionStream("deflate"))));
  } catch {
    throw new Error(BROKEN);
  }
  const [family, text, options] = Array.isArray(found) ? found : [];
  if (typeof family !== "string" || typeof text !== "string" || typeof options !== "object" || options === null) throw new Error(BROKEN);
  return { family, text, options };
}

// Returns the board of a link if its family and its options are known here.
export async function readLink(link, { families, options: offered }) {
  const { family, text, options } = await unpackLink(link);
  const isKnown = ([name, value]) => offered.some((one) => one.name === name && one.values.some((other) => other.value === value));
  if (!families.some(({ name }) => name === family) || !Object.entries(options).every(isKnown)) throw new Error(UNKNOWN);
  return { family, text, options };
}

// Copy the link of a board; a browser that forbids it shows the link.
export async function copyLink(board, holder) {
  const link = await writeLink(board);
  try {
    await navigator.clipboard.writeText(link);
    holder.textContent = "Link copied. While gatesolve web runs, it shows the board in every browser of this machine. Elsewhere, paste it on a page of gatesolve web, or run gatesolve web LINK.";
  } catch {
    const field = el("input", { type: "text", readonly: "", "aria-label": "Link of this board" });
    field.value = link;
    holder.replaceChildren("Copy this link: ", field);
    field.select();
  }
}
