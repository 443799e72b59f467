/** A dialog with a table: what two tool sets took, or what a replay found. */

import { type Signal, useSignalEffect } from "@preact/signals";
import { CopyButton } from "../shell/copy-button.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { Scrolling } from "../shell/scrolling.tsx";
import type { PageState } from "../state/page-state.ts";
import { Markdown } from "../text/markdown.tsx";
import { type Report, reportAsMarkdown } from "./transcript/as-markdown.ts";

interface ReportDialogProps {
  readonly page: PageState;
  readonly report: Signal<Report | null>;
}

export function ReportDialog({ page, report }: ReportDialogProps) {
  const close = () => {
    report.value = null;
  };
  useSignalEffect(() => {
    // A file that an answer names opens behind the dialog.
    if (page.openFile.value !== null) {
      close();
    }
  });
  const shown = report.value;
  return (
    <Dialog class="report" title={shown?.title} isOpen={shown !== null} onClose={close}>
      {shown !== null && (
        <>
          <ReportTable report={shown} />
          <Details page={page} report={shown} />
          <p>
            <CopyButton label="Copy as Markdown" text={() => reportAsMarkdown(shown)} />
          </p>
        </>
      )}
    </Dialog>
  );
}

function ReportTable({ report: { head, rows } }: { readonly report: Report }) {
  return (
    <Scrolling label="Figures">
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells }) => (
            <tr key={cells[0]}>
              {cells.map((cell, column) => (
                <td key={head[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

interface DetailsProps {
  readonly page: PageState;
  readonly report: Report;
}

/** The answers beside each other where they fit, or the lines that differ, one below the other. */
function Details({ page, report: { rows, isCode } }: DetailsProps) {
  const told = rows.filter(({ details }) => details !== "");
  return (
    told.length > 0 && (
      <ul class="report-details" data-kind={isCode ? "lines" : "answers"} aria-label="Details">
        {told.map(({ cells, details }) => (
          <li key={cells[0]}>
            <h3>{cells[0]}</h3>
            {isCode ? (
              <pre class="plain-text">{details}</pre>
            ) : (
              <Markdown page={page} text={details} below={3} />
            )}
          </li>
        ))}
      </ul>
    )
  );
}
