/** Returns the faults that a page would hear of by `reportError`, which Node does not have. */
export async function withReports(work: () => Promise<void>): Promise<unknown[]> {
  const reports: unknown[] = [];
  Object.assign(globalThis, { reportError: (error: unknown) => reports.push(error) });
  try {
    await work();
  } finally {
    Reflect.deleteProperty(globalThis, "reportError");
  }
  return reports;
}
