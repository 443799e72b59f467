/** Texts that the browser keeps for this page, if it does not deny the page its storage. */

type Place = "localStorage" | "sessionStorage";

export function readKept(key: string, place: Place = "localStorage"): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}

export function keepText(key: string, text: string | null, place: Place = "localStorage"): void {
  try {
    if (text === null) {
      globalThis[place].removeItem(key);
    } else {
      globalThis[place].setItem(key, text);
    }
  } catch {
    // What the visitor chose holds until the page is closed.
  }
}
