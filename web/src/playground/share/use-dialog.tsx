/** Code for the tree and the call on screen, to copy into a program. */

import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
import { Tabs } from "../shell/tabs.tsx";
import type { PageState } from "../state/page-state.ts";
import { findNote } from "../tool-notes.ts";
import { PROGRAMS, type ProgramInput } from "./programs.ts";

interface UseDialogProps {
  readonly page: PageState;
  readonly dialog: RefObject<HTMLDialogElement | null>;
}

export function UseDialog({ page, dialog }: UseDialogProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <dialog
      class="use-dialog"
      ref={dialog}
      aria-labelledby="use-heading"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <div class="row dialog-head">
        <h2 id="use-heading">Use this in your program</h2>
        <Button onClick={() => dialog.current?.close()} words="Close" />
      </div>
      {isOpen && <ProgramTabs input={inputOf(page)} isAlone={page.isAlone} />}
    </dialog>
  );
}

interface ProgramTabsProps {
  readonly input: ProgramInput;
  readonly isAlone: boolean;
}

function ProgramTabs({ input, isAlone }: ProgramTabsProps) {
  const tabs = PROGRAMS.map(({ title, fileName, before, archive, guide, render }) => ({
    label: title,
    draw: () => {
      const text = render(input);
      return (
        <>
          <p>
            {before}
            {input.link === null && ` ${archive}`}
          </p>
          <div class="row">
            <code>{fileName}</code>
            <CopyButton label="Copy" text={() => text} />
            {!isAlone && (
              <a href={`./docs/${guide}`} target="_blank" rel="noopener">
                How this works
              </a>
            )}
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box is reached by the keyboard */}
          <pre class="use-code" tabIndex={0}>
            {text}
          </pre>
        </>
      );
    },
  }));
  return <Tabs label="Programs" tabs={tabs} />;
}

/**
 * The newest call that reads, or a listing of the tree.
 *
 * A tool that changes files is unknown to a program that does not configure it.
 */
function inputOf(page: PageState): ProgramInput {
  const link = page.tree.value?.choice.link;
  const calls = page.timeline.items.value
    .filter((item) => item.kind === "call")
    .filter(({ toolName }) => findNote(toolName) !== undefined);
  const listing = {
    toolName: "list_dir",
    argumentsText: JSON.stringify({ dir_path: "/repo" }),
    maxOutputBytes: null,
  };
  return {
    // Only this page can open a tree inside a link.
    link: link === undefined || link.kind === "inside" ? null : link,
    config: page.configuration.value,
    call: calls.at(-1) ?? listing,
  };
}
