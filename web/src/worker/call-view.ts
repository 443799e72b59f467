/** What one call of a tool sees of the entries that have to be waited for. */
import { orAborted } from "../lib/or-aborted.ts";
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
 * The first wait of a call is for so many answers at most, and each further one for twice as many.
 *
 * Each wait costs one more run of the call, which sees again all that was seen before: with waits
 * of a thousand, a folder of 50,000 files took a minute and a half.
 */
const FIRST_WAIT_ANSWERS = 2;
const MAX_WAIT_ANSWERS = 65_536;
/** Answers that are waited for at once: more would only queue in the browser. */
const CONCURRENT_ANSWERS = 16;

type Ask<Value> = (signal: AbortSignal) => Promise<Value> | Value;

const NEVER_ABORTED = new AbortController().signal;

/** Something that is had at once or after a wait, and stays the same from then on. */
class Answer<Value> {
  readonly #ask: Ask<Value>;
  #outcome: Outcome<Value> | null = null;

  constructor(ask: Ask<Value>) {
    this.#ask = ask;
  }

  get isThere(): boolean {
    return this.#outcome !== null;
  }

  /** Returns the value, or null before the wait; throws what the wait ended with. */
  get(): Value | null {
    if (this.#outcome !== null && "error" in this.#outcome) {
      throw this.#outcome.error;
    }
    return this.#outcome?.value ?? null;
  }

  /** Asks who lets nobody wait. */
  askNow(): void {
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
 * Lets a synchronous call see what can only be had after a wait.
 *
 * The interpreter cannot wait, so it runs a call with what is there, and what was missing is noted.
 * Whoever runs the call waits for that and runs the call again, until nothing was missing; all
 * results before that are worth nothing. What was seen once stays the same until `forget`, so that
 * the last run sees one state of the tree, and so that each run comes further than the one before.
 *
 * Each wait asks for what was missed first: a call that stops early must not list a whole tree.
 */
export class CallView {
  readonly #listings = new Map<DeferredDirectory, Answer<Listing>>();
  readonly #found = new Map<DeferredDirectory, Map<string, Answer<{ entry: TreeEntry | null }>>>();
  readonly #looks = new Map<DeferredFile, Answer<FileEntry>>();
  readonly #contents = new Map<RemoteContent, Answer<Uint8Array>>();
  readonly #missing = new Set<Answer<unknown>>();
  #waitAnswers = FIRST_WAIT_ANSWERS;

  /** Whether something was missing since the last wait. */
  get isMissing(): boolean {
    return this.#missing.size > 0;
  }

  /** Returns a directory's entries; null where they are missing. */
  list(directory: DeferredDirectory): Listing | null {
    return this.#have(this.#listings, directory, () => directory.list(), directory.isLive);
  }

  /** Returns the entry of a name, or that there is none; null where that is missing. */
  find(directory: DeferredDirectory, name: string): { entry: TreeEntry | null } | null {
    const listing = this.#listings.get(directory);
    if (listing?.isThere) {
      return { entry: listing.get()?.get(name) ?? null };
    }
    const names = this.#found.get(directory) ?? new Map();
    this.#found.set(directory, names);
    const ask = () => {
      const found = directory.find(name);
      return found instanceof Promise ? found.then((entry) => ({ entry })) : { entry: found };
    };
    return this.#have(names, name, ask, directory.isLive);
  }

  /** Returns what a file is; null where that is missing. */
  look(file: DeferredFile): FileEntry | null {
    return file.seen ?? this.#have(this.#looks, file, () => file.look(), file.isLive);
  }

  /** Returns a file's bytes; null where they are missing. */
  fetch(content: RemoteContent): Uint8Array | null {
    return this.#have(this.#contents, content, (signal) => content.fetchWhole(signal));
  }

  /** Waits for what was missed first; throws the signal's reason once that aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    // One iterator for all who work, so that each takes the next.
    const queue = [...this.#missing].slice(0, this.#waitAnswers).values();
    this.#missing.clear();
    this.#waitAnswers = Math.min(this.#waitAnswers * 2, MAX_WAIT_ANSWERS);
    const work = async () => {
      for (const answer of queue) {
        signal.throwIfAborted();
        await answer.wait(signal);
      }
    };
    // Not every answer can be told to stop, and nobody waits for it any more.
    await orAborted(Promise.all(Array.from({ length: CONCURRENT_ANSWERS }, work)), signal);
  }

  /** Ends the call: the next one sees everything anew. */
  forget(): void {
    this.#listings.clear();
    this.#found.clear();
    this.#looks.clear();
    this.#contents.clear();
    this.#missing.clear();
    this.#waitAnswers = FIRST_WAIT_ANSWERS;
  }

  #have<Key, Value>(
    answers: Map<Key, Answer<Value>>,
    key: Key,
    ask: Ask<Value>,
    isLive = false,
  ): Value | null {
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = new Answer(ask);
      answers.set(key, answer);
    }
    if (!answer.isThere && isLive) {
      answer.askNow();
    }
    if (!answer.isThere) {
      this.#missing.add(answer);
    }
    return answer.get();
  }
}
