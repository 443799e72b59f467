// The session of workerd: a Worker that connects in its global scope, and makes the calls that a request names.

import { openClient } from "./session.mjs";
import task from "./task.mjs";
import { connect } from "./treeglass/workerd.js";

const { call, first } = await openClient(connect, task);

export default {
  async fetch(request) {
    const { work, count } = await request.json();
    let answer = first;
    for (let made = 0; made < count; made += 1) {
      answer = await call(work.tool, work.arguments);
    }
    return new Response(answer);
  },
};
