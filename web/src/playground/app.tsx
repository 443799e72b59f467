/** The page: files, the open file, and the timeline, side by side or one at a time. */

import { FilesPane } from "./files/files-pane.tsx";
import { AgentPanel } from "./model/agent-panel.tsx";
import { Masthead } from "./shell/masthead.tsx";
import { KeepOffer } from "./sources/keep-offer.tsx";
import type { PageState, SectionName } from "./state/page-state.ts";
import { CallForm } from "./timeline/call-form.tsx";
import { TimelineList } from "./timeline/timeline-list.tsx";
import { TourCard } from "./tour/tour-card.tsx";
import { FilePane } from "./viewer/file-pane.tsx";

const SECTIONS: Readonly<Record<SectionName, string>> = {
  files: "Files",
  file: "File",
  calls: "Calls",
};
const SECTION_NAMES: readonly SectionName[] = ["files", "file", "calls"];

export function App({ page }: { readonly page: PageState }) {
  return (
    <div class="page" data-section={page.section.value}>
      <Masthead page={page} />
      <div class="notices">
        {page.refusal.value !== "" && (
          <p class="refusal" role="alert">
            {page.refusal.value}
          </p>
        )}
        <KeepOffer page={page} />
      </div>
      <main class="panes">
        <section class="pane files-pane" aria-label="Files">
          <FilesPane page={page} />
        </section>
        <section class="pane file-pane" aria-label="File" tabIndex={-1}>
          <FilePane page={page} />
        </section>
        <section class="pane calls-pane" aria-label="Calls">
          {page.timeline.items.value.length === 0 && <Introduction />}
          <TimelineList page={page} />
          <div class="asking">
            <TourCard page={page} />
            <CallForm page={page} />
            <AgentPanel page={page} />
          </div>
        </section>
      </main>
      <SectionTabs page={page} />
    </div>
  );
}

function Introduction() {
  return (
    <p class="introduction">
      treeglass gives an AI agent in a web page tools to list, search, read and change files. Here
      you see each call and exactly what the agent reads. Nothing leaves this page unless you
      connect a model.
    </p>
  );
}

/** Chooses the one section that a phone shows. */
function SectionTabs({ page }: { readonly page: PageState }) {
  return (
    <nav class="section-tabs" aria-label="Sections">
      {SECTION_NAMES.map((name) => (
        <button
          type="button"
          key={name}
          aria-current={page.section.value === name ? "true" : undefined}
          onClick={() => {
            page.section.value = name;
          }}
        >
          {SECTIONS[name]}
        </button>
      ))}
    </nav>
  );
}
