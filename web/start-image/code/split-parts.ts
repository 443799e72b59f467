/** What both parts of a split module are written from. */
import { joined, unsigned } from "./bytes.ts";
import type { Range } from "./data-section.ts";
import type { IndexSpace } from "./instructions.ts";
import { importedFunctions } from "./reachable.ts";
import type { WasmModule } from "./wasm-module.ts";

/** Where a late module finds what the first one defines, and how the names there begin. */
export const SHARED = "~";
/** The name of the table of late functions. */
export const LATE_TABLE = `${SHARED}late`;
export const MEMORY = `${SHARED}memory`;

/** `i32.const 0`, `end`. */
export const ZERO: Uint8Array = Uint8Array.of(0x41, 0, 0x0b);

const FUNCTION_TABLE = 0x70;

/** The functions of a module, by their numbers in it. */
export interface Parts {
  readonly hot: ReadonlySet<number>;
  /** Late functions that the first module can name, in the order of the table. */
  readonly stubbed: readonly number[];
  /** All late functions. */
  readonly late: readonly number[];
  /** What late bodies refer to, each once. */
  readonly used: Readonly<Record<IndexSpace, readonly number[]>>;
  /** The memory that the late module brings. */
  readonly lateRanges: readonly Range[];
}

export function sharedName(space: IndexSpace, index: number): string {
  // Short: a first module has thousands.
  return `${SHARED}${space === "tag" ? "e" : space.charAt(0)}${index.toString(36)}`;
}

export function typeOf(module: WasmModule, index: number): number {
  return module.functionTypes[index - importedFunctions(module)] ?? fail();
}

export function tableOf(size: number): Uint8Array {
  return joined([Uint8Array.of(FUNCTION_TABLE, 0), unsigned(size)]);
}

export function fail(): never {
  throw new Error("the module names something that it does not have");
}
