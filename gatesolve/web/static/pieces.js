// What lines above the board say: the chess pieces in play and what they are worth, the values of a Kakuro.

import { $, el } from "./dom.js";
import { CHESS_NAMES } from "./looks.js";

const linesOf = () => $("text").value.split("\n");
const wordsOf = (name) => linesOf().find((line) => line.split(" ")[0] === name)?.split(/\s+/).slice(1).filter(Boolean) ?? [];

export function showPieces(family, isDrawn, onChange) {
  $("pieces").hidden = family !== "chess" && !(family === "kakuro" && isDrawn);
  if ($("pieces").hidden || $("pieces").contains(document.activeElement)) return;
  if (family === "kakuro") showValues(onChange); else showChess(onChange);
}

function showValues(onChange) {
  const known = wordsOf("values").join("").match(/\d+/g) ?? ["1", "9"];
  const fields = ["Least value", "Greatest value"].map((name, k) => el("input", { type: "text", inputmode: "numeric", maxlength: "2", value: known[k] ?? "", "aria-label": name }));
  for (const field of fields) field.addEventListener("input", () => {
    field.value = field.value.replace(/\D/g, "");
    const [low, high] = fields.map(({ value }) => value);
    if (!low || !high) return;
    put("values", low === "1" && high === "9" ? [] : [`${low}..${high}`]);
    onChange();
  });
  $("pieces").replaceChildren(el("legend", {}, "Values of white cells"), ...fields.map((field, k) => el("div", {}, el("label", {}, k ? "to" : "from"), field)));
}

function showChess(onChange) {
  const [inPlay, worth] = [wordsOf("pieces"), new Map(wordsOf("weights").map((word) => word.split("=")))];
  const own = inPlay.filter((piece) => !(piece in CHESS_NAMES)); // pieces that the text defines stay
  const rows = Object.entries(CHESS_NAMES).map(([piece, name]) => {
    const check = el("input", { type: "checkbox", checked: inPlay.includes(piece), "aria-label": `${name} in play` });
    const field = el("input", { type: "text", inputmode: "numeric", maxlength: "3", value: worth.get(piece) ?? "1", "aria-label": `worth of a ${name}` });
    for (const one of [check, field]) one.addEventListener("input", change);
    return { piece, check, field, row: el("div", {}, el("label", {}, check, ` ${name}`), field) };
  });
  function change() {
    const taken = rows.filter(({ check }) => check.checked);
    for (const { piece, field } of rows) { field.value = field.value.replace(/\D/g, ""); worth.set(piece, field.value || "1"); }
    const valued = [...taken.map(({ piece }) => piece), ...own].filter((piece) => (worth.get(piece) ?? "1") !== "1");
    put("pieces", [...taken.map(({ piece }) => piece), ...own]);
    put("weights", valued.map((piece) => `${piece}=${worth.get(piece)}`));
    onChange();
  }
  $("pieces").replaceChildren(el("legend", {}, "Pieces in play, and what each is worth"), ...rows.map(({ row }) => row));
}

// Write the line of a name anew; one of no words is left out.
function put(name, words) {
  const lines = linesOf();
  const at = lines.findIndex((line) => line.split(" ")[0] === name);
  const after = 1 + lines.findIndex((line) => line.split(" ")[0] === (name === "weights" ? "pieces" : "chess"));
  const written = words.length || name === "pieces" ? [[name, ...words].join(" ")] : [];
  lines.splice(at < 0 ? after : at, at < 0 ? 0 : 1, ...written);
  $("text").value = lines.join("\n");
}
