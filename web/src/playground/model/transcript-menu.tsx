/** The menu for the whole conversation: copy, download, replay, import. */

import { saveFile } from "../../ui/save-file.ts";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
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
    <Menu label="Conversation ▾">
      <CopyButton
        disabled={isEmpty}
        label="Copy as Markdown"
        text={() => transcriptAsMarkdown(entries)}
      />
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
