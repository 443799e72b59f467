/** Promises: settled from elsewhere, or awaited until an AbortSignal fires. */

/** Does what `Promise.withResolvers` does, which Node 20 lacks. */
export function withResolvers<Value = void>(): Resolvers<Value> {
  let resolve: Resolvers<Value>["resolve"] = () => undefined;
  let reject: Resolvers<Value>["reject"] = () => undefined;
  const promise = new Promise<Value>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}

interface Resolvers<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

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
