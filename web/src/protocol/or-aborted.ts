/** A wait that nobody has to sit through. */

/** Resolves or rejects as `answer` does, or rejects with the signal's reason where that comes first. */
export async function orAborted<Value>(
  answer: Value | Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) {
    return answer;
  }
  // Somebody may have aborted before anybody listened.
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
