import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type AttributeName,
  checkNames,
  FILES_CHOICES,
  LOADINGS,
  Problem,
  parseArguments,
  parseConfig,
  parseMaxOutputBytes,
  readChoice,
  readFileTools,
  renderArguments,
  THEMES,
} from "../../src/element/attributes.ts";
import { type DemoParts, readCall, readMountRequest } from "../../src/element/runs/demo-call.ts";
import type { TreeSource } from "../../src/index.ts";

type Attributes = Partial<Record<AttributeName, string>>;

const NO_TREE =
  'This demo names no tree; give it one of the attributes source, src, npm and github, or entries in a <script type="application/json"> inside it. If a server renders the page, the object that you passed as source is lost: pass JSON.stringify(source) and JSON.stringify(arguments) instead.';

function partsOf(
  attributes: Attributes,
  source: TreeSource | null = null,
  inlineEntries: string | null = null,
): DemoParts {
  return { read: (name) => attributes[name] ?? null, source, inlineEntries };
}

/** Returns a request without its key, or the sentence that refuses it. */
function request(...given: Parameters<typeof partsOf>): unknown {
  const read = readMountRequest(partsOf(...given));
  if (read instanceof Problem) {
    return read.sentence;
  }
  const { key, ...rest } = read;
  assert.equal(typeof key, "string");
  return rest;
}

function keyOf(...given: Parameters<typeof partsOf>): string {
  const read = readMountRequest(partsOf(...given));
  assert.ok(!(read instanceof Problem));
  return read.key;
}

describe("attributes that choose", () => {
  test("accept any case and surrounding spaces, and take the first choice for any other text", () => {
    const texts = [null, "", " Visible ", "EAGER", "now", "open", "dark"];
    assert.deepEqual(
      texts.map((text) => [
        readChoice(LOADINGS, text),
        readChoice(FILES_CHOICES, text),
        readChoice(THEMES, text),
      ]),
      [
        ["click", "closed", "auto"],
        ["click", "closed", "auto"],
        ["visible", "closed", "auto"],
        ["eager", "closed", "auto"],
        ["click", "closed", "auto"],
        ["click", "open", "auto"],
        ["click", "closed", "dark"],
      ],
    );
  });
});

describe("the names of attributes", () => {
  const properties = ["title", "tabIndex", "onclick", "ariaLabel"];

  test("are those of a demo, of HTML, or of a framework", () => {
    const names = [
      ...["tool", "mount-path", "title", "tabindex", "onclick", "class", "itemprop", "aria-label"],
      ...["data-v-1", "data-x", "_ngcontent-a-1", "ontreeglass-result", "@click", "hx-get", "x:y"],
      ...["property", "typeof", "rel"],
    ];
    assert.equal(checkNames(names, properties), null);
  });

  test("are refused by name if they are unknown", () => {
    const sentence = (name: string) =>
      `The attribute ${name} is unknown; a demo has tool, arguments, source, src, integrity, npm, github, mount-path, config, max-output-bytes, loading, readonly, files, view, form, playground, label, theme, assets. Begin a name of your own with data-.`;
    const names = ["tol", "mountpath", "mount_path", "max-output-byte"];
    assert.deepEqual(
      names.map((name) => checkNames(["class", name, "tool"], properties)?.sentence),
      names.map(sentence),
    );
  });
});

describe("attributes that hold JSON or numbers", () => {
  const refused = (text: string, tool: string) => {
    const parsed = parseArguments(text, tool);
    return parsed instanceof Problem ? parsed.sentence : parsed;
  };
  const advice = '; write one JSON object, such as {"path": "/repo"}.';

  test("are parsed, or refused with a sentence", () => {
    assert.deepEqual(
      ["{}", '{"a": [1]}', "", "{", "[1]", "3", "null"].map((text) => refused(text, "LS")),
      [
        {},
        { a: [1] },
        `The arguments cannot be empty${advice}`,
        `The arguments cannot be read as JSON${advice}`,
        `The arguments cannot be a list${advice}`,
        `The arguments cannot be a bare value${advice}`,
        `The arguments cannot be a bare value${advice}`,
      ],
    );
  });

  test("are refused with advice that names the tool's path argument", () => {
    const sentence = "The arguments cannot be empty; write one JSON object, such as ";
    assert.deepEqual(
      [" list_dir ", "read_file", "list_directory", ""].map((tool) => refused("", tool)),
      [
        `${sentence}{"dir_path": "/repo"}.`,
        `${sentence}{"file_path": "/repo/README.md"}.`,
        `${sentence}{"path": "/repo"}.`,
        `${sentence}{"path": "/repo"}.`,
      ],
    );
  });

  test("say whether the files can be listed and read", () => {
    const configs = [
      ...[null, "{", '{"tools": []}', '{"tools": {"mode": "enabled"}}'],
      ...['{"tools": {"offered": ["list_directory"]}}', '{"tools": {"mode": "disabled"}}'],
      '{"tools": {"offered": ["LS"], "experimental_supported_tools": ["list_dir"]}}',
    ];
    assert.deepEqual(
      configs.map((config) => Object.values(readFileTools(config))),
      [
        ...[null, null, null, null].map(() => [true, true]),
        ...[
          [false, true],
          [false, false],
          [true, false],
        ],
      ],
    );
  });

  test("may be left out if there is a default", () => {
    assert.deepEqual(
      [parseConfig(null), parseConfig(" "), parseMaxOutputBytes(null), parseMaxOutputBytes(" ")],
      [{}, {}, undefined, undefined],
    );
    assert.deepEqual(
      parseConfig("[]"),
      new Problem(
        'The attribute config cannot be a list; write one JSON object, such as {"tools": {"offered": ["LS"]}}.',
      ),
    );
  });

  test("hold a whole number of bytes above 0", () => {
    assert.equal(parseMaxOutputBytes("40"), 40);
    for (const text of ["0", "-1", "1.5", "many", "1e400"]) {
      assert.deepEqual(
        parseMaxOutputBytes(text),
        new Problem(
          `The attribute max-output-bytes is "${text}"; write a whole number of bytes above 0.`,
        ),
      );
    }
  });
});

describe("arguments as text", () => {
  test("are on one line if they fit, and keep their value either way", () => {
    const few = { path: "/a  b", deep: { list: [1, { c: "\n" }] }, none: {} };
    const many = { path: "x".repeat(80), offset: 2 };
    assert.equal(
      renderArguments(few),
      '{"path": "/a  b", "deep": { "list": [ 1, { "c": "\\n" } ] }, "none": {}}',
    );
    assert.equal(renderArguments(many), JSON.stringify(many, null, 2));
    assert.deepEqual(
      [few, many].map((value) => JSON.parse(renderArguments(value))),
      [few, many],
    );
  });
});

describe("the tree of a demo", () => {
  const defaults = { mountPath: "/repo", config: {}, assets: null };
  const all: Attributes = {
    source: '{"npm": "c@3"}',
    ...{ src: "a.zip", npm: "a@1", github: "a/b@1" },
  };
  const entries = '{"src/a.py": "text"}';

  test("is the first of the property, source, src, npm, github and the entries inside", () => {
    const source = { npm: "b@2" };
    const { source: _, ...withoutSource } = all;
    const { src: __, ...withoutSrc } = withoutSource;
    const { npm: ___, ...withoutNpm } = withoutSrc;
    assert.deepEqual(
      [
        request(all, source, entries),
        request(all, null, entries),
        request(withoutSource, null, entries),
        request(withoutSrc, null, entries),
        request(withoutNpm, null, entries),
        request({}, null, entries),
        request({ src: " " }),
      ],
      [
        { source, ...defaults },
        { source: { npm: "c@3" }, ...defaults },
        { source: { url: "a.zip" }, ...defaults },
        { source: { npm: "a@1" }, ...defaults },
        { source: { github: "a/b@1" }, ...defaults },
        { source: { entries: { "src/a.py": "text" } }, ...defaults },
        NO_TREE,
      ],
    );
  });

  test("comes with its integrity, mount path, configuration and assets", () => {
    const attributes: Attributes = {
      src: "a.zip",
      integrity: "sha384-x",
      "mount-path": "/shop",
      config: '{"tools": {"offered": []}}',
      assets: "/runtime/",
    };
    assert.deepEqual(request(attributes), {
      source: { url: "a.zip", integrity: "sha384-x" },
      mountPath: "/shop",
      config: { tools: { offered: [] } },
      assets: "/runtime/",
    });
  });

  test("is refused if the attribute source is not a JSON object", () => {
    const sentence =
      'The attribute source is not a JSON object; write a tree that the client mounts, such as {"entries": {"a.txt": "text"}}, or name an address by the attribute src.';
    assert.deepEqual(
      ["shop.zip", "[object Object]", "[]", "null"].map((source) => request({ source })),
      [sentence, sentence, sentence, sentence],
    );
  });

  test("is refused if the property is not an object", () => {
    const { source } = JSON.parse('{"source": 3}');
    assert.equal(
      request({ src: "a.zip" }, source),
      'The property source is a number; set it to a tree that the client mounts, such as {entries: {"a.txt": "text"}}, or name an address by the attribute src.',
    );
  });

  test("is refused if the entries are not a JSON object", () => {
    const sentence =
      'The entries inside this demo are not a JSON object; write paths and contents, such as {"src/a.py": "text"}.';
    assert.deepEqual(
      ["{", "[]", "null"].map((text) => request({}, null, text)),
      [sentence, sentence, sentence],
    );
  });

  test("has the same key for demos that mount the same tree in the same way, and for no others", () => {
    const source = { entries: { a: "" } };
    const same: Parameters<typeof partsOf>[] = [
      [{ src: "a.zip", config: "{ }" }],
      [{ src: " a.zip ", config: "" }],
      [{ src: "a.zip", npm: "never asked", integrity: " " }],
      [{ source: '{ "url": "a.zip" }' }],
    ];
    const others: Parameters<typeof partsOf>[] = [
      [{ src: "b.zip" }],
      [{ src: "a.zip", integrity: "sha384-x" }],
      [{ src: "a.zip", "mount-path": "/other" }],
      [{ src: "a.zip", config: '{"tools": {}}' }],
      [{ src: "a.zip", assets: "/runtime/" }],
      [{ npm: "a.zip" }],
      [{ github: "a.zip" }],
      [{}, null, '{"a": ""}'],
      [{}, source],
      [{}, { entries: { a: "" } }],
    ];
    assert.deepEqual(new Set(same.map((given) => keyOf(...given))).size, 1);
    assert.deepEqual(new Set([...same, ...others].map((given) => keyOf(...given))).size, 11);
    assert.equal(keyOf({}, source), keyOf({ src: "a.zip" }, source));
  });
});

describe("the call of a demo", () => {
  const call = (attributes: Attributes, text: string) =>
    readCall((name) => attributes[name] ?? null, text);

  test("is made of the tool, the text in the box and the budget", () => {
    assert.deepEqual(call({ tool: " LS ", "max-output-bytes": "99" }, '{"path": "."}'), {
      tool: "LS",
      arguments: { path: "." },
      maxOutputBytes: 99,
    });
  });

  test("is refused for the first thing that is missing", () => {
    assert.deepEqual(
      [
        call({}, "{"),
        call({ tool: "LS" }, "{"),
        call({ tool: "LS", "max-output-bytes": "x" }, "{}"),
      ],
      [
        new Problem(
          "This demo names no tool; give it the attribute tool, such as list_dir or read_file.",
        ),
        parseArguments("{", "LS"),
        parseMaxOutputBytes("x"),
      ],
    );
  });
});
