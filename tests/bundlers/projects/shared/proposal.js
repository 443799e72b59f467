import { connect } from "treeglass";

const HOURS = [
  "opens = 9",
  "closes = 18",
  "street = 1",
  "city = 2",
  "phone = 3",
  "web = 4",
  "fax = 5",
];
const OLD = ["tax = 19", ...HOURS, "till = 2", ""].join("\n");

const INPUT = `*** Begin Patch
*** Update File: shop.toml
@@
-tax = 19
+tax = 21
@@
-till = 2
+till = 3
*** Delete File: logo
*** Add File: new/plan.md
+# Plan
*** End Patch`;

/** Returns a client over a tree for which a tool has proposed changes. */
export async function propose(onChanges) {
  const tools = { experimental_supported_tools: ["apply_patch"], offered: [] };
  const client = await connect({ assets: "/treeglass/", config: { tools }, onChanges });
  await client.mount("/repo", { entries: { "shop.toml": OLD, logo: "\0" } });
  const { isError, content } = await client.callTool("apply_patch", { input: INPUT });
  if (isError) {
    throw new Error(content);
  }
  globalThis.client = client;
  return client;
}
