/** The turns of the scripted models in the sample project, in no provider's words, and their log. */
import { after, before } from "node:test";
import type { CallEvent } from "../../src/adapters/toolset.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import { startRealClient } from "../support/real-client.ts";
import { type Providers, startProviders } from "./server.ts";

export const QUESTION = "What is in /repo?";

/** A call and what the tool answers. */
export interface Step {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
}

const page = (offset: number, entries: readonly string[], more: readonly string[]): Step => ({
  name: "list_dir",
  args: { dir_path: "/repo", limit: 3, depth: 1, ...(offset === 1 ? {} : { offset }) },
  text: ["Absolute path: /repo", ...entries, ...more].join("\n"),
  isError: false,
});

const MORE = ["More than 3 entries found"];

/** The calls of the model `explorer`, and their answers. */
export const EXPLORATION: readonly Step[] = [
  page(1, ["README.md", "part-0.txt", "part-1.txt"], MORE),
  page(4, ["part-2.txt", "part-3.txt", "part-4.txt"], MORE),
  page(7, ["part-5.txt", "part-6.txt", "part-7.txt"], MORE),
  page(10, ["part-8.txt", "part-9.txt", "src/"], []),
  {
    name: "read_file",
    args: { file_path: "/repo/no-such-file.txt" },
    text: "failed to read file: No such file or directory (os error 2)",
    isError: true,
  },
  {
    name: "read_file",
    args: { file_path: "/repo/README.md" },
    text: "L1: # Sample\nL2: \nL3: A tree for agents.",
    isError: false,
  },
];

export const INTRODUCTION = "I will look around.";
export const CONCLUSION = "README.md begins with: # Sample";

const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  list_dir: ["dir_path", "offset", "limit", "depth"],
  read_file: ["file_path", "offset", "limit", "mode", "indentation"],
};

/** Returns arguments as a strict model sends them: null for each property that is left out. */
export function strictly({ name, args }: Pick<Step, "name" | "args">): object {
  const absent = (PROPERTIES[name] ?? []).filter((key) => !Object.hasOwn(args, key));
  return { ...args, ...Object.fromEntries(absent.map((key) => [key, null])) };
}

/** A call event without estimates and without the parts that differ from run to run. */
export type HeardCall = Omit<CallEvent, "elapsedMs" | "estimatedTokens" | "result">;

/** Keeps the events of `onCall`. */
export class CallLog {
  readonly calls: HeardCall[] = [];
  #wanted = 0;
  #reach = () => {};

  readonly onCall = ({ elapsedMs, estimatedTokens, result, ...call }: CallEvent): void => {
    this.calls.push(call);
    if (this.calls.length === this.#wanted) {
      this.#reach();
    }
  };

  /** Resolves once so many calls are over, each in its own time. */
  reached(count: number): Promise<void> {
    this.#wanted = count;
    return new Promise((resolve) => {
      this.#reach = resolve;
      if (this.calls.length >= count) {
        resolve();
      }
    });
  }
}

/** Returns the event of a call that a tool answered. */
export function heard(
  name: string,
  callId: string | null,
  args: unknown,
  text: string,
  rest: Partial<HeardCall> = {},
): HeardCall {
  return {
    name,
    tool: name,
    callId,
    arguments: args,
    outcome: "answered",
    text,
    isError: false,
    truncated: false,
    sizeBytes: new TextEncoder().encode(text).byteLength,
    ...rest,
  };
}

/** Starts a client and the providers for all tests of a file. */
export function startForAllTests(): { client: TreeglassClient; providers: Providers } {
  const started: { client?: TreeglassClient; providers?: Providers } = {};
  before(async () => {
    [started.client, started.providers] = await Promise.all([startRealClient(), startProviders()]);
  });
  after(() => Promise.all([started.client?.close(), started.providers?.close()]));
  return {
    get client() {
      return present(started.client);
    },
    get providers() {
      return present(started.providers);
    },
  };
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) {
    throw new Error("it is started before the first test, and not earlier");
  }
  return value;
}
