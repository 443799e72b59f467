// Two callers with a client each, asking one handler at the same time, in whichever runtime:
//     RUNTIME two_callers.mjs
// It lies beside the node_modules of a server's example. Writes the answers to each of them.
import { createToolHandler } from "treeglass/adapters/http";
import { connect } from "treeglass/edge";

const callers = new Map();
for (const name of ["first", "second"]) {
  const config = { tools: name === "first" ? { family: "all" } : { offered: ["LS"] } };
  const client = await connect({ shared: true, config });
  await client.mount(`/${name}`, { entries: { [`${name}.txt`]: name } });
  callers.set(name, client);
}
const answer = createToolHandler((request) => callers.get(request.headers.get("authorization")));

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
      new Request("http://localhost/tools/call", {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: caller },
        body: JSON.stringify({ name, arguments: given }),
      }),
    );
    const { content } = await response.json();
    return [caller, name, JSON.stringify(given), content.replace(/("time_ms": ?)\d+/g, "$10")];
  }),
);
console.log(JSON.stringify(told));
for (const client of callers.values()) {
  await client.close();
}
