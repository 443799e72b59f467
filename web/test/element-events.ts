/** Compiled by `npm run check`, and never run: where the events of the elements have their types. */
import "../src/element/element.ts";
import "../src/element/review/review.ts";

export function listenEverywhere(): void {
  document.addEventListener("treeglass-result", ({ detail }) => detail.result.content.trim());
  document.addEventListener("treeglass-decision", ({ detail }) => detail.paths.join());
  window.addEventListener("treeglass-failure", ({ detail }) => detail.message.trim());
  window.addEventListener("treeglass-export", ({ detail }) => detail.fileName.trim());
  document.body.addEventListener("treeglass-progress", ({ detail }) => detail.elapsedMs.toFixed());
  // @ts-expect-error an answer has no such field
  document.addEventListener("treeglass-result", ({ detail }) => detail.answer);
}
