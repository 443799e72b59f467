/** Chooses the tree of a demo, and a key that is equal for equal trees. */
import type { TreeSource } from "../../index.ts";
import { parseJsonObject } from "../../ui/json.ts";
import { Problem, type ReadAttribute } from "../attributes.ts";

export interface TreeChoice {
  readonly source: TreeSource;
  /** Equal for all demos of the page that name the same tree. */
  readonly key: string;
}

const sourceNumbers = new WeakMap<object, number>();
let lastSourceNumber = 0;

/**
 * Returns the tree that a demo names, or what is wrong with it.
 *
 * Takes the first of: the property `source`, the attributes `source`, `src`, `npm` and `github`,
 * and the entries inside the element.
 */
export function chooseTree(
  source: TreeSource | null,
  read: ReadAttribute,
  inlineEntries: string | null,
): TreeChoice | Problem {
  if (source !== null) {
    // A script without types may set any value.
    if (typeof source !== "object") {
      return new Problem(
        `The property source is a ${typeof source}; set it to a tree that the client mounts, such as {entries: {"a.txt": "text"}}, or name an address by the attribute src.`,
      );
    }
    return { source, key: `source ${numberOf(source)}` };
  }
  return chooseByAttribute(read) ?? chooseInline(inlineEntries);
}

function chooseByAttribute(read: ReadAttribute): TreeChoice | Problem | null {
  const text = textOf(read("source"));
  if (text !== null) {
    return chooseSpelled(text);
  }
  const src = textOf(read("src"));
  if (src !== null) {
    const integrity = textOf(read("integrity"));
    const named = integrity === null ? { url: src } : { url: src, integrity };
    return { source: named, key: JSON.stringify(named) };
  }
  const npm = textOf(read("npm"));
  if (npm !== null) {
    return { source: { npm }, key: JSON.stringify({ npm }) };
  }
  const github = textOf(read("github"));
  return github === null ? null : { source: { github }, key: JSON.stringify({ github }) };
}

function chooseSpelled(text: string): TreeChoice | Problem {
  const spelled = parseJsonObject(text);
  if (spelled === null) {
    return new Problem(
      'The attribute source is not a JSON object; write a tree that the client mounts, such as {"entries": {"a.txt": "text"}}, or name an address by the attribute src.',
    );
  }
  // The client checks the rest, and refuses it with a sentence.
  return { source: spelled as unknown as TreeSource, key: JSON.stringify(spelled) };
}

function chooseInline(text: string | null): TreeChoice | Problem {
  if (text === null) {
    return new Problem(
      'This demo names no tree; give it one of the attributes source, src, npm and github, or entries in a <script type="application/json"> inside it. If a server renders the page, the object that you passed as source is lost: pass JSON.stringify(source) and JSON.stringify(arguments) instead.',
    );
  }
  const entries = parseJsonObject(text);
  if (entries === null) {
    return new Problem(
      'The entries inside this demo are not a JSON object; write paths and contents, such as {"src/a.py": "text"}.',
    );
  }
  // The client checks the values, and refuses a wrong one with a sentence.
  const source = { entries } as TreeSource;
  return { source, key: `entries ${text}` };
}

function textOf(attribute: string | null): string | null {
  return attribute === null || attribute.trim() === "" ? null : attribute.trim();
}

function numberOf(source: object): number {
  const known = sourceNumbers.get(source);
  if (known !== undefined) {
    return known;
  }
  lastSourceNumber += 1;
  sourceNumbers.set(source, lastSourceNumber);
  return lastSourceNumber;
}
