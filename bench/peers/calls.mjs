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
    const { Bash } = await import("/just-bash.js");
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
 * Repeats one task, the candidates in turn; `commands` are those of just-bash, by their names.
 *
 * Each time is that of one call, from request to answer in the page; that of the first round, which
 * may load code, is told apart.
 */
export async function alternate({ tool, args, maxOutputBytes, commands, rounds }) {
  const calls = {
    ...(client && {
      treeglass: async () => {
        const { content, isError } = await client.callTool(tool, args, { maxOutputBytes });
        return { content, isError };
      },
    }),
  };
  for (const [name, command] of bash ? Object.entries(commands) : []) {
    calls[name] = async () => {
      const { stdout, exitCode } = await bash.exec(command);
      return { content: stdout, isError: exitCode !== 0 };
    };
  }
  const takenMs = {};
  const firstMs = {};
  const answers = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, call] of Object.entries(calls)) {
      const before = performance.now();
      const answer = await call();
      const elapsedMs = performance.now() - before;
      if (round === 0) {
        answers[name] = answer;
        firstMs[name] = elapsedMs;
        takenMs[name] = [];
      } else {
        takenMs[name].push(elapsedMs);
      }
    }
  }
  return { takenMs, firstMs, answers };
}
