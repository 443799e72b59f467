/** What enters the worker, believed only after it was looked at. */
import {
  isCount,
  isOptionalString,
  isRecord,
  isStringList,
  isStringRecord,
} from "../lib/checks.ts";
import type {
  ClientMessage,
  Method,
  MountParams,
  PageMessage,
  Request,
  RequestParams,
  Settings,
  WireFile,
  WireSource,
} from "../protocol/messages.ts";
import { LIMIT_NAMES, type MountLimits } from "../protocol/mount-report.ts";
import type { StartFolders, StartImage } from "../protocol/start.ts";

type Guards = { readonly [M in Method]: (params: unknown) => params is RequestParams[M] };

const PARAM_GUARDS: Guards = {
  load: (params): params is RequestParams["load"] =>
    isRecord(params) && isStartFolders(params.folders),
  start: (params): params is RequestParams["start"] =>
    isRecord(params) &&
    isStartFolders(params.folders) &&
    (params.image === null || isStartImage(params.image)) &&
    (params.interrupts === null || isSharedMemory(params.interrupts)),
  configure: (params): params is Settings => isSettings(params),
  mount: (params): params is MountParams =>
    isRecord(params) &&
    typeof params.path === "string" &&
    isWireSource(params.source) &&
    isLimits(params.limits) &&
    isStringList(params.skip) &&
    typeof params.replace === "boolean",
  unmount: (params): params is RequestParams["unmount"] =>
    isRecord(params) && typeof params.path === "string",
  listTools: (params): params is RequestParams["listTools"] =>
    isRecord(params) && Object.keys(params).length === 0,
  describeTools: (params): params is RequestParams["describeTools"] =>
    isRecord(params) &&
    typeof params.format === "string" &&
    (params.names === undefined || isStringRecord(params.names)),
  summarizeCall: (params): params is RequestParams["summarizeCall"] =>
    isRecord(params) && typeof params.name === "string" && typeof params.arguments === "string",
  callTool: (params): params is RequestParams["callTool"] =>
    isRecord(params) &&
    typeof params.name === "string" &&
    typeof params.arguments === "string" &&
    isOptionalCount(params.maxOutputBytes) &&
    isOptionalCount(params.availableCapacityBytes) &&
    isOptionalString(params.workingDir),
};

/** Tells whether a value is a message of a client's port. */
export function isClientMessage(message: unknown): message is ClientMessage {
  if (!isRecord(message)) {
    return false;
  }
  switch (message.type) {
    case "close":
      return true;
    case "cancel":
    case "acknowledge":
      return isCount(message.id);
    default:
      return isRequest(message);
  }
}

/** Tells whether a value is a message to the worker's own scope. */
export function isPageMessage(message: unknown): message is PageMessage {
  if (!isRecord(message)) {
    return false;
  }
  switch (message.type) {
    case "open":
      return message.port instanceof MessagePort;
    case "handover":
      return isCount(message.handle) && message.blob instanceof Blob;
    case "withdraw":
      return isCount(message.handle);
    default:
      return isRequest(message);
  }
}

function isRequest(message: unknown): message is Request {
  return (
    isRecord(message) &&
    message.type === "request" &&
    isCount(message.id) &&
    isMethod(message.method) &&
    PARAM_GUARDS[message.method](message.params)
  );
}

function isMethod(method: unknown): method is Method {
  return typeof method === "string" && Object.hasOwn(PARAM_GUARDS, method);
}

function isSharedMemory(buffer: unknown): buffer is SharedArrayBuffer {
  // Pages that are not cross-origin isolated have no such thing.
  return typeof SharedArrayBuffer === "function" && buffer instanceof SharedArrayBuffer;
}

function isStartFolders(folders: unknown): folders is StartFolders {
  return (
    isRecord(folders) &&
    [folders.assets, folders.pyodide, folders.packages].every(
      (address) => typeof address === "string",
    )
  );
}

function isStartImage(image: unknown): image is StartImage {
  return (
    isRecord(image) &&
    image.parts instanceof MessagePort &&
    typeof image.pyodideVersion === "string" &&
    isCount(image.fingerprint) &&
    isStringRecord(image.archives)
  );
}

function isSettings(settings: unknown): settings is Settings {
  return (
    isRecord(settings) &&
    isRecord(settings.config) &&
    isOptionalString(settings.projectRoot) &&
    isOptionalString(settings.workingDir)
  );
}

function isWireSource(source: unknown): source is WireSource {
  if (!isRecord(source)) {
    return false;
  }
  switch (source.kind) {
    case "entries":
      return isRecord(source.entries);
    case "archive":
      return (
        isCount(source.archive) ||
        source.archive instanceof ArrayBuffer ||
        source.archive instanceof Uint8Array
      );
    case "files":
      return (
        Array.isArray(source.files) &&
        source.files.every(isWireFile) &&
        source.desk instanceof MessagePort &&
        (source.folder === null || typeof source.folder === "string")
      );
    case "directory":
      return isDirectoryHandle(source.directory);
    case "host-directory":
      return typeof source.path === "string";
    case "url":
      return (
        typeof source.url === "string" &&
        (source.integrity === null || typeof source.integrity === "string") &&
        typeof source.prefetch === "boolean"
      );
    case "package":
      return (
        (source.registry === "npm" || source.registry === "gh") &&
        typeof source.specifier === "string" &&
        isRecord(source.hosts) &&
        typeof source.hosts.index === "string" &&
        typeof source.hosts.files === "string" &&
        typeof source.prefetch === "boolean"
      );
    default:
      return false;
  }
}

function isDirectoryHandle(directory: unknown): directory is FileSystemDirectoryHandle {
  // Not every runtime has directories to hand out.
  return (
    typeof FileSystemDirectoryHandle === "function" &&
    directory instanceof FileSystemDirectoryHandle
  );
}

function isWireFile(file: unknown): file is WireFile {
  return isRecord(file) && typeof file.path === "string" && typeof file.isDirectory === "boolean";
}

function isLimits(limits: unknown): limits is Partial<MountLimits> {
  return (
    isRecord(limits) &&
    Object.entries(limits).every(([name, limit]) => LIMIT_NAMES.includes(name) && isCount(limit))
  );
}

function isOptionalCount(count: unknown): count is number | undefined {
  return count === undefined || isCount(count);
}
