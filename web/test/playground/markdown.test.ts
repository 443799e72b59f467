import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Lexer } from "marked";
import type { ComponentChildren } from "preact";
import { isValidElement } from "preact";
import { PageState } from "../../src/playground/state/page-state.ts";
import { languageOf } from "../../src/playground/text/languages.ts";
import { renderTokens } from "../../src/playground/text/markdown.tsx";
import {
  isFileThere,
  readNamedFile,
  webAddress,
} from "../../src/playground/text/markdown-links.ts";
import { countSuspicious, splitSuspicious } from "../../src/playground/text/marked-text.tsx";
import { startRealClient } from "../support/real-client.ts";

/** Nothing here asks the page, since no component is drawn. */
const PAGE = new PageState({
  connect: () => new Promise(() => undefined),
  fetchFile: () => new Promise(() => undefined),
});

/** Writes nodes as text: elements by their tags, components by their names and props. */
function write(node: ComponentChildren): string {
  if (Array.isArray(node)) {
    return node.map(write).join("");
  }
  if (!isValidElement(node)) {
    return node === null || node === undefined || typeof node === "boolean" ? "" : String(node);
  }
  const { type } = node;
  const given: Readonly<Record<string, unknown>> = { ...node.props };
  const { children, words, page: _, ...others } = given;
  const attributes = Object.entries(others).map(([name, value]) => ` ${name}=${value}`);
  const tag = typeof type === "string" ? type : `${type.name}`;
  const inside = write((children ?? words) as ComponentChildren);
  return tag === "MarkedText" ? String(given.text) : `<${tag}${attributes.join("")}>${inside}</>`;
}

function markdown(text: string): string {
  return write(renderTokens(new Lexer({ gfm: true }).lex(text), PAGE));
}

describe("an answer in Markdown", () => {
  test("has headings below those of the page", () => {
    assert.equal(markdown("# One\n\n##### Five"), "<h2>One</><h6>Five</>");
  });

  test("has emphasis, lists and quotes", () => {
    assert.equal(
      markdown("**a** *b* ~~c~~\n\n3. one\n4. two\n   - [x] done\n\n> said"),
      "<p><strong>a</> <em>b</> <del>c</></>" +
        "<ol start=3><li>one</><li>two<ul><li>☑ done</></></></><blockquote><p>said</></>",
    );
  });

  test("has a table that scrolls by itself", () => {
    assert.equal(
      markdown("| a | b |\n|---|---|\n| 1 | 2 |"),
      "<Scrolling label=Table><table><thead><tr><th>a</><th>b</></></>" +
        "<tbody><tr><td>1</><td>2</></></></></>",
    );
  });

  test("has blocks of code with their language", () => {
    assert.equal(
      markdown("```ts title=x\nconst a = 1;\n```"),
      "<CodeBlock language=ts text=const a = 1;></>",
    );
  });

  test("shows HTML as text", () => {
    assert.equal(
      markdown('a <img src=x onerror="alert(1)"> b\n\n<script>alert(1)</script>'),
      '<p>a <img src=x onerror="alert(1)"> b</><script>alert(1)</script>',
    );
  });

  test("reads the character references that HTML would", () => {
    assert.equal(markdown("a &lt;b&gt; &amp; c &copy;"), "<p>a <b> & c &copy;</>");
  });

  test("links to the web without telling who links", () => {
    assert.equal(
      markdown("[x](https://example.org/a)"),
      "<p><a href=https://example.org/a target=_blank rel=noopener noreferrer>x</></>",
    );
  });

  test("makes no link of another scheme", () => {
    assert.equal(
      markdown("[x](javascript:alert(1)) ![y](data:text/html,z)"),
      "<p><FileLink named=javascript:alert(1)>x</> <FileLink named=data:text/html,z>y</></>",
    );
    assert.equal(readNamedFile("javascript:alert(1)"), null);
    assert.equal(readNamedFile("data:text/html,z"), null);
    assert.equal(webAddress("javascript:alert(1)"), null);
  });

  test("fetches no image", () => {
    assert.equal(
      markdown("![a cat](https://example.org/cat.png)"),
      "<p><a href=https://example.org/cat.png target=_blank rel=noopener noreferrer>a cat</></>",
    );
  });

  test("may open a file by inline code or a link, never by a link in a link", () => {
    assert.equal(
      markdown("`src/a.py:3` [`b.md`](docs/b.md)"),
      "<p><FileLink named=src/a.py:3><code>src/a.py:3</></>" +
        " <FileLink named=docs/b.md><code>b.md</></></>",
    );
  });
});

describe("the language of a code", () => {
  const CASES = { python: "a.py", typescript: "a.ts", shell: "a.sh", "c++": "a.cpp", "c#": "a.cs" };
  for (const [name, path] of Object.entries(CASES)) {
    test(`${name} has the colours of ${path}`, () => {
      assert.notEqual(languageOf(name), null);
      assert.equal(languageOf(name), languageOf(path));
    });
  }

  test("is not known by another name, or without one", () => {
    assert.deepEqual(["text", "", "constructor"].map(languageOf), [null, null, null]);
  });
});

describe("the name of a file in a text", () => {
  const CASES: readonly (readonly [string, ReturnType<typeof readNamedFile>])[] = [
    ["src/a.py", { path: "src/a.py", lines: null }],
    ["/repo/src/a.py:7", { path: "src/a.py", lines: { first: 7, last: 7 } }],
    ["./a.py:7-9", { path: "a.py", lines: { first: 7, last: 9 } }],
    ["a.py#L7-L9", { path: "a.py", lines: { first: 7, last: 9 } }],
    ["/etc/passwd", null],
    ["../a.py", null],
    ["word", null],
    ["two words.md", null],
    ["/repo", null],
  ];
  for (const [text, expected] of CASES) {
    test(`${text} is ${expected === null ? "no file" : expected.path}`, () => {
      assert.deepEqual(readNamedFile(text), expected);
    });
  }

  test("is looked up in the mounted tree, without a call on the timeline", async () => {
    const client = await startRealClient();
    const page = new PageState({
      connect: async () => client,
      fetchFile: () => new Promise(() => undefined),
    });
    const paths = ["src/main.py", "src", "missing.py"];
    const first = paths.map((path) => isFileThere(page, path));
    // The client answers in the order of the calls, so those of the look-up are done by then.
    await page.client();
    await client.callTool("LS", { path: "." });
    const second = paths.map((path) => isFileThere(page, path));
    client.close();
    assert.deepEqual(
      { first, second, items: page.timeline.items.value },
      { first: [false, false, false], second: [true, false, false], items: [] },
    );
  });
});

describe("suspicious characters", () => {
  test("are counted, without tabs, line ends and spaces", () => {
    assert.equal(countSuspicious("a\tb \r\n\u202ec\u200b\u200bd\u{1f600}\n"), 3);
  });

  test("are spelled as code points, one mark a run", () => {
    assert.deepEqual(splitSuspicious(`a\u202e\u0000b${"\u200b".repeat(10)}`), [
      { text: "a", isMark: false },
      { text: "U+202E U+0000", isMark: true },
      { text: "b", isMark: false },
      { text: `${Array(8).fill("U+200B").join(" ")} and 2 more`, isMark: true },
    ]);
  });
});
