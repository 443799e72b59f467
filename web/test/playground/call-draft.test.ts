import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TreeglassClient } from "../../src/index.ts";
import {
  draftArguments,
  draftMaxOutputBytes,
  draftTool,
  fillCall,
  forgetArguments,
  writeArguments,
} from "../../src/playground/state/call-draft.ts";
import { PageState } from "../../src/playground/state/page-state.ts";
import { parseField, renderField, shownField, withProperty } from "../../src/ui/field-values.ts";

const REPORT = {
  path: "/repo",
  files: 0,
  directories: 0,
  symlinks: 0,
  bytes: 0,
  skipped: [],
  renamed: [],
  converted: [],
  origin: null,
  elapsedMs: 1,
};
const CLIENT: Pick<TreeglassClient, "mount" | "changes"> = {
  mount: async () => REPORT,
  changes: async () => ({ version: 0, entries: [], steps: [] }),
};

describe("the form of a call", () => {
  test("takes the open file's path until the visitor writes another", () => {
    forgetArguments();
    const open = { path: "src/a.py" };
    assert.equal(draftArguments("Read", open), '{\n  "path": "src/a.py"\n}');
    assert.equal(draftArguments("read_file", open), '{\n  "file_path": "/repo/src/a.py"\n}');
    assert.equal(draftArguments("list_dir", open), '{\n  "dir_path": "/repo/src"\n}');
    assert.equal(draftArguments("Grep", open), '{\n  "path": ".",\n  "pattern": "TODO"\n}');
    assert.equal(draftArguments("read_file", {}), "{}");
  });

  test("keeps a written pattern for the other tools that search lines, and nothing else", () => {
    forgetArguments();
    writeArguments("grep_files", '{"pattern": "unit", "limit": 3}');
    assert.equal(draftArguments("Grep", {}), '{\n  "path": ".",\n  "pattern": "unit"\n}');
    assert.equal(draftArguments("Glob", {}), '{\n  "path": ".",\n  "pattern": "**/*.md"\n}');
    writeArguments("Grep", '{"pattern": "amount"}');
    assert.equal(draftArguments("Grep", {}), '{"pattern": "amount"}');
    assert.equal(draftArguments("grep_files", {}), '{\n  "pattern": "amount",\n  "limit": 3\n}');
    fillCall({ toolName: "Search", argumentsText: '{"pattern": 1', maxOutputBytes: null });
    assert.equal(draftArguments("Search", {}), '{"pattern": 1');
    assert.equal(draftArguments("Grep", {}), '{"pattern": "amount"}');
  });

  test("keeps what is written while a tree is mounted, and drops what was for another", async () => {
    forgetArguments();
    const page = new PageState({
      connect: async () => CLIENT as unknown as TreeglassClient,
      fetchFile: () => new Promise(() => undefined),
    });
    const mount = (write: () => void = () => undefined) => {
      const open = async () => {
        write();
        return { entries: {} };
      };
      return page.mount({ name: "a tree", open });
    };
    const drafts = () => [draftArguments("list_dir", {}), draftArguments("Grep", {})];
    writeArguments("list_dir", '{"dir_path": "/repo/a"}');
    await mount(() => writeArguments("Grep", '{"pattern": "needle"}'));
    assert.deepEqual(drafts(), ['{"dir_path": "/repo/a"}', '{"pattern": "needle"}']);
    await mount(() => writeArguments("Grep", '{"pattern": "other"}'));
    assert.deepEqual(drafts(), ['{\n  "dir_path": "/repo"\n}', '{"pattern": "other"}']);
    await mount();
    assert.deepEqual(drafts()[1], '{\n  "path": ".",\n  "pattern": "TODO"\n}');
  });

  test("is filled with a call, even with arguments that are no JSON", () => {
    fillCall({ toolName: "LS", argumentsText: '{"path": ', maxOutputBytes: 900 });
    assert.deepEqual(
      [draftTool.value, draftArguments("LS", { path: "src/a.py" }), draftMaxOutputBytes.value],
      ["LS", '{"path": ', 900],
    );
  });

  test("omits a field without text, and sends a wrong number as text", () => {
    assert.deepEqual(withProperty({ a: 1, b: 2 }, "a", parseField({ kind: "integer" }, "")), {
      b: 2,
    });
    assert.equal(parseField({ kind: "integer" }, "12"), 12);
    assert.equal(parseField({ kind: "integer" }, "12a"), "12a");
    assert.equal(parseField({ kind: "boolean" }, "true"), true);
    assert.deepEqual(parseField({ kind: "strings" }, "a\n\nb\n"), ["a", "b"]);
    assert.deepEqual(parseField({ kind: "json" }, '{"a": [1]}'), { a: [1] });
  });

  test("keeps what is typed while it stands for the value", () => {
    assert.equal(shownField({ kind: "number" }, "1.0", 1), "1.0");
    assert.equal(shownField({ kind: "strings" }, "a\n", ["a"]), "a\n");
    assert.equal(shownField({ kind: "number" }, "1.0", 2), "2");
    assert.equal(renderField({ kind: "strings" }, ["a", "b"]), "a\nb");
    assert.equal(renderField({ kind: "json" }, { a: 1 }), '{\n  "a": 1\n}');
  });
});
