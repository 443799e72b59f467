/** The visitor's own model: one line until a model is chosen, then the question and its figures. */

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { PageState } from "../state/page-state.ts";
import { AgentState } from "./agent-state.ts";
import { ModelForm } from "./model-form.tsx";
import { ReportDialog } from "./report-dialog.tsx";
import { TranscriptMenu } from "./transcript-menu.tsx";
import { wordUsage } from "./usage.ts";

export function AgentPanel({ page }: { readonly page: PageState }) {
  const state = useMemo(() => new AgentState(page), [page]);
  const isOpen = useSignal(false);
  const { settings, problem } = state;
  const isComplete = settings.isComplete.value;
  const ask = async (work: () => Promise<void>) => {
    isOpen.value = !settings.isComplete.value;
    await work();
  };
  return (
    <section class="agent" aria-label="Model">
      {isOpen.value && <ModelForm state={state} />}
      <form
        class="agent-ask"
        data-complete={isComplete}
        onSubmit={(event) => {
          event.preventDefault();
          void ask(() => state.ask());
        }}
      >
        <Question state={state} isComplete={isComplete} />
        <div class="agent-actions">
          {state.isRunning.value ? (
            <button type="button" onClick={() => state.stop()}>
              Stop
            </button>
          ) : (
            <button type="submit">Ask</button>
          )}
          {isComplete && (
            <button
              type="button"
              disabled={state.isRunning.value}
              title={`Asks the question twice: with the ${settings.values.value.family} tools, and with the ${settings.otherFamily} tools`}
              onClick={() => void ask(() => state.askTwoSets())}
            >
              Ask two tool sets
            </button>
          )}
          <button
            type="button"
            class="quiet"
            aria-expanded={isOpen.value}
            title="Which model is asked, and with which tools"
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          >
            {isComplete ? `${settings.values.value.model} ▾` : "Choose a model ▾"}
          </button>
          <TranscriptMenu state={state} />
        </div>
      </form>
      {problem.value !== "" && (
        <p class="failed" role="alert">
          {problem.value}
        </p>
      )}
      <p class="visually-hidden" role="status">
        {state.isRunning.value ? "The model works." : ""}
      </p>
      {isComplete && <UsageLine state={state} />}
      <ReportDialog report={state.report} />
    </section>
  );
}

/** Enter asks, and Shift Enter begins a line. */
function Question({ state, isComplete }: { readonly state: AgentState; isComplete: boolean }) {
  return (
    <textarea
      id="agent-question"
      aria-label="Question for a model"
      placeholder="Ask a model…"
      rows={isComplete ? 2 : 1}
      value={state.question.value}
      onInput={({ currentTarget }) => {
        state.question.value = currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }
      }}
    />
  );
}

function UsageLine({ state: { usage, settings } }: { readonly state: AgentState }) {
  const prices = {
    sent: settings.numberIn("sentPrice"),
    received: settings.numberIn("receivedPrice"),
  };
  const size = settings.numberIn("contextTokens");
  return (
    <p class="agent-usage figure dim">
      {wordUsage(usage.value, prices)}
      {size !== null && size > 0 && (
        <meter aria-label="Context in use" max={size} value={usage.value.contextTokens} />
      )}
    </p>
  );
}
