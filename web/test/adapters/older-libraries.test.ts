/** What an adapter says beside a library that lacks what it needs. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { isRecord } from "../../src/lib/checks.ts";

const folder = mkdtempSync(join(tmpdir(), "older-libraries-"));
after(() => rmSync(folder, { recursive: true }));

/** The modules of a library as files: what each exports, by its path below `node_modules`. */
type Library = Readonly<Record<string, string>>;

/** As version 4: without `dynamicTool`. */
const OLD_AI: Library = { "ai/index.js": "export const jsonSchema = (schema) => schema;" };

/** As version 0.3.20: without `isStructuredToolParams`. */
const OLD_LANGCHAIN: Library = {
  "@langchain/core/messages/tool.js": "export class ToolMessage {}",
  "@langchain/core/tools.js":
    "export class StructuredTool {}\nexport class ToolInputParsingException extends Error {}",
};

/**
 * Returns what `exported` of an adapter rejects with beside only this library.
 *
 * The module is linked by Node itself, because a named import of a missing export fails there.
 */
async function refusal(adapter: string, exported: string, library: Library): Promise<unknown> {
  const home = join(folder, adapter);
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(Object.keys(library).join()) ?? [];
  assert.ok(name);
  for (const [path, content] of Object.entries(library)) {
    const file = join(home, "node_modules", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const manifest = { type: "module", exports: { ".": "./index.js", "./*": "./*.js" } };
  writeFileSync(join(home, "node_modules", name, "package.json"), JSON.stringify(manifest));
  const outfile = join(home, "adapter.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL(`../../src/adapters/${adapter}.ts`, import.meta.url))],
    bundle: true,
    format: "esm",
    external: [name],
    outfile,
    logLevel: "error",
  });
  const module: unknown = await import(pathToFileURL(outfile).href);
  assert.ok(isRecord(module));
  const make = module[exported];
  assert.ok(typeof make === "function");
  try {
    return await make({});
  } catch (error) {
    assert.ok(error instanceof Error);
    return [error.name, error.message];
  }
}

describe("an adapter beside a library that is too old", () => {
  test("names the versions of the AI SDK that it needs", async () => {
    assert.deepEqual(await refusal("ai-sdk", "aiSdkTools", OLD_AI), [
      "BadRequest",
      "aiSdkTools needs version 5, 6 or 7 of the package ai, and an older one is installed: npm install ai@7.",
    ]);
  });

  test("names the version of LangChain that it needs", async () => {
    assert.deepEqual(await refusal("langchain", "langChainTools", OLD_LANGCHAIN), [
      "BadRequest",
      "langChainTools needs @langchain/core 0.3.55 or newer, and an older one is installed: npm install @langchain/core@1.",
    ]);
  });
});
