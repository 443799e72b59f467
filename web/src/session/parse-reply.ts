/** What enters the page from its worker, believed only after it was looked at. */
import { isCount, isRecord, isStringList } from "../lib/checks.ts";
import { isTreeglassErrorKind } from "../protocol/error-kinds.ts";
import type { Method, RequestResults, WorkerMessage } from "../protocol/messages.ts";
import type { MountReport, ProgressEvent } from "../protocol/mount-report.ts";
import type { WorkerStart } from "../protocol/start.ts";
import type { StartPhase } from "../protocol/start-report.ts";
import type { DescribedTools, ToolDefinition, ToolResult } from "../protocol/tools.ts";

type Guards = { readonly [M in Method]: (result: unknown) => result is RequestResults[M] };

/** For each method, whether a value is its result. */
export const RESULT_GUARDS: Guards = {
  load: isNull,
  start: isWorkerStart,
  configure: isNull,
  mount: isMountReport,
  unmount: isNull,
  listTools: (result): result is readonly ToolDefinition[] =>
    Array.isArray(result) && result.every(isToolDefinition),
  describeTools: (result): result is DescribedTools =>
    Array.isArray(result) && result.every(isRecord),
  summarizeCall: (result): result is string | null => result === null || typeof result === "string",
  callTool: isToolResult,
};

/** Tells whether a value is a message of the worker's. */
export function isWorkerMessage(message: unknown): message is WorkerMessage {
  if (!isRecord(message)) {
    return false;
  }
  switch (message.type) {
    case "hello":
      return true;
    case "began":
      return isCount(message.id) && isCount(message.run);
    case "progress":
      return isCount(message.id) && isProgressEvent(message.event);
    case "result":
    case "cancelled":
      return isCount(message.id);
    case "error":
      return (
        isCount(message.id) &&
        isTreeglassErrorKind(message.kind) &&
        typeof message.message === "string" &&
        typeof message.isFatal === "boolean"
      );
    default:
      return false;
  }
}

function isNull(result: unknown): result is null {
  return result === null;
}

function isProgressEvent(event: unknown): event is ProgressEvent {
  return isRecord(event) && typeof event.phase === "string" && isCount(event.loaded);
}

function isWorkerStart(result: unknown): result is WorkerStart {
  return (
    isRecord(result) &&
    (result.way === "image" || result.way === "packages") &&
    (result.reason === null || typeof result.reason === "string") &&
    Array.isArray(result.phases) &&
    result.phases.every(isStartPhase)
  );
}

function isStartPhase(phase: unknown): phase is StartPhase {
  return (
    isRecord(phase) &&
    typeof phase.name === "string" &&
    typeof phase.startedMs === "number" &&
    typeof phase.elapsedMs === "number"
  );
}

function isMountReport(result: unknown): result is MountReport {
  return (
    isRecord(result) &&
    typeof result.path === "string" &&
    (result.origin === null || typeof result.origin === "string") &&
    [result.files, result.directories, result.symlinks, result.bytes].every(
      (count) => count === null || isCount(count),
    ) &&
    typeof result.elapsedMs === "number" &&
    [result.skipped, result.renamed, result.converted].every(
      (list) => Array.isArray(list) && list.every(isRecord),
    )
  );
}

function isToolDefinition(result: unknown): result is ToolDefinition {
  return (
    isRecord(result) &&
    typeof result.name === "string" &&
    typeof result.title === "string" &&
    typeof result.description === "string" &&
    isRecord(result.inputSchema) &&
    (result.outputSchema === undefined || isRecord(result.outputSchema)) &&
    isRecord(result.annotations)
  );
}

function isToolResult(result: unknown): result is ToolResult {
  return (
    isRecord(result) &&
    typeof result.content === "string" &&
    (result.structured === null || isRecord(result.structured)) &&
    typeof result.isError === "boolean" &&
    (result.error === null || isToolFailure(result.error)) &&
    typeof result.truncated === "boolean" &&
    (result.nextArguments === null || isRecord(result.nextArguments)) &&
    isStringList(result.warnings) &&
    typeof result.elapsedMs === "number"
  );
}

function isToolFailure(failure: unknown): boolean {
  return (
    isRecord(failure) && typeof failure.kind === "string" && typeof failure.message === "string"
  );
}
