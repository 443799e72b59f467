import { connect } from "treeglass";
import { createMcpServer } from "treeglass/adapters/mcp";
import { WindowTransport } from "treeglass/adapters/window-transport";

// The one origin that may use the tools.
const origin = location.origin.replace("localhost", "127.0.0.1");

try {
  // `npm start` puts the runtime there.
  const client = await connect({ assets: "/treeglass/" });
  await client.mount("/repo", {
    entries: { "src/app.py": "print('hello')\n", "README.md": "# Hi\n" },
  });
  const server = await createMcpServer(client, { guide: true });
  await server.connect(new WindowTransport({ peer: window.parent, origin }));
} catch (error) {
  document.querySelector("p").textContent = error.message;
}
