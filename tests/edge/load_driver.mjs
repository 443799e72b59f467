// Sends calls to a server on the loopback address, and compares every answer whole:
//     node load_driver.mjs
// Its first line of input is {origin, pid, requests, count, concurrency, repeats}; a request is
// {method, path, headers, body, status, answer}. Writes a line of JSON after each 1,000 answers,
// with the resident size of the process, and a last one with all that was wrong. Where `repeats`, a
// request whose connection breaks is sent once more when a second line says where the server is now,
// as {origin}: another program may have taken its old port.
import { readFileSync } from "node:fs";
import { exit, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

const GIVES_UP_AFTER_MS = 840_000;
const PATIENCE_MS = 120_000;
const SAMPLED_EACH = 1000;

const lines = createInterface({ input: stdin })[Symbol.asyncIterator]();
const { pid, requests, count, concurrency, repeats, ...first } = await told();
let { origin } = first;
setTimeout(() => exit(3), GIVES_UP_AFTER_MS).unref();

const wrong = [];
let next = 0;
let answered = 0;
let broken = 0;
let isBack = null;
await Promise.all(Array.from({ length: concurrency }, sendInTurn));
write({ answered, broken, wrong: wrong.slice(0, 5), wrongCount: wrong.length });
// Its input may stay open.
stdin.destroy();

async function sendInTurn() {
  while (next < count) {
    const request = requests[next % requests.length];
    next += 1;
    const { status, answer } = await send(request).catch(async (error) => {
      if (!repeats) {
        throw error;
      }
      broken += 1;
      isBack ??= told().then((server) => {
        origin = server.origin;
      });
      await isBack;
      return send(request);
    });
    const expected = { status: request.status, answer: request.answer };
    if (!isDeepStrictEqual({ status, answer }, expected)) {
      wrong.push({ request, status, answer });
    }
    answered += 1;
    if (answered % SAMPLED_EACH === 0) {
      write({ answered, residentBytes: residentBytes() });
    }
  }
}

async function send({ method, path, headers, body }) {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(`${origin}${path}`, { method, headers, body, signal });
  const said = await response.text();
  // An MCP server of the older revision answers by a stream of one event.
  const json = said.replace(/^event: message\ndata: /, "");
  return { status: response.status, answer: json === "" ? null : timeless(JSON.parse(json)) };
}

/** Returns an answer without durations, which differ from run to run. */
function timeless(value, key = "") {
  if (typeof value === "number" && (key === "elapsedMs" || key === "time_ms")) {
    return 0;
  }
  if (typeof value === "string") {
    return value.replaceAll(/("time_ms": ?)\d+/g, "$10");
  }
  if (Array.isArray(value)) {
    return value.map((member) => timeless(member));
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([name, member]) => [name, timeless(member, name)]));
  }
  return value;
}

async function told() {
  return JSON.parse((await lines.next()).value);
}

function residentBytes() {
  if (pid === null) {
    return null;
  }
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf-8"));
  return Number(kibibytes) * 1024;
}

function write(line) {
  stdout.write(`${JSON.stringify(line)}\n`);
}
