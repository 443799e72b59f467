/** The settings of the visitor's model: where it is, and which tools it gets. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { Problem } from "../shell/problem.tsx";
import { readWebAddress } from "../state/linked-tree.ts";
import { DESIGNS, FAMILIES } from "../tool-notes.ts";
import type { AgentState } from "./agent-state.ts";
import { type ModelSettings, readFamily, type SettingName } from "./model-settings.ts";
import { findPreset, PRESETS } from "./presets.ts";

interface ModelFormProps {
  readonly state: AgentState;
  readonly onDone: () => void;
}

export function ModelForm({ state, onDone }: ModelFormProps) {
  const { settings } = state;
  const problem = useSignal("");
  return (
    <form
      class="model-form stack"
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = settings.read();
        problem.value = typeof chosen === "string" ? chosen : "";
        if (problem.value === "") {
          onDone();
        }
      }}
    >
      <p>
        The page asks the model's server itself. Nothing leaves the page before you press List
        models, Test or Ask; then your question, and what the tools read, go to that server alone.
      </p>
      <Server settings={settings} />
      <ModelName state={state} />
      <ToolSets settings={settings} />
      <Check settings={settings} name="mayChange" label="The model may propose changes" />
      <Check settings={settings} name="asksFirst" label="Ask me before each call" />
      <details>
        <summary>Prices and context size</summary>
        <div class="stack">
          <Field settings={settings} name="sentPrice" label="$ per million sent" />
          <Field settings={settings} name="receivedPrice" label="$ per million received" />
          <Field settings={settings} name="contextTokens" label="Context size in tokens" />
        </div>
      </details>
      <Problem words={problem.value} />
      <p>
        <Button type="submit" class="primary" words="Use this model" />
      </p>
    </form>
  );
}

function Server({ settings }: { readonly settings: ModelSettings }) {
  const { preset, address } = settings.values.value;
  const { needs, command } = findPreset(preset);
  const host = readWebAddress(address.trim())?.host ?? "the server";
  return (
    <>
      <label class="model-field">
        Server
        <select
          value={preset}
          onChange={({ currentTarget }) => settings.usePreset(currentTarget.value)}
        >
          {PRESETS.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <p class="dim">
        {needs} {command !== undefined && <code>{command}</code>}
      </p>
      <Field settings={settings} name="address" label="Address" />
      <Field settings={settings} name="key" label="Key" isSecret />
      <p class="dim">The key goes to {host} alone, and is forgotten with this page.</p>
      <Check
        settings={settings}
        name="isKept"
        label="Keep this and the key until I close this tab"
      />
    </>
  );
}

function ModelName({ state }: { readonly state: AgentState }) {
  const list = useId();
  return (
    <>
      <Field settings={state.settings} name="model" label="Model" list={list} />
      <datalist id={list}>
        {state.models.value.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div class="row">
        <Button onClick={() => void state.listModels()} words="List models" />
        <Button onClick={() => void state.test()} words="Test" />
        <span class="dim">Test asks for one word, and offers one tool.</span>
      </div>
      <p role="status">{state.checked.value}</p>
    </>
  );
}

function ToolSets({ settings }: { readonly settings: ModelSettings }) {
  const values = settings.values.value;
  return (
    <fieldset class="stack">
      <legend>Tools</legend>
      <div class="tool-chips row">
        {FAMILIES.map((family) => (
          <label key={family}>
            <input
              type="radio"
              name="model-tools"
              checked={values.family === family}
              onChange={() => settings.set({ family })}
            />
            {family}
          </label>
        ))}
      </div>
      <p class="dim">
        {values.family}: {DESIGNS[readFamily(values.family)]}
      </p>
      <label class="model-field">
        Second set, to ask two
        <select
          value={settings.otherFamily}
          onChange={({ currentTarget }) => settings.set({ otherFamily: currentTarget.value })}
        >
          {FAMILIES.filter((family) => family !== values.family).map((family) => (
            <option key={family}>{family}</option>
          ))}
        </select>
      </label>
    </fieldset>
  );
}

interface BoundProps {
  readonly settings: ModelSettings;
  readonly name: SettingName;
  readonly label: string;
}

interface FieldProps extends BoundProps {
  readonly isSecret?: boolean;
  readonly list?: string;
}

function Field({ settings, name, label, isSecret, list }: FieldProps) {
  const kind = isSecret ? ({ type: "password" } as const) : ({ type: "text", list } as const);
  return (
    <label class="model-field">
      {label}
      <input
        {...kind}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        value={settings.values.value[name]}
        onInput={({ currentTarget }) => settings.set({ [name]: currentTarget.value })}
      />
    </label>
  );
}

function Check({ settings, name, label }: BoundProps) {
  return (
    <label class="model-check">
      <input
        type="checkbox"
        checked={settings.values.value[name] !== ""}
        onChange={({ currentTarget }) =>
          settings.set({ [name]: currentTarget.checked ? "yes" : "" })
        }
      />
      {label}
    </label>
  );
}
