import { connect } from "treeglass";
import "treeglass/element";

const client = await connect({ assets: "/treeglass/" });
const { structuredContent } = await client.callTool("list_directory", { path: "src" });
console.log(structuredContent?.entries.map(({ name, size_bytes }) => [name, size_bytes]));
// @ts-expect-error the argument is dir_path
await client.callTool("list_dir", { dirpath: "/repo" });

document.querySelector("treeglass-demo")?.addEventListener("treeglass-result", ({ detail }) => {
  console.log(detail.result.content);
});
document.addEventListener("treeglass-result", ({ detail }) => detail.tool);
window.addEventListener("treeglass-failure", ({ detail }) => detail.message);
