/** The open file as a tool gives it to a model. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { estimateTokens } from "../../adapters/token-estimate.ts";
import type { ToolName, ToolResult } from "../../index.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import type { PageState } from "../state/page-state.ts";
import { virtualPath } from "../tool-notes.ts";

/** The tools that read a file, each with the argument that takes the path. */
const READERS: Readonly<Record<string, string>> = {
  read_file: "file_path",
  Read: "path",
};
type Reader = Extract<ToolName, "read_file" | "Read">;

export function ModelView({ page, path }: { readonly page: PageState; readonly path: string }) {
  const reader = useSignal<Reader>("read_file");
  const answer = useSignal<ToolResult | string | null>(null);
  const version = page.changes.value.version;
  useEffect(() => {
    let isGone = false;
    answer.value = null;
    const ask = async () => {
      const client = await page.client();
      const call = JSON.stringify({ [READERS[reader.value] ?? ""]: virtualPath(path) });
      const result = await client.callTool(reader.value, call).catch(sentenceOf);
      if (!isGone) {
        answer.value = result;
      }
    };
    void ask();
    return () => {
      isGone = true;
    };
  }, [page, path, reader.value, version]);
  const found = answer.value;
  return (
    <div class="model-view">
      <p class="model-view-head">
        <label>
          Tool{" "}
          <select
            value={reader.value}
            onChange={(event) => {
              reader.value = event.currentTarget.value === "Read" ? "Read" : "read_file";
            }}
          >
            {Object.keys(READERS).map((name) => (
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
