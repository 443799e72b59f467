/** An interpreter that keeps account of a record of changes, as the wheel does. */
import type { TreeglassClient } from "../../src/client/client.ts";
import { type Answers, type ConnectedOptions, connected, RESULT } from "./connected.ts";

const open: TreeglassClient[] = [];

/** Connects a client, and notes each version that the page hears of. */
export async function connectChanging(
  answers: Answers = changingAnswers(),
  options: ConnectedOptions = {},
): Promise<Awaited<ReturnType<typeof connected>> & { readonly versions: number[] }> {
  const versions: number[] = [];
  const onChanges = ({ version }: { readonly version: number }) => versions.push(version);
  const changes = { onChanges, ...options.changes };
  const one = await connected(answers, { ...options, changes });
  open.push(one.client);
  return { ...one, versions };
}

/** Closes the clients of a test. */
export function closeChanging(): void {
  for (const client of open.splice(0)) {
    client.close();
  }
}

/** Returns the state of a version, as the bridge saves it. */
export function stateOf(version: number): string {
  return btoa(`state ${version}`);
}

/** Returns the state of a version, as a page stores it. */
export function bytesOf(version: number): Uint8Array {
  return new TextEncoder().encode(`state ${version}`);
}

/** A tool that changes is any whose name is `change`; a decision is a step, too. */
export function changingAnswers(): Answers {
  let version = 0;
  const step = () => {
    version += 1;
    return { result: { version } };
  };
  return {
    // Another interpreter has no record.
    configure: () => {
      version = 0;
      return { result: {} };
    },
    callTool: ({ name }: { readonly name: string }) => {
      version += name === "change" ? 1 : 0;
      return { result: version === 0 ? RESULT : { ...RESULT, version } };
    },
    rejectChange: step,
    undoChange: step,
    saveState: () => ({ result: { state: stateOf(version) } }),
    restoreState: ({ state }: { readonly state: string }) => {
      version = Number(atob(state).split(" ")[1]);
      return { result: { version } };
    },
  };
}

/** Returns the methods that an interpreter was asked for, each with a tool's name or a state. */
export function methodsOf(asked: readonly unknown[]): readonly string[] {
  return asked.map((request) => {
    const { method, params } = Object(request);
    const detail = params.name ?? (params.state && atob(params.state));
    return detail === undefined ? method : `${method} ${detail}`;
  });
}
