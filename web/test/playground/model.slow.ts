import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { findPreset } from "../../src/playground/model/presets.ts";
import type { PageState } from "../../src/playground/state/page-state.ts";
import type { TimelineItem } from "../../src/playground/state/timeline.ts";
import { type Providers, startProviders } from "../providers/server.ts";
import { ask, chooseModel, KEY, mountProject, shown, startPage } from "../support/asked-model.ts";

const QUESTION = "you question: What is in /repo?";
const LISTED = 'model calls list_dir {"dir_path":"/repo"}:   main.py';

let page: PageState;
let providers: Providers;

before(async () => {
  page = startPage();
  providers = await startProviders();
});

beforeEach(async () => {
  await mountProject(page);
  providers.takeRecorded();
});

after(async () => {
  (await page.client()).close();
  await providers.close();
});

/** Calls `act` with each item that the timeline gets; returns the function that ends it. */
function onItem(act: (item: TimelineItem) => void): () => void {
  let count = page.timeline.items.value.length;
  return page.timeline.items.subscribe((items) => {
    const added = items.slice(count);
    count = items.length;
    // A listener that changes an item inside the signal's own turn would run in it.
    queueMicrotask(() => added.forEach(act));
  });
}

describe("a question to a model", () => {
  test("shows each call, the recovery from an error, and the answer", async () => {
    const state = chooseModel(page, providers.origin, "explorer");
    await ask(state);
    const listed = (more: string, last: string) =>
      `model calls list_dir {"dir_path":"/repo","limit":3,"depth":1${more}}: ${last}`;
    assert.deepEqual(shown(page), [
      QUESTION,
      "model answer: I will look around.",
      listed("", "More than 3 entries found"),
      listed(',"offset":4', "More than 3 entries found"),
      listed(',"offset":7', "More than 3 entries found"),
      listed(',"offset":10', "src/"),
      'model calls read_file {"file_path":"/repo/no-such-file.txt"}: failed to read file: No such file or directory (os error 2)',
      'model calls read_file {"file_path":"/repo/README.md"}: L3: A tree for agents.',
      "model answer: README.md begins with: # Sample",
    ]);
    assert.deepEqual([state.question.value, state.problem.value], ["", ""]);
    assert.deepEqual(page.marks.byPath.value.get("README.md"), [{ first: 1, last: 3 }]);
  });

  test("runs the calls of a turn at once, and sums what the server counts", async () => {
    const state = chooseModel(page, providers.origin, "ten-in-parallel");
    await ask(state);
    const read = (index: number) =>
      `model calls read_file {"file_path":"/repo/part-${index}.txt"}: L1: This is part ${index}.`;
    assert.deepEqual(shown(page), [
      QUESTION,
      ...Array.from({ length: 10 }, (_, index) => read(index)),
      "model answer: I was told: L1: This is part 9.",
    ]);
    const totals = { contextTokens: 2, sentTokens: 2, receivedTokens: 2 };
    assert.deepEqual(state.usage.value, totals);
  });

  test("tells of a call of a tool that does not exist", async () => {
    await ask(chooseModel(page, providers.origin, "unknown-tool"));
    const told =
      'There is no tool "delete_everything"; the tools are: grep_files, list_dir, read_file.';
    assert.deepEqual(shown(page), [
      QUESTION,
      `model note: The model called delete_everything, and was told: ${told}`,
      `model answer: I was told: ${told}`,
    ]);
  });

  test("goes on after a call that the person stopped", async () => {
    const state = chooseModel(page, providers.origin, "wrong-types");
    const end = onItem((item) => item.kind === "call" && item.stop());
    await ask(state);
    end();
    assert.deepEqual(shown(page), [
      QUESTION,
      'model calls list_dir {"dir_path":7,"depth":"two"}: stopped',
      "model answer: I was told: list_dir ran for too long and was stopped; ask for less at once.",
    ]);
  });

  test("reads by Forge's own tool, though it may change nothing", async () => {
    const state = chooseModel(page, providers.origin, "answers-at-once");
    state.settings.set({ family: "Forge" });
    await ask(state);
    const [asked] = providers.takeRecorded().map(({ body }) => JSON.stringify(body));
    const tools = ["list_directory", "Search", "forge_read", "Edit", "Write"];
    assert.deepEqual(
      tools.filter((name) => asked?.includes(`"name":"${name}"`)),
      ["list_directory", "Search", "forge_read"],
    );
  });

  test("is spoken of while the model works, and once it has answered", async () => {
    const state = chooseModel(page, providers.origin, "answers-at-once");
    const spoken: string[] = [];
    state.spoken.subscribe((words) => void spoken.push(words));
    await ask(state);
    await mountProject(page);
    assert.deepEqual(spoken, ["", "The model is working…", "The model has answered.", ""]);
  });

  test("goes on in the same conversation", async () => {
    const state = chooseModel(page, providers.origin, "answers-at-once");
    await ask(state);
    await ask(state, "And now?");
    const [, second] = providers.takeRecorded().map(({ body }) => JSON.stringify(body));
    const parts = ["What is in /repo?", "There is nothing to look up.", "And now?"];
    assert.deepEqual(
      parts.map((part) => second?.includes(part)),
      [true, true, true],
    );
  });
});

describe("a question that fails", () => {
  const failures = [
    [
      "status-401",
      [],
      "refused the key (401). Check that it is whole and is a key of this server, then ask again.",
    ],
    [
      "status-429",
      ["answered 429; the page asks again in 1 s.", "answered 429; the page asks again in 1 s."],
      "limits requests, or your credit is used up (429: The rate limit is reached). Wait a little, then ask again.",
    ],
    [
      "drops-stream",
      [],
      "broke off in the middle of its answer. The part that arrived is above; ask again.",
    ],
  ] as const;
  for (const [model, notes, sentence] of failures) {
    test(`says why for ${model}, and is there to be asked again`, async () => {
      const state = chooseModel(page, providers.origin, model);
      await ask(state);
      const lines = shown(page).filter((line) => !line.startsWith("model answer"));
      assert.deepEqual(lines, [
        QUESTION,
        ...notes.map((note) => `model note: ${providers.origin} ${note}`),
        `model problem: ${providers.origin} ${sentence}`,
      ]);
      assert.equal(state.question.value, "What is in /repo?");
      assert.ok(!JSON.stringify(state.entries.value).includes(KEY));
    });
  }

  test("says that no server runs there", async () => {
    const gone = await startProviders();
    await gone.close();
    await ask(chooseModel(page, gone.origin, "explorer"));
    assert.deepEqual(shown(page), [
      QUESTION,
      `model problem: ${gone.origin} gave no answer: the address is wrong, no server runs there, or the server refuses requests from pages (CORS). ${findPreset("own").needs}`,
    ]);
  });

  test("says what is missing before it is asked", async () => {
    const state = chooseModel(page, providers.origin, "");
    await ask(state);
    assert.equal(state.problem.value, "Choose a model first.");
    state.settings.set({ model: "explorer" });
    await ask(state, " ");
    assert.equal(state.problem.value, "Type a question.");
    assert.deepEqual([shown(page), providers.takeRecorded()], [[], []]);
  });

  test("stops at once, and keeps the question", async () => {
    const state = chooseModel(page, providers.origin, "hangs");
    const end = onItem(() => state.stop());
    await ask(state);
    end();
    assert.deepEqual(shown(page), [
      QUESTION,
      "model note: Stopped. A new question goes on from here.",
    ]);
    assert.deepEqual([state.isRunning.value, state.question.value], [false, "What is in /repo?"]);
  });

  test("ends when another tree is opened, whose timeline stays empty", async () => {
    const state = chooseModel(page, providers.origin, "hangs");
    let mounting: Promise<void> = Promise.resolve();
    const end = onItem(({ kind }) => {
      mounting = kind === "question" ? mountProject(page, { "b.txt": "b\n" }) : mounting;
    });
    await ask(state);
    end();
    await mounting;
    assert.deepEqual(shown(page), []);
  });
});

describe("a call that waits for consent", () => {
  for (const isAllowed of [true, false]) {
    test(`${isAllowed ? "runs" : "does not run"} if the person says ${isAllowed ? "yes" : "no"}`, async () => {
      const state = chooseModel(page, providers.origin, "malformed-arguments");
      state.settings.set({ asksFirst: "yes" });
      const end = onItem((item) => item.kind === "consent" && item.decide(isAllowed));
      await ask(state);
      end();
      const consent = `consent ${isAllowed}: List directory /repo`;
      const lines = shown(page).filter((line) => !line.includes('{"dir_path": "/re'));
      assert.deepEqual(
        lines,
        isAllowed
          ? [QUESTION, consent, LISTED, "model answer: I was told: Absolute path: /repo"]
          : [
              QUESTION,
              consent,
              "model answer: I was told: The call was not approved: List directory /repo. Go on without it, or ask for something else.",
            ],
      );
    });
  }

  test("counts as refused when the question is stopped", async () => {
    const state = chooseModel(page, providers.origin, "ten-in-parallel");
    state.settings.set({ asksFirst: "yes" });
    const end = onItem(({ kind }) => kind === "consent" && state.stop());
    await ask(state);
    end();
    const decided = shown(page).filter((line) => line.startsWith("consent"));
    assert.deepEqual([...new Set(decided.map((line) => line.slice(0, 13)))], ["consent false"]);
  });
});

describe("a model that proposes changes", () => {
  test("ends its turn with the review, and is told what the person decided", async () => {
    const state = chooseModel(page, providers.origin, "editor");
    state.settings.set({ mayChange: "yes" });
    await ask(state, "Rename it.");
    const [question, call, ...rest] = shown(page);
    assert.deepEqual(
      [question, call?.slice(0, 23), rest],
      [
        "you question: Rename it.",
        "model calls apply_patch",
        ["model answer: I propose two changes.", "review"],
      ],
    );
    const steps = page.changes.value.steps.map(({ group }) => group);
    assert.deepEqual(steps, ["turn 1"]);
    await (await page.client()).reject("/repo/README.md");
    await ask(state, "Go on.");
    const told = shown(page).slice(4);
    assert.equal(told[0]?.split("\n")[1]?.startsWith("/repo/README.md: the person"), true);
    assert.equal(told[1], "you question: Go on.");
  });

  test("gets no tool that changes unless it may", async () => {
    await ask(chooseModel(page, providers.origin, "editor"));
    assert.deepEqual(shown(page), [QUESTION, "model answer: I may change nothing."]);
  });
});

describe("the same question with two tool sets", () => {
  test("gives a row of figures for each", async () => {
    const state = chooseModel(page, providers.origin, "answers-at-once");
    state.question.value = "Which?";
    await state.askTwoSets();
    const { title, head, rows } = state.report.value ?? { title: "", head: [], rows: [] };
    assert.deepEqual(
      [title, head.length, rows.map(({ cells, details }) => [...cells.slice(0, 6), details])],
      [
        "Which?",
        7,
        [
          ["codex", "1", "0", "0", "1", "1", "There is nothing to look up."],
          ["envelope", "1", "0", "0", "1", "1", "There is nothing to look up."],
        ],
      ],
    );
    const offered = providers.takeRecorded().map(({ body }) => JSON.stringify(body));
    assert.deepEqual(
      offered.map((body) => [body.includes('"list_dir"'), body.includes('"LS"')]),
      [
        [true, false],
        [false, true],
      ],
    );
  });
});
