import { initializeWebMCPPolyfill } from "@mcp-b/webmcp-polyfill";
import { connect } from "treeglass";
import { isWebMcpAvailable, registerWebMcpTools } from "treeglass/adapters/webmcp";

const form = document.querySelector("form");
const status = document.querySelector("[role=status]");
const shown = document.querySelector("pre");
const { tool, args, call, unregister } = form.elements;

const isNative = isWebMcpAvailable();
if (!isNative) {
  initializeWebMCPPolyfill();
}

let registration = null;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const { modelContext } = document;
    const registered = (await modelContext.getTools()).find(({ name }) => name === tool.value);
    // The polyfill takes and gives JSON, as browsers did at first.
    const input = isNative ? JSON.parse(args.value) : args.value;
    const answer = await modelContext.executeTool(registered, input);
    shown.textContent = typeof answer === "string" ? answer : JSON.stringify(answer);
  } catch (error) {
    shown.textContent = error.message;
  }
});

unregister.addEventListener("click", () => {
  registration.unregister();
  call.disabled = true;
  status.textContent = "The tools were taken away.";
});

try {
  // `npm start` puts the runtime there.
  const client = await connect({ assets: "/treeglass/" });
  await client.mount("/repo", {
    entries: { "src/app.py": "print('hello')\n", "README.md": "# Hi\n" },
  });
  // Other scripts of a page may well have a `read_file` of their own.
  registration = await registerWebMcpTools(client, { prefix: "repo_", guide: true });
  for (const name of registration.names) {
    tool.add(new Option(name));
  }
  status.textContent = isNative
    ? "The browser's agent has the tools."
    : "This browser has no WebMCP; a polyfill stands in for it.";
  call.disabled = false;
  unregister.disabled = false;
} catch (error) {
  status.textContent = error.message;
}
