/** What a person has asked the page to remember on this device, and nothing else. */

import { isRecord } from "../../lib/checks.ts";
import type { ProviderName } from "./providers.ts";

const STORAGE_KEY = "treeglass-agent";

/** A key with the endpoint that it belongs to. */
export interface RememberedEndpoint {
  readonly address: string;
  readonly model: string;
  readonly key: string;
}

/** Returns what is remembered of a provider; null where there is nothing. */
export function recallEndpoint(provider: ProviderName): RememberedEndpoint | null {
  const remembered = readAll()[provider];
  if (!isRecord(remembered)) {
    return null;
  }
  const { address, model, key } = remembered;
  const isWhole = typeof address === "string" && typeof model === "string";
  return isWhole && typeof key === "string" ? { address, model, key } : null;
}

/** Tells whether the browser keeps it. */
export function rememberEndpoint(provider: ProviderName, endpoint: RememberedEndpoint): boolean {
  return writeAll({ ...readAll(), [provider]: endpoint });
}

export function forgetEndpoint(provider: ProviderName): void {
  const { [provider]: _, ...others } = readAll();
  writeAll(others);
}

function readAll(): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
    return isRecord(value) ? value : {};
  } catch {
    // A browser that keeps nothing for this page, or what somebody else has put there.
    return {};
  }
}

function writeAll(remembered: Readonly<Record<string, unknown>>): boolean {
  try {
    if (Object.keys(remembered).length === 0) {
      localStorage.removeItem(STORAGE_KEY);
    } else {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(remembered));
    }
    return true;
  } catch {
    return false;
  }
}
