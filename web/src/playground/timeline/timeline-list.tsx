/** The timeline: every question, call and answer in order, and the sums at its foot. */

import { type ReadonlySignal, useComputed, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import type { TimelineItem } from "../state/timeline.ts";
import { CallCard, type CallCardProps } from "./call-card.tsx";
import { totalsOf, wordTotals } from "./call-words.ts";
import { ConsentCard, ReviewCard, TextCard } from "./text-items.tsx";

/** Nearer to the end than this counts as at the end. */
const END_PX = 40;

interface TimelineListProps extends Pick<CallCardProps, "page" | "actions"> {
  /** More that a visitor can do with the calls, beside their sums. */
  readonly children: ComponentChildren;
}

export function TimelineList({ page, actions, children }: TimelineListProps) {
  const { items, shownStep, openCall, announcement } = page.timeline;
  const step = useComputed(() => shownStep.value?.first ?? newestStep(items.value));
  useSignalEffect(() => {
    const last = items.value.at(-1);
    if (last === undefined) {
      // What was said concerns calls that are gone, or another tree.
      announcement.value = "";
    } else if (last.kind === "consent") {
      announcement.value = `A call waits for you: ${last.sentence}`;
    } else if (last.kind === "problem") {
      announcement.value = last.text.value;
    }
  });
  const { box, list, onScroll, onClick } = useFollowing(openCall, step);
  return (
    <>
      <div class="timeline" ref={box} onScroll={onScroll}>
        {items.value.length === 0 && (
          <p class="empty dim">Each call and its answer is listed here. Call a tool below.</p>
        )}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the buttons inside click too */}
        <ol ref={list} aria-label="Timeline" onClick={onClick}>
          {items.value.map((item) => (
            <li key={item.number} data-number={item.number} data-kind={item.kind} data-by={item.by}>
              <Item page={page} item={item} actions={actions} />
            </li>
          ))}
        </ol>
      </div>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      <Foot page={page}>{children}</Foot>
    </>
  );
}

interface ItemProps extends Omit<CallCardProps, "item"> {
  readonly item: TimelineItem;
}

function Item({ item, ...rest }: ItemProps) {
  switch (item.kind) {
    case "call":
      return <CallCard item={item} {...rest} />;
    case "consent":
      return <ConsentCard item={item} />;
    case "review":
      return <ReviewCard page={rest.page} />;
    default:
      return <TextCard page={rest.page} item={item} />;
  }
}

/** Returns the number of the words of the tour's newest step; 0 if others have gone on since. */
function newestStep(items: readonly TimelineItem[]): number {
  const words = items.at(-1)?.by === "tour" ? items.filter(({ kind }) => kind === "note") : [];
  return words.at(-1)?.number ?? 0;
}

/**
 * Keeps the end in view while the visitor is there, and shows the visitor's own new call.
 *
 * A step of the tour is in view from its words on.
 */
function useFollowing(openCall: ReadonlySignal<number>, step: ReadonlySignal<number>) {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  const ownTop = useRef(0);
  useLayoutEffect(() => {
    isFollowing.current = true;
  }, [openCall.value, step.value]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isFollowing.current && box.current !== null) {
        scrollTo(box.current, step.peek());
        ownTop.current = box.current.scrollTop;
      }
    });
    for (const element of [box.current, list.current]) {
      if (element !== null) {
        observer.observe(element);
      }
    }
    return () => observer.disconnect();
  }, []);
  return {
    box,
    list,
    onScroll: (event: Event & { readonly currentTarget: HTMLElement }) => {
      const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
      const isAtEnd = scrollHeight - scrollTop - clientHeight < END_PX;
      if (step.peek() > 0) {
        // A list that shrinks pulls its end up, which is no move of the visitor.
        isFollowing.current &&= isAtEnd || Math.abs(scrollTop - ownTop.current) < 1;
        return;
      }
      // The list may grow before this event arrives, so only a move upwards is the visitor's.
      isFollowing.current = isAtEnd || (isFollowing.current && scrollTop >= lastTop.current);
      lastTop.current = scrollTop;
    },
    // What a visitor opens stays where it is.
    onClick: ({ target }: Event) => {
      if (target instanceof Element && target.closest("[aria-expanded]") !== null) {
        isFollowing.current = false;
      }
    },
  };
}

/** Shows a box from the item of this number on; from its end on, if the number is 0. */
function scrollTo(box: HTMLElement, number: number): void {
  const item = box.querySelector(`li[data-number="${number}"]`);
  const top = item?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
  box.scrollTop = Math.min(box.scrollTop + top - box.getBoundingClientRect().top, box.scrollHeight);
}

function Foot({ page, children }: Omit<TimelineListProps, "actions">) {
  const items = page.timeline.items.value;
  // The review has the undo and the export of what is still proposed.
  const keepsReview = page.changes.value.entries.length > 0;
  const isClearable = items.some(({ kind }) => !(keepsReview && kind === "review"));
  const clear = () => {
    for (const item of items) {
      if (item.kind === "call") {
        item.stop();
      } else if (item.kind === "consent" && item.isAllowed.value === null) {
        item.decide(false);
      }
    }
    page.timeline.clear({ keepsReview });
  };
  return (
    <div class="row timeline-foot">
      {isClearable && <span class="first">{wordTotals(totalsOf(page.timeline.calls.value))}</span>}
      {children}
      {isClearable && <Button class="quiet" onClick={clear} words="Clear" />}
    </div>
  );
}
