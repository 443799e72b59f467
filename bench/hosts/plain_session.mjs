// The yardstick of hosts: Pyodide, started as its manual says, with the wheels loaded into it and the
// files written into its memory. The bridge is called without a client.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { contentOf } from "./page/session.mjs";

export async function open({
  pyodide: folder,
  wheels,
  config,
  trees,
  modifiedMs,
  firstCall,
  maxOutputBytes,
}) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const pyodide = await loadPyodide({
    indexURL: fileURLToPath(folder),
    packageBaseUrl: fileURLToPath(wheels),
    lockFileContents: await readFile(new URL("pyodide-lock.json", wheels), "utf-8"),
  });
  await pyodide.loadPackage("treeglass", { messageCallback: () => {} });
  const bridge = pyodide.runPython("from treeglass.bridge import Bridge; Bridge()");
  const ask = (method, params) => {
    const { result, error } = JSON.parse(bridge.handle(JSON.stringify({ method, params })));
    if (error) {
      throw new Error(`${error.name}: ${error.message}`);
    }
    return result;
  };
  ask("configure", { config });
  for (const [path, files] of Object.entries(trees)) {
    const host = `/mounts${path}`;
    pyodide.FS.mkdirTree(host);
    for (const [name, content] of Object.entries(files)) {
      pyodide.FS.writeFile(`${host}/${name}`, content);
      pyodide.FS.utime(`${host}/${name}`, modifiedMs, modifiedMs);
    }
    ask("mount", { path, host });
  }
  const call = (name, args) =>
    contentOf(ask("callTool", { name, arguments: args, maxOutputBytes }));
  return { call, first: call(...firstCall), close: () => {} };
}
