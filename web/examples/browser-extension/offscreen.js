// A page without a window, which may start workers.
import { openTools } from "./tools.js";

const opened = openTools();

async function call({ name, args }) {
  try {
    const client = await opened;
    const { content } = await client.callTool(name, args);
    return content;
  } catch (error) {
    return error.message;
  }
}

chrome.runtime.onMessage.addListener((message, _sender, answer) => {
  if (message.to !== "offscreen") {
    return false;
  }
  call(message).then(answer);
  // The answer comes later.
  return true;
});
