// just-bash, started as its manual says: on the page's main thread.

import { Bash } from "just-bash/browser";

export async function list(entries, directory) {
  const files = Object.fromEntries(
    Object.entries(entries).map(([path, content]) => [`/repo/${path}`, content]),
  );
  const { stdout } = await new Bash({ files }).exec(`ls /repo/${directory}`);
  return stdout;
}
