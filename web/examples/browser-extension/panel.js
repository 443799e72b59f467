import { openTools } from "./tools.js";

const form = document.querySelector("form");
const shown = document.querySelector("pre");
const { tool, args } = form.elements;

let client = null;

async function call(place) {
  if (place === "here") {
    const { content } = await client.callTool(tool.value, args.value);
    return content;
  }
  const message = { to: "background", name: tool.value, args: args.value };
  return await chrome.runtime.sendMessage(message);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    shown.textContent = await call(event.submitter.value);
  } catch (error) {
    shown.textContent = error.message;
  }
});

try {
  client = await openTools();
  for (const { name } of await client.listTools()) {
    tool.add(new Option(name));
  }
  for (const button of form.querySelectorAll("button")) {
    button.disabled = false;
  }
  shown.textContent = "Ready.";
} catch (error) {
  shown.textContent = error.message;
}
