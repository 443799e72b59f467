import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { signal } from "@preact/signals";
import { PROGRAMS } from "../../src/playground/share/programs.ts";
import { renderTimeline } from "../../src/playground/share/timeline-markdown.ts";
import type { TimelineItem } from "../../src/playground/state/timeline.ts";
import { RESULT } from "../support/connected.ts";

const HOSTILE = `</script><b>"'\\\u202e\n`;
const CALL = {
  toolName: "read_file",
  argumentsText: JSON.stringify({ file_path: `/repo/${HOSTILE}` }),
  maxOutputBytes: null,
};

describe("programs", () => {
  for (const { title, fileName, render } of PROGRAMS) {
    const link = {
      kind: "url",
      specifier: `https://example.org/${HOSTILE}`,
      integrity: null,
    } as const;
    const text = render({ link, call: CALL, config: { tools: { names: { LS: HOSTILE } } } });

    test(`${title}: a hostile name stays data`, () => {
      assert.doesNotMatch(text, /\u202e/);
      if (fileName.endsWith(".html")) {
        assert.doesNotMatch(text, /<b>/);
        assert.equal(text.match(/<\/script/g)?.length, 1);
      }
    });
  }

  test("a page mounts a linked tree by its address, and asks its reader for another one", () => {
    const page = PROGRAMS.find(({ title }) => title === "A page");
    const link = { kind: "github", specifier: "owner/repo@v1", integrity: null } as const;
    const call = { toolName: "LS", argumentsText: '{"path": "."}', maxOutputBytes: null };

    assert.match(
      page?.render({ link, call, config: null }) ?? "",
      /show\(\{ github: "owner\/repo@v1" \}\)/,
    );
    assert.match(
      page?.render({ link: null, call, config: null }) ?? "",
      /show\(\{ archive: event.target.files/,
    );
  });
});

test("a timeline is Markdown whose fences hold every answer", () => {
  const result = { ...RESULT, content: "one\n```\ntwo" };
  const items: readonly TimelineItem[] = [
    { kind: "question", number: 1, by: "you", text: signal("What is there?") },
    {
      kind: "call",
      number: 2,
      by: "model",
      toolName: "read_file",
      argumentsText: '{"file_path": "a`b"}',
      maxOutputBytes: null,
      treeNumber: 1,
      treeName: "a",
      startedAtMs: 0,
      standing: signal({ kind: "answered", result, roundTripMs: 2 }),
      isChosen: signal(false),
      stop: () => undefined,
    },
    { kind: "review", number: 3, by: "model" },
  ];

  assert.equal(
    renderTimeline("sample", items),
    [
      "# Calls on sample",
      "**Question:** What is there?",
      '**read_file** `` {"file_path": "a`b"} ``',
      "````text\none\n```\ntwo\n````\n",
    ].join("\n\n"),
  );
});
