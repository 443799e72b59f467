/** The forms in which a reader takes a demo along: a program, or the address of a playground. */
import type { TreeSource } from "../../index.ts";
import { renderClient, renderJson } from "../../ui/literals.ts";
import type { DemoCall, MountRequest } from "./demo-call.ts";

export function renderDemoProgram({ source, mountPath }: MountRequest, call: DemoCall): string {
  const { tool: toolName, arguments: args, maxOutputBytes = null } = call;
  const text = renderJson({ argumentsText: JSON.stringify(source) });
  // Bytes and files are no JSON: the program needs its own.
  const written = isAddress(source) || "entries" in source ? text : null;
  return renderClient(written ?? '{ url: "tree.zip" }', mountPath, {
    toolName,
    argumentsText: JSON.stringify(args),
    maxOutputBytes,
  });
}

/** Returns the address at which a playground opens the tree and makes the call; null without one. */
export function addressInPlayground(
  playground: string,
  { source }: MountRequest,
  { tool, arguments: args }: DemoCall,
): string | null {
  const address = URL.canParse(playground, document.baseURI)
    ? new URL(playground, document.baseURI)
    : null;
  if (playground === "" || address === null || !isAddress(source)) {
    return null;
  }
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(source)) {
    parameters.set(name, name === "url" ? new URL(value, document.baseURI).href : String(value));
  }
  parameters.set("tool", tool);
  parameters.set("arguments", JSON.stringify(args));
  address.hash = parameters.toString();
  return address.href;
}

/** A tree that another page can fetch, too. */
function isAddress(source: TreeSource): boolean {
  return "url" in source || "npm" in source || "github" in source;
}
