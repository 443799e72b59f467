/** Why a model's turn did not come, in one sentence that says what to do next. */

/** What was seen of a request that failed. */
export type WireFailure =
  /** An answer that is no success; `detail` is the provider's own sentence, or empty. */
  | { readonly kind: "status"; readonly status: number; readonly detail: string }
  /** No byte for so long. */
  | { readonly kind: "silent"; readonly silenceMs: number }
  /** The answer ended before it was whole. */
  | { readonly kind: "dropped" }
  /** The provider's own sentence, in the middle of its answer. */
  | { readonly kind: "reported"; readonly detail: string }
  /** An answer that ended before its model was done, with nothing in it. */
  | { readonly kind: "empty"; readonly reason: string }
  /** No answer at all: a browser does not tell a page why. */
  | { readonly kind: "unreachable" }
  /** The page's own policy kept the request in. */
  | { readonly kind: "policy" }
  /** A request to another host than the one that was chosen. */
  | { readonly kind: "elsewhere"; readonly origin: string }
  /** An answer, but none of the provider's protocol. */
  | { readonly kind: "unusable"; readonly detail: string };

/** A turn that did not come; the message is a sentence for the person. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
}

const MAX_DETAIL_CHARACTERS = 200;

/** Returns the failure of a request to an origin, worded. */
export function failureOf(origin: string, failure: WireFailure): ModelFailure {
  return new ModelFailure(word(origin, failure));
}

/** Says that an answer is not whole, for the reason that the provider gives in its own word. */
export function wordCut(origin: string, reason: string): string {
  return `The answer is not whole: ${origin} ended it early (${reason}). Tell it to go on, or ask for less.`;
}

/** Returns a provider's own words as a quotation that holds no secret and no second line. */
export function quoteDetail(detail: string, secrets: readonly string[]): string {
  let shown = detail;
  for (const secret of secrets) {
    shown = secret === "" ? shown : shown.replaceAll(secret, "…");
  }
  // The sentence around it brings its own full stop.
  shown = shown.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return shown.length > MAX_DETAIL_CHARACTERS
    ? `${Array.from(shown).slice(0, MAX_DETAIL_CHARACTERS).join("")}…`
    : shown;
}

function word(origin: string, failure: WireFailure): string {
  switch (failure.kind) {
    case "status":
      return wordStatus(origin, failure.status, failure.detail);
    case "silent":
      return `${origin} sent nothing for ${failure.silenceMs / 1000} s, so the page stopped waiting. Ask again, or choose another model.`;
    case "dropped":
      return `${origin} broke off in the middle of its answer. What had come stands above; ask again.`;
    case "reported":
      return `${origin} broke off its answer: ${failure.detail}. The fault is there and not here; ask again in a moment.`;
    case "empty":
      return `${origin} ended its answer before it said anything (${failure.reason}). Ask in other words or for less, or choose another model.`;
    case "unreachable":
      return `${origin} gave no answer: the address is wrong, nothing runs there, or it does not let pages ask it (CORS). Check the endpoint; a local server has a setting for the origins that it allows.`;
    case "policy":
      return `This page's Content-Security-Policy does not let it ask ${origin}. Whoever hosts the page can add that origin to connect-src.`;
    case "elsewhere":
      return `The page does not send a key anywhere but to the chosen endpoint, and ${failure.origin} is not ${origin}. Check the endpoint.`;
    case "unusable":
      return `${origin} gave an answer that cannot be used${quoted(failure.detail)}. Check that the endpoint speaks the chosen protocol, then ask again.`;
  }
}

function wordStatus(origin: string, status: number, detail: string): string {
  const said = `${status}${quoted(detail)}`;
  if (status === 401) {
    // Some providers repeat a part of the key in their own words.
    return `${origin} refused the key (401). Check the key, then ask again.`;
  }
  if (status === 403) {
    return `${origin} does not allow this (403): the key may lack the right to use the model. Check key and model, then ask again.`;
  }
  if (status === 404) {
    return `${origin} has no such address or model (${said}). Check the endpoint and the model's name.`;
  }
  if (status === 429) {
    return `${origin} wants fewer requests, or there is no credit left (${said}). Wait a little, then ask again.`;
  }
  if (status >= 500) {
    return `${origin} failed (${said}). The fault is there and not here; ask again in a moment.`;
  }
  return `${origin} refused the request (${said}). Another model may take it, or a conversation begun anew.`;
}

function quoted(detail: string): string {
  return detail === "" ? "" : `: ${detail}`;
}
