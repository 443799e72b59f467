/** Words the failure of a model's turn in one sentence that says what to do next. */

/** The failure of a turn; the message is a sentence for the visitor. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
}

const MAX_DETAIL_CHARACTERS = 200;

/** Returns the sentence about an incomplete answer; `reason` is the provider's own word. */
export function wordCut(origin: string, reason: string): string {
  return `The answer is incomplete: ${origin} ended it early (${reason}). Tell it to go on, or ask for less.`;
}

/** Returns a provider's own words for a quotation: without secrets, short, on one line. */
export function quoteDetail(detail: string, secrets: readonly string[]): string {
  let shown = detail;
  for (const secret of secrets) {
    shown = secret === "" ? shown : shown.replaceAll(secret, "…");
  }
  // The sentence around it has its own full stop.
  shown = shown.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return shown.length > MAX_DETAIL_CHARACTERS
    ? `${Array.from(shown).slice(0, MAX_DETAIL_CHARACTERS).join("")}…`
    : shown;
}

/** The sentences about a failed request to an origin, by what the page has observed. */
export const WORDS = {
  /** An HTTP error status; `detail` is the provider's own sentence, or empty. */
  status: wordStatus,
  /** No byte within this time. */
  silent: (origin: string, silenceMs: number) =>
    `${origin} sent nothing for ${silenceMs / 1000} s, so the page stopped waiting. Ask again, or choose another model.`,
  /** The connection ended before the answer was complete. */
  dropped: (origin: string) =>
    `${origin} broke off in the middle of its answer. The part that arrived is above; ask again.`,
  /** An error event in the middle of the answer, with the provider's own sentence. */
  reported: (origin: string, detail: string) =>
    `${origin} broke off its answer: ${detail}. The fault is there, not in this page; ask again in a moment.`,
  /** The provider ended the answer early, and it is empty. */
  empty: (origin: string, reason: string) =>
    `${origin} gave an empty answer (${reason}). Ask in other words or for less, or choose another model.`,
  /** No answer; a browser does not tell a page why. */
  unreachable: (origin: string, advice: string) =>
    `${origin} gave no answer: the address is wrong, no server runs there, or the server refuses requests from pages (CORS). ${advice}`,
  /** The page's own policy blocked the request. */
  policy: (origin: string) =>
    `This page's Content-Security-Policy does not allow requests to ${origin}. The host of the page can add that origin to connect-src.`,
  /** An answer that does not follow the provider's protocol. */
  unusable: (origin: string, detail: string) =>
    `${origin} gave an unusable answer${quoted(detail)}. Check that this address speaks OpenAI's Chat Completions, then ask again.`,
};

function wordStatus(origin: string, status: number, detail: string): string {
  const said = `${status}${quoted(detail)}`;
  if (status === 401 && /\bCORS\b/.test(detail)) {
    return `${origin} lets no page use this key (401): the settings of its organization forbid it. Use a key of another account.`;
  }
  // Gemini answers 400 to a wrong key.
  if (status === 401 || (status === 400 && /\bAPI key\b/i.test(detail))) {
    // Without the provider's own words, since some repeat a part of the key.
    return `${origin} refused the key (${status}). Check that it is whole and is a key of this server, then ask again.`;
  }
  if (status === 403) {
    return `${origin} does not allow this (403): the key may lack the right to use the model. Check key and model, then ask again.`;
  }
  if (status === 404 || (status === 400 && /\bmodel\b/i.test(detail))) {
    return `${origin} has no such address or model (${said}). Check both; List models shows the names that it has.`;
  }
  if (status === 429) {
    return `${origin} limits requests, or your credit is used up (${said}). Wait a little, then ask again.`;
  }
  if (status >= 500) {
    return `${origin} failed (${said}). The fault is there, not in this page; ask again in a moment.`;
  }
  return `${origin} refused the request (${said}). Try another model or a new conversation.`;
}

function quoted(detail: string): string {
  return detail === "" ? "" : `: ${detail}`;
}
