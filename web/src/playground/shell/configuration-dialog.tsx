/** The dialog with the configuration of the tools, as `connect` takes it. */

import { useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { parseJsonObject, renderJson } from "../../ui/json.ts";
import type { PageState } from "../state/page-state.ts";
import { Button } from "./button.tsx";

/** A configuration that shows in an answer at once. */
const EXAMPLE = '{"tools": {"output": {"max_bytes": 400}}}';

/**
 * Uses the configuration that a text spells; an empty text stands for the defaults.
 *
 * Resolves with what is wrong with it, or with "". A faulty one changes nothing.
 */
export async function configureFrom(page: PageState, text: string): Promise<string> {
  const isEmpty = text.trim() === "";
  const configuration = isEmpty ? null : parseJsonObject(text);
  if (configuration === null && !isEmpty) {
    return `This is not a JSON object. Write one, such as ${EXAMPLE}.`;
  }
  try {
    await page.configure(configuration);
    return "";
  } catch (error) {
    return sentenceOf(error);
  }
}

interface ConfigurationDialogProps {
  readonly page: PageState;
  readonly dialog: RefObject<HTMLDialogElement | null>;
}

export function ConfigurationDialog({ page, dialog }: ConfigurationDialogProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    const found = await configureFrom(page, text);
    setProblem(found);
    if (found === "") {
      dialog.current?.close();
    }
  };
  // Not at the event `toggle`: it may come when the visitor types already.
  const reset = () => {
    const { value } = page.configuration;
    setText(value === null ? "" : renderJson(value));
    setProblem("");
  };
  useSignalEffect(reset);
  return (
    <dialog class="sources" ref={dialog} aria-labelledby="configuration-heading" onClose={reset}>
      <div class="row dialog-head">
        <h2 id="configuration-heading">Configuration of the tools</h2>
        <Button onClick={() => dialog.current?.close()} words="Close" />
      </div>
      <form class="link-box stack" onSubmit={onSubmit}>
        <label for="configuration">
          The <code>config</code> of <code>connect</code>, as JSON; an empty box stands for the
          defaults
        </label>
        <textarea
          id="configuration"
          class="figure"
          rows={8}
          spellcheck={false}
          placeholder={EXAMPLE}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {problem !== "" && (
          <p class="failed" role="alert">
            {problem}
          </p>
        )}
        <div class="row">
          <Button type="submit" class="primary" words="Use" />
          {!page.isAlone && (
            <a href="./docs/reference/configuration.html" target="_blank" rel="noopener">
              All keys
            </a>
          )}
        </div>
      </form>
    </dialog>
  );
}
