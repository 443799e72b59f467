import { createToolset } from "treeglass/adapters/toolset";

const TREE = { "README.md": "# Hi\n", "src/app.py": "print('hello')\n" };

const CALLS = {
  list_dir: { dir_path: "/repo" },
  read_file: { file_path: "/repo/src/app.py" },
  LS: { path: "src" },
  list_directory: { path: "src" },
};

/** Returns the text of each tool's answer, as JSON. */
export async function answersOf(client) {
  await client.mount("/repo", { entries: TREE });
  const toolset = await createToolset(client, { allow: Object.keys(CALLS) });
  const answers = {};
  for (const [name, args] of Object.entries(CALLS)) {
    answers[name] = (await toolset.call(name, args)).text;
  }
  return JSON.stringify(answers);
}
