/** The visitor's settings for a model; kept in this tab only if they ask for it. */

import { computed, signal } from "@preact/signals";
import { isStringRecord } from "../../lib/checks.ts";
import { parseJsonObject } from "../../ui/json.ts";
import { keepText, readKept } from "../shell/kept-text.ts";
import { hasUser, readWebAddress } from "../state/linked-tree.ts";
import { FAMILIES, type ToolFamily } from "../tool-notes.ts";
import type { ChatEndpoint } from "./chat-wire.ts";
import { findPreset } from "./presets.ts";

const STORAGE_KEY = "treeglass-model";

/** The texts of the fields; that of a checkbox is empty or `yes`. */
const UNSET = {
  ...{ preset: "openai", address: findPreset("openai").address, model: "", key: "" },
  ...{ family: "codex", otherFamily: "envelope", mayChange: "", asksFirst: "", isKept: "" },
  // In dollars per million tokens.
  ...{ sentPrice: "", receivedPrice: "" },
  contextTokens: "",
};

export type SettingName = keyof typeof UNSET;
export type SettingValues = Readonly<Record<SettingName, string>>;

/** Settings that a question can be asked with. */
export interface ChosenModel extends ChatEndpoint {
  readonly model: string;
  readonly family: ToolFamily;
  readonly mayChange: boolean;
}

export class ModelSettings {
  readonly values = signal<SettingValues>(restore());
  /** True if enough is set to ask a question. */
  readonly isComplete = computed(() => typeof this.read() !== "string");

  set(values: Partial<SettingValues>): void {
    const before = this.values.value;
    const chosen = { ...before, ...values };
    // A key belongs to one server: another one must not get it.
    const isOther = originOf(chosen.address) !== originOf(before.address);
    this.values.value = isOther && values.key === undefined ? { ...chosen, key: "" } : chosen;
    const kept = this.values.value.isKept === "" ? null : JSON.stringify(this.values.value);
    keepText(STORAGE_KEY, kept, "sessionStorage");
  }

  usePreset(name: string): void {
    this.set({ preset: name, address: findPreset(name).address, model: "" });
  }

  /** Returns where the server is, or a sentence that says what is missing. */
  readEndpoint(): ChatEndpoint | string {
    const values = this.values.value;
    const [address, key] = [values.address.trim(), values.key.trim()];
    const preset = findPreset(values.preset);
    if (originOf(address) === null) {
      return "Type the address of the server: it begins with https:// or http://.";
    }
    if (preset.isKeyRequired && key === "") {
      return `Type your key for ${preset.label}.`;
    }
    return { preset, address, key };
  }

  /** Returns the settings, or a sentence that says what is missing. */
  read(): ChosenModel | string {
    const { model: name, family, mayChange } = this.values.value;
    const [endpoint, model] = [this.readEndpoint(), name.trim()];
    if (typeof endpoint === "string") {
      return endpoint;
    }
    return model === ""
      ? "Type the name of a model, or press List models."
      : { ...endpoint, model, family: readFamily(family), mayChange: mayChange !== "" };
  }

  /** The set for a comparison; another one than the chosen one. */
  get otherFamily(): ToolFamily {
    const { family, otherFamily } = this.values.value;
    const other = readFamily(otherFamily);
    return other !== family ? other : readFamily(family === "codex" ? "envelope" : "codex");
  }

  /** Returns the number in a field; null if it is empty or no number. */
  numberIn(name: "sentPrice" | "receivedPrice" | "contextTokens"): number | null {
    const text = this.values.value[name].trim();
    const number = Number(text);
    return text !== "" && Number.isFinite(number) && number >= 0 ? number : null;
  }
}

/** Returns the family of this name; codex for a name that no family has. */
export function readFamily(name: string): ToolFamily {
  return FAMILIES.find((family) => family === name) ?? "codex";
}

function originOf(text: string): string | null {
  const address = readWebAddress(text.trim());
  return address === null || hasUser(address) ? null : address.origin;
}

function restore(): SettingValues {
  const kept = parseJsonObject(readKept(STORAGE_KEY, "sessionStorage") ?? "");
  return isStringRecord(kept) ? { ...UNSET, ...kept } : UNSET;
}
