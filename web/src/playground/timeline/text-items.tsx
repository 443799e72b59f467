/** The items of the timeline that are no calls: texts, a consent, and the review. */

import { useComputed, useSignalEffect } from "@preact/signals";
import { h } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { TreeglassReview } from "../../element/review/review.ts";
import { Button } from "../shell/button.tsx";
import type { PageState } from "../state/page-state.ts";
import type { ConsentItem, TextItem } from "../state/timeline.ts";
import { Markdown } from "../text/markdown.tsx";
import { MarkedText } from "../text/marked-text.tsx";

export function TextCard({ page, item }: { readonly page: PageState; readonly item: TextItem }) {
  const text = item.text.value;
  return item.kind === "answer" ? (
    <div class="answer">
      <Markdown page={page} text={text} />
    </div>
  ) : (
    <p class={`${item.kind} plain-text`} dir="auto">
      <MarkedText text={text} />
    </p>
  );
}

/** Never takes the focus: a key that the visitor presses meanwhile must not allow a call. */
export function ConsentCard({ item }: { readonly item: ConsentItem }) {
  const isAllowed = item.isAllowed.value;
  if (isAllowed !== null) {
    return (
      <p class="note">
        {isAllowed ? "Allowed: " : "Refused: "}
        <MarkedText text={item.sentence} />
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a sentence with two buttons is no form
    <div class="consent" role="group" aria-label="A call that waits for you">
      <p>
        <MarkedText text={item.sentence} />
      </p>
      <Button class="primary" onClick={() => item.decide(true)} words="Allow" />
      <Button onClick={() => item.decide(false)} words="Refuse" />
    </div>
  );
}

/** The element's code is loaded with the first review. */
export function ReviewCard({ page }: { readonly page: PageState }) {
  const element = useRef<TreeglassReview>(null);
  useEffect(() => {
    const review = element.current;
    // Taking a part is no step of the changes, so nothing else tells the page of it.
    const onDecision = () => void page.refreshChanges();
    review?.addEventListener("treeglass-decision", onDecision);
    let isGone = false;
    void Promise.all([page.client(), import("../../element/review/review.ts")]).then(([client]) => {
      if (review !== null && !isGone) {
        review.client = client;
      }
    });
    return () => {
      isGone = true;
      review?.removeEventListener("treeglass-decision", onDecision);
      if (review !== null) {
        review.client = null;
      }
    };
  }, [page]);
  const version = useComputed(() => page.changes.value.version);
  useSignalEffect(() => {
    // Each change of the proposals, by whomever, is shown again.
    if (version.value > 0 && element.current?.client) {
      void element.current.refresh();
    }
  });
  const isSought = page.isReviewSought.value;
  useEffect(() => {
    if (isSought) {
      page.isReviewSought.value = false;
      element.current?.scrollIntoView();
      element.current?.focus({ preventScroll: true });
    }
  }, [page, isSought]);
  return h("treeglass-review", { ref: element, class: "review", tabIndex: -1 });
}
