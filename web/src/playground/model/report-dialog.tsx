/** A dialog with a table: what two tool sets took, or what a replay found. */

import type { Signal } from "@preact/signals";
import { Fragment } from "preact";
import { CopyButton } from "../shell/copy-button.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { Scrolling } from "../shell/scrolling.tsx";
import { type Report, reportAsMarkdown } from "./transcript/as-markdown.ts";

export function ReportDialog({ report }: { readonly report: Signal<Report | null> }) {
  const shown = report.value;
  return (
    <Dialog
      class="report"
      title={shown?.title}
      isOpen={shown !== null}
      onClose={() => {
        report.value = null;
      }}
    >
      {shown !== null && (
        <>
          <ReportTable report={shown} />
          <Details report={shown} />
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

function Details({ report: { rows } }: { readonly report: Report }) {
  return (
    <>
      {rows
        .filter(({ details }) => details !== "")
        .map(({ cells, details }) => (
          <Fragment key={cells[0]}>
            <h3>{cells[0]}</h3>
            <pre class="plain-text">{details}</pre>
          </Fragment>
        ))}
    </>
  );
}
