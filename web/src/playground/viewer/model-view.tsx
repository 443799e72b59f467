/** The open file as a tool gives it to a model. */

import { useState } from "preact/hooks";
import { estimateTokens } from "../../adapters/output-profile.ts";
import type { ToolResult, TreeglassClient } from "../../index.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import type { PageState } from "../state/page-state.ts";
import { useAnswer } from "../state/use-answer.ts";
import { findNote, TOOL_NOTES, virtualPath } from "../tool-notes.ts";

const READERS = TOOL_NOTES.filter(({ kind }) => kind === "read");

/** Returns a reading tool's answer for the whole file, without a call in the timeline. */
export function readAsModel(
  client: TreeglassClient,
  reader: string,
  path: string,
): Promise<ToolResult> {
  const call = JSON.stringify({ [findNote(reader)?.pathArgument ?? ""]: virtualPath(path) });
  return client.callTool(reader, call);
}

export function ModelView({ page, path }: { readonly page: PageState; readonly path: string }) {
  const [reader, setReader] = useState("read_file");
  const answer = useAnswer(page, [path, reader], async (client) => ({
    reader,
    ...(await readAsModel(client, reader, path)),
  }));
  // An answer of the other tool stays until that of this one is there.
  const found = typeof answer === "object" && answer?.reader !== reader ? null : answer;
  return (
    <div class="model-view">
      <p class="model-view-head line">
        <label>
          Tool{" "}
          <select value={reader} onChange={({ currentTarget }) => setReader(currentTarget.value)}>
            {READERS.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {found !== null && typeof found !== "string" && (
          <span class="dim">
            {formatCounted(estimateTokens(found.content), "token")}
            {found.truncated ? ", a part of the file" : ", the whole file"}
          </span>
        )}
      </p>
      {found === null ? (
        <p class="dim">Reading…</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box is reached by the keyboard
        <pre class="model-text" tabIndex={0}>
          {typeof found === "string" ? found : found.content}
        </pre>
      )}
    </div>
  );
}
