// The session of a page, whose clock begins with its navigation.

import { connect } from "/npm/index.js";
import { openClient, timeWorks } from "/session.mjs";

/** Returns the first answer with its time, and the time of each call. */
export async function runSession(task) {
  const { client, call, first } = await openClient(connect, task);
  const startMs = performance.now();
  const works = await timeWorks(call, task.works);
  await client.close();
  return { startMs, first, works };
}
