/** A call as JavaScript for a page and as a command line. */

import { escapeJson } from "../page-parts/hostile-characters.ts";
import { parseJsonObject, renderJson } from "../page-parts/json.ts";
import type { CallText } from "./call-record.ts";
import { MOUNT_PATH } from "./tool-notes.ts";

/** Returns JavaScript that makes this call through a connected client. */
export function renderJavaScript(call: CallText): string {
  const values = parseJsonObject(call.argumentsText);
  // Arguments that are not an object can only be sent as text, the way a model sends them.
  const written = values === null ? JSON.stringify(call.argumentsText) : renderJson(values);
  const options =
    call.maxOutputBytes === null ? "" : `, { maxOutputBytes: ${call.maxOutputBytes} }`;
  const name = JSON.stringify(call.toolName);
  return escapeJson(`const result = await client.callTool(${name}, ${written}${options});`);
}

/** Returns the command line that makes this call on the current directory. */
export function renderCommand(call: CallText): string {
  const values = parseJsonObject(call.argumentsText);
  const written = values === null ? call.argumentsText : escapeJson(JSON.stringify(values));
  const budget = call.maxOutputBytes === null ? "" : ` --max-output-bytes ${call.maxOutputBytes}`;
  const name = /^[\w.-]+$/.test(call.toolName) ? call.toolName : quote(call.toolName);
  return `treeglass call ${name} ${quote(written)} --mount ${MOUNT_PATH}=.${budget}`;
}

/** Uses single quotes: within them, a POSIX shell treats only the single quote specially. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
