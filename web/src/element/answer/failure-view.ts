/** Why a call could not be made: a sentence for the reader, and the detail for the page's author. */
import { makeElement } from "../../ui/make-element.ts";
import type { DemoFailure } from "../runs/demo-runs.ts";

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ["StartFailed", "The tools did not load. Check the network, and run again."],
  ["TimedOut", "The call took too long, so it was stopped. Ask for less, or run again."],
  ["WorkerFailed", "The tools have stopped. Run again to start them anew."],
]);

/** The advice of a `SourceUnreadable` that a reader can follow; any other is the author's. */
const FOR_THE_READER = /try again|your connection|mounted again|choose it again/;

const OF_THE_AUTHOR: readonly string[] = [
  ...["BadRequest", "ConfigInvalid", "WorkspaceInvalid"],
  ...["SourceUnknown", "SourceUnreadable", "LimitExceeded"],
];

export class FailureView {
  readonly element = makeElement("div", { class: "failure", part: "failure" });

  constructor() {
    this.element.hidden = true;
  }

  /** Shows a failure; null hides it. Returns the sentence for the reader. */
  show(failure: DemoFailure | null): string {
    this.element.hidden = failure === null;
    if (failure === null) {
      return "";
    }
    const sentence = wordFailure(failure);
    this.element.replaceChildren(
      makeElement("p", {}, sentence),
      makeElement(
        "details",
        {},
        makeElement("summary", {}, "Details for the author of this page"),
        makeElement("p", {}, `${failure.name}: ${failure.message}`),
      ),
    );
    return sentence;
  }
}

/** Returns the sentence for the reader, who can do nothing about what the author has written. */
export function wordFailure({ name, message }: DemoFailure): string {
  if (name === "SourceUnreadable" && FOR_THE_READER.test(message)) {
    return "The files did not load. Check the network, and run again.";
  }
  if (OF_THE_AUTHOR.includes(name)) {
    return "This demo is not written correctly, so it cannot run.";
  }
  return SENTENCES.get(name) ?? "The call could not be made.";
}
