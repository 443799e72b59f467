/** The servers that speak Chat Completions, and what a page must send to each. */

export interface Preset {
  readonly name: string;
  readonly label: string;
  /** The address before `/chat/completions`; empty if the visitor types it. */
  readonly address: string;
  /** Says what the server needs before this page can ask it. */
  readonly needs: string;
  /** The command that `needs` ends with. */
  readonly command?: string;
  readonly isKeyRequired: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The headers with the key for the list of models, if that takes no bearer. */
  readonly listHeaders?: (key: string) => Readonly<Record<string, string>>;
  /** True if it refuses schemas with `additionalProperties` or with several types. */
  readonly takesPlainSchemas?: boolean;
}

/** A page from disk has no origin that a server could name; Node has no page. */
const ORIGIN = globalThis.location?.origin ?? "null";

/** Returns a preset whose keys its users make at a site. */
function hosted(name: string, label: string, address: string, site: string, more = ""): Preset {
  const needs = `Needs a key, which you make at ${site}.${more}`;
  return { name, label, address, needs, isKeyRequired: true };
}

/** Returns a preset of a program on the visitor's device. */
function local(name: string, label: string, port: number, command: string): Preset {
  const needs = `${label} runs on your device, and needs no key. Choose a model that can call tools. If the browser asks whether this page may reach your device, allow it; Safari never lets a page from https do so. Start ${label} so that it allows this page:`;
  const address = `http://localhost:${port}/v1`;
  return { name, label, address, needs, command, isKeyRequired: false };
}

const OWN: Preset = {
  name: "own",
  label: "Another address",
  address: "",
  needs: `Needs the address of a server's API (its endpoint), up to /chat/completions. The server has to speak OpenAI's Chat Completions, and to let this page call it (CORS); the page's origin is ${ORIGIN}.`,
  isKeyRequired: false,
};

export const PRESETS: readonly Preset[] = [
  hosted(
    "openai",
    "OpenAI",
    "https://api.openai.com/v1",
    "platform.openai.com",
    " Its account has to have credit.",
  ),
  {
    ...hosted(
      "anthropic",
      "Anthropic",
      "https://api.anthropic.com/v1",
      "platform.claude.com",
      " Its account has to have credit. Some organizations forbid their keys in pages.",
    ),
    // Without it, the server refuses every request that comes from a page.
    headers: { "anthropic-dangerous-direct-browser-access": "true" },
    // Its list is part of its own protocol, which takes no bearer.
    listHeaders: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  },
  {
    ...hosted(
      "gemini",
      "Google Gemini",
      "https://generativelanguage.googleapis.com/v1beta/openai",
      "aistudio.google.com",
    ),
    takesPlainSchemas: true,
  },
  hosted("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "openrouter.ai"),
  local(
    "ollama",
    "Ollama",
    11434,
    `OLLAMA_ORIGINS=${ORIGIN === "null" ? "'*'" : ORIGIN} ollama serve`,
  ),
  local("lmstudio", "LM Studio", 1234, "lms server start --cors"),
  OWN,
];

/** Returns the preset with that name; the one for any address if the name is unknown. */
export function findPreset(name: string): Preset {
  return PRESETS.find((preset) => preset.name === name) ?? OWN;
}
