// Two callers with a client each, asking one handler at the same time, in whichever runtime:
//     RUNTIME two_callers.mjs
// It lies beside the node_modules of a server's example. Writes the answers to each of them.
import { createMcpFetchHandler } from "treeglass/adapters/mcp-http";
import { connect } from "treeglass/edge";

const callers = new Map();
for (const name of ["first", "second"]) {
  const config = { tools: name === "first" ? { family: "all" } : { offered: ["LS"] } };
  const client = await connect({ shared: true, config });
  await client.mount(`/${name}`, { entries: { [`${name}.txt`]: name } });
  callers.set(name, client);
}
const answer = createMcpFetchHandler((request) =>
  callers.get(request.headers.get("authorization")),
);

const calls = [
  ["LS", {}],
  ["LS", { path: "/first" }],
  ["LS", { path: "/second" }],
  ["list_directory", { path: "." }],
];
const told = await Promise.all(
  Array.from({ length: 40 }, async (_, index) => {
    const caller = index % 2 === 0 ? "first" : "second";
    const [name, given] = calls[(index >> 1) % calls.length];
    const response = await answer(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          Authorization: caller,
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: index,
          method: "tools/call",
          params: { name, arguments: given },
        }),
      }),
    );
    const said = (await response.text()).replace(/^event: message\ndata: /, "");
    const { result, error } = JSON.parse(said);
    const content = error === undefined ? result.content[0].text : error.message;
    return [caller, name, JSON.stringify(given), content.replace(/("time_ms": ?)\d+/g, "$10")];
  }),
);
console.log(JSON.stringify(told));
for (const client of callers.values()) {
  await client.close();
}
