/** Records before a tar entry's header, for values that do not fit into it. */
import { decodeUtf8 } from "../../names.ts";
import { isSize } from "./tar-header.ts";

export interface TarText {
  readonly text: string;
  readonly isUtf8: boolean;
}

/** Values that replace fields of the header. */
export interface TarOverrides {
  path?: TarText;
  target?: TarText;
  sizeBytes?: number;
  modifiedMs?: number;
  isSparse?: boolean;
}

type Key = keyof TarOverrides;

const KEYS: Readonly<Record<string, Key>> = {
  path: "path",
  linkpath: "target",
  size: "sizeBytes",
  mtime: "modifiedMs",
};

const EQUALS = 0x3d;
const LINE_FEED = 0x0a;
/** More digits than the length of any accepted record has. */
const MAX_LENGTH_DIGITS = 10;

export function parseLongName(body: Uint8Array): TarText {
  const nulAt = body.indexOf(0);
  return decodeUtf8(nulAt === -1 ? body : body.subarray(0, nulAt));
}

/**
 * Applies the records of a pax header; returns whether they are valid.
 *
 * A record without a value removes an earlier one.
 */
export function applyPaxRecords(body: Uint8Array, overrides: TarOverrides): boolean {
  let at = 0;
  while (at < body.byteLength) {
    const end = recordEnd(body, at);
    if (end === null) {
      return false;
    }
    const space = body.indexOf(0x20, at);
    const equals = body.indexOf(EQUALS, space);
    if (equals === -1 || equals >= end || body[end - 1] !== LINE_FEED) {
      return false;
    }
    const key = decodeUtf8(body.subarray(space + 1, equals)).text;
    if (!applyRecord(key, body.subarray(equals + 1, end - 1), overrides)) {
      return false;
    }
    at = end;
  }
  return true;
}

/** Returns the end of a record, which starts with its own length; null if the length is wrong. */
function recordEnd(body: Uint8Array, start: number): number | null {
  let length = 0;
  for (let at = start; at < start + MAX_LENGTH_DIGITS; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === 0x20) {
      const end = start + length;
      return end > at && end <= body.byteLength ? end : null;
    }
    if (byte < 0x30 || byte > 0x39) {
      return null;
    }
    length = length * 10 + byte - 0x30;
  }
  return null;
}

function applyRecord(key: string, value: Uint8Array, overrides: TarOverrides): boolean {
  if (key === "GNU.sparse.name") {
    overrides.path = decodeUtf8(value);
  }
  if (key.startsWith("GNU.sparse.")) {
    overrides.isSparse = true;
  }
  const field = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (field === undefined) {
    return true;
  }
  if (value.byteLength === 0) {
    delete overrides[field];
    return true;
  }
  const text = decodeUtf8(value);
  switch (field) {
    case "sizeBytes": {
      const sizeBytes = /^\d+$/.test(text.text) ? Number(text.text) : null;
      if (!isSize(sizeBytes)) {
        return false;
      }
      overrides.sizeBytes = sizeBytes;
      return true;
    }
    case "modifiedMs": {
      const modifiedMs = parseTimeMs(text.text);
      if (modifiedMs !== null) {
        overrides.modifiedMs = modifiedMs;
      }
      return true;
    }
    case "path":
      // For a sparse file, `GNU.sparse.name` has the name; here is the name of its parts.
      if (overrides.isSparse !== true) {
        overrides.path = text;
      }
      return true;
    case "target":
      overrides.target = text;
      return true;
    case "isSparse":
      return true;
  }
}

/** Parses seconds with a fraction digit by digit: as a float, some results are 1 ms less. */
function parseTimeMs(text: string): number | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d*))?$/.exec(text);
  if (match === null) {
    return null;
  }
  const [, sign, seconds, fraction = ""] = match;
  const ms = Number(seconds) * 1000 + Number(`${fraction}000`.slice(0, 3));
  return sign === "-" ? -ms : ms;
}
