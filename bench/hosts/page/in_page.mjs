// The session of a page. The page's clock began when it was asked for.

import { connect } from "/npm/index.js";
import { openClient, timeWorks } from "/session.mjs";

/** Returns the first answer and when it was there, and what each call took. */
export async function runSession(task) {
  const { client, call, first } = await openClient(connect, task);
  const startMs = performance.now();
  const works = await timeWorks(call, task.works);
  await client.close();
  return { startMs, first, works };
}
