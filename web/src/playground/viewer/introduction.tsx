/** The middle of the page while no file is open: its welcome, or the start of the visitor's tree. */

import { formatCounted } from "../../ui/format-quantities.ts";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
import { FileName } from "../shell/file-name.tsx";
import { isTourOffered } from "../state/leading-action.ts";
import type { MountedTree, PageState, SectionName } from "../state/page-state.ts";
import { TourOffer } from "../tour/tour-card.tsx";

const INSTALLS = ["npm install treeglass", "pip install treeglass"] as const;

export function Introduction({ page }: { readonly page: PageState }) {
  const isOffered = isTourOffered(page);
  return (
    <div class="introduction stack">
      <h2>File tools for an AI agent in a web page</h2>
      <p>
        With treeglass, an agent in a web page lists, searches, reads and changes files that the
        page holds. Here you call the same tools, and see exactly what the agent reads and changes.
        Nothing leaves this page unless you connect a model or open a tree from the web.
      </p>
      <p>
        It is for people who build agents into web pages, who write documentation, and who compare
        the tools of agents.
      </p>
      <Installing page={page} />
      {isOffered && <TourOffer page={page} />}
      <div class="row">
        <p class="dim">{isOffered ? "Or choose" : "Choose"} a file, call a tool, or</p>
        <Button
          aria-haspopup="dialog"
          onClick={() => {
            page.isChoosingTree.value = true;
          }}
          words="Open your own files…"
        />
      </div>
    </div>
  );
}

function Installing({ page }: { readonly page: PageState }) {
  return (
    <div class="installing row">
      <p>
        It is a library to install.{" "}
        {!page.isAlone && (
          <a href="./docs/" target="_blank" rel="noopener">
            Read how to use it
          </a>
        )}
      </p>
      {INSTALLS.map((command) => (
        <span class="line" key={command}>
          <code>{command}</code>
          <CopyButton
            text={() => command}
            label={
              <>
                Copy<span class="visually-hidden"> {command}</span>
              </>
            }
          />
        </span>
      ))}
    </div>
  );
}

interface TreeStartProps {
  readonly page: PageState;
  readonly tree: MountedTree;
}

/** Takes the place of a README, where a tree has none. */
export function TreeStart({ page, tree }: TreeStartProps) {
  const { files } = tree.report;
  const go = (section: SectionName, id: string) => () => {
    page.section.value = section;
    // A narrow screen draws the section after this event.
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  return (
    <div class="introduction stack">
      <h2>
        <FileName name={tree.choice.name} />
      </h2>
      {files !== null && <p class="dim">{formatCounted(files, "file")}</p>}
      <ul class="stack">
        <li class="row">
          <Button onClick={go("files", "tree")} words="Open a file" />
          <span>in the tree, or by some letters of its path.</span>
        </li>
        <li class="row">
          <Button onClick={go("files", "file-filter")} words="Search" />
          <span>for a name, or with Enter for a text in the files.</span>
        </li>
        <li class="row">
          <Button onClick={go("calls", "tool-name")} words="Call a tool" />
          <span>as an agent would, or ask a model.</span>
        </li>
      </ul>
    </div>
  );
}
