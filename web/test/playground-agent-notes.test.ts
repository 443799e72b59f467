import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ToolClient } from "../src/adapters/toolset-types.ts";
import type { AgentModel } from "../src/playground/agent/agent-model.ts";
import { Conversation } from "../src/playground/agent/conversation.ts";
import { ModelFailure } from "../src/playground/agent/model-failure.ts";
import type { AskedModel } from "../src/playground/agent/model-form.ts";
import { findProvider, type ProviderName } from "../src/playground/agent/providers.ts";
import type { TranscriptView } from "../src/playground/agent/transcript-view.ts";

const TREE = { name: "tree", open: async () => ({ entries: {} }) };
const OTHER_TREE = { ...TREE, name: "other" };
const FIRST = "/repo/a.py: the person rejected the change: too long";
const SECOND = "/repo/b.py: the person rejected the change";

/** A conversation in which each question finds these notes; those that start with "!" fail. */
function converse(name: ProviderName, notes: readonly string[][]) {
  const heard: string[] = [];
  let asked = "";
  const model: AgentModel = {
    ask: (question) => {
      heard.push(question);
      asked = question;
    },
    retract: () => undefined,
    takeTurn: async () => {
      if (asked.includes("!")) {
        throw new ModelFailure("It failed.");
      }
      return { text: "Done.", calls: [] };
    },
    answerCalls: async () => undefined,
  };
  const view = new Proxy({} as TranscriptView, {
    get: () => () => ({ append: () => undefined, end: () => undefined }),
  });
  const left = [...notes];
  let choice = TREE;
  const conversation = new Conversation({
    view,
    openTree: async () => ({
      client: {} as ToolClient,
      choice,
      takeNotes: async () => left.shift() ?? [],
    }),
    onAsked: () => undefined,
    approve: () => true,
    onProgress: () => undefined,
  });
  const provider = { ...findProvider(name), create: async () => model };
  const settings = { address: "", model: "", key: "" };
  const of: AskedModel = { provider, settings, family: "codex" };
  const { signal } = new AbortController();
  return {
    heard,
    ask: (question: string) => conversation.ask(of, question, signal),
    replaceTree: () => {
      choice = OTHER_TREE;
    },
    notices: () => conversation.entries.filter(({ type }) => type === "notice"),
  };
}

describe("what a person decided about changes", () => {
  test("is told with the next question, once, and is in the transcript", async () => {
    const { ask, heard, notices } = converse("openai", [[], [FIRST, SECOND]]);
    await ask("One?");
    await ask("Two?");
    await ask("Three?");

    const note = `Note of the host:\n${FIRST}\n${SECOND}`;
    assert.deepEqual(heard, ["One?", `${note}\n\nTwo?`, "Three?"]);
    assert.deepEqual(notices(), [{ type: "notice", kind: "note", text: note }]);
  });

  test("is told again after a question that failed", async () => {
    const { ask, heard } = converse("openai", [[FIRST], [SECOND]]);
    await ask("One!");
    await ask("Two?");

    assert.deepEqual(heard, [
      `Note of the host:\n${FIRST}\n\nOne!`,
      `Note of the host:\n${FIRST}\n${SECOND}\n\nTwo?`,
    ]);
  });

  test("is not told about another tree", async () => {
    const { ask, heard, replaceTree } = converse("openai", [[FIRST]]);
    await ask("One!");
    replaceTree();
    await ask("Two?");

    assert.deepEqual(heard.at(-1), "Two?");
  });

  test("is kept from the tour, which reads nothing", async () => {
    const { ask, heard } = converse("tour", [[FIRST]]);
    await ask("One?");

    assert.deepEqual(heard, ["One?"]);
  });
});
