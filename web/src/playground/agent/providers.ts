/** Who can answer a question, and what each of them has to be told first. */

import { createToolset } from "../../adapters/toolset.ts";
import type { AgentModel, ModelContext, ModelSettings } from "./agent-model.ts";
import { findBrowserModel } from "./browser-model-api.ts";

export type ProviderName = "tour" | "openai" | "anthropic" | "gemini" | "browser";

export interface Provider {
  readonly name: ProviderName;
  readonly label: string;
  /** One or two sentences for who chooses it. */
  readonly note: string;
  /** What the address is at first; null where there is no endpoint. */
  readonly address: string | null;
  readonly isKeyRequired: boolean;
  readonly isOffered: () => boolean;
  /** Loads the provider's client library, which no page that chooses another ever fetches. */
  readonly create: (settings: ModelSettings, context: ModelContext) => Promise<AgentModel>;
}

const KEY_NOTE = "The key goes from this page to that endpoint and to nobody else.";

export const PROVIDERS: readonly Provider[] = [
  {
    name: "tour",
    label: "Guided tour (no model)",
    note: "A script that explores whatever is mounted, by rules. It asks nobody and needs no key.",
    address: null,
    isKeyRequired: false,
    isOffered: () => true,
    create: async (_settings, { client, toolsetOptions }) => {
      const { GuidedTour } = await import("./guided-tour.ts");
      return new GuidedTour(await createToolset(client, toolsetOptions));
    },
  },
  {
    name: "openai",
    label: "OpenAI or compatible",
    note: `Any address that speaks Chat Completions, also one on this machine. ${KEY_NOTE}`,
    address: "https://api.openai.com/v1",
    isKeyRequired: false,
    isOffered: () => true,
    create: async (settings, context) =>
      (await import("./openai-model.ts")).createOpenAiModel(settings, context),
  },
  {
    name: "anthropic",
    label: "Anthropic",
    note: KEY_NOTE,
    address: "https://api.anthropic.com",
    isKeyRequired: true,
    isOffered: () => true,
    create: async (settings, context) =>
      (await import("./anthropic-model.ts")).createAnthropicModel(settings, context),
  },
  {
    name: "gemini",
    label: "Google Gemini",
    note: KEY_NOTE,
    address: "https://generativelanguage.googleapis.com",
    isKeyRequired: true,
    isOffered: () => true,
    create: async (settings, context) =>
      (await import("./gemini-model.ts")).createGeminiModel(settings, context),
  },
  {
    name: "browser",
    label: "This browser's own model",
    note: "It runs on this device; nothing leaves it. The browser may have to download it first.",
    address: null,
    isKeyRequired: false,
    isOffered: () => findBrowserModel() !== null,
    create: async (_settings, context) =>
      (await import("./browser-model.ts")).createBrowserModel(context),
  },
];

/** Returns the provider of that name; the guided tour where there is none. */
export function findProvider(name: string): Provider {
  const [tour, ...others] = PROVIDERS;
  const found = others.find((provider) => provider.name === name) ?? tour;
  if (found === undefined) {
    throw new Error("there is no provider at all");
  }
  return found;
}
