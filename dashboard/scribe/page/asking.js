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

// At a service of many tables the token stands behind # in the address, where no server and no log of one sees it.
const token = decodeURIComponent(location.hash.slice(1));
const headers = { device, ...(token && { authorization: `Bearer ${token}` }) };

// In which language the server puts what has happened into words.
export function speak(language) {
  headers["accept-language"] = language;
}

export async function ask(path, query = {}, patience = PATIENCE) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      search.append(name, each);
    }
  }
  return answerTo(`v1/${path}?${search}`, { headers }, patience);
}

// `behind` is the number of the last line that is known; with a `key` the same may be sent again, and is written once.
export function tell(path, body, query = {}, { behind, key = newKey() } = {}) {
  const search = new URLSearchParams(query);
  const about = { ...headers, "content-type": "application/json", "idempotency-key": key };
  if (behind !== undefined) {
    about["if-match"] = `"${behind}"`;
  }
  return answerTo(`v1/${path}?${search}`, { method: "POST", headers: about, body: JSON.stringify(body) }, PATIENCE);
}

// Also where the page is not served over TLS, so that crypto.randomUUID is not there.
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) => each.toString(16).padStart(2, "0")).join("");
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
    if (response.status === 401 && !token) {
      throw new Refused("Put the token behind # in the address, and open it anew.", response.status);
    }
    const words = [found.error, found.suggestion].filter(Boolean).join("; ");
    throw new Refused(words || `The answer was ${response.status}.`, response.status);
  }
  return found;
}
