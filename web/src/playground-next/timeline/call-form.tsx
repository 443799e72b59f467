/** The visitor's own call: a tool, its arguments as a form or as JSON, and a button that runs it. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ToolDefinition } from "../../index.ts";
import { formatCounted } from "../../page-parts/format-quantities.ts";
import { parseJsonObject, renderJson } from "../../page-parts/json.ts";
import { readProperties } from "../../playground/input-schema.ts";
import type { PageState } from "../state/page-state.ts";
import {
  draftArguments,
  draftMaxOutputBytes,
  draftTool,
  fillCount,
  forgetArguments,
  writeArguments,
} from "./call-draft.ts";
import { SchemaFields } from "./schema-fields.tsx";
import { Scrolling } from "./scrolling.tsx";
import { costOf } from "./tool-choice.ts";
import { ToolCombobox } from "./tool-combobox.tsx";

const NOT_AN_OBJECT =
  "This is not a JSON object. It is sent as it is, and the tool reports the error.";

export function CallForm({ page }: { readonly page: PageState }) {
  const tools = useSignal<readonly ToolDefinition[]>([]);
  const running = useSignal<AbortController | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const loadTools = async () => {
    tools.value = await (await page.client()).listTools();
  };
  useEffect(() => {
    // A start that failed has its own words at the top of the page.
    loadTools().catch(() => undefined);
  }, []);
  useSignalEffect(() => {
    if (page.tree.value !== null) {
      forgetArguments();
    }
  });
  useSignalEffect(() => {
    if (fillCount.value > 0) {
      form.current?.querySelector("input")?.focus();
    }
  });
  const toolName = draftTool.value;
  const tool = tools.value.find(({ name }) => name === toolName);
  const run = async () => {
    if (running.value !== null) {
      running.value.abort();
      return;
    }
    const controller = new AbortController();
    running.value = controller;
    const argumentsText = draftArguments(toolName, page.openFile.value?.path);
    const call = { toolName, argumentsText, maxOutputBytes: draftMaxOutputBytes.value };
    await page.call(call, "you", { signal: controller.signal }).catch(() => undefined);
    running.value = null;
  };
  return (
    <form
      class="call-form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && toolName !== "") {
          event.preventDefault();
          void run();
        }
      }}
    >
      <ToolCombobox
        tools={tools.value}
        chosen={toolName}
        onChoose={(name) => {
          draftTool.value = name;
        }}
        onOpen={() => void loadTools().catch(() => undefined)}
      />
      {toolName !== "" && (
        <>
          <Arguments page={page} tool={tool} />
          <div class="call-run">
            <button type="submit" class="primary" title="Ctrl Enter">
              {running.value === null ? "Run" : "Stop"}
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                draftTool.value = "";
              }}
            >
              Close
            </button>
            <Advanced />
          </div>
          {tool !== undefined && <Definition tool={tool} />}
        </>
      )}
    </form>
  );
}

interface ArgumentsProps {
  readonly page: PageState;
  readonly tool: ToolDefinition | undefined;
}

function Arguments({ page, tool }: ArgumentsProps) {
  const isJson = useSignal(false);
  const toolName = draftTool.value;
  const text = draftArguments(toolName, page.openFile.value?.path);
  const values = parseJsonObject(text);
  const properties = readProperties(tool?.inputSchema);
  return (
    <>
      <label class="as-json">
        <input
          type="checkbox"
          checked={isJson.value}
          onChange={(event) => {
            isJson.value = event.currentTarget.checked;
          }}
        />
        As JSON
      </label>
      {isJson.value || tool === undefined ? (
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
        <div class="fields">
          <SchemaFields
            key={toolName}
            properties={properties}
            values={values ?? {}}
            onChange={(next) => writeArguments(toolName, renderJson(next))}
          />
        </div>
      )}
      {values === null && <p class="warned">{NOT_AN_OBJECT}</p>}
    </>
  );
}

function Advanced() {
  const bytes = draftMaxOutputBytes.value;
  return (
    <details>
      <summary>Advanced</summary>
      <label>
        Max output bytes{" "}
        <input
          type="text"
          inputmode="numeric"
          placeholder="as configured"
          value={bytes ?? ""}
          onInput={({ currentTarget: { value } }) => {
            draftMaxOutputBytes.value = /^\d{1,9}$/.test(value) ? Number(value) : null;
          }}
        />
      </label>
    </details>
  );
}

function Definition({ tool }: { readonly tool: ToolDefinition }) {
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
