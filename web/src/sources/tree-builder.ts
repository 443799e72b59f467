import { toWellFormed } from "../lib/well-formed.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { MountLimits } from "../protocol/mount-report.ts";
import {
  belowMount,
  fittingNames,
  leadsOut,
  misfitOf,
  parsePath,
  utf8ByteLength,
} from "./names.ts";
import { compileSkipPatterns, type SkipMatcher } from "./skip-patterns.ts";
import {
  clampModifiedMs,
  type DeferredFile,
  type DirectoryEntry,
  type FileContent,
  type FileEntry,
  type Tree,
  type TreeEntry,
  TreeReport,
} from "./tree.ts";

/** The interpreter cuts a longer target silently when it reads the link. */
const MAX_TARGET_BYTES = 4095;

/** An entry cannot be in the tree; the message is the reason in the report. */
class EntryRefused extends Error {}

/**
 * Builds one tree from a source's entries, within the limits of a mount.
 *
 * Whatever the paths and their order: the filesystem can show every name of the tree, no entry
 * overwrites another, and every change is reported. The first entry of a path wins.
 */
export class TreeBuilder {
  readonly limits: MountLimits;
  readonly report = new TreeReport();
  readonly #root: DirectoryEntry = newDirectory();
  readonly #matchSkip: SkipMatcher | null;
  readonly #mountPath: string;
  readonly #mayBeWindows: boolean;
  readonly #matched = new Set<string>();
  #seen = 0;
  #made = 0;
  #files = 0;
  #directories = 0;
  #symlinks = 0;
  #bytes = 0;
  #hasUnknownSizes = false;

  /**
   * `mountPath` is where the tools will see the tree; absolute links into it are made relative.
   * `mayBeWindows` tells how to read the source's paths; see `parsePath`.
   */
  constructor(
    mountPath: string,
    limits: MountLimits,
    skip: readonly string[],
    mayBeWindows: boolean,
  ) {
    this.#mountPath = mountPath;
    this.#mayBeWindows = mayBeWindows;
    this.limits = limits;
    this.#matchSkip = skip.length === 0 ? null : compileSkipPatterns(skip);
  }

  /** Throws `LimitExceeded` if the source has more entries than the tree may; call it before all. */
  requireRoomFor(entryCount: number): void {
    this.#requireWithin("maxEntries", entryCount, "entries");
  }

  /**
   * Adds a file and returns whether it is in the tree now; if it is not, its content is never read.
   *
   * `unixMode` tells whether its owner may run it, which an export of changes keeps; 0 if unknown.
   *
   * Throws `LimitExceeded` if the whole tree is too large.
   */
  addFile(
    path: string,
    sizeBytes: number,
    modifiedMs: number,
    content: FileContent,
    unixMode = 0,
  ): boolean {
    const { maxFileBytes } = this.limits;
    const filesBefore = this.#files;
    this.#attempt(path, () => {
      if (sizeBytes > maxFileBytes) {
        throw new EntryRefused(`is ${sizeBytes} bytes large, over maxFileBytes (${maxFileBytes})`);
      }
      this.#add(path, () => {
        this.#bytes += sizeBytes;
        this.#requireWithin("maxTotalBytes", this.#bytes, "bytes of files");
        this.#files += 1;
        const file = { sizeBytes, modifiedMs: clampModifiedMs(modifiedMs), content };
        return { kind: "file", ...file, ...((unixMode & 0o100) !== 0 && { permissions: 0o755 }) };
      });
    });
    return this.#files > filesBefore;
  }

  /** Adds a file of unknown size, which counts towards no limit of bytes. */
  addDeferredFile(path: string, file: DeferredFile): void {
    this.#attempt(path, () =>
      this.#add(path, () => {
        this.#files += 1;
        this.#hasUnknownSizes = true;
        return file;
      }),
    );
  }

  /** Adds a directory, or sets the time of a directory that exists. */
  addDirectory(path: string, modifiedMs: number): void {
    this.#attempt(path, () => {
      const names = this.#accept(path);
      if (names !== null) {
        this.#enter(names, names.length).modifiedMs = clampModifiedMs(modifiedMs);
      }
    });
  }

  /**
   * Adds a symbolic link; its target need not exist.
   *
   * With `staysInside`, skips a link whose target, as it is spelled, leads out of the tree.
   */
  addSymlink(path: string, target: string, modifiedMs: number, staysInside = false): void {
    this.#attempt(path, () => {
      if (target === "" || target.includes("\0")) {
        throw new EntryRefused("is a link whose target is not a path");
      }
      // Checked before parsing: one pax header can give a million links a target of a megabyte.
      if (target.length > this.#mountPath.length + 1 + MAX_TARGET_BYTES) {
        throw longTarget();
      }
      this.#add(path, (depth) => {
        const below = belowMount(this.#mountPath, target);
        if (staysInside && (below === null ? leadsOut(target, depth) : leadsOut(below, 0))) {
          throw new EntryRefused("is a link out of the tree");
        }
        const reachable = this.#reachable(path, target, depth);
        this.#symlinks += 1;
        return { kind: "symlink", target: reachable, modifiedMs: clampModifiedMs(modifiedMs) };
      });
    });
  }

  /** Returns the file at a source's path and its path in the tree, or null if it is not there yet. */
  findFile(path: string): { readonly path: string; readonly file: FileEntry } | null {
    const parsed = parsePath(path, this.#mayBeWindows);
    if ("fault" in parsed) {
      return null;
    }
    let entry: TreeEntry | undefined = this.#root;
    for (const name of parsed.names) {
      entry = entry?.kind === "directory" ? entry.children.get(name) : undefined;
    }
    return entry?.kind === "file" ? { path: parsed.path, file: entry } : null;
  }

  skip(path: string, reason: string): void {
    this.#count();
    this.report.skip(path, reason);
  }

  finish(): Tree {
    return {
      root: this.#root,
      files: this.#files,
      directories: this.#directories,
      symlinks: this.#symlinks,
      bytes: this.#hasUnknownSizes ? null : this.#bytes,
      ...this.report,
    };
  }

  #requireWithin(name: "maxEntries" | "maxTotalBytes", count: number, what: string): void {
    const limit = this.limits[name];
    if (count > limit) {
      throw new TreeglassError(
        "LimitExceeded",
        `The tree has more than ${limit} ${what} (${name}); mount a part of it, leave out what is not needed with skip, or raise limits.${name}`,
      );
    }
  }

  #attempt(path: string, add: () => void): void {
    this.#count();
    const { renamed, converted } = this.report;
    const [renamedCount, convertedCount] = [renamed.length, converted.length];
    try {
      add();
    } catch (error) {
      if (!(error instanceof EntryRefused)) {
        throw error;
      }
      // A skipped entry is not reported as renamed or converted as well.
      renamed.length = renamedCount;
      converted.length = convertedCount;
      this.report.skip(path, error.message);
    }
  }

  #count(): void {
    this.#seen += 1;
    this.requireRoomFor(this.#seen);
  }

  /** Returns the names that lead to an entry, or null if the skip option leaves it out. */
  #accept(path: string): readonly string[] | null {
    const parsed = parsePath(path, this.#mayBeWindows);
    if ("fault" in parsed) {
      throw new EntryRefused(parsed.fault);
    }
    const match = this.#matchSkip?.(fittingNames(parsed.names, this.limits)) ?? null;
    if (match !== null) {
      if (!this.#matched.has(match)) {
        this.#matched.add(match);
        this.report.skip(match, "left out by the skip option");
      }
      return null;
    }
    const misfit = misfitOf(parsed.names, parsed.path, this.limits);
    if (misfit !== null) {
      throw new EntryRefused(misfit);
    }
    if (parsed.renamed !== null) {
      this.report.rename(path, parsed.path, parsed.renamed);
    }
    for (const reason of parsed.converted) {
      this.report.convert(path, reason);
    }
    return parsed.names;
  }

  /** Adds an entry that is no directory; `make` gets the number of directories above it. */
  #add(path: string, make: (depth: number) => TreeEntry): void {
    const names = this.#accept(path);
    if (names === null) {
      return;
    }
    const name = names.at(-1);
    if (name === undefined) {
      throw new EntryRefused("has no name");
    }
    const parent = this.#enter(names, names.length - 1);
    const other = parent.children.get(name);
    if (other !== undefined) {
      const isConflict = other.kind === "directory";
      throw new EntryRefused(isConflict ? "is a directory already" : "is there already");
    }
    this.#put(parent, name, make(names.length - 1));
  }

  /** Returns the directory that the first `count` names lead to, and adds missing ones. */
  #enter(names: readonly string[], count: number): DirectoryEntry {
    let directory = this.#root;
    for (let index = 0; index < count; index += 1) {
      const name = names[index] ?? "";
      let child = directory.children.get(name);
      if (child === undefined) {
        child = newDirectory();
        this.#put(directory, name, child);
        this.#directories += 1;
      }
      if (child.kind !== "directory") {
        throw new EntryRefused(`needs '${name}' to be a directory, and it is a ${child.kind}`);
      }
      directory = child;
    }
    return directory;
  }

  #put(parent: DirectoryEntry, name: string, entry: TreeEntry): void {
    this.#made += 1;
    this.requireRoomFor(this.#made);
    parent.children.set(name, entry);
  }

  /**
   * Returns a target that leads to the place that the link means.
   *
   * The interpreter has the tree at another path than the tools see, so an absolute target below
   * the mount path has to become relative.
   */
  #reachable(path: string, target: string, depth: number): string {
    const wellFormed = toWellFormed(target);
    const below = belowMount(this.#mountPath, wellFormed);
    const reachable = below === null ? wellFormed : `${"../".repeat(depth)}${below}` || ".";
    if (utf8ByteLength(reachable) > MAX_TARGET_BYTES) {
      throw longTarget();
    }
    if (wellFormed !== target) {
      this.report.convert(path, "lone surrogates of the target replaced by U+FFFD");
    }
    if (below !== null) {
      const [from, to] = [this.report.show(wellFormed), this.report.show(reachable)];
      const reason = `target '${from}' made relative: '${to}'`;
      this.report.converted.push({ path: this.report.show(path), reason });
    }
    return reachable;
  }
}

function newDirectory(): DirectoryEntry {
  return { kind: "directory", modifiedMs: 0, children: new Map() };
}

function longTarget(): EntryRefused {
  return new EntryRefused(`is a link whose target is over ${MAX_TARGET_BYTES} bytes`);
}
