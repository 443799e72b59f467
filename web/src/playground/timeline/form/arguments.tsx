/** The arguments of the call: fields drawn from the tool's input schema, or JSON. */

import type { ToolDefinition } from "../../../index.ts";
import { readProperties } from "../../../ui/input-schema.ts";
import { parseJsonObject, renderJson } from "../../../ui/json.ts";
import type { PageState } from "../../state/page-state.ts";
import { draftArguments, draftTool, writeArguments } from "../call-draft.ts";
import { SchemaFields } from "./schema-fields.tsx";

export interface ArgumentsProps {
  readonly page: PageState;
  /** Undefined for a name that no offered tool has. */
  readonly tool: ToolDefinition | undefined;
  readonly isJson: boolean;
}

const NOT_AN_OBJECT =
  "This is not a JSON object. It is sent as it is, and the tool reports the error.";

export function Arguments({ page, tool, isJson }: ArgumentsProps) {
  const toolName = draftTool.value;
  const text = draftArguments(toolName, page.openFile.value?.path);
  const values = parseJsonObject(text);
  return (
    <>
      {isJson || tool === undefined ? (
        <textarea
          class="figure"
          rows={6}
          aria-label="Arguments as JSON"
          spellcheck={false}
          autocapitalize="none"
          value={text}
          onInput={(event) => writeArguments(toolName, event.currentTarget.value)}
        />
      ) : (
        <div class="fields stack">
          <SchemaFields
            key={toolName}
            properties={readProperties(tool.inputSchema)}
            values={values ?? {}}
            onChange={(next) => writeArguments(toolName, renderJson(next))}
          />
        </div>
      )}
      {values === null && <p class="warned">{NOT_AN_OBJECT}</p>}
    </>
  );
}
