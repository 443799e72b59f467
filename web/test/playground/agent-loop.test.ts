import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type AgentModel,
  MAX_TURNS,
  type ModelTurn,
  runAgent,
  STOPPED,
} from "../../src/playground/model/agent-loop.ts";
import type { TurnOptions } from "../../src/playground/model/chat-wire.ts";
import { ModelFailure, quoteDetail } from "../../src/playground/model/model-failure.ts";

const CALL = { callId: "1", name: "list_dir", arguments: {} };

/** Returns a test's turns in order, and repeats the last one. */
class WrittenModel implements AgentModel {
  readonly told: string[] = [];
  readonly #turns: readonly ((options: TurnOptions) => Promise<ModelTurn>)[];
  #taken = 0;

  constructor(...turns: readonly ((options: TurnOptions) => Promise<ModelTurn>)[]) {
    this.#turns = turns;
  }

  retract(): void {
    this.told.push("retract");
  }

  async takeTurn(options: TurnOptions): Promise<ModelTurn> {
    const turn = this.#turns[Math.min(this.#taken, this.#turns.length - 1)];
    this.#taken += 1;
    assert.ok(turn);
    return turn(options);
  }

  async answerCalls(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.told.push("answers");
  }
}

async function run(model: AgentModel, controller = new AbortController(), maxTurns?: number) {
  const heard: string[] = [];
  const end = await runAgent(
    model,
    {
      onText: (delta) => heard.push(`text ${delta}`),
      onRetry: (sentence) => heard.push(`retry ${sentence}`),
      onTurnEnded: ({ text, calls, isWhole }) =>
        heard.push(`ended ${isWhole} ${text} ${calls.length}`),
    },
    controller.signal,
    maxTurns,
  );
  return { heard, end };
}

const asksForever = async (): Promise<ModelTurn> => ({ text: "", calls: [CALL] });

describe("the run of a question", () => {
  test("ends with the first turn without calls", async () => {
    const model = new WrittenModel(asksForever, async ({ onText }) => {
      onText("It is ");
      onText("small.");
      return { text: "It is small.", calls: [] };
    });
    assert.deepEqual(await run(model), {
      heard: ["ended true  1", "text It is ", "text small.", "ended true It is small. 0"],
      end: { kind: "answered", sentence: "" },
    });
    assert.deepEqual(model.told, ["answers"]);
  });

  test("ends at the limit of turns, with the last calls answered", async () => {
    const model = new WrittenModel(asksForever);
    const { end } = await run(model, new AbortController(), 2);
    const sentence = (turns: number) =>
      `The model was stopped after ${turns} turns. Tell it to go on, or ask for less.`;
    assert.deepEqual(end, { kind: "max-turns", sentence: sentence(2) });
    assert.deepEqual(model.told, ["answers", "answers"]);
    assert.deepEqual((await run(model)).end, {
      kind: "max-turns",
      sentence: sentence(MAX_TURNS),
    });
  });

  test("keeps the text of a stopped turn, and no later text", async () => {
    const controller = new AbortController();
    const model = new WrittenModel(async ({ onText, signal }) => {
      onText("Half");
      controller.abort();
      onText(" of it");
      signal.throwIfAborted();
      return { text: "", calls: [] };
    });
    assert.deepEqual(await run(model, controller), {
      heard: ["text Half", "ended false Half 0"],
      end: STOPPED,
    });
  });

  test("ends before its first turn if it is already stopped", async () => {
    const controller = new AbortController();
    controller.abort();
    assert.deepEqual(await run(new WrittenModel(asksForever), controller), {
      heard: [],
      end: STOPPED,
    });
  });

  test("ends as stopped if its calls were stopped", async () => {
    const controller = new AbortController();
    const model = new WrittenModel(asksForever);
    const answer = model.answerCalls.bind(model);
    model.answerCalls = (signal) => {
      controller.abort();
      return answer(signal);
    };
    assert.deepEqual(await run(model, controller), {
      heard: ["ended true  1"],
      end: STOPPED,
    });
  });

  test("ends with the sentence of a model's failure, and rejects for a fault of the page", async () => {
    const failing = new WrittenModel(async () => {
      throw new ModelFailure("It refused.");
    });
    assert.deepEqual(await run(failing), {
      heard: ["ended false  0"],
      end: { kind: "failed", sentence: "It refused." },
    });
    const broken = new WrittenModel(async () => {
      throw new TypeError("a fault");
    });
    await assert.rejects(run(broken), new TypeError("a fault"));
  });
});

describe("a provider's own words", () => {
  test("are quoted on one line, cut, and without the key", () => {
    assert.equal(
      quoteDetail("The key sk-1\n is  not known", ["sk-1", ""]),
      "The key … is not known",
    );
    assert.equal(quoteDetail("x".repeat(500), []), `${"x".repeat(200)}…`);
  });
});
