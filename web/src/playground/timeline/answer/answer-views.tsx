/** The views of an answer: for a person, exactly as the model reads it, as data, and its arguments. */

import { useState } from "preact/hooks";
import type { ToolResult } from "../../../index.ts";
import { readRows, readText } from "../../../ui/answer-rows.ts";
import { formatCounted } from "../../../ui/format-quantities.ts";
import { escapeJson } from "../../../ui/hostile-characters.ts";
import { renderJson } from "../../../ui/json.ts";
import { Tabs } from "../../shell/tabs.tsx";
import type { PageState } from "../../state/page-state.ts";
import type { CallItem } from "../../state/timeline.ts";
import { MOUNT_PATH } from "../../tool-notes.ts";
import { countSuspicious, MarkedText } from "../marked-text.tsx";
import { Scrolling } from "../scrolling.tsx";
import { AnswerRowList } from "./answer-row-list.tsx";

export interface AnswerProps {
  readonly page: PageState;
  readonly item: CallItem;
  readonly result: ToolResult;
}

export function AnswerViews(props: AnswerProps) {
  const { item, result } = props;
  const code = (label: string, text: string) => ({
    label,
    draw: () => <TextBox label={`${label} of ${item.toolName}`} text={escapeJson(text)} />,
  });
  const data = result.structuredContent;
  const tabs = [
    { label: "Answer", draw: () => <Answer {...props} /> },
    {
      label: "As the model reads it",
      draw: () => <ExactText toolName={item.toolName} text={result.content} />,
    },
    ...(data === null ? [] : [code("Data", renderJson(data))]),
    code("Arguments", item.argumentsText),
  ];
  return <Tabs label={`Views of the answer of ${item.toolName}`} tabs={tabs} />;
}

function Answer({ page, item, result }: AnswerProps) {
  const label = `Answer of ${item.toolName}`;
  const rows = readRows({ ...item, result, mountPath: MOUNT_PATH });
  return rows.length === 0 ? (
    <TextBox label={label} text={readText(result) || "The answer is empty."} />
  ) : (
    <Scrolling label={label}>
      <AnswerRowList page={page} item={item} rows={rows} />
    </Scrolling>
  );
}

interface ExactTextProps {
  readonly toolName: string;
  readonly text: string;
}

function ExactText({ toolName, text }: ExactTextProps) {
  const [isMarked, setMarked] = useState(false);
  const count = countSuspicious(text);
  return (
    <>
      {count > 0 && (
        <button type="button" aria-pressed={isMarked} onClick={() => setMarked(!isMarked)}>
          {formatCounted(count, "suspicious character")} – {isMarked ? "hide" : "show"}
        </button>
      )}
      <TextBox label={`Text of ${toolName}`} text={text} isMarked={isMarked} />
    </>
  );
}

interface TextBoxProps {
  readonly label: string;
  readonly text: string;
  readonly isMarked?: boolean;
}

function TextBox({ label, text, isMarked = false }: TextBoxProps) {
  return (
    <Scrolling label={label}>
      <pre>{isMarked ? <MarkedText text={text} /> : text}</pre>
    </Scrolling>
  );
}
