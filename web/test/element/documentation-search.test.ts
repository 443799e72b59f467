/** The search of the documentation finds sections, and cuts an excerpt around what it found. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { textToCopy } from "../../src/documentation/copy-buttons.ts";
import { excerpt } from "../../src/documentation/excerpt.ts";
import { indexPages } from "../../src/documentation/page-index.ts";

const PAGES = [
  {
    address: "hosting.html",
    title: "Hosting",
    weight: 1,
    sections: [
      ["", "Hosting", "Static files."],
      ["headers", "Which headers", "A policy allows scripts; brotli_static serves siblings."],
      ["nginx", "nginx", "brotli_static on; and no more."],
    ],
  },
  {
    address: "changes.html",
    title: "Changes",
    weight: 0.1,
    sections: [["", "Changes", "Hosting, hosting and hosting again: brotli."]],
  },
] as const;

function addresses(words: string): [string, string[]][] {
  const found = indexPages(PAGES).find(words);
  return found.map(({ address, sections }) => [address, sections.map((each) => each.address)]);
}

test("A search lists pages by weight, each with its sections", () => {
  assert.deepEqual(addresses("hosting"), [
    ["hosting.html", ["hosting.html"]],
    ["changes.html", ["changes.html"]],
  ]);
  assert.deepEqual(addresses("brotli_static"), [
    ["hosting.html", ["hosting.html#nginx", "hosting.html#headers"]],
  ]);
});

test("A misspelled word, the begin of a word and one of several words are found", () => {
  assert.deepEqual(addresses("polisy"), [["hosting.html", ["hosting.html#headers"]]]);
  assert.deepEqual(addresses("poli"), [["hosting.html", ["hosting.html#headers"]]]);
  assert.deepEqual(addresses("policy xylophone"), [["hosting.html", ["hosting.html#headers"]]]);
  assert.deepEqual(addresses("xylophone"), []);
});

test("A short text is an excerpt as a whole, with its words apart", () => {
  assert.deepEqual(excerpt("Use a policy. Policies.", ["policy", "policies"]), [
    { text: "Use a ", isFound: false },
    { text: "policy", isFound: true },
    { text: ". ", isFound: false },
    { text: "Policies", isFound: true },
    { text: ".", isFound: false },
  ]);
  assert.deepEqual(excerpt("a (b)", ["("]), [
    { text: "a ", isFound: false },
    { text: "(", isFound: true },
    { text: "b)", isFound: false },
  ]);
});

test("A long text is cut at blanks around the first word", () => {
  const text = `${"before ".repeat(50)}needle ${"after ".repeat(100)}`.trim();
  const pieces = excerpt(text, ["needle"]);

  assert.equal(pieces[0]?.text, "…");
  assert.match(pieces[1]?.text ?? "", /^(before ){8,9}$/);
  assert.deepEqual(pieces[2], { text: "needle", isFound: true });
  assert.match(pieces[3]?.text ?? "", /^( after)+$/);
  assert.equal(pieces[4]?.text, "…");
});

test("A session is copied as its commands, and any other block as it is", () => {
  assert.equal(textToCopy("$ ls\na.txt\n$ pwd\n", true), "ls\npwd\n");
  assert.equal(textToCopy("$ ls\na.txt\n", false), "$ ls\na.txt\n");
});
