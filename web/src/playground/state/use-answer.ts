/** The answers of the client that a view of the open file shows. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TreeglassClient } from "../../index.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import type { PageState } from "./page-state.ts";

/**
 * Asks again for other `values`, and when a call or a decision has changed the tree.
 *
 * Returns null before the first answer, and a sentence for an error.
 */
export function useAnswer<Answer>(
  page: PageState,
  values: readonly unknown[],
  ask: (client: TreeglassClient) => Promise<Answer>,
): Answer | string | null {
  const answer = useSignal<Answer | string | null>(null);
  useEffect(() => {
    let isGone = false;
    const load = async () => {
      const found = await page.client().then(ask).catch(sentenceOf);
      if (!isGone) {
        answer.value = found;
      }
    };
    void load();
    return () => {
      isGone = true;
    };
  }, [page, page.changes.value.version, ...values]);
  return answer.value;
}
