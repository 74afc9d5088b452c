// One call of the server, and one search as a stream of server-sent events. Whoever aborts the signal ends the search.

export async function post(path, data) {
  const answer = await fetch(path, request(data));
  if (!answer.ok) throw new Error(await explain(answer));
  return answer.json();
}

export async function* run(data, signal) {
  const answer = await fetch("api/run", { ...request(data), signal });
  if (!answer.ok) throw new Error(await explain(answer));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part.slice(part.indexOf("\ndata: ") + 7));
  }
}

function request(data) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
}

async function explain(answer) {
  if (answer.status === 422) return "the board is too long, or the request is not understood: give a smaller board";
  return `the server answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`;
}
