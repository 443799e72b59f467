/** Opens a file by some letters of its path; Ctrl P or Cmd P. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { FileName } from "../shell/file-name.tsx";
import { SearchContents, searchContents } from "../shell/search-contents.tsx";
import type { PageState } from "../state/page-state.ts";
import type { ListedTree } from "./listed-tree.ts";

const MAX_FOUND = 50;

export function QuickOpen({ page, tree }: { readonly page: PageState; readonly tree: ListedTree }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal("");
  const chosen = useSignal(0);
  const found = tree.index.value.findFiles(text.value, MAX_FOUND);
  const show = () => {
    text.value = "";
    chosen.value = 0;
    dialog.current?.showModal();
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "p" && (event.ctrlKey || event.metaKey)) {
        // The browser would print the page.
        event.preventDefault();
        show();
      }
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  const close = () => dialog.current?.close();
  const open = (path: string | undefined) => {
    if (path !== undefined) {
      close();
      page.showFile(path);
      // A phone shows the file after this event.
      requestAnimationFrame(() => document.getElementById("open-file")?.focus());
    }
  };
  return (
    <>
      <Button onClick={show} title="Ctrl P" words="Go to file…" />
      <dialog class="quick-open" ref={dialog} aria-label="Go to file">
        <input
          type="text"
          role="combobox"
          aria-label="Letters of the path"
          aria-expanded="true"
          aria-controls="quick-open-found"
          aria-activedescendant={found.length === 0 ? undefined : `quick-open-${chosen.value}`}
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            chosen.value = 0;
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step !== undefined) {
              event.preventDefault();
              const last = Math.max(found.length - 1, 0);
              chosen.value = Math.min(Math.max(chosen.value + step, 0), last);
            } else if (event.key === "Enter" && !event.isComposing && !event.repeat) {
              // The button, which has the focus then, would open the dialog again.
              event.preventDefault();
              if (found.length === 0 && text.value !== "") {
                close();
                searchContents(page, text.value);
              } else {
                open(found[chosen.value]);
              }
            }
          }}
        />
        <div role="listbox" id="quick-open-found" aria-label="Files">
          {found.map((path, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field, which has the focus, hears the keys
            <div
              key={path}
              id={`quick-open-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen.value}
              onClick={() => open(path)}
            >
              <FileName name={path} />
            </div>
          ))}
        </div>
        {found.length === 0 && <p class="dim">No file fits.</p>}
        <SearchContents page={page} text={text.value} onSearch={close} />
      </dialog>
    </>
  );
}
