/** A button that copies a text, and says what became of it. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { copyText } from "../../ui/copy-text.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";

const COPIED_MS = 1500;

interface CopyButtonProps {
  readonly label: ComponentChildren;
  /** Returns the text at the click; an error's sentence is shown in its place. */
  readonly text: () => string | Promise<string>;
  readonly disabled?: boolean;
}

export function CopyButton({ label, text, disabled }: CopyButtonProps) {
  const [outcome, setOutcome] = useState("");
  const copy = async () => {
    try {
      setOutcome((await copyText(await text())) ? "Copied" : "The browser refused to copy");
      setTimeout(() => setOutcome(""), COPIED_MS);
    } catch (error) {
      setOutcome(sentenceOf(error));
    }
  };
  return (
    <button type="button" class="quiet" disabled={disabled} onClick={() => void copy()}>
      <span aria-live="polite">{outcome || label}</span>
    </button>
  );
}
