import { Client } from "@modelcontextprotocol/client";
import { WindowTransport } from "treeglass/adapters/window-transport";

const form = document.querySelector("form");
const shown = document.querySelector("pre");
const frame = document.querySelector("iframe");
const { tool, args } = form.elements;

// To a browser these two names of one server are two origins; yours are two sites.
const origin = location.origin.replace("127.0.0.1", "localhost");
frame.src = `${origin}/frame.html`;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const { content } = await client.callTool({
      name: tool.value,
      arguments: JSON.parse(args.value),
    });
    shown.textContent = content.map(({ text }) => text).join("\n");
  } catch (error) {
    shown.textContent = error.message;
  }
});

const client = new Client({ name: "example", version: "1.0.0" });
try {
  await client.connect(new WindowTransport({ peer: frame.contentWindow, origin }));
  const { tools } = await client.listTools();
  for (const { name } of tools) {
    tool.add(new Option(name));
  }
  form.querySelector("button").disabled = false;
  shown.textContent = "Ready.";
} catch (error) {
  shown.textContent = error.message;
}
