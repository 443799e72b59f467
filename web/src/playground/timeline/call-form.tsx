/** The visitor's own call: a tool, its arguments as a form or as JSON, and a button that runs it. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { fullNameOf } from "../../adapters/named-tools.ts";
import type { ToolDefinition } from "../../index.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import { readProperties } from "../../ui/input-schema.ts";
import { parseJsonObject, renderJson } from "../../ui/json.ts";
import { findOwnLine, isChanging } from "../model-tools.ts";
import { Button, keepFirstClick } from "../shell/button.tsx";
import { Scrolling } from "../shell/scrolling.tsx";
import {
  draftArguments,
  draftMaxOutputBytes,
  draftTool,
  fillCount,
  writeArguments,
} from "../state/call-draft.ts";
import { accentOf } from "../state/leading-action.ts";
import type { PageState } from "../state/page-state.ts";
import { useAnswer } from "../state/use-answer.ts";
import { virtualPath } from "../tool-notes.ts";
import { NOT_AN_OBJECT } from "./call-words.ts";
import { useOfferedTools } from "./form/offered-tools.ts";
import { SchemaFields } from "./form/schema-fields.tsx";
import { costOf, ToolCombobox } from "./form/tool-combobox.tsx";

export function CallForm({ page }: { readonly page: PageState }) {
  const form = useRef<HTMLFormElement>(null);
  const [isJson, setJson] = useState(false);
  const typed = useSignal<string | null>(null);
  const isFolded = useSignal(false);
  const { tools, isLoading, refusal, loadTools } = useOfferedTools(page);
  const tool = tools.find(({ name }) => name === draftTool.value);
  const text = useDraft(page, tool);
  const { isRunning, run } = useRun(page, text);
  useSignalEffect(() => {
    if (fillCount.value > 0) {
      typed.value = null;
      isFolded.value = false;
      // During the tour, a phone draws the form after this event.
      requestAnimationFrame(() => form.current?.querySelector("input")?.focus());
      void loadTools(() => page.offerTool(draftTool.peek()));
    }
  });
  // The tool that the form shows is not the one in the field.
  const isElsewhere = typed.value !== null && typed.value !== "" && !isRunning;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      onSubmit(event);
    }
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (!isElsewhere) {
      run();
      // The answer gets the room of valid arguments; the button keeps the keys of a field.
      form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
      isFolded.value = parseJsonObject(text) !== null;
    }
  };
  return (
    <form class="call-form stack" ref={form} onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <ToolCombobox
        page={page}
        typed={typed}
        tools={tools}
        onOpen={() => {
          isFolded.value = false;
          void loadTools();
        }}
        onMissing={(family) => loadTools(() => page.offerEditing(family))}
        onChosen={() => focusArguments(form.current)}
      />
      {draftTool.value !== "" && (
        <>
          {isFolded.value || (tool === undefined && isLoading) ? null : (
            <Arguments text={text} tool={tool} isJson={isJson} />
          )}
          {refusal !== "" && <p class="warned">{refusal}</p>}
          <div class="row">
            <Button
              type="submit"
              class={accentOf(page, "run")}
              aria-keyshortcuts="Control+Enter"
              onClick={keepFirstClick}
              disabled={isElsewhere || refusal !== ""}
              title={isElsewhere ? "Choose a tool in the field above" : "Ctrl Enter"}
              words={isRunning ? "Stop" : "Run"}
            />
            <Button
              class="quiet"
              aria-expanded={!isFolded.value}
              onClick={() => {
                isFolded.value = !isFolded.value;
              }}
              words={
                <>
                  <span aria-hidden="true">{isFolded.value ? "▸" : "▾"}</span> Arguments
                </>
              }
            />
            <label>
              <input
                type="checkbox"
                checked={isJson}
                onChange={(event) => {
                  isFolded.value = false;
                  setJson(event.currentTarget.checked);
                }}
              />
              As JSON
            </label>
            <Advanced />
            <Button
              class="quiet"
              onClick={() => {
                typed.value = null;
                draftTool.value = "";
              }}
              words="Close"
            />
          </div>
          {tool !== undefined && <ToolCost tool={tool} />}
        </>
      )}
    </form>
  );
}

/** Goes to the first argument, with its value selected so that typing replaces it. */
function focusArguments(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    ".fields input, textarea, .fields select",
  );
  field?.focus();
  if (field?.closest(".fields") && !(field instanceof HTMLSelectElement)) {
    field.select();
  }
}

/** More of a file is not read for an example. */
const EXAMPLE_BYTES = 65_536;

/** Returns the arguments in the form as text. */
function useDraft(page: PageState, tool: ToolDefinition | undefined): string {
  const toolName = draftTool.value;
  const path = isChanging(toolName) ? page.openFile.value?.path : undefined;
  const found = useAnswer(page, [path], async (client) => {
    const options = { maxBytes: EXAMPLE_BYTES };
    const file = path === undefined ? null : await client.readFile(virtualPath(path), options);
    return { path, line: file === null ? undefined : findOwnLine(decode(file.bytes)) };
  });
  const line = typeof found === "object" && found?.path === path ? found?.line : undefined;
  const open = { path: page.openFile.value?.path, line };
  return draftArguments(toolName, open, tool && fullNameOf(tool));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Runs the call; while it runs, the same button and the same keys stop it. */
function useRun(page: PageState, argumentsText: string) {
  const running = useSignal<AbortController | null>(null);
  const run = async () => {
    const controller = new AbortController();
    running.value = controller;
    const toolName = draftTool.value;
    const call = { toolName, argumentsText, maxOutputBytes: draftMaxOutputBytes.value };
    // A start that failed has its own words at the top of the page.
    await page.call(call, "you", { signal: controller.signal }).catch(() => undefined);
    running.value = null;
  };
  return {
    isRunning: running.value !== null,
    run: () => {
      if (running.value !== null) {
        running.value.abort();
      } else if (draftTool.value !== "") {
        void run();
      }
    },
  };
}

function Advanced() {
  return (
    <details>
      <summary>Advanced</summary>
      <label>
        Max output bytes
        <input
          type="text"
          inputmode="numeric"
          placeholder="as configured"
          value={draftMaxOutputBytes.value ?? ""}
          onInput={({ currentTarget: { value } }) => {
            draftMaxOutputBytes.value = /^\d{1,9}$/.test(value) ? Number(value) : null;
          }}
        />
      </label>
    </details>
  );
}

interface ArgumentsProps {
  readonly text: string;
  /** Undefined for a name that no offered tool has. */
  readonly tool: ToolDefinition | undefined;
  readonly isJson: boolean;
}

function Arguments({ text, tool, isJson }: ArgumentsProps) {
  const toolName = draftTool.value;
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

function ToolCost({ tool }: { readonly tool: ToolDefinition }) {
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
