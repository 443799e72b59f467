// Shared by the sessions of all hosts in JavaScript; uses the public API alone.

/** Returns a client with the trees mounted, and its first answer. */
export async function openClient(
  connect,
  { config, trees, modifiedMs, directories, firstCall, maxOutputBytes },
) {
  const client = await connect({ config });
  for (const [path, files] of Object.entries(trees)) {
    const directory = directories?.[path];
    await client.mount(path, directory ? { directory } : { entries: entriesOf(files, modifiedMs) });
  }
  const call = async (tool, args) =>
    contentOf(await client.callTool(tool, args, { maxOutputBytes }));
  const first = await call(...firstCall);
  return { client, call, first };
}

/** Repeats each call; there is one figure for all repetitions, since clocks are coarse. */
export async function timeWorks(call, works) {
  const measured = [];
  for (const { tool, arguments: args, repeats } of works) {
    const answer = await call(tool, args);
    const before = performance.now();
    for (let count = 0; count < repeats; count += 1) {
      await call(tool, args);
    }
    measured.push({ takenMs: (performance.now() - before) / repeats, answer });
  }
  return measured;
}

export function entriesOf(files, modifiedMs) {
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name, { content, modifiedMs }]),
  );
}

/** Returns the text of an answer, since an envelope tells how long it took; throws if it failed. */
export function contentOf({ content, structuredContent, isError }) {
  if (isError) {
    throw new Error(content);
  }
  return structuredContent?.text ?? content;
}
