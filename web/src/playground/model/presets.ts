/** The servers that speak Chat Completions, and what a page must send to each. */

export interface Preset {
  readonly name: string;
  readonly label: string;
  /** The address before `/chat/completions`; empty if the visitor types it. */
  readonly address: string;
  readonly note: string;
  readonly isKeyRequired: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The headers with the key for the list of models, if that takes no bearer. */
  readonly listHeaders?: (key: string) => Readonly<Record<string, string>>;
  /** True if it refuses schemas with `additionalProperties` or with several types. */
  readonly takesPlainSchemas?: boolean;
}

const SENT_NOTE = "The page sends the key to this address only.";

/** Returns a preset whose key the page sends to its address. */
function hosted(name: string, label: string, address: string): Preset {
  return { name, label, address, note: SENT_NOTE, isKeyRequired: true };
}

function local(name: string, label: string, address: string, hint: string): Preset {
  const note = `It runs on this machine and needs no key. ${hint}`;
  return { name, label, address, note, isKeyRequired: false };
}

const OWN: Preset = {
  ...hosted("own", "Another address", ""),
  note: `Any server that speaks OpenAI's Chat Completions and lets pages call it. ${SENT_NOTE}`,
  isKeyRequired: false,
};

export const PRESETS: readonly Preset[] = [
  hosted("openai", "OpenAI", "https://api.openai.com/v1"),
  {
    ...hosted("anthropic", "Anthropic", "https://api.anthropic.com/v1"),
    // Without it, the server refuses every request that comes from a page.
    headers: { "anthropic-dangerous-direct-browser-access": "true" },
    // Its list is part of its own protocol, which takes no bearer.
    listHeaders: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  },
  {
    ...hosted("gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai"),
    takesPlainSchemas: true,
  },
  hosted("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
  local(
    "ollama",
    "Ollama",
    "http://localhost:11434/v1",
    "Start it with this page's origin in OLLAMA_ORIGINS.",
  ),
  local(
    "lmstudio",
    "LM Studio",
    "http://localhost:1234/v1",
    "Turn on CORS in the settings of its server.",
  ),
  OWN,
];

/** Returns the preset with that name; the one for any address if the name is unknown. */
export function findPreset(name: string): Preset {
  return PRESETS.find((preset) => preset.name === name) ?? OWN;
}
