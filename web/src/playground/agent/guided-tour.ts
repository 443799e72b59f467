/** A script in place of a model, so that a visitor can watch the tools without one. */

import type { Toolset } from "../../adapters/toolset.ts";
import type { ToolOutcome } from "../../adapters/toolset-types.ts";
import type { AgentModel, ModelTurn, RequestedCall, TurnOptions } from "./agent-model.ts";
import { type Tour, walkTree } from "./tour-script.ts";

/** Walks through the tree once per question, whatever the question is. */
export class GuidedTour implements AgentModel {
  readonly #toolset: Toolset;
  #tour: Tour = walkTree();
  #calls: readonly RequestedCall[] = [];
  #outcomes: readonly ToolOutcome[] = [];
  #callCount = 0;

  constructor(toolset: Toolset) {
    this.#toolset = toolset;
  }

  ask(_question: string): void {
    this.#tour = walkTree();
    this.#outcomes = [];
  }

  /** Nothing to remove: every question restarts the walk. */
  retract(): void {}

  async takeTurn({ signal, onText }: TurnOptions): Promise<ModelTurn> {
    signal.throwIfAborted();
    const { value } = this.#tour.next(this.#outcomes);
    // Give ids, so that two equal calls of one turn stay distinct.
    this.#calls = value.calls.map((call) => {
      this.#callCount += 1;
      return { ...call, callId: `tour-${this.#callCount}` };
    });
    onText(value.text);
    return { text: value.text, calls: this.#calls };
  }

  async answerCalls(signal: AbortSignal): Promise<void> {
    this.#outcomes = await Promise.all(
      this.#calls.map(({ name, arguments: args, callId }) =>
        this.#toolset.call(name, args, { signal, callId }),
      ),
    );
  }
}
