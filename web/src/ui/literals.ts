/** Texts of strangers, and calls, in the languages that the programs are written in. */
import { isJsonObject, parseJsonObject } from "./json.ts";

/** A call as a person or a model has written it. */
export interface CallText {
  readonly toolName: string;
  /** JSON. */
  readonly argumentsText: string;
  /** Null for the limit of the configuration. */
  readonly maxOutputBytes: number | null;
}

/** Returns a string literal of JavaScript and of JSON. */
export function quote(text: string): string {
  return escapeHidden(JSON.stringify(text));
}

/** Returns a string literal of Python, where a pair of surrogates is not one character. */
export function quotePython(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (character) => {
    const point = (character.codePointAt(0) ?? 0).toString(16);
    return character.length === 1 ? `\\u${point.padStart(4, "0")}` : `\\U${point.padStart(8, "0")}`;
  });
}

/** Returns a value of JSON as a literal of Python. */
export function renderPython(value: unknown): string {
  if (typeof value === "string") {
    return quotePython(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(renderPython).join(", ")}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${quotePython(name)}: ${renderPython(member)}`,
    );
    return `{${members.join(", ")}}`;
  }
  const names = new Map<unknown, string>([
    [null, "None"],
    [true, "True"],
    [false, "False"],
  ]);
  return names.get(value) ?? JSON.stringify(value);
}

/** Escapes in JSON what editors and terminals do not show, and half of a pair of surrogates. */
function escapeHidden(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Keeps a literal from ending the script of the page that it stands in. */
export function inScript(literal: string): string {
  return literal.replaceAll("<", "\\u003c");
}

/** Returns a text as HTML shows it, or as the value of an attribute in double quotes. */
export function escapeHtml(text: string): string {
  const named = text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return named.replace(/[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** Returns the expression of JavaScript that makes a call through a client. */
export function renderCall(call: CallText): string {
  const options =
    call.maxOutputBytes === null ? "" : `, { maxOutputBytes: ${call.maxOutputBytes} }`;
  // Arguments that are no object can only be sent as text, as a model sends them.
  const written = renderJson(call) ?? quote(call.argumentsText);
  return `client.callTool(${quote(call.toolName)}, ${written}${options})`;
}

/** Returns the arguments as JSON without hidden characters; null if they are no object. */
export function renderJson({ argumentsText }: Pick<CallText, "argumentsText">): string | null {
  const values = parseJsonObject(argumentsText);
  return values === null ? null : renderObject(values);
}

/** Returns an object as JSON without hidden characters. */
export function renderObject(value: object): string {
  return escapeHidden(JSON.stringify(value));
}

/** Returns a module that connects, mounts a tree and makes a call; `source` is an expression. */
export function renderClient(
  source: string,
  mountPath: string,
  call: CallText,
  config: object | null = null,
): string {
  const configured = config === null ? "" : `, config: ${renderObject(config)}`;
  return `import { connect } from "treeglass";

const client = await connect({ assets: "/treeglass/"${configured} });
await client.mount(${quote(mountPath)}, ${source});
const result = await ${renderCall(call)};
console.log(result.content);
`;
}
