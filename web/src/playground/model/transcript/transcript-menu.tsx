/** The menu for the whole conversation: copy, download, replay, import. */

import { useRef } from "preact/hooks";
import { copyText } from "../../../ui/copy-text.ts";
import { saveFile } from "../../../ui/save-file.ts";
import { Menu } from "../../shell/menu.tsx";
import type { AgentState } from "../agent-state.ts";
import { transcriptAsMarkdown } from "./as-markdown.ts";
import { readTranscript, renderTranscript } from "./transcript.ts";

const FILE_NAME = "treeglass-transcript.jsonl";

export function TranscriptMenu({ state }: { readonly state: AgentState }) {
  const file = useRef<HTMLInputElement>(null);
  const entries = state.entries.value;
  const isRunning = state.isRunning.value;
  const isEmpty = entries.length === 0;
  return (
    <Menu label="⋯" name="Conversation">
      <button type="button" disabled={isEmpty} onClick={() => void copy(state)}>
        Copy as Markdown
      </button>
      <button
        type="button"
        disabled={isEmpty}
        onClick={() => saveFile(FILE_NAME, renderTranscript(entries), "application/jsonl")}
      >
        Download .jsonl
      </button>
      <button
        type="button"
        disabled={isEmpty || isRunning}
        onClick={() => void state.replay(entries)}
      >
        Replay on this tree
      </button>
      <button type="button" disabled={isRunning} onClick={() => file.current?.click()}>
        Import and replay…
      </button>
      <button type="button" disabled={isEmpty || isRunning} onClick={() => state.forget()}>
        New conversation
      </button>
      <input
        type="file"
        hidden
        ref={file}
        accept=".jsonl,.json,.txt,application/jsonl"
        aria-label="Transcript to import"
        onChange={({ currentTarget }) => importFrom(state, currentTarget)}
      />
    </Menu>
  );
}

async function copy({ entries, problem }: AgentState): Promise<void> {
  const isCopied = await copyText(transcriptAsMarkdown(entries.value));
  problem.value = isCopied ? "" : "The browser refused to copy.";
}

function importFrom(state: AgentState, input: HTMLInputElement): void {
  const [chosen] = input.files ?? [];
  if (chosen !== undefined) {
    void state.import(readTranscript(chosen));
  }
  // So that choosing the same file again is a change.
  input.value = "";
}
