/** The menu for the whole conversation: copy, download, replay, import. */

import { copyText } from "../../../ui/copy-text.ts";
import { saveFile } from "../../../ui/save-file.ts";
import { Menu } from "../../shell/menu.tsx";
import { PickButton } from "../../shell/pick-button.tsx";
import type { AgentState } from "../agent-state.ts";
import { transcriptAsMarkdown } from "./as-markdown.ts";
import { readTranscript, renderTranscript } from "./transcript.ts";

const FILE_NAME = "treeglass-transcript.jsonl";

export function TranscriptMenu({ state }: { readonly state: AgentState }) {
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
      <PickButton
        label="Import and replay…"
        disabled={isRunning}
        accept=".jsonl,.json,.txt,application/jsonl"
        aria-label="Transcript to import"
        onPick={([file]) => file && void state.import(readTranscript(file))}
      />
      <button type="button" disabled={isEmpty || isRunning} onClick={() => state.forget()}>
        New conversation
      </button>
    </Menu>
  );
}

async function copy({ entries, problem }: AgentState): Promise<void> {
  const isCopied = await copyText(transcriptAsMarkdown(entries.value));
  problem.value = isCopied ? "" : "The browser refused to copy.";
}
