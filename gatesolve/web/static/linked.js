// The page without the secret: it shows the board of a link, drawn by the server, and does nothing else.

import { $, showSvg } from "./dom.js";
import { hasLink, unpackLink } from "./link.js";

async function show() {
  for (const id of ["picture", "text", "broken"]) $(id).replaceChildren();
  $("title").textContent = "gatesolve";
  if (!hasLink(location.hash)) return;
  try {
    const { family, text } = await unpackLink(location.hash);
    $("text").textContent = text;
    const answer = await fetch("/board", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ family, text }) });
    if (!answer.ok) throw new Error(await answer.text());
    const { title, svg, fault } = await answer.json();
    if (fault) throw new Error(fault.message);
    $("title").textContent = title;
    showSvg($("picture"), svg, "The board; its text is below", false);
  } catch (error) { $("broken").textContent = error.message; }
}

addEventListener("hashchange", show);
show();
