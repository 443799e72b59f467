/** The decompressors of archives, in a real interpreter. */
import assert from "node:assert/strict";
import type { MountContext } from "../../../src/sources/source-context.ts";
import { openBridgeDecompressor } from "../../../src/worker/bridge-client.ts";
import { InterpreterZlib, zlibModuleOf } from "../../../src/worker/start/interpreter-zlib.ts";
import { startPyodide } from "../isolate.ts";
import { runAsRequest } from "./run-as-request.ts";

/** Answers as the wheel's bridge does, and counts the open streams. */
const BRIDGE = `
import base64, json
from treeglass.bridge.decompression import DecompressionStreams
from treeglass.bridge.late_bodies import with_bodies
from treeglass.errors import SourceUnreadable

streams = DecompressionStreams()

def answer(method, params):
    if method == "openDecompressor":
        return {"stream": streams.open(params["format"])}
    if method == "closeDecompressor":
        return streams.close(params["stream"]) or {}
    given = params["compressed"]
    compressed = None if given is None else base64.b64decode(given)
    out = streams.decompress(params["stream"], compressed, params["maxBytes"])
    return {
        "inflated": base64.b64encode(out.inflated).decode(),
        "needsInput": out.needs_input,
        "isComplete": out.is_complete,
    }

def answer_text(text):
    try:
        result = answer(**json.loads(text))
    except SourceUnreadable as error:
        return json.dumps({"error": {"name": "SourceUnreadable", "message": str(error)}})
    return json.dumps({"result": result})

def handle(text):
    return with_bodies(lambda: answer_text(text))()

handle
`;

export interface PythonDecompressors {
  readonly openDecompressor: MountContext["openDecompressor"];
  /** How many streams were opened and not closed. */
  countOpen(): unknown;
}

export async function startDecompressors(): Promise<PythonDecompressors> {
  const pyodide = await startPyodide();
  const globals = pyodide.toPy({});
  const handle = runAsRequest(pyodide, BRIDGE, globals);
  assert(typeof handle === "function");
  const bridge = (request: string) => String(handle(request));
  const zlib = new InterpreterZlib(zlibModuleOf(pyodide));
  return {
    openDecompressor: (format) =>
      format === "gzip" ? zlib.openGzip() : openBridgeDecompressor(bridge, format),
    countOpen: () => runAsRequest(pyodide, "len(streams._open)", globals),
  };
}
