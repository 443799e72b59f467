/** The servers that speak Chat Completions, and what a page must send to each. */

/** A server that the visitor can choose. */
export interface Preset {
  readonly name: string;
  readonly label: string;
  /** The address before `/chat/completions`; empty if the visitor types it. */
  readonly address: string;
  /** A sentence about the server and its key. */
  readonly note: string;
  readonly isKeyRequired: boolean;
  /** Headers of each request beside the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How the list of models takes the key, if not as a bearer. */
  readonly listHeaders?: (key: string) => Readonly<Record<string, string>>;
  /** Whether it refuses schemas with `additionalProperties` or with several types. */
  readonly takesPlainSchemas?: boolean;
}

const SENT_NOTE = "The page sends the key to this address only.";
const LOCAL_NOTE = "It runs on this machine and needs no key.";

const OWN: Preset = {
  name: "own",
  label: "Another address",
  address: "",
  note: `Any server that speaks OpenAI's Chat Completions and lets pages call it. ${SENT_NOTE}`,
  isKeyRequired: false,
};

export const PRESETS: readonly Preset[] = [
  {
    name: "openai",
    label: "OpenAI",
    address: "https://api.openai.com/v1",
    note: SENT_NOTE,
    isKeyRequired: true,
  },
  {
    name: "anthropic",
    label: "Anthropic",
    address: "https://api.anthropic.com/v1",
    note: SENT_NOTE,
    isKeyRequired: true,
    // Without it, the server refuses every request that comes from a page.
    headers: { "anthropic-dangerous-direct-browser-access": "true" },
    // Its list is part of its own protocol, which takes no bearer.
    listHeaders: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  },
  {
    name: "gemini",
    label: "Google Gemini",
    address: "https://generativelanguage.googleapis.com/v1beta/openai",
    note: SENT_NOTE,
    isKeyRequired: true,
    takesPlainSchemas: true,
  },
  {
    name: "openrouter",
    label: "OpenRouter",
    address: "https://openrouter.ai/api/v1",
    note: SENT_NOTE,
    isKeyRequired: true,
  },
  {
    name: "ollama",
    label: "Ollama on this machine",
    address: "http://localhost:11434/v1",
    note: `${LOCAL_NOTE} Start it with this page's origin in OLLAMA_ORIGINS.`,
    isKeyRequired: false,
  },
  {
    name: "lmstudio",
    label: "LM Studio on this machine",
    address: "http://localhost:1234/v1",
    note: `${LOCAL_NOTE} Turn on CORS in the settings of its server.`,
    isKeyRequired: false,
  },
  OWN,
];

/** Returns the preset with that name; the one for any address if the name is unknown. */
export function findPreset(name: string): Preset {
  return PRESETS.find((preset) => preset.name === name) ?? OWN;
}
