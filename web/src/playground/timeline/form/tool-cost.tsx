/** The description of a tool for a model, and its cost. */

import type { ToolDefinition } from "../../../index.ts";
import { formatCounted } from "../../../ui/format-quantities.ts";
import { renderJson } from "../../../ui/json.ts";
import { Scrolling } from "../scrolling.tsx";
import { costOf } from "./tool-choice.ts";

export function ToolCost({ tool }: { readonly tool: ToolDefinition }) {
  return (
    <details>
      <summary>What a model is told about it</summary>
      <p class="dim">This tool costs {formatCounted(costOf(tool), "token")} in every request.</p>
      <p class="plain-text">{tool.description}</p>
      <Scrolling label="Input schema">
        <pre>{renderJson(tool.inputSchema)}</pre>
      </Scrolling>
    </details>
  );
}
