/** The proposed lines of the open file. */

import type { PageState } from "../state/page-state.ts";
import { useAnswer } from "../state/use-answer.ts";
import { virtualPath } from "../tool-notes.ts";

const WORDS = { "+": "added", "-": "removed", " ": "", "\\": "" } as const;

export function ChangeView({ page, path }: { readonly page: PageState; readonly path: string }) {
  const found = useAnswer(page, [path], (client) => client.diff(virtualPath(path)));
  if (found === null || typeof found === "string") {
    return <p class="pane-words">{found ?? "Comparing…"}</p>;
  }
  if (found.hunks.length === 0) {
    return <p class="pane-words">{Object.values(found.flags).join(" ") || "No line differs."}</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box is reached by the keyboard
    <section class="change-view" tabIndex={0} aria-label="Changed lines">
      {found.hunks.map(({ key, beforeStart, afterStart, lines }) => (
        <div class="change-hunk" key={key}>
          <p class="dim">
            Line {beforeStart} before, {afterStart} after
          </p>
          {lines.map(([sign, text], index) => (
            <pre key={index} class="change-line" data-sign={sign}>
              <span aria-hidden="true">{sign}</span>
              {WORDS[sign] !== "" && <span class="visually-hidden">{WORDS[sign]}: </span>}
              {text}
            </pre>
          ))}
        </div>
      ))}
    </section>
  );
}
