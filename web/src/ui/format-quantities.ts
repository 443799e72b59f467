/** Formats counts, times and sizes for a reader. */

const BYTE_UNITS = ["kB", "MB", "GB", "TB"] as const;

/** Returns a whole number with commas: `12,000`. */
export function formatCount(count: number): string {
  // The first `toLocaleString` of a page loads a language for 30 ms.
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Returns a count with its noun, such as `1 byte` and `2 bytes`. */
export function formatCounted(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

export function formatMs(elapsedMs: number): string {
  if (elapsedMs >= 1000) {
    return `${(elapsedMs / 1000).toFixed(1)} s`;
  }
  return elapsedMs >= 100 ? `${Math.round(elapsedMs)} ms` : `${elapsedMs.toFixed(1)} ms`;
}

/** Returns decimal units: 1 kB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) {
    return formatCounted(bytes, "byte");
  }
  let value = bytes;
  let shown = "";
  for (const unit of BYTE_UNITS) {
    value /= 1000;
    shown = `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
    if (value < 1000) {
      break;
    }
  }
  return shown;
}
