/** A call on the timeline: one line, and below it the answer when it is open. */

import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { renderJson } from "../../ui/json.ts";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
import { fillCall } from "../state/call-draft.ts";
import type { PageState } from "../state/page-state.ts";
import type { CallItem, CallStanding } from "../state/timeline.ts";
import { MarkedText } from "../text/marked-text.tsx";
import { type AnswerProps, AnswerViews } from "./answer/answer-views.tsx";
import {
  callOf,
  isOfEmptyFile,
  mainArgument,
  wordEnd,
  wordError,
  wordFigures,
  wordPart,
  wordRunning,
} from "./call-words.ts";

export interface CallCardProps {
  readonly page: PageState;
  readonly item: CallItem;
  /** More that a visitor can do with the call. */
  readonly actions: (item: CallItem) => ComponentChildren;
}

const TICK_MS = 1000;

/** The timeline's `openCall` is open, unless the visitor has folded it. */
export function CallCard({ page, item, actions }: CallCardProps) {
  const id = useId();
  const { openCall, announcement } = page.timeline;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? openCall.value === item.number;
  const standing = item.standing.value;
  useSignalEffect(() => {
    announcement.value = wordEnd(item.toolName, item.standing.value) || announcement.peek();
  });
  useEffect(() => {
    if (item.by !== "you" || standing.kind !== "running") {
      return undefined;
    }
    const timer = setTimeout(() => {
      announcement.value = `${item.toolName} is running`;
    }, TICK_MS);
    return () => clearTimeout(timer);
  }, [item, standing.kind, announcement]);
  return (
    <div class="call" data-kind={kindOf(standing)}>
      <div class="row">
        <button
          type="button"
          class="call-line line"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setChosen(!isOpen)}
        >
          <span class="call-mark" aria-hidden="true" />
          <strong>{item.toolName}</strong>
          {item.by !== "you" && <span class="visually-hidden">by the {item.by}</span>}
          <span class="call-argument">{mainArgument(item)}</span>
          <CallWords item={item} standing={standing} />
        </button>
        {standing.kind === "running" && <Button onClick={item.stop} words="Stop" />}
      </div>
      <div class="call-body" id={id} hidden={!isOpen}>
        {isOpen && <CallBody page={page} item={item} standing={standing} actions={actions} />}
      </div>
    </div>
  );
}

function kindOf(standing: CallStanding): string {
  return standing.kind === "answered" && standing.result.isError ? "failed" : standing.kind;
}

interface StandingProps {
  readonly item: CallItem;
  readonly standing: CallStanding;
}

function CallWords({ item, standing }: StandingProps) {
  switch (standing.kind) {
    case "running":
      return <Running startedAtMs={item.startedAtMs} amount={standing.amount} />;
    case "answered":
      return (
        <span class="row call-figures figure dim">
          {standing.result.isError && <span class="failed">error</span>}
          {wordFigures(standing.result).map((words) => (
            <span key={words}>{words}</span>
          ))}
        </span>
      );
    case "stopped":
      return <span class="dim">stopped</span>;
    case "failed":
      return <span class="failed">failed</span>;
  }
}

function Running(props: { readonly startedAtMs: number; readonly amount: string }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const elapsedMs = Math.max(0, now - props.startedAtMs);
  return <span class="running dim">{wordRunning(elapsedMs, props.amount)}</span>;
}

type CallBodyProps = StandingProps & Pick<CallCardProps, "page" | "actions">;

function CallBody({ page, item, standing, actions }: CallBodyProps) {
  if (standing.kind === "running") {
    return <p class="dim">The answer comes when the call has ended.</p>;
  }
  const result = standing.kind === "answered" ? standing.result : null;
  return (
    <>
      {standing.kind === "stopped" && <p>The call was stopped, so there is no answer.</p>}
      {standing.kind === "failed" && <p class="failed">{standing.sentence}</p>}
      {result !== null && <Completeness page={page} item={item} result={result} />}
      {result !== null && <AnswerViews page={page} item={item} result={result} />}
      <div class="row">
        <Button
          class="quiet"
          onClick={() => void page.call(callOf(item), "you")}
          words="Run again"
        />
        <Button class="quiet" onClick={() => fillCall(item)} words="Edit" />
        {result !== null && <CopyButton label="Copy answer" text={() => result.content} />}
        {actions(item)}
        <label>
          <input
            type="checkbox"
            checked={item.isChosen.value}
            onChange={(event) => {
              item.isChosen.value = event.currentTarget.checked;
            }}
          />
          Compare
        </label>
      </div>
    </>
  );
}

/** Says whether the answer is whole, and what the tool warns of. */
function Completeness({ page, item, result }: AnswerProps) {
  const { truncated, isError, nextArguments: next, warnings } = result;
  const goOn = () => page.call({ ...callOf(item), argumentsText: renderJson(next) }, "you");
  return (
    <>
      {isError ? (
        <p class="dim">
          {wordError(result)}
          {isOfEmptyFile(item, result) &&
            " The file is empty, and this tool's design answers that with an error."}
        </p>
      ) : (
        <p class="row">
          <span class={truncated ? "warned" : "dim"}>{wordPart(result)}</span>
          {next !== null && <Button onClick={() => void goOn()} words="Next page" />}
        </p>
      )}
      {warnings.length > 0 && (
        <ul class="warnings warned" aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>
              <MarkedText text={warning} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
