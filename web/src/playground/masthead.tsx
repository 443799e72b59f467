/** The line at the top: what this is, the tree, and what a visitor takes along. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ShareMenus } from "./share/share-menus.tsx";
import { Button } from "./shell/button.tsx";
import { ConfigurationForm } from "./shell/configuration-form.tsx";
import { Dialog } from "./shell/dialog.tsx";
import { Menu } from "./shell/menu.tsx";
import { ThemeChoice } from "./shell/theme-choice.tsx";
import { KeepChoice } from "./sources/keep-offer.tsx";
import { SourceChoice } from "./sources/source-choice.tsx";
import type { PageState } from "./state/page-state.ts";
import { LaterTour } from "./tour/tour-card.tsx";

export function Masthead({ page }: { readonly page: PageState }) {
  const isConfiguring = useSignal(false);
  const configure = () => {
    isConfiguring.value = true;
  };
  const close = () => {
    isConfiguring.value = false;
  };
  return (
    <header class="masthead line">
      <h1 class="line">
        <Mark />
        <span class="masthead-name">treeglass</span>
      </h1>
      <SourceChoice page={page} />
      <Status page={page} />
      {page.configuration.value !== null && (
        <Button
          class="configured"
          aria-haspopup="dialog"
          title="The tools do not have their defaults: show the configuration"
          onClick={configure}
          words={
            <>
              <span aria-hidden="true">⚙</span> <span class="badge-words">Configured</span>
            </>
          }
        />
      )}
      <div class="masthead-menus">
        {!page.isAlone && (
          <a class="docs-link" href="./docs/" target="_blank" rel="noopener">
            Docs
          </a>
        )}
        <ShareMenus page={page} />
        <Menu label="⋯" name="More">
          {!page.isAlone && (
            <>
              <a href="./docs/" target="_blank" rel="noopener">
                Documentation
              </a>
              <a href="./docs/playground.html" target="_blank" rel="noopener">
                How this page works
              </a>
              <a href="./sample.zip" download="treeglass.zip">
                Sources of treeglass, as a zip
              </a>
            </>
          )}
          <LaterTour page={page} />
          <Button aria-haspopup="dialog" onClick={configure} words="Configuration…" />
          <KeepChoice />
          <ThemeChoice />
        </Menu>
        <Dialog
          class="sources"
          title="Configuration of the tools"
          isOpen={isConfiguring.value}
          onClose={close}
        >
          <ConfigurationForm page={page} onUsed={close} />
        </Dialog>
      </div>
    </header>
  );
}

/** Most calls end sooner, and the words do not flicker for them. */
const TELL_AFTER_MS = 300;

function Status({ page }: { readonly page: PageState }) {
  const { kind, words, amount } = page.status.value;
  const tool = useLongCall(page);
  const isRunning = kind === "ready" && tool !== "";
  const isBusy = kind === "starting" || kind === "mounting";
  return (
    <div class="status line" data-kind={kind}>
      <span class="lamp" aria-hidden="true" />
      {/* Of a call, the timeline speaks. */}
      <span role={isRunning ? undefined : "status"}>{isRunning ? `Running ${tool}` : words}</span>
      {amount !== "" && <span class="figure">{amount}</span>}
      {kind === "mounting" && <Button onClick={() => page.cancelMount()} words="Cancel" />}
      {isBusy && <progress aria-label={words} />}
    </div>
  );
}

/** Returns the tool of a call that has run for a moment; "" without one. */
function useLongCall({ timeline }: PageState): string {
  const running = timeline.runningCall.value;
  const told = useSignal(0);
  useEffect(() => {
    const timer = setTimeout(() => {
      told.value = running?.number ?? 0;
    }, TELL_AFTER_MS);
    return () => clearTimeout(timer);
  }, [running?.number, told]);
  return running?.number === told.value ? running.toolName : "";
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="10" cy="10" r="7.25" />
      <path d="M15.4 15.4 21 21M10 5.6v8.8M10 8.2h3M10 11.6h3" />
    </svg>
  );
}
