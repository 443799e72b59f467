/** The tools that the form of a call may choose from, and an offer that waits for a turn's end. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ToolDefinition } from "../../../index.ts";
import { sentenceOf } from "../../../ui/error-sentence.ts";
import { draftTool } from "../../state/call-draft.ts";
import type { PageState } from "../../state/page-state.ts";

/** An offer of tools that waits for the end of a model's turn. */
interface RefusedOffer {
  readonly toolName: string;
  readonly offer: () => Promise<void>;
  readonly sentence: string;
}

/** The offered tools; those of a family that change files join them when one is chosen. */
export function useOfferedTools(page: PageState) {
  const tools = useSignal<readonly ToolDefinition[]>([]);
  const loading = useSignal(0);
  const refused = useSignal<RefusedOffer | null>(null);
  const loadTools = async (offer?: () => Promise<void>) => {
    const toolName = draftTool.peek();
    // Not read by what calls this: an effect would run again after each load.
    loading.value = loading.peek() + 1;
    try {
      await offer?.();
      tools.value = await (await page.client()).listTools();
    } catch (error) {
      // A start that failed has its own words at the top of the page.
      if (offer !== undefined && page.turnFamily.peek() !== undefined) {
        refused.value = { toolName, offer, sentence: sentenceOf(error) };
      }
    }
    loading.value = loading.peek() - 1;
  };
  useEffect(() => void loadTools(), []);
  useSignalEffect(() => {
    const waiting = refused.peek();
    if (page.turnFamily.value === undefined && waiting !== null) {
      refused.value = null;
      // The visitor may have chosen a tool of another family since.
      if (waiting.toolName === draftTool.peek()) {
        void loadTools(waiting.offer);
      }
    }
  });
  return {
    tools: tools.value,
    isLoading: loading.value > 0,
    refusal: refused.value?.toolName === draftTool.value ? refused.value.sentence : "",
    loadTools,
  };
}
