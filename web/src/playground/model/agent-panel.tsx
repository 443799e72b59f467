/** The visitor's own model: one line until a model is chosen, then the question and its figures. */

import { type Signal, useSignal } from "@preact/signals";
import { Button } from "../shell/button.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { Problem } from "../shell/problem.tsx";
import type { AgentState } from "./agent-state.ts";
import { ModelForm } from "./model-form.tsx";
import { TranscriptMenu } from "./transcript-menu.tsx";
import { wordUsage } from "./usage.ts";

interface StateProps {
  readonly state: AgentState;
}

export function AgentPanel({ state }: StateProps) {
  const isOpen = useSignal(false);
  const { settings, problem } = state;
  const close = () => {
    isOpen.value = false;
  };
  return (
    <section class="agent stack" aria-label="Model">
      <Dialog class="sources" title="Choose a model" isOpen={isOpen.value} onClose={close}>
        <ModelForm state={state} onDone={close} />
      </Dialog>
      <form
        class="agent-ask"
        data-complete={settings.isComplete.value}
        onSubmit={(event) => {
          event.preventDefault();
          if (settings.isComplete.value) {
            void state.ask();
          } else {
            isOpen.value = true;
          }
        }}
      >
        <Question state={state} />
        <Actions state={state} isOpen={isOpen} />
      </form>
      <Problem words={problem.value} />
      <p class="visually-hidden" role="status">
        {state.spoken}
      </p>
      {settings.isComplete.value && <UsageLine state={state} />}
    </section>
  );
}

interface ActionsProps extends StateProps {
  readonly isOpen: Signal<boolean>;
}

function Actions({ state, isOpen }: ActionsProps) {
  const { settings, isRunning } = state;
  const { model, family } = settings.values.value;
  return (
    <div class="row">
      {/* One element that keeps the focus, and never submits: a stop must not ask again. */}
      <Button
        onClick={({ currentTarget, detail }) => {
          if (!isRunning.value) {
            currentTarget.form?.requestSubmit();
          } else if (detail < 2) {
            // The second click of a double click stops nothing.
            state.stop();
          }
        }}
        words={isRunning.value ? "Stop" : "Ask"}
      />
      {settings.isComplete.value && (
        <Button
          disabled={isRunning.value}
          title={`Asks twice, with the ${family} tools and with the ${settings.otherFamily} tools`}
          onClick={() => void state.askTwoSets()}
          words="Ask two tool sets"
        />
      )}
      <Button
        class="quiet"
        aria-haspopup="dialog"
        title="Which model is asked, and with which tools"
        onClick={() => {
          isOpen.value = true;
        }}
        words={settings.isComplete.value ? `${model} ▾` : "Choose a model ▾"}
      />
      <TranscriptMenu state={state} />
    </div>
  );
}

/** Enter asks, and Shift Enter begins a line. */
function Question({ state }: StateProps) {
  return (
    <textarea
      id="agent-question"
      aria-label="Question for a model"
      placeholder="Ask a model…"
      rows={state.settings.isComplete.value ? 2 : 1}
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

function UsageLine({ state: { usage, settings } }: StateProps) {
  const prices = {
    sent: settings.numberIn("sentPrice"),
    received: settings.numberIn("receivedPrice"),
  };
  const size = settings.numberIn("contextTokens");
  return (
    <p class="row agent-usage figure dim">
      {wordUsage(usage.value, prices)}
      {size !== null && size > 0 && (
        <meter aria-label="Context in use" max={size} value={usage.value.contextTokens} />
      )}
    </p>
  );
}
