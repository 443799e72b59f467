/** Awaits a promise until an AbortSignal fires. */

/** Settles as `answer` does, or rejects with the signal's reason if that comes first. */
export async function orAborted<Value>(
  answer: Value | Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) {
    return answer;
  }
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  // The signal may have fired before the listener was added.
  if (signal.aborted) {
    abort();
  }
  try {
    return await Promise.race([aborted, answer]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
