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
