/** The entries that arrive later, as one tool call sees them. */
import { orAborted } from "../lib/promises.ts";
import type { BlobAccess } from "../sources/random-access.ts";
import type {
  DeferredDirectory,
  DeferredFile,
  FileContent,
  FileEntry,
  Listing,
  TreeEntry,
} from "../sources/tree.ts";

type RemoteContent = Extract<FileContent, { kind: "remote" }>;
type Outcome<Value> = { readonly value: Value } | { readonly error: unknown };

/**
 * The number of answers in the first wait of a call; each further wait takes twice as many.
 *
 * Each wait costs one more run of the call, which reads everything again that it read before: with
 * waits of a thousand, a folder of 50,000 files took a minute and a half.
 */
const FIRST_WAIT_ANSWERS = 2;
const MAX_WAIT_ANSWERS = 65_536;
/** Answers that are fetched side by side: more would only queue in the browser. */
const CONCURRENT_ANSWERS = 16;
/** The same of answers that are asked together; an abandoned call leaves no more behind. */
const BATCHED_ANSWERS = 512;

/** A wait that is shorter than this is not reported. */
const REPORT_EVERY_MS = 100;

type ArrivalListener = (arrived: number, total: number) => void;
type Ask<Value> = (signal: AbortSignal) => Promise<Value> | Value;

const NEVER_ABORTED = new AbortController().signal;

/** A value that arrives now or later, and stays the same from then on. */
class Answer<Value> {
  /** True if it is asked together with all others of its kind. */
  readonly isBatched: boolean;
  readonly #ask: Ask<Value>;
  #outcome: Outcome<Value> | null = null;

  constructor(ask: Ask<Value>, isBatched: boolean) {
    this.#ask = ask;
    this.isBatched = isBatched;
  }

  get hasArrived(): boolean {
    return this.#outcome !== null;
  }

  /** The value; null before it arrives, or if an error came instead. */
  get value(): Value | null {
    return this.#outcome !== null && "value" in this.#outcome ? this.#outcome.value : null;
  }

  /** Returns the value, or null before it arrives; throws the error that came instead. */
  get(): Value | null {
    if (this.#outcome !== null && "error" in this.#outcome) {
      throw this.#outcome.error;
    }
    return this.#outcome?.value ?? null;
  }

  /** Resolves now if the source can answer synchronously. */
  resolveSync(): void {
    try {
      const value = this.#ask(NEVER_ABORTED);
      this.#outcome = value instanceof Promise ? null : { value };
    } catch (error) {
      this.#outcome = { error };
    }
  }

  async wait(signal: AbortSignal): Promise<void> {
    try {
      this.#outcome = { value: await this.#ask(signal) };
    } catch (error) {
      this.#outcome = { error };
    }
  }
}

/**
 * Lets a synchronous call read content that arrives later.
 *
 * The interpreter cannot wait, so a call runs with the content that is there, and the view notes
 * what was missing. The caller waits for that and runs the call again, until nothing is missing;
 * only the last result counts. Content that was seen once stays the same, so that
 * the last run sees one state of the tree and each run gets further than the one before.
 *
 * Each wait fetches what was missed first: a call that stops early must not list a whole tree. The
 * methods that read return null for what is missing.
 */
export class CallView {
  readonly #listings = new Map<DeferredDirectory, Answer<Listing>>();
  readonly #found = new Map<DeferredDirectory, Map<string, Answer<{ entry: TreeEntry | null }>>>();
  readonly #inspected = new Map<DeferredFile, Answer<FileEntry>>();
  readonly #contents = new Map<RemoteContent, Answer<Uint8Array>>();
  readonly #blobs = new Map<BlobAccess, Answer<Uint8Array>>();
  readonly #missing = new Set<Answer<unknown>>();
  #waitAnswers = FIRST_WAIT_ANSWERS;

  /** True if content was missing since the last wait. */
  get isMissing(): boolean {
    return this.#missing.size > 0;
  }

  list(directory: DeferredDirectory): Listing | null {
    return this.#orMissing(this.#listings, directory, () => directory.list(), directory);
  }

  /** Returns `{ entry }` for a name, with null if the name is unknown; null while it is missing. */
  find(directory: DeferredDirectory, name: string): { entry: TreeEntry | null } | null {
    const names =
      this.#found.get(directory) ?? new Map<string, Answer<{ entry: TreeEntry | null }>>();
    this.#found.set(directory, names);
    // The listing may hold another object for the same entry, which would be asked for anew.
    const found = names.get(name)?.value;
    if (found?.entry) {
      return found;
    }
    const listing = this.#listings.get(directory);
    if (listing?.hasArrived) {
      return { entry: listing.get()?.get(name) ?? null };
    }
    const ask = () => {
      const found = directory.find(name);
      return found instanceof Promise ? found.then((entry) => ({ entry })) : { entry: found };
    };
    return this.#orMissing(names, name, ask, directory);
  }

  inspect(file: DeferredFile): FileEntry | null {
    return file.seen ?? this.#orMissing(this.#inspected, file, () => file.inspect(), file);
  }

  fetch(content: RemoteContent): Uint8Array | null {
    return this.#orMissing(this.#contents, content, (signal) => content.fetchWhole(signal));
  }

  readWhole(access: BlobAccess, read: () => Promise<Uint8Array>): Uint8Array | null {
    return this.#orMissing(this.#blobs, access, read);
  }

  /** Tells whether the call has asked for a file's bytes, whether they have arrived or not. */
  hasAsked(content: RemoteContent): boolean {
    return this.#contents.has(content);
  }

  /** Makes each wait of this call fetch all that was missed: the call will read it all. */
  expectAll(): void {
    this.#waitAnswers = MAX_WAIT_ANSWERS;
  }

  /**
   * Waits for what was missed first; rejects with the signal's reason once that aborts.
   *
   * If it takes long, `report` is told meanwhile how many answers have arrived.
   */
  async wait(signal: AbortSignal, report: ArrivalListener = () => undefined): Promise<void> {
    // The workers share one iterator, so that each takes the next answer.
    const answers = [...this.#missing].slice(0, this.#waitAnswers);
    const queue = answers.filter(({ isBatched }) => !isBatched).values();
    this.#missing.clear();
    this.#waitAnswers = Math.min(this.#waitAnswers * 2, MAX_WAIT_ANSWERS);
    let arrived = 0;
    let reportedMs = performance.now();
    const waitFor = async (answer: Answer<unknown>) => {
      await answer.wait(signal);
      arrived += 1;
      if (performance.now() - reportedMs >= REPORT_EVERY_MS) {
        reportedMs = performance.now();
        report(arrived, answers.length);
      }
    };
    const work = async () => {
      for (const answer of queue) {
        signal.throwIfAborted();
        await waitFor(answer);
      }
    };
    const batched = answers.filter(({ isBatched }) => isBatched);
    const workTogether = async () => {
      while (batched.length > 0) {
        signal.throwIfAborted();
        await Promise.all(batched.splice(0, BATCHED_ANSWERS).map(waitFor));
      }
    };
    const others = Array.from({ length: CONCURRENT_ANSWERS }, work);
    // Some answers cannot be stopped; an abandoned call does not wait for them.
    await orAborted(Promise.all([workTogether(), ...others]), signal);
  }

  #orMissing<Key, Value>(
    answers: Map<Key, Answer<Value>>,
    key: Key,
    ask: Ask<Value>,
    { isLive = false, isBatched = false }: { isLive?: boolean; isBatched?: boolean } = {},
  ): Value | null {
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = new Answer(ask, isBatched);
      answers.set(key, answer);
    }
    if (!answer.hasArrived && isLive) {
      answer.resolveSync();
    }
    if (!answer.hasArrived) {
      this.#missing.add(answer);
    }
    return answer.get();
  }
}
