// A session of the package, unchanged.

import { openClient } from "./page/session.mjs";

export async function open(task) {
  const { connect } = await import(task.package);
  const { client, call, first } = await openClient(connect, task);
  return {
    first,
    call,
    mount: (path, source) => client.mount(path, source),
    close: () => client.close(),
  };
}
