import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { loadFilePage, PAGE_LINES, toToolPath } from "../../src/element/files/file-pages.ts";
import { loadTreePage } from "../../src/ui/tree-pages.ts";
import { startRealClient } from "../support/real-client.ts";

const LINES = Array.from({ length: 450 }, (_, index) => `line ${index + 1}: L9: "é"\t`);
const HOSTILE = "a\u202eb\n.txt";

const client = await startRealClient({
  "long.txt": LINES.join("\n"),
  "empty.txt": "",
  "gaps.txt": "\n\nL3: no number\n",
  [`deep/${HOSTILE}`]: "found\n",
});
after(() => client.close());

describe("a file in pages", () => {
  test("has all of its lines, 200 on a page", async () => {
    const sizes = [];
    const lines = [];
    for (let offset: number | null = 1; offset !== null; ) {
      const page = await loadFilePage(client, "/repo/long.txt", offset);
      sizes.push(page.lines.length);
      lines.push(...page.lines);
      offset = page.nextOffset;
    }
    assert.deepEqual(sizes, [PAGE_LINES, PAGE_LINES, 50]);
    assert.deepEqual(
      lines,
      LINES.map((text, index) => ({ number: index + 1, text })),
    );
  });

  test("has no lines if it is empty, and keeps empty lines", async () => {
    assert.deepEqual(
      [
        await loadFilePage(client, "/repo/empty.txt", 1),
        await loadFilePage(client, "/repo/gaps.txt", 1),
      ],
      [
        { lines: [], nextOffset: null },
        {
          lines: [
            { number: 1, text: "" },
            { number: 2, text: "" },
            { number: 3, text: "L3: no number" },
          ],
          nextOffset: null,
        },
      ],
    );
  });

  test("is refused in the tool's own words", async () => {
    await assert.rejects(loadFilePage(client, "/repo/none.txt", 1), {
      message: "failed to read file: No such file or directory (os error 2)",
    });
  });

  test("is found under every name that the tree lists", async () => {
    const { entries } = await loadTreePage(client, "deep", 0);
    assert.deepEqual(entries, [{ path: `deep/${HOSTILE}`, name: HOSTILE, kind: "file" }]);
    const paths = entries.map(({ path }) => toToolPath("/repo", path));
    assert.deepEqual(paths, ["/repo/deep/a\\u{202E}b\\u{A}.txt"]);
    assert.deepEqual(await loadFilePage(client, paths[0] ?? "", 1), {
      lines: [{ number: 1, text: "found" }],
      nextOffset: null,
    });
  });

  test("has a path below any mount path", () => {
    assert.deepEqual(
      [
        toToolPath("/repo", ""),
        toToolPath("/repo/", "a/b"),
        toToolPath("/", "a"),
        toToolPath("/", ""),
      ],
      ["/repo", "/repo/a/b", "/a", "/"],
    );
  });
});
