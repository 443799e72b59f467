/** A button that copies a text, and says whether the browser allowed it. */

import { useState } from "preact/hooks";
import { copyText } from "../../page-parts/copy-text.ts";

const COPIED_MS = 1500;

export interface CopyButtonProps {
  readonly label: string;
  /** Returns the text at the click. */
  readonly text: () => string | Promise<string>;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [outcome, setOutcome] = useState("");
  const copy = async () => {
    setOutcome((await copyText(await text())) ? "Copied" : "The browser refused to copy");
    setTimeout(() => setOutcome(""), COPIED_MS);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      <span aria-live="polite">{outcome || label}</span>
    </button>
  );
}
