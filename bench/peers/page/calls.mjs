// Calls of treeglass and of just-bash in one page, over the same tree in each.

let client;
let bash;

/** Starts the named candidates, without trees. */
export async function startCandidates(names) {
  if (names.includes("treeglass")) {
    const { connect } = await import("/npm/index.js");
    client = await connect();
  }
  if (names.includes("just-bash")) {
    const { Bash } = await import("/just_bash.js");
    bash = new Bash({ files: {} });
  }
}

/** Gives every started candidate a directory at a path, as an object of relative path to text. */
export async function addTree({ path, entries }) {
  await client?.mount(path, { entries });
  for (const [name, content] of bash ? Object.entries(entries) : []) {
    await bash.fs.writeFile(`${path}/${name}`, content);
  }
}

/**
 * Repeats one task, the candidates in turn; the first round is not timed.
 *
 * Each time is that of one call, from request to answer in the page.
 */
export async function alternate({ tool, args, maxOutputBytes, command, rounds }) {
  const calls = {
    ...(client && {
      treeglass: async () => {
        const { content, isError } = await client.callTool(tool, args, { maxOutputBytes });
        return { content, isError };
      },
    }),
    ...(bash &&
      command !== null && {
        "just-bash": async () => {
          const { stdout, exitCode } = await bash.exec(command);
          return { content: stdout, isError: exitCode !== 0 };
        },
      }),
  };
  const takenMs = {};
  const answers = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, call] of Object.entries(calls)) {
      const before = performance.now();
      const answer = await call();
      const elapsedMs = performance.now() - before;
      if (round === 0) {
        answers[name] = answer;
        takenMs[name] = [];
      } else {
        takenMs[name].push(elapsedMs);
      }
    }
  }
  return { takenMs, answers };
}
