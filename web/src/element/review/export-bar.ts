/** The line below the changes: what an export holds, and its formats. */
import { formatCount, formatCounted } from "../../ui/format-quantities.ts";
import { makeButton } from "./decision-buttons.ts";
import type { Change, ExportFormat } from "./reviewed-client.ts";

const FORMATS: readonly ExportFormat[] = ["patch", "archive", "manifest"];

/** Returns a button for each format. */
export function drawExports(onExport: (format: ExportFormat) => void): HTMLElement[] {
  return FORMATS.map((format) => {
    const button = makeButton(`Export ${format}`);
    button.className = format === "patch" ? "run" : "";
    button.addEventListener("click", () => onExport(format));
    return button;
  });
}

/** Returns what an export holds: also what the reader has not taken, since it is proposed still. */
export function wordExport(changes: readonly Change[], leftOut: readonly string[]): string {
  const exported = changes.filter(({ path }) => !leftOut.includes(path));
  const pending = exported.filter(({ decision }) => decision === "pending").length;
  const all = formatCounted(changes.length, "change");
  return `An export holds ${formatCount(exported.length)} of ${all}; ${formatCount(pending)} not taken yet.`;
}
