/** A client whose calls appear on the timeline, for the adapter that answers a model. */

import { signal } from "@preact/signals";
import type { ProposedCall } from "../../adapters/approval.ts";
import type { ToolClient } from "../../adapters/toolset-types.ts";
import type { RunOptions } from "../../client/method-options.ts";
import { type ToolResult, TreeglassError } from "../../index.ts";
import { orAborted } from "../../lib/promises.ts";
import { parseJsonObject } from "../../ui/json.ts";
import type { CallText } from "../../ui/literals.ts";
import type { PageState } from "../state/page-state.ts";

type Run = (limits: RunOptions) => Promise<ToolResult>;

/** Returns the client; `group` names the model's turn, for the steps of its changes. */
export async function timelineClient(page: PageState, group: () => string): Promise<ToolClient> {
  const client = await page.client();
  // An adapter calls by full names, such as `codex.read_file`; the page shows the offered ones.
  const names = new Map(
    (await client.listTools()).map(({ name, _meta }) => [_meta?.["treeglass/fullName"], name]),
  );
  const show = (name: string, args: object | string, limits: RunOptions, run: Run) => {
    const argumentsText = withoutNulls(typeof args === "string" ? args : JSON.stringify(args));
    const { maxOutputBytes = null } = limits;
    const call = { toolName: names.get(name) ?? name, argumentsText, maxOutputBytes };
    return showCall(page, call, { ...limits, group: group() }, run);
  };
  return {
    listTools: () => client.listTools(),
    describeTools: (format, named) => client.describeTools(format, named),
    prepareCall: async (name, args, meaning) => {
      await page.settled();
      const { summary, run } = await client.prepareCall(name, args, meaning);
      return { summary, run: (limits = {}) => show(name, args, limits, run) };
    },
    callTool: async (name, args, options = {}) => {
      const { nullsAreAbsent = false, ...limits } = options;
      await orAborted(page.settled(), limits.signal);
      return show(name, args, limits, (own) =>
        client.callTool(name, args, { ...own, nullsAreAbsent }),
      );
    },
  };
}

/** Makes a call as an item of the timeline; rejects with the error itself, as a client does. */
async function showCall(
  page: PageState,
  call: CallText,
  limits: RunOptions & { readonly group: string },
  run: Run,
): Promise<ToolResult> {
  const { group, signal } = limits;
  // The timeline keeps only the sentence of a failure.
  let failure: unknown = new TreeglassError("TimedOut", "The person stopped the call.");
  const runAndNote = async (own: RunOptions) => {
    try {
      return await run({ ...limits, ...own });
    } catch (error) {
      failure = own.signal?.aborted ? failure : error;
      throw error;
    }
  };
  const options = { group, run: runAndNote, ...(signal === undefined ? {} : { signal }) };
  const { standing } = await page.call(call, "model", options);
  if (standing.value.kind === "answered") {
    return standing.value.result;
  }
  signal?.throwIfAborted();
  throw failure;
}

/** Returns the arguments as a person would type them: a model sends null for what it leaves out. */
function withoutNulls(text: string): string {
  return text.includes("null") && parseJsonObject(text) !== null
    ? JSON.stringify(JSON.parse(text, (_key, value: unknown) => value ?? undefined))
    : text;
}

/** Asks the person about a call on the timeline; a call that is given up counts as refused. */
export function askPerson(page: PageState, { summary, signal: given }: ProposedCall) {
  return new Promise<boolean>((resolve) => {
    const isAllowed = signal<boolean | null>(null);
    const decide = (decision: boolean) => {
      isAllowed.value ??= decision;
      resolve(isAllowed.value);
    };
    const item = { kind: "consent", by: "model", sentence: summary, isAllowed, decide } as const;
    page.timeline.add(item);
    given?.addEventListener("abort", () => decide(false), { once: true });
  });
}
