/** Finds the entry of a tree that no message can carry. */
import { isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";

/** Returns the error for a source: one that names the entry, if one could not be cloned. */
export function explainUnsent(error: unknown, source: unknown): unknown {
  const isUnsent = error instanceof TreeglassError && error.cause instanceof DOMException;
  return isUnsent ? (findUnsendable(source) ?? error) : error;
}

/** Returns an error that names the entry, or null if each one by itself can be sent. */
function findUnsendable(source: unknown): TreeglassError | null {
  const entries = isRecord(source) ? source.entries : null;
  if (isProxy(entries)) {
    return uncopied("entries");
  }
  const pending: [string, unknown][] = isRecord(entries) ? Object.entries(entries) : [];
  const seen = new Set<unknown>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [path, value] = next;
    if (typeof value === "function") {
      return new TreeglassError(
        "SourceUnknown",
        `entries[${JSON.stringify(path)}] is a function, which cannot be sent to the worker; call it, and pass the text or the bytes that it returns.`,
      );
    }
    if (isRecord(value) && !seen.has(value)) {
      seen.add(value);
      if (isProxy(value)) {
        return uncopied(`entries[${JSON.stringify(path)}]`);
      }
      pending.push([path, value.content], [path, value.file], [path, value.contents]);
      if (isRecord(value.directory)) {
        for (const [name, child] of Object.entries(value.directory)) {
          pending.push([`${path}/${name}`, child]);
        }
      }
    }
  }
  return null;
}

/** Tells whether a value cannot be copied although each of its members can. */
function isProxy(value: unknown): boolean {
  return isRecord(value) && !isCopied(value) && Object.values(value).every(isCopied);
}

function isCopied(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

function uncopied(what: string): TreeglassError {
  return new TreeglassError(
    "SourceUnknown",
    `${what} cannot be copied to the worker, as a proxy that Vue's ref() or Svelte's $state made; pass the plain value, by toRaw() or $state.snapshot().`,
  );
}
