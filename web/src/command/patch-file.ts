/** `--patch FILE`: the proposed changes as a patch in a file outside of every mount. */

import { randomBytes } from "node:crypto";
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { ToolClient } from "../adapters/toolset-types.ts";
import type { TreeglassClient } from "../client/client.ts";
import { reasonOf } from "../lib/report-error.ts";
import { CannotStart } from "./refusals.ts";

/** The methods of a client whose patch a file holds. */
export type PatchedClient = ToolClient & Pick<TreeglassClient, "exportChanges" | "mounts">;

/**
 * Makes sure that what a server's tools propose goes somewhere.
 *
 * Throws `CannotStart` if a tool that changes is offered: call it where no file is named.
 */
export async function requireNoChanges(client: Pick<ToolClient, "listTools">): Promise<void> {
  const tools = await client.listTools();
  const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
  if (changing.length > 0) {
    const names = changing.map(({ name }) => name).join(", ");
    throw new CannotStart(
      `the configuration offers ${names}, and nothing would keep the changes that it proposes: name a file for the patch by --patch FILE`,
    );
  }
}

/** A file that holds the patch of one client, whole, from the first change on. */
export class PatchFile {
  readonly #target: string;
  readonly #tell: (sentence: string) => void;
  #client: PatchedClient | null = null;
  /** Settles once every version is written that the client has told of; never rejects. */
  #written: Promise<void> = Promise.resolve();

  /**
   * Writes nothing yet.
   *
   * Throws `CannotStart` if the file is a folder, if it lies in a mounted one, if its own folder is
   * not there, or if it holds something: that may be changes that are not applied.
   *
   * @param tell hears why the patch could not be written, in a sentence without a full stop.
   */
  constructor(file: string, mounted: Iterable<string>, tell: (sentence: string) => void) {
    const folder = resolve(dirname(file));
    if (!isFolder(folder)) {
      throw new CannotStart(`--patch ${file}: the folder '${folder}' does not exist`);
    }
    if (isFolder(file)) {
      throw new CannotStart(`--patch ${file}: it is a folder; name the file to write`);
    }
    // The file itself may be a link, which is replaced and not followed.
    this.#target = join(realpathSync.native(folder), basename(file));
    for (const directory of mounted) {
      if (isWithin(realpathSync.native(directory), this.#target)) {
        throw new CannotStart(
          `--patch ${file}: it lies in the mounted folder '${directory}', which is never written; name a file elsewhere`,
        );
      }
    }
    const size = sizeOf(file);
    if (size > 0) {
      const bytes = `${size.toLocaleString("en")} byte${size === 1 ? "" : "s"}`;
      throw new CannotStart(
        `--patch ${file}: the file holds ${bytes}, perhaps changes that are not applied; apply them and move the file away, or name another`,
      );
    }
    this.#tell = tell;
  }

  /** Writes the patch anew; `connect` calls it with each new version. */
  readonly onChanges = (): void => {
    this.#written = this.#written.then(() => this.#write());
  };

  /**
   * Returns the client for a server: a call is answered once the patch has what it changed.
   *
   * Its calls run one after the other, as the client runs them anyway: else the patch of one would
   * wait in the client's queue for the calls behind it.
   */
  follow(client: PatchedClient): ToolClient {
    this.#client = client;
    let last: Promise<unknown> = Promise.resolve();
    return {
      listTools: client.listTools.bind(client),
      describeTools: client.describeTools.bind(client),
      prepareCall: client.prepareCall.bind(client),
      mounts: client.mounts.bind(client),
      callTool: (...call) => {
        const answer = last.then(() => client.callTool(...call));
        const ended = () => this.#written;
        last = answer.then(ended, ended);
        return last.then(() => answer) as typeof answer;
      },
    };
  }

  finished(): Promise<void> {
    return this.#written;
  }

  /** Writes beside the file and renames it; without a patch, the file stays as it is. */
  async #write(): Promise<void> {
    const name = `.${basename(this.#target)}.${randomBytes(4).toString("hex")}.part`;
    const unfinished = join(dirname(this.#target), name);
    try {
      const patch = await this.#client?.exportChanges({ format: "patch" });
      // Both at once: a signal that ends the process comes before or after them.
      writeFileSync(unfinished, patch ?? "", { flag: "wx" });
      renameSync(unfinished, this.#target);
    } catch (error) {
      rmSync(unfinished, { force: true });
      // The next change writes all changes.
      this.#tell(`'${this.#target}' cannot be written: ${reasonOf(error)}`);
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Returns the number of bytes in a file; 0 if it is not there. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
