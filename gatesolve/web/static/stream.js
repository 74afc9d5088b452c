// Calls of the server, and one search as a stream of server-sent events. Whoever aborts the signal ends the search.

const GONE = "The server does not answer. Start gatesolve web again and open the address that it prints. Copy link takes this board along.";
const RESTARTED = "This page is of an earlier gatesolve web: open the address that the new one printed. Copy link takes this board along.";
const BROKEN = "The answer broke off before its end: run it again.";

export const get = async (path) => trusted((await send(path)).json());

export const post = async (path, data) => trusted((await send(path, { data })).json());

export async function* run(data, signal) {
  const answer = await send("api/run", { data, signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let isEnded = false;
  for (;;) {
    const { value, done } = await trusted(reader.read(), signal);
    if (done && isEnded) return;
    if (done) throw new Error(BROKEN);
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const event = JSON.parse(part.slice(part.indexOf("\ndata: ") + 7));
      isEnded ||= event.event === "end" || event.event === "error";
      yield event;
    }
  }
}

async function send(path, { data, signal } = {}) {
  const body = data && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
  const answer = await trusted(fetch(path, { ...body, signal }), signal);
  if (answer.status === 404) throw new Error(RESTARTED); // the secret of the address is another one now
  if (!answer.ok) throw new Error((await trusted(answer.text(), signal)).slice(0, 300));
  return answer;
}

// What a browser says of a connection that fails names neither the server nor what to do.
async function trusted(promise, signal) {
  try {
    return await promise;
  } catch (error) {
    throw signal?.aborted ? error : new Error(GONE);
  }
}
