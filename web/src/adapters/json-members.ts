/**
 * The members of a JSON object, each as it was written.
 *
 * Of a parsed object nothing tells `1` from `1.0`, or that a key stood there twice; tools do, and
 * word it.
 */

/** How deep a JSON text may be nested, so that every engine can parse it and write it again. */
export const MAX_JSON_DEPTH = 1000;

/** Tells whether a text has more brackets open at a time than any engine may be given. */
export function isNestedTooDeeply(text: string): boolean {
  if ((text.match(/[{[]/g)?.length ?? 0) <= MAX_JSON_DEPTH) {
    return false;
  }
  let depth = 0;
  for (const { mark } of marksOf(text)) {
    depth += DEPTH_CHANGE[mark] ?? 0;
    if (depth > MAX_JSON_DEPTH) {
      return true;
    }
  }
  return false;
}

/**
 * Returns the JSON text of every member of an object, by its key, in order, repeated ones too.
 *
 * @param text valid JSON, whose outermost value is an object.
 */
export function membersOf(text: string): readonly (readonly [key: string, json: string])[] {
  const members: [string, string][] = [];
  let depth = 0;
  let startsAt = 0;
  let keyJson = "";
  for (const { mark, at } of marksOf(text)) {
    const endsMember = depth === 1 && (mark === "," || mark === "}");
    if (endsMember && keyJson !== "") {
      members.push([String(JSON.parse(keyJson)), text.slice(startsAt, at).trim()]);
      keyJson = "";
    }
    if (depth === 1 && mark === ":") {
      keyJson = text.slice(startsAt, at);
    }
    depth += DEPTH_CHANGE[mark] ?? 0;
    if (depth === 1 && (mark === "{" || mark === "," || mark === ":")) {
      startsAt = at + 1;
    }
  }
  return members;
}

const DEPTH_CHANGE: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };

/** Yields every bracket, comma and colon that stands outside of strings. */
function* marksOf(text: string): Generator<{ readonly mark: string; readonly at: number }> {
  const pattern = /["{}[\],:]/g;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [mark] = found;
    if (mark === '"') {
      pattern.lastIndex = endOfString(text, found.index);
    } else {
      yield { mark, at: found.index };
    }
  }
}

/** Returns where the text goes on after the string that starts at a quotation mark. */
function endOfString(text: string, start: number): number {
  const pattern = /["\\]/g;
  pattern.lastIndex = start + 1;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found[0] === '"') {
      return pattern.lastIndex;
    }
    // What follows a backslash is no end, whatever it is.
    pattern.lastIndex += 1;
  }
  return text.length;
}
