/** A wait that nobody has to sit through. */

/** Resolves or rejects as `answer` does, or rejects with the signal's reason where that comes first. */
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
  // Somebody may have aborted before anybody listened.
  if (signal.aborted) {
    abort();
  }
  try {
    return await Promise.race([aborted, answer]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
