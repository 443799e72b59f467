/** The tools that a toolset offers, and the names that its host sees. */
import { TreeglassError } from "../protocol/errors.ts";
import type { ToolDefinition } from "../protocol/tools.ts";
import type { ToolsetOptions } from "./toolset-options.ts";
import type { NameRule } from "./toolset-types.ts";

/** The names that MCP and WebMCP accept. */
const NAME_RULE: NameRule = {
  pattern: /^[A-Za-z0-9_.-]{1,128}$/,
  says: "1 to 128 of A-Z a-z 0-9 _ . -",
};

/** Returns the definitions that the options choose, by the names that the host sees. */
export function nameTools(
  offered: readonly ToolDefinition[],
  options: ToolsetOptions,
  { pattern, says }: NameRule = NAME_RULE,
): ReadonlyMap<string, ToolDefinition> {
  const { allow, deny = [], prefix = "", rename = {} } = options;
  requireOffered(offered, [...(allow ?? []), ...deny, ...Object.keys(rename)]);
  const own = new Map<string, ToolDefinition>();
  for (const definition of offered) {
    const { name } = definition;
    const names = [name, fullNameOf(definition)];
    const isIn = (list: readonly string[]) => names.some((each) => list.includes(each));
    if (isIn(deny) || (allow !== undefined && !isIn(allow))) {
      continue;
    }
    const renamed = names.find((each) => Object.hasOwn(rename, each));
    const shown = renamed === undefined ? prefix + name : String(rename[renamed]);
    if (!pattern.test(shown)) {
      throw new TreeglassError(
        "BadRequest",
        `No tool can be named ${JSON.stringify(shown)}: names have ${says}`,
      );
    }
    if (own.has(shown)) {
      throw new TreeglassError("BadRequest", `Two tools would be named ${JSON.stringify(shown)}.`);
    }
    own.set(shown, definition);
  }
  return own;
}

function requireOffered(offered: readonly ToolDefinition[], wanted: readonly string[]): void {
  const known = offered.flatMap((definition) => [definition.name, fullNameOf(definition)]);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const names = offered.map(({ name }) => name).join(", ");
    throw new TreeglassError(
      "BadRequest",
      `No tool ${JSON.stringify(unknown)} is offered; offered are ${names}. ` +
        "The option family of connect chooses which are offered.",
    );
  }
}

/** Returns the name of a tool that no configuration changes. */
export function fullNameOf({ name, _meta }: ToolDefinition): string {
  const fullName = _meta?.["treeglass/fullName"];
  return typeof fullName === "string" && fullName !== "" ? fullName : name;
}
