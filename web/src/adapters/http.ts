/** The tools over plain HTTP, for any server with web-standard requests and responses. */

import { isCount, isRecord } from "../lib/checks.ts";
import { reportError } from "../lib/report-error.ts";
import { isTreeglassErrorKind } from "../protocol/error-kinds.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ToolResult } from "../protocol/tools.ts";
import { requireAbsolute } from "../protocol/virtual-paths.ts";
import type { CallAttempt, CallBounds } from "./call-attempt.ts";
import { escapeControls } from "./escape-controls.ts";
import { readJson } from "./http-body.ts";
import { HTTP_OPTION_NAMES, HttpGate, type HttpOptions } from "./http-gate.ts";
import { HttpRefusal, jsonResponse, SENDER_LEFT_STATUS } from "./http-refusal.ts";
import { PerClientCache, type SharedClient } from "./per-client-cache.ts";
import type { ToolClient } from "./tool-client.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import { createToolset, type Toolset } from "./toolset.ts";
import { requireOptions, type ToolsetOptions } from "./toolset-options.ts";

export type { HttpOptions } from "./http-gate.ts";
export type { SharedClient } from "./per-client-cache.ts";

export interface ToolHandlerOptions extends ToolsetOptions, HttpOptions {
  /** Where the tools are: `/tools` answers at `/tools` and `/tools/call`. @default "/tools" */
  readonly basePath?: string;
}

const OWN_OPTIONS = ["basePath", ...HTTP_OPTION_NAMES];

const CALL_MEMBERS = [
  "name",
  "arguments",
  "maxOutputBytes",
  "availableCapacityBytes",
  "workingDir",
];

/** Failures after which the same call may succeed, here or at another server. */
const PASSING_FAULTS: readonly unknown[] = [
  "Closed",
  "SourceUnreadable",
  "TimedOut",
  "WorkerFailed",
];

/**
 * Returns a handler for HTTP requests: `GET /tools` lists the tools, `POST /tools/call` calls one.
 *
 * The body of a call is `{ name, arguments, maxOutputBytes?, availableCapacityBytes?, workingDir? }`,
 * with the arguments as an object or as the text that a model sent. The answer is the `ToolResult`
 * as JSON, with status 200 for an agent's mistake too. A mistake of the sender has a status of 400
 * to 415, a failure of the server 500 or 503; both have the body `{ error: { kind, message } }`. A
 * call is stopped if its sender leaves.
 *
 * The handler reads the definitions of the tools once; after `configure`, make another handler.
 *
 * The handler answers every request: the server must decide who may send one before it passes the
 * request on. On a loopback address, `allowedHosts` keeps foreign pages out.
 *
 * @param client one client for all callers, or a function that returns the client of a request's
 *   caller; callers that must not see each other's mounts need a client each.
 * @throws TreeglassError `BadRequest` for invalid options.
 */
export function createToolHandler(
  client: SharedClient,
  options: ToolHandlerOptions = {},
): (request: Request) => Promise<Response> {
  const { basePath = "/tools" } = options;
  requireOptions(options, OWN_OPTIONS);
  requireBasePath(basePath);
  const gate = new HttpGate(options);
  const cache = new PerClientCache(client, (ofCaller) => makeToolset(ofCaller, options));
  const routes = new Map<string, Route>([
    [basePath === "" ? "/" : basePath, { methods: "GET, HEAD, OPTIONS", answer: listTools }],
    [`${basePath}/call`, { methods: "POST, OPTIONS", answer: callTool }],
  ]);
  return async (request) => {
    try {
      const route = routes.get(new URL(request.url).pathname) ?? null;
      const methods = route?.methods ?? "OPTIONS";
      const response =
        gate.admit(request, methods) ??
        (await follow(route, request, { cache, gate, paths: [...routes.keys()] }));
      return gate.open(request, response);
    } catch (error) {
      return gate.open(request, toErrorResponse(request, error));
    }
  };
}

/** The parts that all requests share. */
interface RequestContext {
  readonly cache: PerClientCache<Toolset>;
  readonly gate: HttpGate;
  readonly paths: readonly string[];
}

interface Route {
  readonly methods: string;
  readonly answer: (request: Request, context: RequestContext) => Promise<Response>;
}

function follow(route: Route | null, request: Request, context: RequestContext): Promise<Response> {
  if (route === null) {
    const [list, call] = context.paths;
    throw new HttpRefusal(
      "NotFound",
      `There is nothing at this path; GET ${list} lists the tools, and POST ${call} calls one.`,
    );
  }
  const Allow = route.methods;
  if (request.method === "OPTIONS") {
    return Promise.resolve(new Response(null, { status: 204, headers: { Allow } }));
  }
  if (!route.methods.split(", ").includes(request.method)) {
    throw new HttpRefusal(
      "MethodNotAllowed",
      `${request.method.slice(0, 20)} is not answered at this path; use ${Allow}.`,
      { Allow },
    );
  }
  return route.answer(request, context);
}

async function listTools(request: Request, { cache }: RequestContext): Promise<Response> {
  const { tools } = await cache.of(request);
  const response = jsonResponse(200, { tools });
  return request.method === "HEAD" ? new Response(null, response) : response;
}

async function callTool(request: Request, { cache, gate }: RequestContext): Promise<Response> {
  const { name, args, bounds } = toRequestedCall(await readJson(request, gate.maxBodyBytes));
  const toolset = await cache.of(request);
  const attempt = await toolset.attempt(name, args, { signal: request.signal, bounds });
  return attempt.kind === "failed"
    ? toFaultResponse(attempt.fault, attempt.outcome.text)
    : jsonResponse(200, toResult(attempt));
}

/** Returns the tools; an unknown name is answered in the words of the tools' own registry. */
function makeToolset(client: ToolClient, options: ToolsetOptions): Promise<Toolset> {
  // The registry itself is not asked: after `configure` it may have a tool of that name, and run it.
  const answerUnknown = (name: string): ToolOutcome => {
    const result = refusedResult("UnknownTool", `Unknown tool: ${escapeControls(name)}`);
    return { text: result.content, isError: true, result };
  };
  return createToolset(client, options, { ownOptions: OWN_OPTIONS, answerUnknown });
}

/** The call that a request asks for. */
interface RequestedCall {
  readonly name: string;
  /** JSON text. */
  readonly args: string;
  readonly bounds: CallBounds;
}

const CALL_SHAPE = '{ "name": "list_dir", "arguments": { "dir_path": "/repo" } }';

function toRequestedCall(body: unknown): RequestedCall {
  if (!isRecord(body)) {
    throw new HttpRefusal("BadRequest", `The body has to be a JSON object: ${CALL_SHAPE}.`);
  }
  const { name, arguments: args, ...bounds } = body;
  const unknown = Object.keys(body).find((key) => !CALL_MEMBERS.includes(key));
  if (unknown !== undefined) {
    throw new HttpRefusal(
      "BadRequest",
      `The body has no member ${quoted(unknown)}; it has ${CALL_MEMBERS.join(", ")}.`,
    );
  }
  if (typeof name !== "string") {
    throw new HttpRefusal("BadRequest", `The body has to name a tool: ${CALL_SHAPE}.`);
  }
  requireBounds(bounds);
  // A string is a model's JSON text; the tool itself refuses anything but an object.
  const json = typeof args === "string" ? args : JSON.stringify(args ?? {});
  return { name, args: json === "null" ? "{}" : json, bounds };
}

function requireBounds({ workingDir = "/", ...budgets }: Record<string, unknown>): void {
  for (const [name, budget] of Object.entries(budgets)) {
    if (!isCount(budget)) {
      throw new HttpRefusal("BadRequest", `${name} is a whole number of bytes from 0 on.`);
    }
  }
  try {
    requireAbsolute("workingDir", workingDir);
  } catch (error) {
    throw error instanceof TreeglassError ? new HttpRefusal("BadRequest", error.message) : error;
  }
}

/** Returns the tool's own answer, or a refusal in the same shape if the call has no such answer. */
function toResult({ kind, outcome: { text, result } }: CallAttempt): ToolResult {
  return result === null
    ? refusedResult(kind === "refused" ? "CallDenied" : "OutputTooLarge", text)
    : { ...result, content: text };
}

function refusedResult(kind: string, message: string): ToolResult {
  return {
    content: message,
    structured: null,
    isError: true,
    error: { kind, message },
    truncated: false,
    nextArguments: null,
    warnings: [],
    elapsedMs: 0,
  };
}

function toErrorResponse(request: Request, error: unknown): Response {
  if (error instanceof HttpRefusal) {
    const { kind, message, status, headers } = error;
    return jsonResponse(status, { error: { kind, message } }, headers);
  }
  if (request.signal.aborted) {
    return new Response(null, { status: SENDER_LEFT_STATUS });
  }
  reportError(error);
  return toFaultResponse(error, "The server could not do what was asked; try it once more.");
}

/** Returns the answer to a failure of the server, without its internals. */
function toFaultResponse(fault: unknown, message: string): Response {
  const kind = isRecord(fault) && isTreeglassErrorKind(fault.kind) ? fault.kind : "ServerFailed";
  return jsonResponse(PASSING_FAULTS.includes(kind) ? 503 : 500, { error: { kind, message } });
}

function requireBasePath(basePath: unknown): void {
  if (!(typeof basePath === "string" && /^(\/[\w.~-]+)*$/.test(basePath))) {
    throw new TreeglassError(
      "BadRequest",
      "basePath is a path without a slash at its end, such as /tools, or empty.",
    );
  }
}

function quoted(key: string): string {
  return JSON.stringify(key.slice(0, 100));
}
