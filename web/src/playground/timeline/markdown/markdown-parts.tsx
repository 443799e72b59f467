/** The parts of an answer that a reader acts on: a block of code, and the name of a file. */

import type { ComponentChildren } from "preact";
import { CopyButton } from "../../shell/copy-button.tsx";
import type { PageState } from "../../state/page-state.ts";
import { MarkedText } from "../marked-text.tsx";
import { Scrolling } from "../scrolling.tsx";
import { isFileThere, readNamedFile } from "./markdown-links.ts";

export function CodeBlock({
  language,
  text,
}: {
  readonly language: string;
  readonly text: string;
}) {
  return (
    <div class="code-block">
      <div class="row">
        <span class="first">{language}</span>
        <CopyButton label="Copy" text={() => text} />
      </div>
      <Scrolling label={language === "" ? "Code" : `Code, ${language}`}>
        <pre>
          <MarkedText text={text} />
        </pre>
      </Scrolling>
    </div>
  );
}

export interface FileLinkProps {
  readonly page: PageState;
  /** A text that may name a file, such as `src/a.py:3`. */
  readonly named: string;
  readonly words: ComponentChildren;
}

/** Words that open a file, if the mounted tree has the file. */
export function FileLink({ page, named, words }: FileLinkProps) {
  const file = readNamedFile(named);
  if (file === null || !isFileThere(page, file.path)) {
    return <>{words}</>;
  }
  return (
    <button type="button" class="file-link" onClick={() => page.showFile(file.path, file.lines)}>
      {words}
    </button>
  );
}
