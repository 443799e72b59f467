/** The same call as a page writes it and as a shell does. */

import { escapeJson } from "../page-parts/hostile-characters.ts";
import { parseJsonObject, renderJson } from "../page-parts/json.ts";
import type { CallText } from "./call-record.ts";
import { MOUNT_PATH } from "./tool-notes.ts";

/** Returns JavaScript that makes this call through a connected client. */
export function renderJavaScript(call: CallText): string {
  const values = parseJsonObject(call.argumentsText);
  // What is no object can only be sent as text, as a model would have sent it.
  const written = values === null ? JSON.stringify(call.argumentsText) : renderJson(values);
  const options =
    call.maxOutputBytes === null ? "" : `, { maxOutputBytes: ${call.maxOutputBytes} }`;
  const name = JSON.stringify(call.toolName);
  return escapeJson(`const result = await client.callTool(${name}, ${written}${options});`);
}

/** Returns the command line that makes this call on a directory of one's own. */
export function renderCommand(call: CallText): string {
  const values = parseJsonObject(call.argumentsText);
  const written = values === null ? call.argumentsText : escapeJson(JSON.stringify(values));
  const budget = call.maxOutputBytes === null ? "" : ` --max-output-bytes ${call.maxOutputBytes}`;
  const name = /^[\w.-]+$/.test(call.toolName) ? call.toolName : quote(call.toolName);
  return `treeglass call ${name} ${quote(written)} --mount ${MOUNT_PATH}=.${budget}`;
}

/** In single quotes a POSIX shell changes nothing but the single quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
