// Asking the server: answers are JSON, and a refusal is a sentence for whoever keeps the log.

export class Refused extends Error {
  constructor(words, status) {
    super(words);
    this.status = status;
  }
}

const PATIENCE = 12_000;

// What this device is called in the log, so that its lines are told from those of others; it is kept where that is possible.
let device = Math.random().toString(36).slice(2, 8);
try {
  device = localStorage.getItem("device") ?? device;
  localStorage.setItem("device", device);
} catch {
  // Without a memory it has another name next time.
}
export const LISTENING = 45_000;

export async function ask(path, query = {}, patience = PATIENCE) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      search.append(name, each);
    }
  }
  return answerTo(`api/${path}?${search}`, {}, patience);
}

export function tell(path, body, query = {}) {
  const search = new URLSearchParams(query);
  const headers = { "content-type": "application/json", device };
  return answerTo(`api/${path}?${search}`, { method: "POST", headers, body: JSON.stringify(body) }, PATIENCE);
}

// Status 0: nobody knows whether what was sent has arrived.
async function answerTo(address, how, patience) {
  let response;
  let text;
  try {
    response = await fetch(address, { ...how, cache: "no-store", signal: AbortSignal.timeout(patience) });
    text = await response.text();
  } catch {
    throw new Refused("The computer that keeps the log does not answer.", 0);
  }
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Refused(text || `The answer was ${response.status}.`, response.status);
  }
  if (!response.ok) {
    throw new Refused(found.error ?? `The answer was ${response.status}.`, response.status);
  }
  return found;
}
