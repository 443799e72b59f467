/** The page: files, the open file, and the timeline, side by side or one at a time. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { AskFamilies, CompareButton, CompareDialog } from "./compare/compare-dialog.tsx";
import { FilesPane } from "./files/files-pane.tsx";
import { Masthead } from "./masthead.tsx";
import { AgentPanel } from "./model/agent-panel.tsx";
import { AgentState } from "./model/agent-state.ts";
import { ReportDialog } from "./model/report-dialog.tsx";
import { Button } from "./shell/button.tsx";
import { KeepOffer } from "./sources/keep-offer.tsx";
import { ReplaceDialog } from "./sources/replace-dialog.tsx";
import { type PageState, PHONE } from "./state/page-state.ts";
import { CallForm } from "./timeline/call-form.tsx";
import { TimelineList } from "./timeline/timeline-list.tsx";
import { TourCard } from "./tour/tour-card.tsx";
import { FilePane } from "./viewer/file-pane.tsx";

const SECTIONS = [
  ["files", "Files"],
  ["file", "File"],
  ["calls", "Calls"],
] as const;

export function App({ page }: { readonly page: PageState }) {
  const agent = useMemo(() => new AgentState(page), [page]);
  return (
    <div class="page" data-section={page.section.value}>
      <Masthead page={page} />
      <div class="notices">
        {page.refusal.value !== "" && (
          <p class="refusal" role="alert">
            {page.refusal.value}
          </p>
        )}
      </div>
      <main class="panes">
        <section class="pane files-pane" aria-label="Files">
          <FilesPane page={page} />
          {/* Below what is there, so that nothing above it moves. */}
          <KeepOffer page={page} />
        </section>
        <section class="pane file-pane" id="open-file" aria-label="File" tabIndex={-1}>
          <FilePane page={page} />
        </section>
        <section class="pane calls-pane" id="calls" aria-label="Calls" tabIndex={-1}>
          <TimelineList page={page} actions={(item) => <AskFamilies page={page} item={item} />}>
            <CompareButton page={page} />
          </TimelineList>
          <div class="asking">
            <TourCard page={page} />
            <CallForm page={page} />
            <AgentPanel state={agent} />
          </div>
        </section>
      </main>
      <SectionTabs page={page} />
      {/* Not in a pane: a narrow screen hides a pane, and an open dialog would block the page. */}
      <CompareDialog page={page} />
      <ReportDialog page={page} report={agent.report} />
      <ReplaceDialog page={page} />
    </div>
  );
}

/** Chooses the one section that a phone shows, or the one beside the calls on a small screen. */
function SectionTabs({ page }: { readonly page: PageState }) {
  const shown = page.section.value;
  const besideCalls = shown === "files" ? "files" : "file";
  const isStart = page.openFile.value === null;
  const current = useIsPhone() ? shown : besideCalls;
  return (
    <nav class="section-tabs" aria-label="Sections">
      {SECTIONS.map(([name, words]) => (
        <Button
          key={name}
          data-name={name}
          aria-current={current === name ? "true" : undefined}
          onClick={() => {
            page.section.value = name;
          }}
          words={name === "file" && isStart ? "Start" : words}
        />
      ))}
    </nav>
  );
}

function useIsPhone(): boolean {
  const isPhone = useSignal(matchMedia(PHONE).matches);
  useEffect(() => {
    const query = matchMedia(PHONE);
    const follow = () => {
      isPhone.value = query.matches;
    };
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, [isPhone]);
  return isPhone.value;
}
