/** Endpoints and keys that the visitor asked the page to remember on this device. */

import { isRecord } from "../../lib/checks.ts";
import type { ProviderName } from "./providers.ts";

const STORAGE_KEY = "treeglass-agent";

/** A key with its endpoint. */
export interface RememberedEndpoint {
  readonly address: string;
  readonly model: string;
  readonly key: string;
}

/** Returns the remembered endpoint of a provider, or null. */
export function recallEndpoint(provider: ProviderName): RememberedEndpoint | null {
  const remembered = readAll()[provider];
  if (!isRecord(remembered)) {
    return null;
  }
  const { address, model, key } = remembered;
  const isWhole = typeof address === "string" && typeof model === "string";
  return isWhole && typeof key === "string" ? { address, model, key } : null;
}

/** Stores an endpoint; returns whether the browser kept it. */
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
    // The browser stores nothing for this page, or another page stored invalid text here.
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
