import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { signal } from "@preact/signals";
import { PROGRAMS } from "../../src/playground/share/programs.ts";
import { renderTimeline } from "../../src/playground/share/timeline-markdown.ts";
import { makeFolder } from "../../src/playground/share/tree-folder.ts";
import type { TimelineItem } from "../../src/playground/state/timeline.ts";
import { RESULT } from "../support/connected.ts";

const HOSTILE = `</script><b>"'\\\u202e\n`;
const QUESTION = `${HOSTILE}?`;
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
    const text = render({
      link,
      call: CALL,
      question: QUESTION,
      config: { tools: { names: { LS: HOSTILE } } },
    });

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
      page?.render({ link, call, question: QUESTION, config: null }) ?? "",
      /show\(\{ github: "owner\/repo@v1" \}\)/,
    );
    assert.match(
      page?.render({ link: null, call, question: QUESTION, config: null }) ?? "",
      /show\(\{ archive: event.target.files/,
    );
  });
});

describe("the folder of a program", () => {
  const link = (kind: "url" | "npm" | "github", specifier: string) =>
    makeFolder({ kind, specifier, integrity: null });

  test("comes from what its address names", () => {
    assert.deepEqual(link("url", "https://a.example/t.zip?a='$(b)`"), [
      'curl -L -o tree.zip "https://a.example/t.zip?a=%27%24(b)%60"',
      "python -m zipfile -e tree.zip tree",
    ]);
    assert.deepEqual(link("url", "https://a.example/t.tar.gz"), [
      'curl -L -o tree.tar.gz "https://a.example/t.tar.gz"',
      "python -m tarfile -e tree.tar.gz tree",
    ]);
    assert.deepEqual(link("npm", "@scope/name@1.0.0"), [
      'npm pack "@scope/name@1.0.0"',
      "mkdir tree",
      'tar -xzf "scope-name-1.0.0.tgz" -C tree --strip-components 1',
    ]);
    assert.deepEqual(link("github", "owner/repo@v1"), [
      "git clone https://github.com/owner/repo tree",
      'git -C tree checkout "v1"',
    ]);
  });

  test("is the reader's own if no command can fetch it", () => {
    assert.deepEqual(makeFolder(null), []);
    assert.deepEqual(link("url", "https://a.example/manifest.json"), []);
    assert.deepEqual(link("npm", 'name@"; rm -r ~'), []);
    assert.deepEqual(link("github", "owner/repo@$(id)"), []);
  });
});

test("a server for MCP offers the family of the call, unless a configuration says which", () => {
  const program = PROGRAMS.find(({ title }) => title === "MCP");
  const call = { argumentsText: "{}", maxOutputBytes: null };
  const argumentsOf = (toolName: string, config: object | null = null) =>
    JSON.parse(
      program?.render({ link: null, call: { ...call, toolName }, question: "", config }) ?? "",
    ).mcpServers.repo.args.slice(4);

  assert.deepEqual(argumentsOf("list_dir"), []);
  assert.deepEqual(argumentsOf("Grep"), ["--family", "envelope"]);
  assert.deepEqual(argumentsOf("Search"), ["--family", "forge"]);
  assert.deepEqual(argumentsOf("Grep", {}), ["--config", "/path/to/configuration.json"]);
});

test("a program of Python spells each value as Python does", () => {
  const program = PROGRAMS.find(({ title }) => title === "Python");
  const argumentsText = '{"a": [true, false, null, 1.5], "b": "\\u00fc\\"\\ud83d\\ude00\\n"}';
  const call = { toolName: "LS", argumentsText, maxOutputBytes: 90 };
  const config = { tools: { output: { escape_names: true } } };

  assert.equal(
    program?.render({ link: null, call, question: "", config }),
    `from treeglass import Config, ToolRegistry, Workspace

config = Config.from_object({"tools": {"output": {"escape_names": True}}})
registry = ToolRegistry(Workspace({"/repo": "tree"}), config)
result = registry.call_tool("LS", {"a": [True, False, None, 1.5], "b": "\\u00fc\\"\\U0001f600\\n"}, max_output_bytes=90)
print(result.content)
`,
  );
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
      standing: signal({ kind: "answered", result }),
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
