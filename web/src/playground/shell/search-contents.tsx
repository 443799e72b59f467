/** Searches the contents of the files for a text that a visitor has looked for in names. */

import type { PageState } from "../state/page-state.ts";
import { spellPath } from "../tool-notes.ts";
import { Button } from "./button.tsx";
import { FileName } from "./file-name.tsx";

/** Characters that a regular expression would not take as themselves. */
const REGEX_SIGNS = /[\\^$.*+?()[\]{}|]/g;

interface SearchContentsProps {
  readonly page: PageState;
  /** Nothing is drawn for an empty text. */
  readonly text: string;
  readonly onSearch?: () => void;
}

export function SearchContents({ page, text, onSearch }: SearchContentsProps) {
  const search = () => {
    onSearch?.();
    searchContents(page, text);
  };
  return text === "" ? null : (
    <Button
      class="search-contents"
      onClick={search}
      words={
        <>
          Search the contents for “<FileName name={text} />”
        </>
      }
    />
  );
}

/** Calls the tool whose answer has each matching line, so that a click leads to it. */
export function searchContents(page: PageState, text: string): void {
  // Like the filter, it takes a text and not a pattern, and no account of case.
  const args = {
    pattern: text.replace(REGEX_SIGNS, "\\$&"),
    path: spellPath({ family: "envelope" }, ""),
    "-i": true,
  };
  page.showCalls();
  const call = { toolName: "Grep", argumentsText: JSON.stringify(args), maxOutputBytes: null };
  // A start that failed has its own words at the top of the page.
  void page.call(call, "you").catch(() => undefined);
}
