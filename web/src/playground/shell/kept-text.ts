/** Texts that the browser keeps for this page, if it does not deny the page its storage. */

type Place = "localStorage" | "sessionStorage";

export function readKept(key: string, place: Place = "localStorage"): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}

/** Returns false if the text is not kept; what the visitor chose then holds until they leave. */
export function keepText(key: string, text: string | null, place: Place = "localStorage"): boolean {
  try {
    if (text === null) {
      globalThis[place].removeItem(key);
    } else {
      globalThis[place].setItem(key, text);
    }
    return true;
  } catch {
    return false;
  }
}
