// The usual way: Pyodide, then micropip, then the wheel and its dependencies from an index.

import { loadPyodide } from "/pyodide/pyodide.mjs";

const FIRST_CALL = `
from treeglass import Config, ToolRegistry, Workspace

workspace = Workspace({"/repo": "/repo"}, project_root="/repo", working_dir="/repo")
registry = ToolRegistry(workspace, Config())
lambda tool, arguments: registry.call_tool(tool, arguments).content
`;

addEventListener("message", ({ data }) => {
  firstAnswer(data).then(
    (content) => postMessage({ content }),
    (error) => postMessage({ failure: String(error) }),
  );
});

async function firstAnswer({ entries, call: [tool, args] }) {
  const pyodide = await loadPyodide({ indexURL: "/pyodide/" });
  // The lock has the hash of Pyodide's own build; this is the build of the package index.
  await pyodide.loadPackage("micropip", { checkIntegrity: false });
  const micropip = pyodide.pyimport("micropip");
  micropip.set_index_urls(`${location.origin}/simple/{package_name}/`);
  await micropip.install("treeglass");
  for (const [path, content] of Object.entries(entries)) {
    pyodide.FS.mkdirTree(`/repo/${path.slice(0, path.lastIndexOf("/") + 1)}`);
    pyodide.FS.writeFile(`/repo/${path}`, content);
  }
  return pyodide.runPython(FIRST_CALL)(tool, JSON.stringify(args));
}
