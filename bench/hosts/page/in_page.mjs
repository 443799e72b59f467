// The session of a page, whose clock begins with its navigation.

import { connect } from "/npm/index.js";
import { openClient, timeWorks } from "/session.mjs";

/** Returns the first answer with its time, and the time of each call. */
export async function runSession({ large, ...task }) {
  const { client, call, first } = await openClient(connect, task);
  const startMs = performance.now();
  for (const [path, { archive, files = [] }] of Object.entries(large)) {
    const source = archive
      ? { archive: await fetched(archive) }
      : { files: await Promise.all(files.map(fetched)) };
    await client.mount(path, source);
  }
  const works = await timeWorks(call, task.works);
  return { startMs, first, works };
}

async function fetched(url) {
  const response = await fetch(`/large/${url}`);
  return new File([await response.blob()], url.split("/").at(-1));
}
