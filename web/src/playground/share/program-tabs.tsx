/** Code for the tree and the call on screen, to copy into a program. */

import { CopyButton } from "../shell/copy-button.tsx";
import { Scrolling } from "../shell/scrolling.tsx";
import { Tabs } from "../shell/tabs.tsx";
import type { PageState } from "../state/page-state.ts";
import { findNote, MOUNT_PATH } from "../tool-notes.ts";
import { PROGRAMS, type ProgramInput } from "./programs.ts";

export function ProgramTabs({ page }: { readonly page: PageState }) {
  const input = inputOf(page);
  const tabs = PROGRAMS.map(({ title, fileName, how, steps, guide, render }) => ({
    label: title,
    draw: () => {
      const [text, commands] = [render(input), steps(input.link)];
      return (
        <>
          <p>{how(input.link)}</p>
          {commands.length > 0 && (
            <Code name="Commands to run" label="Copy commands" text={`${commands.join("\n")}\n`} />
          )}
          <Code name={fileName} label="Copy" text={text} />
          {!page.isAlone && (
            <p>
              <a href={`./docs/${guide}`} target="_blank" rel="noopener">
                How this works
              </a>
            </p>
          )}
        </>
      );
    },
  }));
  return (
    <>
      <OtherCall page={page} shown={input.call} />
      <Tabs label="Programs" tabs={tabs} />
    </>
  );
}

interface OtherCallProps {
  readonly page: PageState;
  readonly shown: ProgramInput["call"];
}

/** Says why the programs have not the visitor's newest call. */
function OtherCall({ page, shown }: OtherCallProps) {
  const newest = page.timeline.calls.value.at(-1);
  if (newest === undefined || newest === shown) {
    return null;
  }
  const standing = newest.standing.value;
  const isAnswered = standing.kind === "answered" && !standing.result.isError;
  return (
    <p>
      These programs call {shown.toolName}:{" "}
      {isAnswered
        ? `a program offers ${newest.toolName} only with a configuration.`
        : `the newest call, of ${newest.toolName}, has no answer that a program could show.`}
    </p>
  );
}

interface CodeProps {
  readonly name: string;
  readonly label: string;
  readonly text: string;
}

function Code({ name, label, text }: CodeProps) {
  return (
    <>
      <div class="row">
        <code>{name}</code>
        <CopyButton label={label} text={() => text} />
      </div>
      <Scrolling label={name}>
        <pre>{text}</pre>
      </Scrolling>
    </>
  );
}

/**
 * The newest call that reads and has no error, or a listing of the tree; with the newest question.
 *
 * A tool that changes files is unknown to a program that does not configure it.
 */
export function inputOf(
  page: Pick<PageState, "tree" | "timeline" | "configuration">,
): ProgramInput {
  const choice = page.tree.value?.choice;
  const link = choice?.link ?? choice?.beside;
  const questions = page.timeline.items.value.flatMap((item) =>
    item.kind === "question" ? [item.text.value] : [],
  );
  const calls = page.timeline.calls.value
    .filter(({ toolName }) => findNote(toolName) !== undefined)
    .filter(({ standing: { value } }) => value.kind === "answered" && !value.result.isError);
  const listing = {
    toolName: "list_dir",
    argumentsText: JSON.stringify({ dir_path: MOUNT_PATH }),
    maxOutputBytes: null,
  };
  return {
    // Only this page can open a tree inside a link.
    link: link === undefined || link.kind === "inside" ? null : link,
    config: page.configuration.value,
    call: calls.at(-1) ?? listing,
    question: questions.at(-1) ?? `What is in ${MOUNT_PATH}?`,
  };
}
