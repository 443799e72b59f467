/** The menu for the whole conversation: copy, download, replay, import. */

import { copyText } from "../../ui/copy-text.ts";
import { saveFile } from "../../ui/save-file.ts";
import { Button } from "../shell/button.tsx";
import { Menu } from "../shell/menu.tsx";
import { PickButton } from "../shell/pick-button.tsx";
import type { AgentState } from "./agent-state.ts";
import { transcriptAsMarkdown } from "./transcript/as-markdown.ts";
import { readTranscript, renderTranscript } from "./transcript/transcript.ts";

const FILE_NAME = "treeglass-transcript.jsonl";

export function TranscriptMenu({ state }: { readonly state: AgentState }) {
  const entries = state.entries.value;
  const isRunning = state.isRunning.value;
  const isEmpty = entries.length === 0;
  return (
    <Menu label="⋯" name="Conversation">
      <Button disabled={isEmpty} onClick={() => void copy(state)} words="Copy as Markdown" />
      <Button
        disabled={isEmpty}
        onClick={() =>
          saveFile(FILE_NAME, new Blob([renderTranscript(entries)], { type: "application/jsonl" }))
        }
        words="Download .jsonl"
      />
      <Button
        disabled={isEmpty || isRunning}
        onClick={() => void state.replay(entries)}
        words="Replay on this tree"
      />
      <PickButton
        label="Import and replay…"
        disabled={isRunning}
        accept=".jsonl,.json,.txt,application/jsonl"
        aria-label="Transcript to import"
        onPick={([file]) => file && void state.import(readTranscript(file))}
      />
      <Button
        disabled={isEmpty || isRunning}
        onClick={() => state.forget()}
        words="New conversation"
      />
    </Menu>
  );
}

async function copy({ entries, problem }: AgentState): Promise<void> {
  const isCopied = await copyText(transcriptAsMarkdown(entries.value));
  problem.value = isCopied ? "" : "The browser refused to copy.";
}
