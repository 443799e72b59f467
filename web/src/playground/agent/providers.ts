/** The providers that can answer a question, with the settings that each needs. */

import { createToolset } from "../../adapters/toolset.ts";
import type { AgentModel, ModelContext, ModelSettings } from "./agent-model.ts";
import { findBrowserModel } from "./browser-model-api.ts";

export type ProviderName = "tour" | "openai" | "anthropic" | "gemini" | "browser";

export interface Provider {
  readonly name: ProviderName;
  readonly label: string;
  /** One or two sentences for the visitor who chooses it. */
  readonly note: string;
  /** The default address; null if the provider has no endpoint. */
  readonly address: string | null;
  readonly isKeyRequired: boolean;
  readonly isOffered: () => boolean;
  /** Loads the provider's client library; a page never fetches the library of another provider. */
  readonly create: (settings: ModelSettings, context: ModelContext) => Promise<AgentModel>;
}

const KEY_NOTE = "The page sends the key to that endpoint only.";

export const PROVIDERS: readonly Provider[] = [
  {
    name: "tour",
    label: "Guided tour (no model)",
    note: "A script that explores the mounted tree by rules. It contacts no server and needs no key.",
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

/** Returns the provider with that name; the guided tour if the name is unknown. */
export function findProvider(name: string): Provider {
  const [tour, ...others] = PROVIDERS;
  const found = others.find((provider) => provider.name === name) ?? tour;
  if (found === undefined) {
    throw new Error("the list of providers is empty");
  }
  return found;
}
