/** Offers the tour on an empty timeline and in a menu, and leads through it step by step. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { Button } from "../shell/button.tsx";
import { isWelcomed } from "../sources/samples.ts";
import { accentOf, isTourOffered, tourProgress } from "../state/leading-action.ts";
import type { PageState } from "../state/page-state.ts";
import { TOUR_STEPS, type TourMemory } from "./tour-steps.ts";

const isRunning = signal(false);
let memory: TourMemory = { path: "" };
/** The numbers that the words of the steps have on the timeline. */
let starts: readonly number[] = [];

/** Offers the tour; `Introduction` does so while the page shows it. */
export function TourOffer({ page }: { readonly page: PageState }) {
  return (
    <section class="tour row" aria-label="Tour">
      <TourButton page={page} class={accentOf(page, "tour")} />
      <p class="dim">A script explores this tree as an agent would, and proposes a change.</p>
    </section>
  );
}

/** Starts the tour from a menu, while no part of the page offers it. */
export function LaterTour({ page }: { readonly page: PageState }) {
  return tourProgress.value !== null || isTourOffered(page) ? null : <TourButton page={page} />;
}

interface TourButtonProps {
  readonly page: PageState;
  readonly class?: string;
}

function TourButton({ page, ...attributes }: TourButtonProps) {
  const start = () => {
    memory = { path: "" };
    starts = [];
    page.section.value = "calls";
    void runNext(page);
  };
  return (
    <Button
      {...attributes}
      disabled={page.tree.value === null || isRunning.value}
      onClick={start}
      words="Take the tour (1 minute)"
    />
  );
}

async function runNext(page: PageState): Promise<void> {
  const step = TOUR_STEPS[tourProgress.value?.stepsDone ?? 0];
  const treeNumber = page.tree.peek()?.number;
  if (step === undefined || isRunning.value) {
    return;
  }
  isRunning.value = true;
  const { number } = page.timeline.addText("note", "tour", step.words);
  try {
    await step.run(page, memory);
  } catch (error) {
    // A model's running turn may keep the tools of the step; the step then runs again.
    page.timeline.addText("problem", "tour", sentenceOf(error));
    return;
  } finally {
    isRunning.value = false;
  }
  // A mount that came meanwhile has ended the tour.
  if (page.tree.peek()?.number === treeNumber) {
    starts = [...starts, number];
    tourProgress.value = {
      stepsDone: starts.length,
      isOver: starts.length >= TOUR_STEPS.length,
    };
  }
}

/** Returns the number of the step in sight; the first is 1. */
function stepInSight({ timeline }: PageState): number {
  const first = timeline.shownStep.value?.first;
  return first === undefined ? starts.length : starts.indexOf(first) + 1;
}

/** Shows a step that has run, or runs the next one; no call is made again or taken back. */
function goTo(page: PageState, step: number): void {
  if (step > starts.length) {
    void runNext(page);
    return;
  }
  const [first, next] = [starts[step - 1], starts[step]];
  if (first !== undefined && !isRunning.value) {
    page.timeline.shownStep.value = next === undefined ? null : { first, next };
  }
}

/** The keys that go one step back or on, while the focus is in the card. */
const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

export function TourCard({ page }: { readonly page: PageState }) {
  const treeNumber = page.tree.value?.number ?? 0;
  useEffect(() => {
    // Another tree has another story.
    tourProgress.value = null;
  }, [treeNumber]);
  if (tourProgress.value === null) {
    return isTourOffered(page) && !isWelcomed(page) ? <TourOffer page={page} /> : null;
  }
  const end = () => {
    tourProgress.value = null;
  };
  const step = stepInSight(page);
  const isOver = step >= TOUR_STEPS.length;
  const isUndecided = page.changes.value.entries.some(({ decision }) => decision === "pending");
  return (
    <section
      class="tour row"
      aria-label="Tour"
      data-step={tourProgress.value.stepsDone}
      data-waits={isOver && isUndecided}
      onKeyDown={({ key }) => goTo(page, step + (KEYS[key] ?? 0))}
    >
      <p class="dim">
        Step {step} of {TOUR_STEPS.length}
      </p>
      <Button
        class="quiet"
        aria-disabled={isRunning.value || step <= 1}
        onClick={() => goTo(page, step - 1)}
        words="Back"
      />
      {isOver ? (
        <>
          <p>That was the tour. {isUndecided ? "The changes above wait for you." : "What next?"}</p>
          <Button
            class={accentOf(page, "tour")}
            onClick={() => askModel(end)}
            words="Ask your own model"
          />
          {!page.isAlone && (
            <a href="./docs/start/page.html" target="_blank" rel="noopener">
              Use this in your page
            </a>
          )}
        </>
      ) : (
        <Button
          class={accentOf(page, "tour")}
          aria-disabled={isRunning.value}
          onClick={() => goTo(page, step + 1)}
          words="Next"
        />
      )}
      {/* It takes the place of Next, where a person may click twice. */}
      <Button class="quiet" onClick={({ detail }) => detail > 1 || end()} words="End the tour" />
    </section>
  );
}

function askModel(end: () => void): void {
  end();
  // A small screen hides the question until the tour has ended.
  requestAnimationFrame(() => {
    const question = document.getElementById("agent-question");
    const form = question?.closest("form");
    question?.focus();
    if (form?.dataset.complete === "false") {
      // No model is chosen, and a question would ask for one.
      form.requestSubmit();
    }
  });
}
