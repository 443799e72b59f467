/** A call as the fragment of the page's address, so that a view can be kept and shared. */

import type { CallDraft } from "./call-draft.ts";

/** How long the address waits for the typing to pause: browsers refuse frequent changes. */
const WRITE_DELAY_MS = 300;

/** Returns the fragment that describes a draft; the inverse of `readHash`. */
export function renderHash(draft: CallDraft): string {
  const parameters = new URLSearchParams({
    tool: draft.toolName,
    arguments: compact(draft.argumentsText),
  });
  if (draft.maxOutputBytes !== null) {
    parameters.set("max_output_bytes", String(draft.maxOutputBytes));
  }
  return `#${parameters}`;
}

/** Fills the draft from a fragment, and tells whether the fragment described a call. */
export function readHash(hash: string, draft: CallDraft): boolean {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const toolName = parameters.get("tool");
  if (toolName === null) {
    return false;
  }
  const budget = parameters.get("max_output_bytes") ?? "";
  const maxOutputBytes = /^\d{1,15}$/.test(budget) ? Number(budget) : null;
  const values = parameters.get("arguments") ?? "{}";
  draft.replace(toolName, spread(values), maxOutputBytes);
  return true;
}

/** Keeps the address in step with the draft, without filling the browser's history. */
export function writeHashOnChange(draft: CallDraft): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  draft.onChange(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      history.replaceState(history.state, "", renderHash(draft));
    }, WRITE_DELAY_MS);
  });
}

/** What is not JSON travels as it is: it may be wrong on purpose. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function spread(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
