/** A dialog with a table: what two tool sets took, or what a replay found. */

import { type Signal, useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { copyText } from "../../ui/copy-text.ts";
import { Button } from "../shell/button.tsx";
import { type Report, reportAsMarkdown } from "./transcript/as-markdown.ts";

export function ReportDialog({ report }: { readonly report: Signal<Report | null> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const said = useSignal("");
  const shown = report.value;
  useEffect(() => {
    said.value = "";
    if (shown !== null && dialog.current?.open === false) {
      dialog.current.showModal();
    }
  }, [shown, said]);
  const copy = async (copied: Report) => {
    const isCopied = await copyText(reportAsMarkdown(copied));
    said.value = isCopied ? "Copied." : "The browser refused to copy.";
  };
  const close = () => {
    report.value = null;
  };
  if (shown === null) {
    return null;
  }
  return (
    <dialog class="report" ref={dialog} aria-labelledby="report-title" onClose={close}>
      <h2 id="report-title">{shown.title}</h2>
      <ReportTable report={shown} />
      <Details report={shown} />
      <p class="row report-actions">
        <Button onClick={() => void copy(shown)} words="Copy as Markdown" />
        <Button onClick={() => dialog.current?.close()} words="Close" />
        <span role="status">{said.value}</span>
      </p>
    </dialog>
  );
}

function ReportTable({ report: { head, rows } }: { readonly report: Report }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section class="report-scroll" aria-label="Figures" tabIndex={0}>
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
    </section>
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
