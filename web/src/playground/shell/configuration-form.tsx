/** The configuration of the tools, as `connect` takes it. */

import { useState } from "preact/hooks";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { parseJsonObject, renderJson } from "../../ui/json.ts";
import type { PageState } from "../state/page-state.ts";
import { Button } from "./button.tsx";
import { Problem } from "./problem.tsx";

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

interface ConfigurationFormProps {
  readonly page: PageState;
  readonly onUsed: () => void;
}

export function ConfigurationForm({ page, onUsed }: ConfigurationFormProps) {
  const inForce = page.configuration.value;
  const [text, setText] = useState(inForce === null ? "" : renderJson(inForce));
  const [problem, setProblem] = useState("");
  const use = async (chosen: string) => {
    const found = await configureFrom(page, chosen);
    setProblem(found);
    if (found === "") {
      onUsed();
    }
  };
  return (
    <form
      class="link-box stack"
      onSubmit={(event) => {
        event.preventDefault();
        void use(text);
      }}
    >
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
      <Problem words={problem} />
      <div class="row">
        <Button type="submit" class="primary" words="Use" />
        {inForce !== null && <Button onClick={() => void use("")} words="Use the defaults" />}
        {!page.isAlone && (
          <a href="./docs/reference/configuration.html" target="_blank" rel="noopener">
            All keys
          </a>
        )}
      </div>
    </form>
  );
}
