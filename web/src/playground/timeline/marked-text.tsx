/** A text in which the characters that could forge or hide text are visible marks. */

import { splitSuspicious } from "./answer/suspicious.ts";

export function MarkedText({ text }: { readonly text: string }) {
  return splitSuspicious(text).map((part, index) =>
    part.isMark ? (
      <span key={index} class="invisible">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}
