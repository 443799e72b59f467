/** An archive as the text of a link: its name, and its bytes in base64 for addresses. */

import { fromBase64, toBase64 } from "../../lib/base64.ts";

export function spellArchive(name: string, bytes: Uint8Array): string {
  const spelled = toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${encodeURIComponent(name)}:${spelled}`;
}

export function isArchiveText(spelled: string): boolean {
  try {
    return /^[^:]+:[\w-]+$/.test(spelled) && readArchive(spelled).size > 0;
  } catch {
    return false;
  }
}

/** Returns the archive; the inverse of `spellArchive`. */
export function readArchive(spelled: string): File {
  const [name = "", base64 = ""] = spelled.split(":");
  const bytes = fromBase64(base64.replaceAll("-", "+").replaceAll("_", "/"));
  return new File([bytes], decodeURIComponent(name));
}
