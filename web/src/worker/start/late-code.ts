/**
 * The code that a start does not need: the late part of each module that the build has split.
 *
 * A late part is fetched after the first answer. A call that needs it earlier gets it at once: the
 * call is in the middle of a function, and can neither wait nor run again.
 */
import { toBase64 } from "../../lib/base64.ts";
import { sha256 } from "../../lib/sha256.ts";
import { AssetFault } from "../../protocol/asset-files.ts";
import type { StartFolders } from "../../protocol/start.ts";
import { LateCodeMissing } from "../bridge.ts";
import type { WorkerHost } from "../worker-host.ts";
import { asItIs, type Link } from "./patches/code.ts";
import { missingAssets, readListed } from "./pyodide-modules.ts";

/** The section of a first part that names its late part; see `web/start-image/code/split-module.ts`. */
const SECTION = "treeglass.late";
/** The module that both parts import from, and how the names begin that only the late one uses. */
const SHARED = "~";

/** Returns a late part, compiled, when it is first needed. */
type LatePart = () => WebAssembly.Module;

/**
 * Gives a first part the function that loads its late part; `find` takes that part's file name.
 *
 * With `atOnce`, the late part is loaded as soon as the first part has an instance.
 */
function linkingLate(find: (name: string) => LatePart, { atOnce }: { atOnce: boolean }): Link {
  return (code, imports) => {
    const [section] = WebAssembly.Module.customSections(code, SECTION);
    if (section === undefined) {
      return asItIs(code, imports);
    }
    const part = find(new TextDecoder().decode(section));
    const shared: Record<string, WebAssembly.ExportValue> = {};
    let isLoaded = false;
    const load = () => {
      if (!isLoaded) {
        // Its functions take their places in a table that the first part shares.
        new WebAssembly.Instance(part(), { ...imports, [SHARED]: shared });
        isLoaded = true;
      }
    };
    return {
      imports: { ...imports, [SHARED]: { load } },
      finish: (instance) => {
        // Emscripten would give a place in its own table to each function that it sees.
        const exports: Record<string, WebAssembly.ExportValue> = {};
        for (const [name, exported] of Object.entries(instance.exports)) {
          (name.startsWith(SHARED) ? shared : exports)[name] = exported;
        }
        if (atOnce) {
          load();
        }
        return { exports };
      },
    };
  };
}

/**
 * Returns the link for a place that loads nothing late: each first part gets its late part at once.
 *
 * `lateParts` has the late parts by their file names.
 */
export function linkingWhole(lateParts: Readonly<Record<string, WebAssembly.Module>>): Link {
  const find = (name: string) => () => {
    const part = lateParts[name];
    if (part === undefined) {
      throw new Error(`${name} is missing`);
    }
    return part;
  };
  return linkingLate(find, { atOnce: true });
}

export class LateCode {
  readonly #host: WorkerHost;
  readonly #folders: StartFolders;
  /** Compiled in the background, by their addresses. */
  readonly #compiled = new Map<string, WebAssembly.Module>();
  readonly #addresses = new Set<string>();
  #fetching: Promise<void> | null = null;
  #reject: (fault: LateCodeMissing) => void = () => undefined;
  /** Rejects when a late part is missing: Emscripten ignores what is thrown while it starts. */
  readonly missing: Promise<never>;

  constructor(host: WorkerHost, folders: StartFolders) {
    this.#host = host;
    this.#folders = folders;
    this.missing = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // After the start, the call that needs the part throws too.
    this.missing.catch(() => undefined);
  }

  readonly link: Link = linkingLate(
    (name) => {
      const address = this.#addressOf(name);
      this.#addresses.add(address);
      return () => this.#compileNow(address);
    },
    { atOnce: false },
  );

  /**
   * Fetches and compiles all late parts, the first time that it is called.
   *
   * Never rejects: what cannot be fetched waits for the call that needs it.
   */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetchAll();
    return this.#fetching;
  }

  async #fetchAll(): Promise<void> {
    for (const address of this.#addresses) {
      if (this.#compiled.has(address)) {
        continue;
      }
      try {
        const bytes = await readListed(this.#host, this.#folders, address);
        if (bytes !== null) {
          this.#compiled.set(address, await WebAssembly.compile(bytes));
        }
      } catch {
        return;
      }
    }
  }

  #addressOf(name: string): string {
    const { files, assets } = this.#folders;
    const address = Object.keys(files).find((listed) => listed.endsWith(`/${name}`));
    if (address === undefined) {
      throw missingAssets(this.#host, assets, `start.json does not name ${name}`);
    }
    return address;
  }

  #compileNow(address: string): WebAssembly.Module {
    const before = this.#compiled.get(address);
    if (before !== undefined) {
      return before;
    }
    try {
      const compiled = new WebAssembly.Module(this.#readNow(address));
      this.#compiled.set(address, compiled);
      return compiled;
    } catch (cause) {
      const { assets } = this.#folders;
      const what = cause instanceof AssetFault ? cause.message : `${address} could not be compiled`;
      const sentence = this.#host.wordMissingAssets(assets, what);
      const fault = new LateCodeMissing(what, sentence, cause);
      this.#reject(fault);
      throw fault;
    }
  }

  /** Throws `AssetFault` for a file that is missing or damaged. */
  #readNow(address: string): Uint8Array<ArrayBuffer> {
    const { assets, files } = this.#folders;
    const name = address.slice(assets.length);
    let bytes: Uint8Array<ArrayBuffer> | undefined;
    try {
      bytes = this.#host.readAssetNow?.(address);
    } catch (cause) {
      throw new AssetFault(`${name} could not be fetched`, { cause });
    }
    if (bytes === undefined) {
      throw new AssetFault(`${name} has not arrived`);
    }
    if (`sha256-${toBase64(sha256(bytes))}` !== files[address]) {
      throw new AssetFault(`${name} is not the file that start.json names`);
    }
    return bytes;
  }
}
