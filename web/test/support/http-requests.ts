import assert from "node:assert/strict";

export const ENTRIES = { "README.md": "# Sample\n", "src/main.py": "def main():\n    return 0\n" };

export const SERVER = "http://127.0.0.1:8080";

export const JSON_HEADERS = { "content-type": "application/json" };

type Asked = RequestInit & { readonly duplex?: "half" };

export function posted(body: BodyInit, headers: HeadersInit = JSON_HEADERS): Request {
  const asked: Asked = { method: "POST", headers, body, duplex: "half" };
  return new Request(`${SERVER}/tools/call`, asked);
}

export const calling = (call: unknown): Request => posted(JSON.stringify(call));

/** Returns all of a response that its receiver can tell from another one. */
export async function whole(response: Response) {
  const text = await response.text();
  const body: unknown = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

export const REPLY_HEADERS = {
  "cache-control": "no-store",
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
};

export const refused = (status: number, kind: string, message: string, headers = {}) => ({
  status,
  headers: { ...REPLY_HEADERS, ...headers },
  body: { error: { kind, message } },
});

/** A tool's answer as it is sent, with the time that it took as 0. */
export async function answerOf(response: Response) {
  const { status, headers, body } = await whole(response);
  assert.deepEqual([status, headers], [200, REPLY_HEADERS]);
  assert.ok(typeof body === "object" && body !== null && "elapsedMs" in body);
  return { ...body, elapsedMs: 0 };
}
